import { expect, it } from 'vitest'
import type { PrimitivePair } from '../../../../../../core/contact/contact-set'
import { box } from '../../../../../../core/geometry/box'
import { IDENTITY_POSE, type Pose } from '../../../../../../core/math/pose'
import type { PairStep } from '../../../../../../core/methods/time-stepping/contact-model'
import { HeldConstraints } from '../../../../../../core/methods/time-stepping/peg/held'
import { colliderOf, turned } from './pairs'

const cube = box([1, 1, 1])
const table = box([4, 4, 1])

function pairOf(): PrimitivePair {
  const part = (primitive: typeof cube): PrimitivePair['a'] => ({ primitive, pose: IDENTITY_POSE, shape: 0, material: 0 })
  return {
    bodyA: 0, bodyB: 1, a: part(cube), b: part(table), shapeA: 0, shapeB: 0, key: '0.0/1.0', collider: colliderOf(cube, table), memory: {},
    material: { staticFriction: 0, dynamicFriction: 0, torsionalFriction: 0, rollingFriction: 0, restitution: 0 },
  }
}

const at = (x: number, z: number, angle = 0): Pose => ({ position: [x, 0, z], orientation: turned([0, 0, 1], angle) })
const step = (start: Pose, end: Pose, reach: number): PairStep => (
  { startA: start, startB: at(0, 0), endA: end, endB: at(0, 0), reach, tolerance: 1e-6, again: false, spacing: 1e-6 })
const keys = (held: HeldConstraints, asked: PairStep): string[] => held.of(asked).map(({ key }) => key)

it('constraints of a resting cube are created once, and equal those of a new search', () => {
  const held = new HeldConstraints(pairOf(), 1e-6, 1)
  held.of(step(at(0, 1), at(0, 0.999), 0.004))
  const resting = held.of(step(at(0, 1), at(0, 0.999), 0.0041))
  for (const shift of [0, 1e-7, -1e-6, 1e-5]) {
    const asked = step(at(shift, 1), at(shift, 0.999 + shift), 0.004)
    expect(held.of(asked)).toBe(resting)
    expect(keys(held, asked)).toEqual(keys(new HeldConstraints(pairOf(), 1e-6, 1), asked))
  }
})

it('repeated queries within a step are answered from the cache', () => {
  const held = new HeldConstraints(pairOf(), 1e-6, 1)
  const tumbling = step(at(0, 1), at(0.03, 0.99, 0.1), 0.04)
  const first = held.of(tumbling)
  expect(held.of({ ...tumbling })).toBe(first)
  expect(held.of(step(at(0, 1), at(0.015, 0.995, 0.05), 0.04))).not.toBe(first)
})

it('they are created again if the cube has moved or rotated, its predicted end has changed, or its reach is larger', () => {
  const rest = step(at(0, 1), at(0, 0.999), 0.004)
  for (const changed of [
    step(at(0.001, 1), at(0, 0.999), 0.004), step(at(0, 1, 0.01), at(0, 0.999), 0.004), step(at(0, 1), at(0.01, 0.999), 0.004), step(at(0, 1), at(0, 0.999), 0.4),
  ]) {
    const held = new HeldConstraints(pairOf(), 1e-6, 1)
    held.of(rest)
    const resting = held.of(step(at(0, 1), at(0, 0.999), 0.0041))
    expect(held.of(changed)).not.toBe(resting)
  }
})
