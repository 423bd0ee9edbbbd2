/** Bodies of very different masses on each other rest and fall as bodies of equal mass do. */

import { describe, expect, it } from 'vitest'
import { ball, bodyAt, bodyIn, box, floor, recorded, sceneOf, size, turn, worst, type Recorded } from './support'

const g = 9.81
const MODELS = ['standard', 'peg'] as const

function weighing(mass: number): object {
  return { mass: { mass, inertia: [mass / 6, mass / 6, mass / 6, 0, 0, 0] } }
}

function stepped(bodies: readonly object[], friction: number, restitution: number, timeStepping: { step: number; contactModel: string }, duration: number): Recorded {
  return recorded({
    ...sceneOf([floor, ...bodies], friction, { method: 'time-stepping', duration, outputRate: Math.round(1 / timeStepping.step), timeStepping }, {}, restitution),
    gravity: [0, 0, -g],
  })
}

describe.each(MODELS)('a body of 1,000 tons lies on one of a kilogram (%s)', contactModel => {
  it.each([[0, 0.1], [0, 0.01], [0.5, 0.1], [0.5, 0.01]])('with μ = %f and steps of %f s it stays, and so does its energy', (friction, step) => {
    const run = stepped([box('light', [1, 1, 1], [0, 0, 0.5], weighing(1)), box('heavy', [1, 1, 1], [0, 0, 1.5], weighing(1e6))], friction, 0, { step, contactModel }, 2)
    expect(run.end.status).toBe('completed')
    expect(run.events.filter(({ kind }) => kind === 'degraded')).toEqual([])
    const [x, y, z] = bodyIn(run, 'heavy').position.map((value, k) => value - [0, 0, 1.5][k]!) as [number, number, number]
    const [lx, ly, lz] = bodyIn(run, 'light').position.map((value, k) => value - [0, 0, 0.5][k]!) as [number, number, number]
    expect(Math.max(Math.abs(z), Math.abs(lz))).toBeLessThanOrEqual(5e-9)
    if (friction > 0) {
      expect(size([x, y, lx, ly])).toBeLessThanOrEqual(5e-9)
    } else {
      // Without friction such a load pushes a body off a surface inclined by 1e-10 rad, with growing speed that starts from rounding; the total momentum stays 0.
      expect(size([x + 1e-6 * lx, y + 1e-6 * ly])).toBeLessThanOrEqual(1e-15)
      expect(size([lx, ly])).toBeLessThanOrEqual(0.02)
    }
    expect(worst(run, ({ energy }) => energy.residual)).toBeLessThanOrEqual(1e-5)
  })
})

describe.each(MODELS)('a body of 1,000 tons falls onto one of a kilogram that lies there, with steps of 0.1 s (%s)', contactModel => {
  const places = [
    ['turned by 0.4 rad', [0, 0], 0.4], ['turned by 45°', [0, 0], Math.PI / 4], ['aside', [0.2, 0.1], 0], ['aside and turned', [0.2, 0.1], 0.4],
  ] as const
  it.each(places)('%s', (_, [x, y], angle) => {
    for (const friction of [0.3, 1]) {
      for (const restitution of [0, 0.5, 1]) {
        const run = stepped([
          box('light', [1, 1, 1], [0, 0, 0.5], weighing(1)),
          box('heavy', [1, 1, 1], [x, y, 2.5], { ...weighing(1e6), orientation: turn([0, 0, 1], angle) }),
        ], friction, restitution, { step: 0.1, contactModel }, 1.5)
        expect(run.end.status).toBe('completed')
        expect(worst(run, c => c.maxPenetration)).toBe(0)
        expect(worst(run, ({ energy }) => energy.residual), `μ = ${friction}, e = ${restitution}`).toBeLessThanOrEqual(1e-6)
        const { position, linearVelocity } = bodyIn(run, 'heavy')
        expect(size([position[0]! - x, position[1]! - y, linearVelocity[0]!, linearVelocity[1]!])).toBeLessThanOrEqual(1e-6)
        if (restitution === 0) expect(position[2]!).toBeCloseTo(1.5, 8)
      }
    }
  })
})

it.each(MODELS)('a box that lies across another is held at the four crossings of their edges, a quarter of its weight at each (%s)', contactModel => {
  const run = stepped([box('along', [2, 0.5, 0.5], [0, 0, 0.25]), box('across', [0.5, 2, 0.5], [0, 0, 0.75])], 0.5, 0, { step: 0.02, contactModel }, 1)
  expect(run.end.status).toBe('completed')
  expect(Math.abs(bodyIn(run, 'across').position[2]! - 0.75)).toBeLessThanOrEqual(1e-8)
  const { count, bodyA, bodyB, point, normalForce } = run.contacts.at(-1)!
  const between = Array.from({ length: count }, (_, i) => i).filter(i => Math.min(bodyA[i]!, bodyB[i]!) > 0)
  expect(between.map(i => `${Math.sign(point[3 * i]!)} ${Math.sign(point[3 * i + 1]!)}`).sort()).toEqual(['-1 -1', '-1 1', '1 -1', '1 1'])
  for (const i of between) expect(normalForce[i]! / (500 * g / 4)).toBeCloseTo(1, 6)
})

it.each(MODELS)('a column of uneven masses that overlap by rounding is lifted apart at the start, and stands (%s)', contactModel => {
  const heights = [0.53, 0.937, 0.7299, 0.97]
  const masses = [2e-3, 20, 1e-3, 90]
  let top = 0
  const places = heights.map(height => (top += height) - height / 2)
  const run = stepped(heights.map((height, i) => box(`b${i}`, [1, 1, height], [0, 0, places[i]!], weighing(masses[i]!))), 0.5, 0, { step: 0.05, contactModel }, 1)
  expect(run.end.status).toBe('completed')
  heights.forEach((_, i) => expect(Math.abs(bodyAt(run.frames.at(-1)!, i + 1).position[2]! - places[i]!)).toBeLessThanOrEqual(1e-7))
})

it.each([0, 0.2, 0.5])('a ball that falls into a groove loses there what the audit says, in its contacts and by friction, μ = %f', friction => {
  const wall = (id: string, side: number): object => ({
    id, type: 'fixed', shapes: [{ type: 'halfSpace', normal: [side * Math.SQRT1_2, 0, Math.SQRT1_2], offset: 0, material: 'stone' }],
  })
  for (const step of [0.1, 0.05, 0.02]) {
    const run = recorded({
      ...sceneOf([wall('left', 1), wall('right', -1), ball('ball', 0.5, [0, 0, 1.5], weighing(2))], friction, {
        method: 'time-stepping', duration: 0.8, outputRate: Math.round(1 / step), timeStepping: { step, contactModel: 'standard' },
      }),
      gravity: [0, 0, -g],
    })
    expect(run.end.status).toBe('completed')
    expect(worst(run, ({ energy }) => energy.residual)).toBeLessThanOrEqual(1e-7)
    if (friction > 0) expect(run.certificates.at(-1)!.energy.friction).toBeLessThan(-0.5)
  }
})
