/** What charts of a run have in common: their curves' styles and legend, when they are drawn anew, and how they are saved. */

import { computed, onBeforeUnmount, onMounted, watch, type Ref } from 'vue'
import type { Series } from '../../main/protocol/runs'
import { useView } from '../state/view'
import { chartPng, curveStyles } from './chart-style'

export interface ChartProps<One extends Series> {
  readonly series: readonly (One & { readonly request?: number; readonly run?: number })[]
  /** px */
  readonly height: number
  /** s, where the timeline is. */
  readonly time: number
  readonly label: string
  /** Each series of the shown run has a button that removes it. */
  readonly removable?: boolean
  /** Series whose formula can be changed. */
  readonly editable?: (index: number) => boolean
}

interface Drawing {
  readonly holder: Readonly<Ref<HTMLElement | null>>
  /** All of it: other curves, another theme. */
  draw(): void
  /** Its holder has another width. */
  resize(): void
  /** Another time. */
  present(): void
  /** A curve's value, for the legend. */
  text(index: number): string
  canvas(): HTMLCanvasElement | null
}

export const css = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

export function useChart<One extends Series>(props: ChartProps<One>, { holder, draw, resize, present, text, canvas }: Drawing) {
  const view = useView()
  const styles = computed(() => curveStyles(props.series, view.theme))
  const legend = computed(() => props.series.map((one, i) => {
    const shown = (one.run ?? 0) === 0
    return { ...styles.value[i]!, label: one.label, text: text(i), removable: props.removable && shown, editable: shown && (props.editable?.(i) ?? false) }
  }))
  let observer: ResizeObserver | null = null
  onMounted(() => {
    draw()
    observer = new ResizeObserver(resize)
    if (holder.value) observer.observe(holder.value)
  })
  onBeforeUnmount(() => observer?.disconnect())
  watch(() => [props.series, view.theme, props.height], draw, { flush: 'post' })
  watch(() => props.time, present)
  /** The picture as displayed, as PNG bytes. */
  const png = () => {
    const drawn = canvas()
    return drawn ? chartPng(drawn, legend.value) : Promise.resolve(null)
  }
  return { styles, legend, png }
}
