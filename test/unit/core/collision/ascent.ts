/**
 * The direction that separates two convex solids best, felt for: among those that separate them, how far they do has one maximum, and no other
 * place where going on in every direction is worse. Where they overlap there may be several. Good to `FINEST`, which is enough to say where the features
 * lie that decide it.
 */

import { cos, sin } from '../../../../core/math/elementary'
import { addScaled, cross, lengthSquared, normalize, perpendicular, type Vec3 } from '../../../../core/math/vector'

const COARSEST = 0.5
const FINEST = 1e-6
const AROUND = 6

/**
 * @param separated m, along a unit vector
 * @param starts directions to begin at, of any length; those that are zero do not count
 * @returns unit
 */
export function ascend(separated: (direction: Vec3) => number, starts: readonly Vec3[]): Vec3 {
  return starts.filter(start => lengthSquared(start) > 0).map(normalize)
    .map(direction => climb(separated, { direction, apart: separated(direction) })).reduce(better).direction
}

interface Tried {
  readonly direction: Vec3
  readonly apart: number
}

function climb(separated: (direction: Vec3) => number, start: Tried): Tried {
  let best = start
  for (let stride = COARSEST; stride > FINEST;) {
    const next = around(best.direction, stride).map((direction): Tried => ({ direction, apart: separated(direction) })).reduce(better)
    if (next.apart > best.apart) best = next
    else stride /= 2
  }
  return best
}

function better(held: Tried, tried: Tried): Tried {
  return tried.apart > held.apart ? tried : held
}

function around(direction: Vec3, stride: number): Vec3[] {
  const u = perpendicular(direction)
  const v = cross(direction, u)
  return Array.from({ length: AROUND }, (_, k) => {
    const angle = 2 * Math.PI * k / AROUND
    return normalize(addScaled(addScaled(direction, u, stride * cos(angle)), v, stride * sin(angle)))
  })
}
