/** Text and scales over the picture: measurements, name of the view, names of bodies, and a note on outdated runs. */

import type { ContactFrame } from '../../../core/trajectory/frame'
import type { Vec3 } from '../../../core/math/vector'
import { formatQuantity } from '../../fields/format'
import { bodiesOf, titleOf } from '../../state/scene-access'
import { gridSpacing, lengthLabel } from '../camera/grid-spacing'
import { standardViewOf } from '../camera/camera-state'
import { metresPerPixel, toPixelInto, type Projection } from '../camera/projection'
import { roundDown125, type ArrowScales } from '../glyphs/arrow-scale'
import type { PosedScene } from '../posed-scene'
import type { ViewportTheme } from '../theme'
import type { Measurement } from '../../state/measurements'
import type { Covered } from '../../state/viewport-api'
import type { ColourScale } from '../shown-scale'
import type { ViewState } from '../view-state'
import { KINDS } from '../body-plan'
import { drawGhosts, MAX_GHOSTS } from './ghosts'
import { drawGroundLines } from './ground-lines'
import { signOf } from '../glyphs/contacts'
import { drawForceValues, forceTips, type ForceTip } from './force-values'
import { drawMeasurement } from './measurement'
import { COLOUR_SCALE_ABOVE, drawColourScale } from './colour-scale'
import type { LabelPlaces } from '../../../core/analysis/label-places'
import { picturePlaces } from './labels'
import { drawPlate, drawScaleBar, plateSize, type Context } from './drawing'

/** At most this many names are drawn; more would hide the scene. */
const MAX_NAMES = 200

const VIEW_NAMES: Readonly<Record<string, string>> = {
  front: 'Front', back: 'Back', left: 'Left', right: 'Right', top: 'Top', bottom: 'Bottom', isometric: 'Isometric',
}

export interface AnnotationInput {
  readonly view: Projection
  readonly theme: ViewportTheme
  readonly state: ViewState
  readonly posed: PosedScene | null
  readonly scales: ArrowScales
  /** The displayed contacts and the direction against gravity. Null without contacts. */
  readonly contacts: ContactFrame | null
  /** N: the largest of the scene's forces that are drawn. Without forces and contacts the scale of forces is omitted. */
  readonly applied: number
  readonly up: Vec3
  readonly shown: (body: number) => boolean
  /** Bodies of the comparison run. */
  readonly ghosts: PosedScene | null
  /** Bodies of the displayed run at chosen times. */
  readonly timeGhosts: readonly PosedScene[]
  readonly measurements: readonly Measurement[]
  /** The quantity that deformables are coloured by. */
  readonly colours: ColourScale | null
  /** What covers the lower edge of the picture. */
  readonly atBottom: readonly Covered[]
}

/** @returns CSS pixels: how high the scales at the lower right reach above the lower edge */
export function drawAnnotations(ctx: Context, input: AnnotationInput): number {
  const { view, theme, state, posed } = input
  if (posed) drawGroundLines(ctx, posed, view, theme, input.shown)
  for (const ghosts of input.timeGhosts) drawGhosts(ctx, ghosts, view, theme, wantedGhosts(ghosts, state), theme.css.muted)
  if (input.ghosts) drawGhosts(ctx, input.ghosts, view, theme, wantedGhosts(input.ghosts, state))
  const places = picturePlaces(view)
  if (posed && state.overlays.names) drawNames(ctx, input, posed, places)
  for (const measurement of input.measurements) drawMeasurement(ctx, measurement, view, theme, places)
  if (state.overlays.forceValues && input.contacts) drawForceValues(ctx, tipsOf(input, input.contacts), view, theme, places)
  const scalesTop = drawScales(ctx, input)
  if (state.overlays.scales) drawViewName(ctx, view, theme)
  if (state.stale) drawPlate(ctx, 'old run', 18, 40, theme, { color: theme.css.warning, background: theme.css.warningSoft })
  return scalesTop
}

function drawViewName(ctx: Context, view: Projection, theme: ViewportTheme) {
  const name = standardViewOf(view.camera)
  const title = `${name ? VIEW_NAMES[name] : 'Free view'} · ${view.camera.orthographic ? 'orthographic' : 'perspective'}`
  // On a plate: bodies may be behind it.
  drawPlate(ctx, title, 14, 17, theme, { color: theme.css.muted })
}

