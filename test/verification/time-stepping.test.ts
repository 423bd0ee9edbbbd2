/** The time-stepping method at its default step, mostly with the standard contact model; the known answers are in time-stepping-answers. */

import { describe, expect, it } from 'vitest'
import type { CertificateFrame } from '../../core/trajectory/frame'
import { CONSTRAINT_KINDS } from '../../core/vocabulary'
import { ball, bodyAt, box, contactForceOn, floor, recorded, sceneOf, size, turn, worst, type Recorded } from './support'

const g = 9.81
const h = 1 / 240

function stepped(
  bodies: readonly object[], friction: number | { static: number; dynamic: number }, simulation: object = {}, rest: object = {}, restitution = 0,
  options: object = {},
): Recorded {
  const timeStepping = { contactModel: 'standard', step: h, ...options }
  const run = recorded(sceneOf(bodies, friction, { method: 'time-stepping', timeStepping, ...simulation }, rest, restitution))
  expect(run.end.status).toBe('completed')
  return run
}

it('a body in free fall is where it would be', () => {
  const run = stepped([box('b', [1, 1, 1], [0, 0, 10], { linearVelocity: [1, 2, 3] })], 0.5, { duration: 1, outputRate: 60 })
  const { position } = bodyAt(run.frames.at(-1)!, 0)
  expect(size([position[0]! - 1, position[1]! - 2, position[2]! - (13 - g / 2)])).toBeLessThanOrEqual(1e-12)
})

describe('a ball that bounces', () => {
  it('with e = 1 keeps its energy', () => {
    const run = stepped([floor, ball('ball', 0.1, [0, 0, 1.1])], 0, { duration: 4, outputRate: 60 }, {}, 1)
    const energy = (c: (typeof run.certificates)[number]) => c.energy.kinetic + c.energy.potential
    const first = energy(run.certificates[0]!)
    for (const certificate of run.certificates) expect(Math.abs(energy(certificate) / first - 1)).toBeLessThanOrEqual(1e-9)
  })
})

describe('a block on a 20° incline', () => {
  const slope = 20 * Math.PI / 180
  const normal = [Math.sin(slope), 0, Math.cos(slope)]
  const incline = (friction: number, duration: number): Recorded => stepped([
    { id: 'slope', type: 'fixed', shapes: [{ type: 'halfSpace', normal, offset: 0, material: 'stone' }] },
    box('block', [1, 1, 1], normal.map(x => 0.5 * x), { orientation: turn([0, 1, 0], slope) }),
  ], friction, { duration, outputRate: 60 })

  it('slides with g (sin θ − μ cos θ) for μ = 0.2', () => {
    const run = incline(0.2, 1)
    const expected = g * (Math.sin(slope) - 0.2 * Math.cos(slope))
    expect(Math.abs(size(bodyAt(run.frames.at(-1)!, 1).linearVelocity) / expected - 1)).toBeLessThanOrEqual(1e-6)
    const way = size(bodyAt(run.frames.at(-1)!, 1).position.map((x, k) => x - 0.5 * normal[k]!))
    expect(Math.abs(way / (expected / 2) - 1)).toBeLessThanOrEqual(1e-2)
  })
})

it('a pendulum by RATTLE keeps its energy and its joint', () => {
  const run = stepped([ball('bob', 0.1, [1, 0, 0])], 0, { duration: 5, outputRate: 60 }, {
    joints: [{ id: 'pivot', type: 'ball', bodyA: 'bob', bodyB: null, anchor: [0, 0, 0] }],
  })
  expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(5e-3)
  expect(worst(run, c => c.maxJointError)).toBeLessThanOrEqual(1e-11)
})

