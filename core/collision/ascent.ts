/**
 * The direction that separates two convex solids best, felt for: where they are apart, how far a direction separates them has one maximum, and no other
 * place where going on in every direction is worse. Good to `FINEST`, which is enough to say where the features lie that decide it.
 */

import { cos, sin } from '../math/elementary'
import { addScaled, cross, normalize, perpendicular, type Vec3 } from '../math/vector'

const COARSEST = 0.5
const FINEST = 1e-6
const AROUND = 6

/** @param separated m, along a unit vector; @param start a unit vector */
export function ascend(separated: (direction: Vec3) => number, start: Vec3): Vec3 {
  let best = start
  let most = separated(start)
  for (let stride = COARSEST; stride > FINEST;) {
    const next = around(best, stride).map(direction => ({ direction, apart: separated(direction) }))
      .reduce((held, tried) => tried.apart > held.apart ? tried : held)
    if (next.apart > most) {
      most = next.apart
      best = next.direction
    } else {
      stride /= 2
    }
  }
  return best
}

function around(direction: Vec3, stride: number): Vec3[] {
  const u = perpendicular(direction)
  const v = cross(direction, u)
  return Array.from({ length: AROUND }, (_, k) => {
    const angle = 2 * Math.PI * k / AROUND
    return normalize(addScaled(addScaled(direction, u, stride * cos(angle)), v, stride * sin(angle)))
  })
}
