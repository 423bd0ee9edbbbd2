import type { Pose } from '../../math/pose'
import { rotate, rotateInverse } from '../../math/quaternion'
import { add, addScaled, dot, length, sub, type Vec3 } from '../../math/vector'

/** One side of a feature's domain: inside where `normal · x ≥ offset`, in the body frame of B. */
export interface BoundaryPlane {
  readonly normal: Vec3
  readonly offset: number
}

/** A point of body A in the frame of body B, subtracting the large coordinates first. */
export function pointInOther(a: Pose, point: Vec3, b: Pose): Vec3 {
  return rotateInverse(b.orientation, add(sub(a.position, b.position), rotate(a.orientation, point)))
}

/** Distance of a point inside all planes to the nearest of them, m; negative outside; Infinity without planes. */
export function insideBy(planes: readonly BoundaryPlane[], point: Vec3): number {
  let inside = Infinity
  for (const plane of planes) {
    inside = Math.min(inside, dot(plane.normal, point) - plane.offset)
  }
  return inside
}

/** Distance inside a circle of a point over its plane, m; negative outside. */
export function insideDisc(disc: { readonly center: Vec3, readonly radius: number }, normal: Vec3, point: Vec3): number {
  const from = sub(point, disc.center)
  return disc.radius - length(addScaled(from, normal, -dot(normal, from)))
}

/** Tilt beyond which nothing lies flat, for any tolerance, rad. */
const FLAT = 1e-6

/**
 * Margin of a disc of that radius before it no longer counts as lying on a plane, m; the limit is twice the tolerance at which it starts to lie flat.
 * @param sine of its tilt
 */
export function tiltMargin(sine: number, radius: number, slack: number): number {
  return 2 * (Math.min(slack, FLAT * radius) - radius * sine)
}

/** Sine of the angle between two lines. */
export function sineBetween(axis: Vec3, normal: Vec3): number {
  return length(addScaled(axis, normal, -dot(axis, normal)))
}
