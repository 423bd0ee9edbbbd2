/** The rows of a long list near its visible part: only these are laid out, so that thousands of rows cost no more than a screenful. */

import { computed, onBeforeUnmount, ref, watch, type ComputedRef, type Ref } from 'vue'

/** Lists of up to this many rows are laid out whole: they stay findable by the browser's own search. */
const WHOLE = 60
/** Rows laid out beyond each edge of the visible part, so that none is missing while it is scrolled. */
const BEYOND = 12

export interface RowWindow {
  /** First row that is laid out, and the one after the last. */
  readonly first: ComputedRef<number>
  readonly end: ComputedRef<number>
  /** px: height of the rows before and after. */
  readonly before: ComputedRef<number>
  readonly after: ComputedRef<number>
  /** Scrolls so far that a row is visible. */
  reveal(row: number): void
}

/**
 * @param scroller element that scrolls @param count of all rows
 * @param height of a row, px @param head height of what stays above the rows, px
 */
export function useRowWindow(scroller: Readonly<Ref<HTMLElement | null>>, count: () => number, height: number, head: number): RowWindow {
  const top = ref(0)
  const tall = ref(0)
  const look = () => {
    top.value = scroller.value?.scrollTop ?? 0
    tall.value = scroller.value?.clientHeight ?? 0
  }
  const observer = new ResizeObserver(look)
  watch(scroller, (now, former) => {
    former?.removeEventListener('scroll', look)
    observer.disconnect()
    now?.addEventListener('scroll', look, { passive: true })
    if (now) observer.observe(now)
  }, { immediate: true, flush: 'post' })
  onBeforeUnmount(() => {
    scroller.value?.removeEventListener('scroll', look)
    observer.disconnect()
  })

  const first = computed(() => count() <= WHOLE ? 0 : Math.max(0, Math.min(count() - 1, Math.floor(top.value / height) - BEYOND)))
  const end = computed(() => count() <= WHOLE ? count() : Math.min(count(), Math.ceil((top.value + tall.value) / height) + BEYOND))
  return {
    first, end,
    before: computed(() => first.value * height),
    after: computed(() => (count() - end.value) * height),
    reveal: row => {
      const element = scroller.value
      if (!element) return
      const place = row * height
      if (place < element.scrollTop) element.scrollTop = place
      else if (place + height + head > element.scrollTop + element.clientHeight) element.scrollTop = place + height + head - element.clientHeight
      look()
    },
  }
}
