import { expect } from 'vitest'
import { ascend } from './ascent'
import { createCollider } from '../../../../core/collision/collider'
import type { PairCollider } from '../../../../core/collision/contact'
import type { Primitive } from '../../../../core/geometry/shape'
import { IDENTITY_POSE, toOuter, type Pose } from '../../../../core/math/pose'
import { multiplyQuaternions, normalizeQuaternion, rotateInverse } from '../../../../core/math/quaternion'
import { addScaled, dot, scale, sub, type Vec3 } from '../../../../core/math/vector'
import { between, direction, orientation, type Random } from './random'

/** After a few queries around a pose, the separation there equals that of a fresh query, and no nearby direction separates more. */
export function remembersNothing(a: Primitive, b: Primitive, r: Random): void {
  const fresh = (): PairCollider => createCollider({ primitive: a, pose: IDENTITY_POSE }, { primitive: b, pose: IDENTITY_POSE })!
  const turnedA = orientation(r)
  const [atA, atB]: [Pose, Pose] = [{ position: scale(direction(r), 3), orientation: turnedA }, { position: [0, 0, 0], orientation: orientation(r) }]
  const far = fresh().separating(atA, atB)
  const near: Pose = { position: addScaled(atA.position, far.normal, 10 ** between(r, -9, -0.5) - far.separation), orientation: turnedA }
  const collider = fresh()
  for (let k = 0; k < 5; k++) {
    const turn = normalizeQuaternion([between(r, -0.2, 0.2), between(r, -0.2, 0.2), between(r, -0.2, 0.2), 1])
    collider.separating({ position: addScaled(near.position, direction(r), between(r, 0, 0.3)), orientation: multiplyQuaternions(turn, turnedA) }, atB)
  }
  const found = collider.separating(near, atB)
  expect(Math.abs(found.separation - fresh().separation(near, atB))).toBeLessThan(1e-11)
  const separated = (n: Vec3): number => dot(n, sub(
    toOuter(near, a.support(rotateInverse(near.orientation, scale(n, -1)))), toOuter(atB, b.support(rotateInverse(atB.orientation, n)))))
  expect(Math.abs(separated(found.normal) - found.separation)).toBeLessThan(1e-11)
  if (found.separation > 0) expect(separated(ascend(separated, [found.normal]))).toBeLessThan(found.separation + 1e-9)
}
