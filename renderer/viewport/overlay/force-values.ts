/** Values at the tips of contact forces, the largest first. No value covers another; those without a place are counted in the corner. */

import type { ContactFrame } from '../../../core/trajectory/frame'
import type { Vec3 } from '../../../core/math/vector'
import { formatQuantity } from '../../fields/format'
import type { Overlays } from '../../state/view'
import { toPixel, type Projection } from '../camera/projection'
import type { ViewportTheme } from '../theme'
import type { LabelPlaces } from '../../../core/analysis/label-places'
import { drawPlate, type Context } from './drawing'
import { drawLabel } from './labels'

export interface ForceTip {
  /** World, m. */
  readonly tail: Vec3
  readonly tip: Vec3
  /** N */
  readonly force: number
}

/** At most this many values are drawn; more are unreadable. */
const MAX_LABELS = 60
/** Values below this share of the largest force are omitted. */
const MIN_SHARE = 1e-3
const HEIGHT = 17
const PADDING = 6
/** CSS pixels: width of the plate in the corner. */
const CORNER = 110

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
        tips.push({ tail: at, tip, force: Math.sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]) })
      }
    }
  }
  const largest = tips.reduce((most, { force }) => Math.max(most, force), 0)
  return tips.filter(({ force }) => force > MIN_SHARE * largest).sort((a, b) => b.force - a.force)
}

/** @param places of this picture; the values occupy them */
export function drawForceValues(ctx: Context, tips: readonly ForceTip[], view: Projection, theme: ViewportTheme, places: LabelPlaces): void {
  const ends = tips.flatMap(({ tail, tip, force }) => {
    const [from, to] = [toPixel(view, tail), toPixel(view, tip)]
    return from && to ? [{ from, to, force }] : []
  })
  const corner = { left: 8, top: view.height - 8 - HEIGHT, right: 8 + CORNER, bottom: view.height - 8 }
  places.take(corner)
  const labelled = ends.slice(0, MAX_LABELS)
  for (const { from, to } of labelled) places.avoid(from, to)
  let hidden = ends.length - labelled.length
  for (const { from, to, force } of labelled) {
    const towards = Math.hypot(to[0] - from[0], to[1] - from[1]) < 1 ? [0, -1] as const : [to[0] - from[0], to[1] - from[1]] as const
    if (!drawLabel(ctx, formatQuantity(force, 'N'), to, towards, theme, places)) hidden++
  }
  if (hidden > 0) drawPlate(ctx, `+${hidden} more ${hidden === 1 ? 'value' : 'values'}`, corner.left + PADDING, (corner.top + corner.bottom) / 2, theme, { color: theme.css.muted })
}
