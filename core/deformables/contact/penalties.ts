/** Multipliers and penalties of links [Powell 69]. */

import { CONTACT, TIE, type Links } from './links'

/** Penalty, × the impedance of the link's lightest side. A renewal of the multipliers reduces a gap by about this factor. */
export const PENALTY = 100
/**
 * The same once a contact of several particles, or with a moving body, presses. These activate and deactivate each other, and large penalties make
 * Newton's method take short steps there. All contacts then get the same penalty: one stiffer than its neighbour would make steps short again.
 */
const SHARED_PENALTY = 10

/**
 * σ of ties and rods whose multipliers are unknowns, × the same impedance: 2²⁶, half of the available digits. A step reduces an error by the factor 1
 * / (1 + σ s), where s is the compliance; in a taut chain of n rods s is as small as (π / n)² of a single rod's, so that with 1,000 rods a thousandth
 * remains.
 */
export const HOLD = 67_108_864

/**
 * σ of active contacts, × their penalty: a Newton step leaves a tenth of the gap that the penalty alone leaves. Redundant contacts have gaps that
 * cannot all vanish in one linear step, and a much larger σ would turn these into forces.
 */
const HOLD_CONTACT = 10

/**
 * Sets the penalties of links without one.
 *
 * @param impedances force ÷ displacement of each block, N/m; held blocks do not count
 * @param direct whether multipliers of ties, rods and active contacts are unknowns
 */
export function weigh(links: Links, impedances: Float64Array, held: Uint8Array, direct: boolean): void {
  const { count, kinds, bounces, particles, weights, carriers, penalties, holds, shared, all: { blocks } } = links
  for (let i = 0; i < count; i++) {
    if (penalties[i]! > 0) continue
    let least = Infinity
    for (let k = 4 * i; k < 4 * i + 4; k++) {
      const p = particles[k]!
      if (p >= 0 && !held[p] && Math.abs(weights[k]!) > 0.2) least = Math.min(least, impedances[p]!)
    }
    const block = carriers[i]! < 0 ? -1 : blocks[carriers[i]!]!
    if (least === Infinity && block >= 0) least = impedances[block]!
    if (least === Infinity) least = 1
    penalties[i] = (shared && kinds[i] === CONTACT ? SHARED_PENALTY : PENALTY) * least
    if (direct) holds[i] = kinds[i] !== CONTACT ? HOLD * least : Number.isNaN(bounces[i]!) ? HOLD_CONTACT * penalties[i]! : 0
  }
}

/** Lowers the penalties of all contacts once one presses that shares its particles or its body with others. @returns whether it did */
export function soften(links: Links): boolean {
  if (!links.share()) return false
  const { count, kinds, penalties, holds } = links
  for (let i = 0; i < count; i++) {
    if (kinds[i] !== CONTACT) continue
    penalties[i]! *= SHARED_PENALTY / PENALTY
    holds[i]! *= SHARED_PENALTY / PENALTY
  }
  return true
}

/**
 * After `WHOLE` renewals in a step the bounds of friction are changed by `PART` of the difference only. At contacts in wedges, as where a box slides into a
 * corner of a net, bounds and normal forces can alternate without end; the damped update ends such cycles. Convergent steps take fewer renewals. With 4 to 15
 * and 0.3 to 0.7 the number of iterations on the net varies by 6 %, and no step fails; without damping one of seven runs had a step that did not converge.
 */
const WHOLE = 10
const PART = 0.5

/** λ ← p, τ ← t. @returns the largest change of a force, N */
export function renew(links: Links): number {
  const { count, kinds, forces, friction, limits, normals, planes, pressures, presses, rubs } = links
  let open = 0
  const share = ++links.renewals > WHOLE ? PART : 1
  for (let i = 0; i < count; i++) {
    const k = 3 * i
    const p = kinds[i] === TIE ? 0 : presses[i]!
    open = Math.max(open, Math.abs(p - pressures[i]!))
    pressures[i] = p
    const miss = friction[i]! * p - limits[i]!
    open = Math.max(open, Math.abs(miss))
    limits[i]! += share * miss
    for (let c = 0; c < 3; c++) {
      const t = forces[k + c]! - p * normals[k + c]!
      open = Math.max(open, Math.abs(t - rubs[k + c]!))
      rubs[k + c] = t
      planes[k + c] = normals[k + c]!
    }
  }
  return open
}

/** Measures the penetration of contacts after a renewal of multipliers. */
export function measure(links: Links): void {
  const { count, kinds, gaps, bounces } = links
  links.violation = 0
  for (let i = 0; i < count; i++) if (kinds[i] === CONTACT && Number.isNaN(bounces[i]!)) links.violation = Math.max(links.violation, -gaps[i]!)
}
