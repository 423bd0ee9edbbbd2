/** Figures for publishing: free-body diagrams as SVG and PDF. */

import { freeBody, outlinesOf, type DiagramOptions, type FreeBody } from '../../analysis/free-body'
import type { RecordedFrame } from '../../analysis/force-balance'
import { sourceName } from '../../analysis/source-name'
import type { ResolvedScene, Scene } from '../../scene'
import { BODY_STRIDE } from '../../trajectory/frame'
import type { Drawing } from './drawing'
import { freeBodyDrawing, viewOf, type ViewChoice } from './free-body'
import type { FreeBodyLook } from './look'

export { pdfOf } from './pdf'
export { svgOf } from './svg'
export type { Drawing } from './drawing'

export interface FigureOptions extends Omit<FreeBodyLook, 'view' | 'viewName' | 'title'>, DiagramOptions {
  readonly view: ViewChoice
}

export const VIEW_CHOICES = ['auto', 'xz', 'yz', 'xy', 'isometric'] as const satisfies readonly ViewChoice[]
export const LABEL_CHOICES = ['symbols', 'numbers', 'both'] as const satisfies readonly FreeBodyLook['labels'][]
export const CONTACT_CHOICES = ['points', 'resultant'] as const satisfies readonly DiagramOptions['contacts'][]
export const INK_CHOICES = ['dark', 'light'] as const satisfies readonly FreeBodyLook['ink'][]

export const FIGURE_DEFAULTS: FigureOptions = { view: 'auto', labels: 'both', contacts: 'points', polygon: true, table: true, ink: 'dark', width: 480 }

export interface Figure {
  readonly drawing: Drawing
  readonly diagram: FreeBody
}

/**
 * The free-body diagram of a body in a recorded frame.
 * @param scene scene of the run, as written and with its defaults
 * @returns null if the body does not exist at that time
 */
export function freeBodyFigure(
  recorded: RecordedFrame, scene: { readonly written: Scene; readonly resolved: ResolvedScene }, body: number, options: FigureOptions,
): Figure | null {
  const diagram = freeBody(recorded, body, source => sourceName(source, recorded, scene.written, body), options)
  const solid = scene.resolved.bodies[body]
  if (diagram === null || solid === undefined) return null
  const { view, name } = viewOf(options.view, diagram)
  const [x, y, z, i, j, k, w] = recorded.frame.bodies.subarray(body * BODY_STRIDE, body * BODY_STRIDE + 7)
  const outlines = outlinesOf(solid, { position: [x!, y!, z!], orientation: [i!, j!, k!, w!] }, view)
  const title = `Forces on ${solid.name || solid.id}`
  return { diagram, drawing: freeBodyDrawing(diagram, outlines, { ...options, title, view, viewName: name }) }
}
