/** Affine transforms with scale and shear, as in scene graphs: x ↦ m x + t. */

import { determinant, IDENTITY, multiply, transform, transpose, type Mat3 } from '../../math/matrix'
import type { Pose } from '../../math/pose'
import { fromMatrix, toMatrix } from '../../math/quaternion'
import { add, cross, dot, length, normalize, perpendicular, scale as scaled, sub, ZERO, type Vec3 } from '../../math/vector'

export interface Affine {
  readonly m: Mat3
  readonly t: Vec3
}

export const NO_TRANSFORM: Affine = { m: IDENTITY, t: ZERO }

/** Applies `inner`, then `outer`. */
export function composeAffine(outer: Affine, inner: Affine): Affine {
  return { m: multiply(outer.m, inner.m), t: add(transform(outer.m, inner.t), outer.t) }
}

export function transformPoint({ m, t }: Affine, point: Vec3): Vec3 {
  return add(transform(m, point), t)
}

export function fromPose({ position, orientation }: Pose): Affine {
  return { m: toMatrix(orientation), t: position }
}

export function scaling(factors: Vec3): Affine {
  return { m: [factors[0], 0, 0, 0, factors[1], 0, 0, 0, factors[2]], t: ZERO }
}

export interface Split {
  readonly pose: Pose
  /** Scale along the pose's axes; the last one is negative for a reflection. */
  readonly scale: Vec3
  /** Largest cosine between two of the transformed axes: 0 without shear. */
  readonly shear: number
}

/** Smaller shears are rounding errors of single-precision matrices. */
export const NO_SHEAR = 1e-5

/** Pose and scale of a transform; exact for rotations. A direction with scale zero is replaced by a perpendicular one. */
export function splitAffine({ m, t }: Affine): Split {
  const columns = [0, 1, 2].map((k): Vec3 => [m[k]!, m[3 + k]!, m[6 + k]!]) as [Vec3, Vec3, Vec3]
  const lengths = columns.map(length) as [number, number, number]
  const mirrored = determinant(m) < 0
  const [x, y, z] = columns
  const u: Vec3 = lengths[0] > 0 ? scaled(x, 1 / lengths[0]) : lengths[1] > 0 && lengths[2] > 0 ? normalize(cross(y, z)) : perpendicular(unitOr(y, z))
  const across = sub(y, scaled(u, dot(u, y)))
  const v = length(across) > 0 ? normalize(across) : perpendicular(u)
  const w = cross(u, v)
  const cosine = (a: number, b: number): number => lengths[a]! > 0 && lengths[b]! > 0
    ? Math.abs(dot(columns[a]!, columns[b]!)) / (lengths[a]! * lengths[b]!) : 0
  return {
    pose: { position: t, orientation: fromMatrix([u[0], v[0], w[0], u[1], v[1], w[1], u[2], v[2], w[2]]) },
    scale: [lengths[0], lengths[1], mirrored ? -lengths[2] : lengths[2]],
    shear: Math.max(cosine(0, 1), cosine(0, 2), cosine(1, 2)),
  }
}

function unitOr(a: Vec3, b: Vec3): Vec3 {
  return length(a) > 0 ? normalize(a) : length(b) > 0 ? normalize(b) : [0, 0, 1]
}

/** A transform relative to a pose. */
export function relativeAffine({ position, orientation }: Pose, { m, t }: Affine): Affine {
  const back = transpose(toMatrix(orientation))
  return { m: multiply(back, m), t: transform(back, sub(t, position)) }
}
