/** Multipliers and penalties of links: how hard each pushes [Powell 69]. */

import { CONTACT, TIE, type Links } from './links'

/** Penalty, × what ties force to displacement at its lightest side: what is left of a gap falls by about this factor with each renewal of the multipliers. */
const PENALTY = 100
/**
 * The same where there are contacts of several particles, or with a body that moves: these switch on and off with each other, and Newton's method takes short
 * steps where that is hard. All contacts are as hard then: one that is harder than its neighbour makes steps short again.
 */
const SHARED_PENALTY = 10

/**
 * σ of ties and rods whose multipliers are unknowns, × the same: 2²⁶, half of the digits that there are. What is left of an error after a step is 1 / (1 + σ s)
 * of it, where s is what a push gives way by, and in a taut chain of n rods s is down to (π / n)² of a single rod's: a thousandth is left with 1,000 rods.
 */
const HOLD = 67_108_864

/**
 * σ of contacts that press, × their penalty: what a Newton step leaves of a gap is a tenth of what the penalty alone leaves. More contacts than hold something
 * have gaps that cannot all vanish at once in a linear step, and a σ that is much larger would turn that into forces.
 */
const HOLD_CONTACT = 10

/**
 * Penalties of links that have none.
 *
 * @param impedances what ties force to displacement at each block, N/m; held ones do not count
 * @param direct whether multipliers of ties, rods and contacts that press are unknowns
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

/** λ ← p, τ ← t. @returns the largest change of a force, N */
export function renew({ count, kinds, forces, friction, limits, normals, planes, pressures, presses, rubs }: Links): number {
  let open = 0
  for (let i = 0; i < count; i++) {
    const k = 3 * i
    const p = kinds[i] === TIE ? 0 : presses[i]!
    open = Math.max(open, Math.abs(p - pressures[i]!))
    pressures[i] = p
    limits[i] = friction[i]! * p
    for (let c = 0; c < 3; c++) {
      const t = forces[k + c]! - p * normals[k + c]!
      open = Math.max(open, Math.abs(t - rubs[k + c]!))
      rubs[k + c] = t
      planes[k + c] = normals[k + c]!
    }
  }
  return open
}

/** How deep contacts are after multipliers were renewed. */
export function measure(links: Links): void {
  const { count, kinds, gaps, bounces } = links
  links.violation = 0
  for (let i = 0; i < count; i++) if (kinds[i] === CONTACT && Number.isNaN(bounces[i]!)) links.violation = Math.max(links.violation, -gaps[i]!)
}