/** Ghosts of the selected bodies, or of all moving bodies if none is selected. */
function wantedGhosts(ghosts: PosedScene, state: ViewState): (body: number) => boolean {
  const bodies = bodiesOf(ghosts.scene)
  const some = bodies.some(body => state.selected.has(body.id))
  return body => some ? state.selected.has(bodies[body]!.id) : ghosts.plan.kinds[body] !== KINDS.fixed && bodies.length <= MAX_GHOSTS
}

function tipsOf({ state, scales, shown, up }: AnnotationInput, contacts: ContactFrame): ForceTip[] {
  const visible = (i: number) => shown(contacts.bodyA[i]!) || shown(contacts.bodyB[i]!)
  return forceTips(contacts, state.overlays, i => signOf(contacts, i, { side: state.actionSide, up }), scales.force, visible)
}

function drawNames(ctx: Context, { view, theme, state, shown }: AnnotationInput, posed: PosedScene, places: LabelPlaces): void {
  const pixel: [number, number, number] = [0, 0, 0]
  const bodies = bodiesOf(posed.scene)
  let drawn = 0
  for (let b = 0; b < bodies.length && drawn < MAX_NAMES; b++) {
    if (!shown(b) || !posed.exists(b) || posed.plan.radii[b] === 0) continue
    const [x, y, z] = posed.middle(b)
    if (!toPixelInto(view, x, y, z, pixel)) continue
    const selected = state.selected.has(bodies[b]!.id)
    const up = Math.min(60, posed.plan.radii[b]! / metresPerPixel(view, [x, y, z]) * 0.55)
    const name = titleOf(bodies[b]!)
    const [left, middle] = [pixel[0] + 8, pixel[1] - up]
    drawPlate(ctx, name, left, middle, theme, selected ? { color: theme.css.accent } : {})
    const { width, height, padding } = plateSize(ctx, name, theme)
    places.take({ left: left - padding, top: middle - height / 2, right: left - padding + width, bottom: middle + height / 2 })
    drawn++
  }
}

/** CSS pixels: right end and middle of the scale of painted factors, at the top left. */
const PAINTED_SCALE = { x: 154, y: 54 } as const

/** CSS pixels: distance of the lowest scale from the lower edge, and between two of them; width that they take; and least height of their middles. */
const [EDGE, STEP, WIDE, BELOW_CUBE] = [16, 20, 190, 132]

/** Bottom right, above what covers the lower edge there: a length at the target's distance, and a force drawn as an arrow of the same scale. */
function drawScales(ctx: Context, { view, theme, state, scales, contacts, applied, colours, atBottom }: AnnotationInput): number {
  const perPixel = metresPerPixel(view, view.camera.target)
  const x = view.width - 14
  const covered = atBottom.reduce((most, { right, top }) => right > x - WIDE ? Math.max(most, top) : most, 0)
  let y = view.height - covered - EDGE
  if (covered > 0 && y < BELOW_CUBE) return 0
  const { overlays } = state
  const spacing = roundDown125(perPixel * 110)
  if (overlays.scales) drawScaleBar(ctx, lengthLabel(spacing), spacing / perPixel, x, y, theme)
  if (overlays.scales && overlays.grid && y - STEP >= BELOW_CUBE) {
    const label = `grid ${lengthLabel(gridSpacing(view.camera, view.height))}`
    ctx.font = `500 11px ${theme.css.font}`
    drawPlate(ctx, label, x - ctx.measureText(label).width, y - STEP, theme, { color: theme.css.muted })
    y -= STEP
  }
  if (colours && state.painted) {
    // The tool bar of the brush is below.
    drawColourScale(ctx, colours, PAINTED_SCALE.x, PAINTED_SCALE.y, theme)
  } else if (colours) {
    y -= 46
    drawColourScale(ctx, colours, x, y, theme)
  }
  const top = view.height - y + (colours ? COLOUR_SCALE_ABOVE : STEP / 2)
  const forces = applied > 0 || (contacts && (overlays.normalForces || overlays.frictionForces || overlays.totalForces))
  if (!overlays.scales || !forces || y - STEP < BELOW_CUBE) return top
  const force = roundDown125(perPixel * 80 / scales.force)
  drawScaleBar(ctx, formatQuantity(force, 'N'), force * scales.force / perPixel, x, y - STEP, theme, true)
  return top + STEP
}
