/** Styles of curves: quantities differ by colour, runs by dash; with one quantity, runs differ by both. */

import type { Theme } from '../state/view'

/** Okabe and Ito's colours, ordered so that neighbours differ most. The dark theme omits black, the light one yellow. */
export const CHART_COLORS: Readonly<Record<Theme, readonly string[]>> = {
  dark: ['#56b4e9', '#e69f00', '#009e73', '#cc79a7', '#f0e442', '#d55e00', '#8fa8ff'],
  light: ['#0072b2', '#b86e00', '#00785a', '#a34f82', '#5a4fcf', '#c24a00', '#333333'],
}

/** px of line and gap, by run; the displayed one is solid. */
const DASHES: readonly (readonly number[])[] = [[], [5, 4], [2, 3], [9, 3, 2, 3], [9, 3, 2, 3, 2, 3], [1, 4]]

export interface CurveStyle {
  readonly color: string
  readonly dash: readonly number[]
}

/** @param curves quantity and run of each curve; absent in charts without runs */
export function curveStyles(curves: readonly { readonly request?: number; readonly run?: number }[], theme: Theme): readonly CurveStyle[] {
  const colors = CHART_COLORS[theme]
  const several = new Set(curves.map((curve, k) => curve.request ?? k)).size > 1
  return curves.map(({ request, run = 0 }, k) => ({
    color: colors[(several ? request ?? k : run) % colors.length]!, dash: DASHES[run % DASHES.length]!,
  }))
}

export interface LegendEntry extends CurveStyle {
  readonly label: string
  readonly text: string
}

const LINE = 18
const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** The chart with its legend below, as PNG bytes. */
export async function chartPng(chart: HTMLCanvasElement, legend: readonly LegendEntry[]): Promise<Uint8Array | null> {
  const scale = devicePixelRatio
  const flat = document.createElement('canvas')
  flat.width = chart.width
  flat.height = chart.height + Math.round((legend.length * LINE + 8) * scale)
  const context = flat.getContext('2d')!
  context.fillStyle = css('--surface')
  context.fillRect(0, 0, flat.width, flat.height)
  context.drawImage(chart, 0, 0)
  context.scale(scale, scale)
  context.font = `12px ${css('--font')}`
  context.textBaseline = 'middle'
  legend.forEach(({ color, dash, label, text }, k) => {
    const y = chart.height / scale + (k + 0.5) * LINE
    context.strokeStyle = color
    context.lineWidth = 2
    context.setLineDash([...dash])
    context.beginPath()
    context.moveTo(8, y)
    context.lineTo(36, y)
    context.stroke()
    context.fillStyle = css('--text')
    context.fillText(text === '' ? label : `${label}  ${text}`, 44, y)
  })
  const blob = await new Promise<Blob | null>(resolve => { flat.toBlob(resolve, 'image/png') })
  return blob && new Uint8Array(await blob.arrayBuffer())
}
