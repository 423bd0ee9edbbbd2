/** Two convex solids near each other, and a motion of one of them, from one integer. */

import { createCollider } from '../../../../../../core/collision/collider'
import type { PairCollider } from '../../../../../../core/collision/contact'
import { box } from '../../../../../../core/geometry/box'
import type { Polyhedron } from '../../../../../../core/geometry/polyhedron'
import { IDENTITY_POSE, toOuter, type Pose } from '../../../../../../core/math/pose'
import { multiplyQuaternions, type Quat } from '../../../../../../core/math/quaternion'
import { add, addScaled, distance, scale } from '../../../../../../core/math/vector'
import type { PairStep } from '../../../../../../core/methods/time-stepping/contact-model'
import { pairConstraints, pairFactories, type SidedConstraint } from '../../../../../../core/methods/time-stepping/peg/pair'
import { between, direction, hull, orientation, random, vector, type Random } from '../../../collision/random'

export interface Encounter {
  readonly a: Polyhedron
  readonly b: Polyhedron
  readonly collider: PairCollider
  /** With the true ends; `predicted` is where A was thought to come. */
  readonly step: PairStep
  readonly predicted: Pose
}

export function encounter(seed: number): Encounter | null {
  const r = random(seed)
  const [a, b] = [solid(r), solid(r)]
  const collider = colliderOf(a, b)
  const startB: Pose = { position: vector(r, 0.1), orientation: orientation(r) }
  const startA = broughtTo(collider, { position: scale(direction(r), 2), orientation: r() < 0.3 ? startB.orientation : orientation(r) }, startB,
    r() < 0.5 ? 0 : between(r, 0, 0.1))
  if (startA === null) return null
  const { normal } = collider.separating(startA, startB)
  const way = addScaled(scale(direction(r), between(r, 0, 0.15)), normal, -between(r, 0, 0.05))
  const endA: Pose = {
    position: add(startA.position, way), orientation: multiplyQuaternions(turned(direction(r), r() < 0.5 ? 0 : between(r, 0, 0.15)), startA.orientation),
  }
  const reach = a.vertices.reduce((most, v) => Math.max(most, distance(toOuter(endA, v), toOuter(startA, v))), 0) * 1.0001 + 1e-9
  return {
    a, b, collider, step: { startA, startB, endA, endB: startB, reach, tolerance: 1e-6, again: false, spacing: 1e-6 },
    predicted: { ...endA, position: add(endA.position, vector(r, 0.02)) },
  }
}

export function constraintsOf({ a, b, collider, step, predicted }: Encounter): SidedConstraint[] {
  return pairConstraints(a, b, collider, { ...step, endA: predicted }, 1, pairFactories(a, b, step.tolerance))
}

/** ψ of a constraint, m. */
export function gapOf({ candidates }: SidedConstraint, a: Pose, b: Pose): number {
  return candidates.reduce((most, pair) => Math.max(most, pair.locate(a, b).gap), -Infinity)
}

export function colliderOf(a: Polyhedron, b: Polyhedron): PairCollider {
  return createCollider({ primitive: a, pose: IDENTITY_POSE }, { primitive: b, pose: IDENTITY_POSE })!
}

export function turned([x, y, z]: readonly [number, number, number], angle: number): Quat {
  const s = Math.sin(angle / 2)
  return [x * s, y * s, z * s, Math.cos(angle / 2)]
}

function solid(r: Random): Polyhedron {
  return r() < 0.3 ? box([between(r, 0.2, 1), between(r, 0.2, 1), between(r, 0.2, 1)]) : hull(r, 8 + Math.floor(8 * r()), 0.5)
}

/** A moved along the separating normal until it is at the wanted distance of B. */
function broughtTo(collider: PairCollider, from: Pose, b: Pose, wanted: number): Pose | null {
  let a = from
  for (let k = 0; k < 60; k++) {
    const { separation, normal } = collider.separating(a, b)
    if (Math.abs(separation - wanted) < 1e-13) return a
    a = { ...a, position: addScaled(a.position, normal, wanted - separation) }
  }
  return null
}