it.each([
  ['parted by 2.4 m/s', { linearVelocity: [0, 1.5, 0], angularVelocity: [3, -2, 5] }],
  ['as the joint allows, tumbling', { linearVelocity: [1.1, 3.9, 0.9], angularVelocity: [3, -2, 5] }],
])('a body on a ball joint closes its audit, with velocities at the start %s', (_, velocities) => {
  const bodies = [box('bob', [0.2, 0.3, 0.8], [0.3, 0.1, -0.8], velocities)]
  const joints = [{ id: 'pivot', type: 'ball', bodyA: 'bob', bodyB: null, anchor: [0, 0, 0] }]
  const run = stepped(bodies, 0, { duration: 2, outputRate: 60 }, { joints })
  const finer = stepped(bodies, 0, { duration: 2, outputRate: 60 }, { joints }, 0, { step: h / 2 })
  const exact = recorded(sceneOf(bodies, 0, { method: 'event-driven', duration: 0.1, outputRate: 60 }, { joints }))
  const [coarse, fine] = [run, finer].map(each => worst(each, c => c.energy.residual))
  expect(coarse).toBeLessThanOrEqual(1e-4)
  expect(Math.log2(coarse! / fine!)).toBeGreaterThanOrEqual(1.9)
  // Both methods begin with the same velocities.
  const start = (each: Recorded): number[] => [...bodyAt(each.frames[0]!, 0).linearVelocity, ...bodyAt(each.frames[0]!, 0).angularVelocity]
  start(run).forEach((value, k) => expect(Math.abs(value - start(exact)[k]!)).toBeLessThanOrEqual(1e-9))
})

it('a stack of ten cubes stands, and its floor carries ten weights', () => {
  const run = stepped([floor, ...Array.from({ length: 10 }, (_, i) => box(`b${i}`, [1, 1, 1], [0, 0, 0.5 + i]))], 0.5, { duration: 0.2, outputRate: 60 })
  const { normal } = contactForceOn(run.contacts.at(-1)!, 0)
  expect(Math.abs(size(normal) / (10 * 1000 * g) - 1)).toBeLessThanOrEqual(1e-6)
  const top = bodyAt(run.frames.at(-1)!, 10)
  expect(Math.abs(top.position[2]! - 9.5)).toBeLessThanOrEqual(1e-8)
})

it.each([
  ['a cube straight on', [1000, 0, 0], { type: 'box', size: [0.01, 0.01, 0.01], material: 'stone' }],
  ['a ball at an angle', [600, 400, 300], { type: 'sphere', radius: 0.005, material: 'stone' }],
])('%s of 1 cm at 1 km/s does not cross a pane of 1 mm', (_, linearVelocity, shape) => {
  const run = stepped([
    box('pane', [0.001, 200, 200], [0, 0, 0], { type: 'fixed' }),
    { id: 'bullet', position: [-2.013, -0.5, -0.3], linearVelocity, angularVelocity: [3, 50, 20], shapes: [shape] },
  ], 0.3, { duration: 0.05, outputRate: 60 })
  for (const frame of run.frames) expect(bodyAt(frame, 1).position[0]).toBeLessThan(-0.005)
  expect(worst(run, c => c.maxPenetration)).toBe(0)
})

it('boxes that tumble onto each other never overlap, and gain no energy', () => {
  const boxes = Array.from({ length: 4 }, (_, i) => box(`b${i}`, [1, 1, 1], [0.3 * (i % 2), 0.2 * (i % 3), 1 + 1.5 * i], { angularVelocity: [1, i, 3] }))
  const run = stepped([floor, ...boxes], 0.5, { duration: 1, outputRate: 60 })
  expect(worst(run, c => c.maxPenetration)).toBe(0)
  const energies = run.certificates.map(c => c.energy.kinetic + c.energy.potential)
  energies.forEach((energy, k) => { if (k > 0) expect(energy).toBeLessThanOrEqual(energies[k - 1]! * (1 + 1e-3)) })
})

