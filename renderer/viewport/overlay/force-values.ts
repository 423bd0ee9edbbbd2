/** Values at the tips of contact forces, the largest first. A value that would overlap others is omitted. */

import type { ContactFrame } from '../../../core/trajectory/frame'
import type { Vec3 } from '../../../core/math/vector'
import { formatQuantity } from '../../fields/format'
import type { Overlays } from '../../state/view'
import { toPixelInto, type Projection } from '../camera/projection'
import type { ViewportTheme } from '../theme'
import { drawPlate, type Context } from './drawing'

export interface ForceTip {
  /** World, m. */
  readonly tip: Vec3
  /** N */
  readonly force: number
}

export interface Rectangle { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** At most this many values are drawn; more are unreadable. */
const MAX_LABELS = 60
/** Values below this share of the largest force are omitted. */
const SMALLEST_SHARE = 1e-3
const HEIGHT = 17
const PADDING = 6

/**
 * Tips of the displayed force arrows.
 * @param sign 1 if the force on A is drawn, −1 if the force on B is, null for both
 * @param scale m/N
 */
export function forceTips(
  contacts: ContactFrame, overlays: Overlays, sign: (contact: number) => 1 | -1 | null, scale: number, shown: (contact: number) => boolean,
): ForceTip[] {
  const tips: ForceTip[] = []
  for (let i = 0; i < contacts.count; i++) {
    if (!shown(i)) continue
    const own = sign(i)
    for (const s of own === null ? [1, -1] : [own]) {
      const of = (values: ArrayLike<number>, factor: number): Vec3 => [factor * values[3 * i]!, factor * values[3 * i + 1]!, factor * values[3 * i + 2]!]
      const normal = of(contacts.normal, s * contacts.normalForce[i]!)
      const friction = of(contacts.frictionForce, s)
      const total: Vec3 = [normal[0] + friction[0], normal[1] + friction[1], normal[2] + friction[2]]
      const at = of(contacts.point, 1)
      for (const force of [...overlays.normalForces ? [normal] : [], ...overlays.frictionForces ? [friction] : [], ...overlays.totalForces ? [total] : []]) {
        const tip: Vec3 = [at[0] + scale * force[0], at[1] + scale * force[1], at[2] + scale * force[2]]
        tips.push({ tip, force: Math.sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]) })
      }
    }
  }
  const largest = tips.reduce((most, { force }) => Math.max(most, force), 0)
  return tips.filter(({ force }) => force > SMALLEST_SHARE * largest).sort((a, b) => b.force - a.force).slice(0, MAX_LABELS)
}

/** The first free one of eight places around a point for a plate of this width; null if none is free. */
export function freePlace(x: number, y: number, width: number, taken: readonly Rectangle[]): Rectangle | null {
  const [right, left, middle] = [x + PADDING, x - width - PADDING, x - width / 2]
  const beside = y - HEIGHT / 2
  const [above, below] = [beside - HEIGHT, beside + HEIGHT]
  const places = [
    [middle, above], [right, beside], [left, beside], [middle, below], [right, above], [left, above], [right, below], [left, below],
  ] as const
  for (const [px, py] of places) {
    const place = { x: px, y: py, width, height: HEIGHT }
    if (!taken.some(other => overlap(place, other))) return place
  }
  return null
}

function overlap(a: Rectangle, b: Rectangle): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

export function drawForceValues(ctx: Context, tips: readonly ForceTip[], view: Projection, theme: ViewportTheme): void {
  const pixel: [number, number, number] = [0, 0, 0]
  const taken: Rectangle[] = []
  ctx.font = `500 11px ${theme.css.font}`
  for (const { tip, force } of tips) {
    if (!toPixelInto(view, tip[0], tip[1], tip[2], pixel)) continue
    const text = formatQuantity(force, 'N')
    const place = freePlace(pixel[0], pixel[1], ctx.measureText(text).width + 2 * PADDING, taken)
    if (place === null) continue
    taken.push(place)
    drawPlate(ctx, text, place.x + PADDING, place.y + HEIGHT / 2, theme)
  }
}
