/** Overlaps of a pile that contacts leave are removed by a position correction at the end of a step. */

import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../../core/collision/collider'
import type { PrimitivePair } from '../../../../../core/contact/contact-set'
import { rigidBody } from '../../../../../core/dynamics/body'
import { box } from '../../../../../core/geometry/box'
import { HalfSpace } from '../../../../../core/geometry/half-space'
import type { Primitive } from '../../../../../core/geometry/shape'
import { diagonal } from '../../../../../core/math/matrix'
import { IDENTITY_POSE } from '../../../../../core/math/pose'
import type { Vec3 } from '../../../../../core/math/vector'
import { correctOverlaps, combineCorrections } from '../../../../../core/methods/time-stepping/position-correction'
import { oneStep } from './one-step'
import { CONTACT_MODES } from '../../../../../core/vocabulary'
import { bodyIn, floor, box as boxBody, recorded, sceneOf, worst } from '../../../../verification/support'

const GAP = 1e-6

const solidOf = (primitive: Primitive) => ({ primitive, pose: IDENTITY_POSE, shape: 0, material: 0 })

/** Unit boxes at the end of a step that has not moved them, and the floor, which is the last body. */
function placed(positions: readonly Vec3[], masses: readonly number[] = []) {
  const shapes = [...positions.map(() => box([1, 1, 1])), new HalfSpace([0, 0, 1], 0)]
  const bodies = shapes.map((_, index) => index < positions.length
    ? rigidBody({ index, id: `b${index}`, type: 'dynamic', mass: masses[index] ?? 1, inertia: diagonal(1 / 6, 1 / 6, 1 / 6), position: positions[index]!,
      orientation: [0, 0, 0, 1], boundingRadius: Math.sqrt(3) / 2 })
    : rigidBody({ index, id: 'floor', type: 'fixed', position: [0, 0, 0], orientation: [0, 0, 0, 1], boundingRadius: Infinity }))
  const { motions, end, drift } = oneStep(bodies, positions.length, 0.01)
  drift()
  const pairs: PrimitivePair[] = []
  for (let i = 0; i < shapes.length; i++) {
    for (let j = i + 1; j < shapes.length; j++) {
      const [a, b] = [solidOf(shapes[i]!), solidOf(shapes[j]!)]
      pairs.push({
        bodyA: i, bodyB: j, a, b, shapeA: 0, shapeB: 0, key: `${i}/${j}`, collider: createCollider(a, b)!, memory: {},
        material: { staticFriction: 0, dynamicFriction: 0, torsionalFriction: 0, rollingFriction: 0, restitution: 0 },
      })
    }
  }
  const separations = (): number[] => pairs.map(({ bodyA, bodyB, collider }) => collider.separation(motions.poses[bodyA]!, motions.poses[bodyB]!))
  return { motions, end, pairs, separations }
}

it('the union of two corrections has all their bodies and the larger displacement', () => {
  const [here, there] = [{ bodies: new Set([1, 2]), most: 0.1 }, { bodies: new Set([2, 5]), most: 0.3 }]
  expect(combineCorrections(here, there)).toEqual({ bodies: new Set([1, 2, 5]), most: 0.3 })
  expect(combineCorrections(there, here)!.most).toBe(0.3)
  expect(combineCorrections(null, there)).toBe(there)
  expect(combineCorrections(here, null)).toBe(here)
})

