/** Parts of cylinders and cones, in the body frame: flat discs with their rims, and the apex of a cone. */

import type { Cone } from '../geometry/cone'
import type { Cylinder } from '../geometry/cylinder'
import { cos, sin } from '../math/elementary'
import { outer, scaleMatrix, type Mat3 } from '../math/matrix'
import { toOuter, type Pose } from '../math/pose'
import { rotate } from '../math/quaternion'
import { add, addScaled, cross, dot, length, normalize, perpendicular, scale, sub, UNIT_X, UNIT_Z, type Vec3 } from '../math/vector'
import type { Facing, SupportMap } from './support'

/** A flat end and the circle around it. */
export interface Disc {
  readonly center: Vec3
  /** Unit, out of the solid. */
  readonly normal: Vec3
  readonly radius: number
}

export interface Round {
  readonly discs: readonly Disc[]
  readonly apex: Vec3 | null
  /** Unit along the solid's z axis, and the zero direction of angles on rims. */
  readonly axis: Vec3
  readonly meridian: Vec3
  /** Length scale of rounding, m. */
  readonly size: number
}

export function roundOf(primitive: Cylinder | Cone, pose: Pose): Round {
  const axis = rotate(pose.orientation, UNIT_Z)
  const meridian = rotate(pose.orientation, UNIT_X)
  const disc = (z: number, sign: 1 | -1): Disc => ({ center: toOuter(pose, [0, 0, z]), normal: scale(axis, sign), radius: primitive.girth })
  const discs = primitive.kind === 'cylinder' ? [disc(-primitive.height / 2, -1), disc(primitive.height / 2, 1)] : [disc(0, -1)]
  return { discs, apex: primitive.kind === 'cone' ? toOuter(pose, [0, 0, primitive.height]) : null, axis, meridian, size: primitive.radius }
}

/** A material point of a rim, `angle` from the meridian. */
export function rimPoint({ axis, meridian }: Round, { center, radius }: Disc, angle: number): Vec3 {
  return addScaled(addScaled(center, meridian, radius * cos(angle)), cross(axis, meridian), radius * sin(angle))
}

/** Support function of a circle: its farthest point along m, which moves by r/|m across| times the change of m; `far`: the opposite point. */
export class RimSupport implements SupportMap {
  private readonly radius: number

  constructor(private readonly disc: Disc, end: 'near' | 'far' = 'near') {
    this.radius = end === 'near' ? disc.radius : -disc.radius
  }

  at(body: Pose, reference: Vec3): Facing {
    const { radius } = this
    const axis = rotate(body.orientation, this.disc.normal)
    const center = add(sub(body.position, reference), rotate(body.orientation, this.disc.center))
    const across = (m: Vec3): Vec3 => addScaled(m, axis, -dot(m, axis))
    return {
      support: m => addScaled(center, outwards(across(m), axis), radius),
      hessian: (m): Mat3 => {
        const radial = across(m)
        const l = Math.max(length(radial), Number.MIN_VALUE)
        const tangent = scale(cross(axis, radial), 1 / l)
        return scaleMatrix(outer(tangent, tangent), Math.min(radius / l, Number.MAX_VALUE))
      },
    }
  }
}

/**
 * The unit vector along a direction without its component along the axis. If the remainder is near rounding, it still has an axial component, so the
 * projection is repeated. If nothing remains, any perpendicular direction is used.
 */
function outwards(radial: Vec3, axis: Vec3): Vec3 {
  const l = length(radial)
  const rough = l > 0 ? scale(radial, 1 / l) : axis
  const flat = addScaled(rough, axis, -dot(rough, axis))
  return dot(flat, flat) > 0.5 ? normalize(flat) : perpendicular(axis)
}
