/**
 * About where two convex solids are nearest: Gilbert's algorithm [Gilbert 1966] on their support points, stopped early. Each step goes from the shortest
 * difference p_A − p_B known towards the support point of the difference against it, to the nearest point of that line. What is found is a guess: good to
 * a few hundredths, and enough to say which features are worth looking at first.
 */

import { addScaled, dot, lengthSquared, negate, scale, sub, type Vec3 } from '../math/vector'

const STEPS = 12
/** Share of the squared distance that another step would have to gain. */
const GAIN = 1e-3

export interface NearestGuess {
  /** m */
  readonly onA: Vec3
  readonly onB: Vec3
  /** m: the solids are this far apart at least; −Infinity where nothing is known. */
  readonly least: number
}

/** @param supportA the point of A farthest along a unit vector; @param startA a point of A to begin with */
export function nearestGuess(supportA: (d: Vec3) => Vec3, supportB: (d: Vec3) => Vec3, startA: Vec3, startB: Vec3): NearestGuess {
  let onA = startA
  let onB = startB
  let least = -Infinity
  for (let k = 0; k < STEPS; k++) {
    const apart = sub(onA, onB)
    const square = lengthSquared(apart)
    if (square === 0) break
    const towardsA = scale(apart, 1 / Math.sqrt(square))
    const nextA = supportA(negate(towardsA))
    const nextB = supportB(towardsA)
    const next = sub(nextA, nextB)
    least = Math.max(least, dot(towardsA, next))
    const way = sub(next, apart)
    const ahead = -dot(apart, way)
    if (!(ahead > GAIN * square)) break
    const share = Math.min(1, ahead / lengthSquared(way))
    onA = addScaled(onA, sub(nextA, onA), share)
    onB = addScaled(onB, sub(nextB, onB), share)
  }
  return { onA, onB, least }
}
