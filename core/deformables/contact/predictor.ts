/**
 * The start x* of a stage of a method of second order, relative to links. Such a start is an extrapolation from the configuration xs at which the stage's
 * paths begin: x* = xs + S. Slips of contacts count from x*, so that a contact that sticks has no velocity; and where x* would be inside, velocities of the
 * past would become a rebound. It is therefore made feasible first: linearised gaps become ≥ 0 by the smallest displacement of particles in the mass metric
 * (projected Gauss–Seidel). Centre and angular momentum of the displaced particles are those of the contact normals, as for impulses.
 */

import { relativeMove } from './link-geometry'
import { CONTACT, type Links } from './links'

/** Displacement of x* from the start of the paths. */
export interface Shift {
  /** m, of all blocks. */
  readonly blocks: Float64Array
  /** s: prescribed carriers move for this time with their velocity at the start. */
  readonly time: number
}

/** Sweeps over the links; what is left becomes a small velocity. */
const SWEEPS = 20
/** m: largest remaining depth. */
const SHALLOW = 1e-13

const u = new Float64Array(3)

/** Subtracts the shift from the slip of contact i. */
export function shiftSlip(links: Links, i: number, { blocks, time }: Shift): void {
  relativeMove(links, i, blocks, u, links.frictionWeights, links.frictionArms)
  subtractCarrier(links, i, time, links.frictionArms)
  for (let k = 0; k < 3; k++) links.slips[3 * i + k]! -= u[k]!
}

/**
 * Changes the shift where contacts would be closed, particles only. The links are placed at the start of the paths, prescribed carriers at their end.
 *
 * @param masses kg; @param held 1 for particles that do not move; @param window s: duration of the paths
 * @returns whether it has changed
 */
export function makeFeasible(links: Links, shift: Shift, masses: Float64Array, held: Uint8Array, window: number): boolean {
  const { count, kinds, normals, particles, weights } = links
  const { blocks } = shift
  let any = false
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let worst = 0
    for (let i = 0; i < count; i++) {
      if (kinds[i] !== CONTACT) continue
      const gap = gapAt(links, i, shift, window)
      if (!(gap < -SHALLOW)) continue
      let mobility = 0
      for (let k = 4 * i; k < 4 * i + 4; k++) {
        const p = particles[k]!
        if (p >= 0 && !held[p]) mobility += weights[k]! * weights[k]! / masses[p]!
      }
      if (mobility === 0) continue
      worst = Math.max(worst, -gap)
      any = true
      for (let k = 4 * i; k < 4 * i + 4; k++) {
        const p = particles[k]!
        if (p < 0 || held[p]) continue
        const by = -gap * weights[k]! / (mobility * masses[p]!)
        for (let c = 0; c < 3; c++) blocks[3 * p + c]! += by * normals[3 * i + c]!
      }
    }
    if (worst === 0) break
  }
  return any
}

/**
 * A contact with restitution keeps a separation from x* and no gap. Where x* is still inside, as of a sheet between two bodies, that is as much larger.
 *
 * @param bounceShare length of the stage ÷ window
 */
export function raiseBounces(links: Links, shift: Shift, window: number, bounceShare: number): void {
  const { count, bounces } = links
  for (let i = 0; i < count; i++) if (!Number.isNaN(bounces[i]!)) bounces[i]! += Math.max(0, -gapAt(links, i, shift, window)) / bounceShare
}

/** m: linearised gap at x*. */
function gapAt(links: Links, i: number, { blocks, time }: Shift, window: number): number {
  const { gaps, normals } = links
  relativeMove(links, i, blocks, u)
  subtractCarrier(links, i, time - window, links.arms)
  return Math.max(0, gaps[i]!) + u[0]! * normals[3 * i]! + u[1]! * normals[3 * i + 1]! + u[2]! * normals[3 * i + 2]!
}

/** Subtracts from u the motion of a prescribed carrier in a time, s. */
function subtractCarrier({ carriers, all: { blocks, velocities: w } }: Links, i: number, time: number, arms: Float64Array): void {
  const c = carriers[i]!
  if (c < 0 || blocks[c]! >= 0) return
  const [rx, ry, rz] = [arms[3 * i]!, arms[3 * i + 1]!, arms[3 * i + 2]!]
  u[0]! -= time * (w[6 * c]! + w[6 * c + 4]! * rz - w[6 * c + 5]! * ry)
  u[1]! -= time * (w[6 * c + 1]! + w[6 * c + 5]! * rx - w[6 * c + 3]! * rz)
  u[2]! -= time * (w[6 * c + 2]! + w[6 * c + 3]! * ry - w[6 * c + 4]! * rx)
}
