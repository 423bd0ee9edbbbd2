import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../../core/collision/collider'
import type { PrimitivePair } from '../../../../../core/contact/contact-set'
import type { StepConstraint } from '../../../../../core/methods/time-stepping/contact-model'
import { standardModel } from '../../../../../core/methods/time-stepping/standard-model'
import { box } from '../../../../../core/geometry/box'
import { HalfSpace } from '../../../../../core/geometry/half-space'
import { IDENTITY_POSE, type Pose } from '../../../../../core/math/pose'
import type { Primitive } from '../../../../../core/geometry/shape'

function pairOf(first: Primitive, second: Primitive): PrimitivePair {
  const a = { primitive: first, pose: IDENTITY_POSE, shape: 0, material: 0 }
  const b = { primitive: second, pose: IDENTITY_POSE, shape: 0, material: 0 }
  return {
    bodyA: 0, bodyB: 1, a, b, shapeA: 0, shapeB: 0, key: '0.0/1.0', collider: createCollider(a, b)!, memory: {},
    material: { staticFriction: 0, dynamicFriction: 0, torsionalFriction: 0, rollingFriction: 0, restitution: 0 },
  }
}

const at = (x: number, y: number, z: number): Pose => ({ position: [x, y, z], orientation: [0, 0, 0, 1] })

function found(pair: PrimitivePair, a: Pose, reach: number): StepConstraint[] {
  const out: StepConstraint[] = []
  standardModel.constraints(pair, { startA: a, startB: at(0, 0, 0), endA: a, endB: at(0, 0, 0), reach, tolerance: 1e-7, spacing: 1e-3, again: false }, out)
  return out
}

describe('the standard contact model', () => {
  const cube = box([1, 1, 1])
  const onFloor = pairOf(cube, new HalfSpace([0, 0, 1], 0))
  const onCube = pairOf(cube, cube)

  it('constrains the four lower vertices of a cube that rests on the floor, each by itself', () => {
    const constraints = found(onFloor, at(0, 0, 0.5), 0.01)
    expect(constraints.map(({ kind, candidates, primaries }) => [kind, candidates.length, primaries])).toEqual(Array(4).fill(['unilateral', 1, 1]))
  })

  it('has no constraints for features out of reach within the step', () => {
    expect(found(onFloor, at(0, 0, 0.52), 0.01)).toEqual([])
    expect(found(onCube, at(0.3, 0.3, 1.02), 0.01)).toEqual([])
  })

  it('constrains the corners of the faces of two approaching cubes, with persistent keys', () => {
    const near = found(onCube, at(0.3, 0.2, 1.005), 0.01)
    expect(near.length).toBe(4)
    expect(found(onCube, at(0.3, 0.2, 1), 0.01).map(({ key }) => key).sort()).toEqual(near.map(({ key }) => key).sort())
  })
})
