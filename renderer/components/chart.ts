/** Common part of charts of a run: styles and legend, redrawing, and saving. */

import { computed, onBeforeUnmount, onMounted, watch, type Ref } from 'vue'
import type { Series } from '../../main/protocol/runs'
import { useView } from '../state/view'
import { chartPng, curveStyles } from './chart-style'

export interface ChartProps<One extends Series> {
  readonly series: readonly (One & { readonly request?: number; readonly run?: number })[]
  /** px */
  readonly height: number
  /** s: displayed time. */
  readonly time: number
  readonly label: string
  /** Series of the displayed run have a button to remove them. */
  readonly removable?: boolean
  /** Series whose formula can be changed. */
  readonly editable?: (index: number) => boolean
}

interface Drawing {
  readonly holder: Readonly<Ref<HTMLElement | null>>
  /** Redraws everything, after a change of curves or theme. */
  draw(): void
  /** The container's width changed. */
  resize(): void
  /** The displayed time changed. */
  present(): void
  /** Text of a curve's value in the legend. */
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
  /** The chart as PNG bytes. */
  const png = () => {
    const drawn = canvas()
    return drawn ? chartPng(drawn, legend.value) : Promise.resolve(null)
  }
  return { styles, legend, png }
}