describe('bodies that overlap at the end of a step', () => {
  it('are separated, with those that then overlap them: a column is lifted off the floor', () => {
    const { motions, end, pairs, separations } = placed([[0, 0, 0.499], [0, 0, 1.499], [0, 0, 2.499]])
    const moved = correctOverlaps(motions, pairs, [pairs.find(({ bodyB }) => bodyB === 3)!], end, () => GAP)!
    expect([...moved.bodies].sort()).toEqual([0, 1, 2])
    expect(Math.min(...separations())).toBeGreaterThanOrEqual(0)
    expect(moved.most).toBeGreaterThanOrEqual(1e-3)
    expect(moved.most).toBeLessThanOrEqual(1.1e-3)
  })

  it('are moved according to their masses, keep their velocities, and their paths end at the corrected positions', () => {
    const { motions, end, pairs, separations } = placed([[0, 0, 5], [0.99, 0, 5]], [1, 3])
    const before = motions.velocity.slice()
    correctOverlaps(motions, pairs, [pairs[0]!], end, () => GAP)
    expect(motions.velocity).toEqual(before)
    expect(separations()[0]).toBeGreaterThanOrEqual(0)
    const shift = motions.centerAt(0, end)[0]
    expect(shift).toBeLessThan(-1e-3)
    expect(motions.centerAt(1, end)[0] - 0.99).toBeCloseTo(-shift / 3, 14)
    expect(0.01 * motions.meanVelocity(0, 0.01)[0]).toBeCloseTo(shift, 14)
    expect(motions.path[0]).toBeGreaterThanOrEqual(-shift)
  })

  it('stay where they are when nothing overlaps', () => {
    const { motions, end, pairs } = placed([[0, 0, 5], [2, 0, 5]])
    expect(correctOverlaps(motions, pairs, [pairs[0]!], end, () => GAP)).toEqual({ bodies: new Set(), most: 0 })
  })

  it('are not corrected if there is no free space', () => {
    const { motions, end, pairs } = placed([[0, 0, 0.4]])
    // A second floor, upside down, 0.9 above the first.
    const b = solidOf(new HalfSpace([0, 0, -1], -0.9))
    const both = [pairs[0]!, { ...pairs[0]!, b, key: 'lid', collider: createCollider(pairs[0]!.a, b)!, memory: {} }]
    expect(correctOverlaps(motions, both, both, end, () => GAP)).toBeNull()
  })
})

describe.each(['standard', 'peg'])('a pile whose bodies turn by half a radian a step as they meet, by the %s model', contactModel => {
  const boxes = Array.from({ length: 70 }, (_, i) => boxBody(`b${i}`, [0.4, 0.3, 0.2], [
    0.56 * (i % 3), 0.56 * (Math.floor(i / 3) % 3), 0.5 + 0.56 * Math.floor(i / 9),
  ], {
    linearVelocity: [0, 0, -6], angularVelocity: [i % 2 ? 25 : -20, 15, i % 5 ? -10 : 20],
  }))
  const run = recorded(sceneOf([floor, ...boxes], 0.5, {
    method: 'time-stepping', duration: 0.3, outputRate: 60, timeStepping: { step: 1 / 60, contactModel },
  }))
  const degraded = run.events.filter(({ kind }) => kind === 'degraded')

  it('never overlaps, and position corrections are reported with ids', () => {
    expect(run.end.status).toBe('completed')
    expect(worst(run, c => c.maxPenetration)).toBe(0)
    const moved = degraded.filter(({ message }) => message.includes('were moved apart'))
    expect(moved.length).toBeGreaterThan(0)
    for (const { message } of moved) expect(message).toMatch(/^\d+ bodies .* by up to [\d.e-]+ m \(b\d+/)
    expect(run.certificates.some(c => c.degraded === 1)).toBe(true)
  })

  it('slides at no contact below its friction limit', () => {
    let sliding = 0
    for (const { count, mode, coneUsage } of run.contacts) {
      for (let i = 0; i < count; i++) {
        if (CONTACT_MODES[mode[i]!] !== 'sliding') continue
        sliding++
        expect(coneUsage[i]).toBeGreaterThanOrEqual(1 - 1e-6)
      }
    }
    expect(sliding).toBeGreaterThan(10)
  })

  it('throws no body away', () => {
    for (const { energy } of run.certificates) {
      expect(energy.kinetic + energy.potential).toBeLessThanOrEqual(energy.initial * 1.02)
      expect(Math.abs(energy.residual)).toBeLessThanOrEqual(5e-3)
    }
    const last = run.frames.at(-1)!
    for (const { id } of boxes as { id: string }[]) expect(bodyIn(run, id, last).position[2]).toBeLessThan(6)
  })
})
