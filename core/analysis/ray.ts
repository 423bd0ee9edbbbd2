/**
 * Intersection of a ray with convex solids, by conservative advancement: a point moves along the ray by its distance to the nearest solid, which it
 * cannot pass, until it touches [Mirtich 1996]. It uses support functions only, so it works for every shape.
 */

import { Sphere } from '../geometry/sphere'
import { addScaled, distance, dot, length, sub, type Vec3 } from '../math/vector'
import { IDENTITY_ROTATION } from '../math/quaternion'
import { solidDistance, type PlacedSolid } from './distance'

/** m: distance at which a point has reached a solid. */
const MET = 1e-9
/** m: radius of the sphere that represents the point. */
const POINT = 1e-15
/** Maximum number of steps; rays that graze a curved solid converge linearly. */
const MAX_STEPS = 400

const point = new Sphere(POINT)

/** A solid and its bounding sphere; of radius Infinity for half-spaces. */
export interface RayTarget extends PlacedSolid {
  readonly center: Vec3
  readonly radius: number
}

/**
 * m: from the origin to the first solid, at most `most`; 0 inside a solid.
 *
 * @param direction unit
 */
export function rayDistance(origin: Vec3, direction: Vec3, most: number, solids: readonly RayTarget[]): number {
  let best = most
  for (const solid of solids) {
    if (passesBy(origin, direction, best, solid)) continue
    best = Math.min(best, solidHit(origin, direction, best, solid))
  }
  return best
}

function solidHit(origin: Vec3, direction: Vec3, most: number, solid: PlacedSolid): number {
  let travelled = 0
  for (let step = 0; step < MAX_STEPS && travelled < most; step++) {
    const gap = solidDistance({ primitive: point, pose: { position: addScaled(origin, direction, travelled), orientation: IDENTITY_ROTATION } }, solid).distance
    if (gap <= MET) return travelled
    travelled += gap
  }
  return travelled
}

/** Whether the ray misses the sphere around a solid. */
function passesBy(origin: Vec3, direction: Vec3, most: number, { center, radius }: RayTarget): boolean {
  if (radius === Infinity) return false
  const along = Math.min(most, Math.max(0, dot(sub(center, origin), direction)))
  return distance(addScaled(origin, direction, along), center) > radius + MET || length(sub(center, origin)) - radius > most
}