describe('the recorded solves of a run', () => {
  const heap = [floor, ...Array.from({ length: 3 }, (_, i) => box(`b${i}`, [1, 1, 1], [0.2 * i, 0.1 * i, 0.5 + 1.05 * i]))]

  it('are a residual for each sweep, which falls to the final one, and a row for each island', () => {
    const run = stepped([...heap, box('far', [1, 1, 1], [9, 0, 0.5])], 0.5, { duration: 0.3, outputRate: 60 }, {}, 0, { solver: 'gauss-seidel' })
    const { residualHistory, solvedIsland, solvedSweeps, solvedResidual } = run.certificates.at(-1)!
    expect([...solvedIsland].sort()).toEqual([0, 1])
    expect(residualHistory.at(-1)).toBeLessThanOrEqual(residualHistory[0]!)
    expect(solvedResidual[0]).toBeGreaterThanOrEqual(solvedResidual[1]!)
    expect(Math.max(...solvedSweeps)).toBeGreaterThanOrEqual(residualHistory.length > 256 ? 257 : 1)
    for (const certificate of run.certificates) expect(certificate.residualHistory.length).toBeLessThanOrEqual(256)
  })

  it('are those of the hardest solve of a frame, at any step within it', () => {
    // The heap is hit halfway to the first frame; steps are powers of two, so that both runs step at the same times bit for bit.
    const hit = [...heap, ball('ball', 0.3, [-1.05, 0, 0.5], { linearVelocity: [4, 0, 0] })]
    const [coarse, fine] = [8, 256].map(outputRate =>
      stepped(hit, 0.5, { duration: 1 / 8, outputRate }, {}, 0, { solver: 'accelerated', step: 1 / 256 }).certificates)
    const harder = (a: CertificateFrame, b: CertificateFrame): boolean =>
      a.residualHistory.length > b.residualHistory.length || (a.residualHistory.length === b.residualHistory.length && a.residualHistory.at(-1)! > b.residualHistory.at(-1)!)
    const hardest = fine!.slice(1).reduce((most, one) => harder(one, most) ? one : most)
    const kept = coarse!.at(-1)!
    expect([...kept.residualHistory]).toEqual([...hardest.residualHistory])
    expect(Math.abs(kept.residualTime - hardest.time)).toBeLessThanOrEqual(1e-12)
    expect(kept.residualTime).toBeLessThan(kept.time)
  })

  it('give for every contact whether it is a unilateral, inter or cross constraint', () => {
    const kinds = (contactModel: string): Set<number> =>
      new Set(stepped(heap, 0.5, { duration: 0.5, outputRate: 60 }, {}, 0, { contactModel }).contacts.flatMap(({ constraint }) => [...constraint]))
    expect(kinds('standard')).toEqual(new Set([CONSTRAINT_KINDS.indexOf('unilateral')]))
    expect(kinds('peg')).toContain(CONSTRAINT_KINDS.indexOf('cross'))
    const exact = recorded(sceneOf(heap, 0.5, { method: 'event-driven', duration: 0.1, outputRate: 60 }))
    expect(new Set(exact.contacts.flatMap(({ constraint }) => [...constraint]))).toEqual(new Set([CONSTRAINT_KINDS.indexOf('none')]))
    expect(exact.certificates.every(({ solvedIsland }) => solvedIsland.length === 0)).toBe(true)
  })
})

it('the solver auto solves a small island exactly, and reports it', () => {
  const run = stepped([floor, box('b', [1, 1, 1], [0, 0, 0.5])], 0.5, { duration: 0.1, outputRate: 60 })
  expect(run.end.solver.name).toMatch(/^auto \(exact \d+\)$/)
})

it.each(['gauss-seidel', 'sor', 'jacobi', 'accelerated', 'lemke', 'dantzig'])('%s holds a box on an incline of half the angle of friction', solver => {
  const slope = 13 * Math.PI / 180
  const normal = [Math.sin(slope), 0, Math.cos(slope)]
  const run = stepped([
    { id: 'slope', type: 'fixed', shapes: [{ type: 'halfSpace', normal, offset: 0, material: 'stone' }] },
    box('block', [1, 1, 1], normal.map(x => 0.5 * x), { orientation: turn([0, 1, 0], slope) }),
  ], 0.5, { duration: 0.5, outputRate: 60 }, {}, 0, { solver })
  expect(size(bodyAt(run.frames.at(-1)!, 1).linearVelocity)).toBeLessThanOrEqual(1e-5)
  const { normal: pressed } = contactForceOn(run.contacts.at(-1)!, 1)
  expect(Math.abs(size(pressed) / (1000 * g * Math.cos(slope)) - 1)).toBeLessThanOrEqual(1e-4)
})

it('a polyhedral cone with the first direction along the push holds like the exact one', () => {
  const run = stepped([floor, box('b', [1, 1, 1], [0, 0, 0.5], { linearVelocity: [1, 0, 0] })], 0.3, { duration: 0.6, outputRate: 60 }, {}, 0,
    { frictionCone: 'polyhedral', frictionDirections: 8 })
  expect(size(bodyAt(run.frames.at(-1)!, 1).linearVelocity)).toBeLessThanOrEqual(1e-5)
})
