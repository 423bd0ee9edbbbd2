/** Deformables in contact with bodies, from a scene file to the recorded frames. */

import { describe, expect, it } from 'vitest'
import { crossings } from './crossings'
import { runDeformables as run, sheet, unexplained, type DeformableRun } from './deformable-runs'
import { bodyAt, box, floor, sceneOf } from './support'

const settings = { duration: 0.5, outputRate: 60, timeStepping: { step: 1 / 120 } }

const cotton = { damping: 0.02, stretchWarp: 200, stretchWeft: 200, shear: 20 }
const deepest = ({ contacts }: DeformableRun): number => Math.max(0, ...contacts.flatMap(({ gap }) => [...gap].map(value => -value)))
const particle = (position: readonly number[], velocity: readonly number[], rest: object = {}): object =>
  ({ id: 'p', type: 'particles', material: 'stone', radius: 0.01, particles: [{ position, velocity, mass: 0.1 }], ...rest })

describe('a particle', () => {
  it('slides on the ground with a = −μ g, to 1e-9', () => {
    const { deformables, contacts } = run(sceneOf([floor], 0.3, settings, { deformables: [particle([0, 0, 0.01], [3, 0, 0])] }))
    expect(deformables.at(-1)!.velocity[0]! / (3 - 0.3 * 9.81 * 0.5)).toBeCloseTo(1, 9)
    expect(contacts.at(-1)!.normalForce[0]).toBeCloseTo(0.981, 7)
    expect([contacts.at(-1)!.bodyA[0], contacts.at(-1)!.bodyB[0]]).toEqual([1, 0])
  })

  it('at 300 m/s does not pass a pane of 1 mm', () => {
    const pane = { id: 'pane', type: 'fixed', shapes: [{ type: 'box', size: [0.001, 2, 2], material: 'stone' }] }
    const { deformables } = run(sceneOf([pane], 0.3, settings, { gravity: [0, 0, 0], deformables: [particle([-1, 0, 0], [300, 0, 0], { radius: 0.002 })] }))
    for (const { position } of deformables) expect(position[0]!).toBeLessThan(-0.0005)
  })

  it('that begins inside a body is reported, and is pushed out of it', () => {
    const { events, deformables } = run(sceneOf([box('b', [1, 1, 1], [0, 0, 0], { type: 'fixed' })], 0.3, settings, { deformables: [particle([0, 0, 0], [0, 0, 0])] }))
    expect(events.find(({ kind }) => kind === 'warning')!.message).toBe('1 vertex of "p" begins inside "b" and will not touch it')
    expect(deformables.at(-1)!.position[2]!).toBeLessThan(-1)
  })
})

describe('a cloth that falls on a sphere', () => {
  const ball = { id: 's', type: 'fixed', shapes: [{ type: 'sphere', radius: 0.3, material: 'stone' }] }
  const cloth = sheet(8, 0.8, 0.32)
  const result = run(sceneOf([ball], 0.3, { ...settings, duration: 0.4 }, { deformables: [{ id: 'c', ...cloth, ...cotton }] }))
  it('drapes: no vertex is inside, its middle lies on top and its corners hang down', () => {
    expect(result.status).toBe('completed')
    expect(deepest(result)).toBeLessThan(1e-9)
    const { position } = result.deformables.at(-1)!
    // Its triangles touch with their interior, so vertices are off the surface by the sagitta of a chord of 0.1 m, at most 0.08 m from the contact.
    expect(position[3 * 40 + 2]!).toBeGreaterThan(0.305)
    expect(position[3 * 40 + 2]!).toBeLessThan(Math.hypot(0.305, 0.08))
    expect(position[2]!).toBeLessThan(0.1)
    expect(result.contacts.at(-1)!.count).toBeGreaterThan(10)
  })
  it('does not cross itself in any frame', () => {
    for (const { position } of result.deformables) expect(crossings(position, cloth.triangles)).toBe(0)
  })
  it('accounts for its energy', () => {
    expect(unexplained(result)).toBeLessThan(1e-6)
  })
})

it('a fine sheet lies on a ball with its vertices, one radius above it: its triangles are between them and do not press', () => {
  const ball = { id: 's', type: 'fixed', shapes: [{ type: 'sphere', radius: 0.3, material: 'stone' }] }
  // A diagonal of 7 cm sinks by 2 mm, less than three quarters of the radius of 5 mm.
  const { deformables, contacts } = run(sceneOf([ball], 0.3, { ...settings, duration: 0.3 }, { deformables: [{ id: 'c', ...sheet(8, 0.4, 0.306), ...cotton }] }))
  const { position } = deformables.at(-1)!
  const far = Array.from({ length: 81 }, (_, v) => Math.hypot(...position.subarray(3 * v, 3 * v + 3)))
  expect(Math.min(...far)).toBeCloseTo(0.305, 9)
  expect(contacts.at(-1)!.count).toBeGreaterThan(5)
  expect(far.filter(distance => distance < 0.305 + 1e-9).length).toBe(contacts.at(-1)!.count)
})

it('a cloth that falls symmetrically on a sphere with friction stays symmetric, to 1e-9 m', () => {
  const n = 8
  const ball = { id: 's', type: 'fixed', shapes: [{ type: 'sphere', radius: 0.3, material: 'stone' }] }
  const { deformables } = run(sceneOf([ball], 0.3, { ...settings, duration: 0.4 }, { deformables: [{ id: 'c', ...sheet(n, 0.8, 0.32), ...cotton }] }))
  for (const { position } of deformables) {
    const at = (i: number, j: number): number[] => [...position.subarray(3 * (i * (n + 1) + j), 3 * (i * (n + 1) + j) + 3)]
    for (let i = 0; i <= n; i++) {
      for (let j = 0; j <= n; j++) {
        const [x, y, z] = at(i, j) as [number, number, number]
        at(n - i, j).forEach((value, k) => expect(Math.abs(value - [-x, y, z][k]!)).toBeLessThan(1e-9))
        at(i, n - j).forEach((value, k) => expect(Math.abs(value - [x, -y, z][k]!)).toBeLessThan(1e-9))
      }
    }
  }
})

it('a box that hits a free net shares its momentum with it, to rounding', () => {
  const n = 6
  const net = { id: 'net', ...sheet(n, 1, 0), damping: 0.01, arealDensity: 3, stretchWarp: 5000, stretchWeft: 5000, shear: 500 }
  const load = box('load', [0.2, 0.2, 0.2], [0.05, 0.02, 0.12], { linearVelocity: [0, 0, -2] })
  const { frames, deformables, certificates } = run(sceneOf([load], 0.3, { ...settings, duration: 0.25 }, { gravity: [0, 0, 0], deformables: [net] }))
  const masses = new Float64Array((n + 1) ** 2)
  for (const vertex of net.triangles.flat()) masses[vertex]! += 3 / n / n / 6
  const momentum = (k: number): number[] => [0, 1, 2].map(axis => masses.reduce((sum, m, i) => sum + m * deformables[k]!.velocity[3 * i + axis]!,
    8 * bodyAt(frames[k]!, 0).linearVelocity[axis]!))
  for (let k = 0; k < frames.length; k++) momentum(k).forEach((p, axis) => expect(Math.abs(p - [0, 0, -16][axis]!)).toBeLessThan(1e-12 * 16))
  expect(bodyAt(frames.at(-1)!, 0).linearVelocity[2]!).toBeGreaterThan(-1.9)
  expect(certificates.at(-1)!.energy.kinetic).toBeLessThan(16)
})

it('a trampoline throws a box back, and energy is balanced', () => {
  const n = 6
  const rim = Array.from({ length: (n + 1) ** 2 }, (_, k) => k).filter(k => k % (n + 1) % n === 0 || Math.floor(k / (n + 1)) % n === 0)
  const net = { id: 'net', ...sheet(n, 1, 0), damping: 0.002, stretchWarp: 8000, stretchWeft: 8000, shear: 800, pins: rim }
  const result = run(sceneOf([box('load', [0.2, 0.2, 0.2], [0, 0, 0.3])], 0.3, { ...settings, duration: 0.8 }, { deformables: [net] }))
  expect(unexplained(result)).toBeLessThan(1e-6)
  expect(Math.max(...result.frames.map(frame => bodyAt(frame, 0).linearVelocity[2]!))).toBeGreaterThan(0.5)
})

it('a trampoline and its box together have the momentum that weight and rim cause, to 1e-9', () => {
  const n = 6
  const rim = Array.from({ length: (n + 1) ** 2 }, (_, k) => k).filter(k => k % (n + 1) % n === 0 || Math.floor(k / (n + 1)) % n === 0)
  const net = { id: 'net', ...sheet(n, 1, 0), arealDensity: 3, damping: 0.002, stretchWarp: 8000, stretchWeft: 8000, shear: 800, pins: rim }
  const h = 1 / 120
  const { frames, deformables } = run(sceneOf([box('load', [0.2, 0.2, 0.2], [0.05, 0.02, 0.12], { linearVelocity: [0, 0, -2] })], 0.3, { ...settings, outputRate: 1 / h, duration: 0.3 },
    { deformables: [net] }))
  const masses = new Float64Array((n + 1) ** 2)
  for (const vertex of net.triangles.flat()) masses[vertex]! += 3 / n / n / 6
  const free = masses.map((m, v) => rim.includes(v) ? 0 : m)
  const weight = 9.81 * (8 + free.reduce((sum, m) => sum + m, 0))
  const momentum = (k: number, axis: number): number => free.reduce((sum, m, v) => sum + m * deformables[k]!.velocity[3 * v + axis]!, 8 * bodyAt(frames[k]!, 0).linearVelocity[axis]!)
  for (let k = 1; k < frames.length; k++) {
    for (const axis of [0, 1, 2]) {
      // A pin also bears the weight of its own vertex.
      const own = (v: number): number => axis === 2 ? masses[v]! * 9.81 : 0
      const pins = rim.reduce((sum, v, q) => sum + deformables[k]!.reaction[3 * q + axis]! - own(v), axis === 2 ? -weight : 0)
      expect(Math.abs(momentum(k, axis) - momentum(k - 1, axis) - h * pins)).toBeLessThan(1e-9 * 16)
    }
  }
})

it('the corner of a cloth is held at a point of a triangle by a body that hangs on it', () => {
  const held = { id: 'c', ...sheet(2, 0.4, 1), ...cotton, stretchWarp: 5000, stretchWeft: 5000, pins: [0, 2, 6, 8], attachments: [{ triangle: 0, body: 'load', weights: [0.2, 0.3, 0.5] }] }
  const load = box('load', [0.05, 0.05, 0.05], [-0.08, -0.14, 0.9])
  const { deformables, frames } = run(sceneOf([load], 0.3, { ...settings, duration: 0.3 }, { deformables: [held] }))
  const { position } = deformables.at(-1)!
  const [a, b, c] = held.triangles[0]!
  const point = [0, 1, 2].map(k => 0.2 * position[3 * a! + k]! + 0.3 * position[3 * b! + k]! + 0.5 * position[3 * c! + k]!)
  const first = [a, b, c].map(v => held.vertices[v!]!)
  const arm = [0, 1, 2].map(k => 0.2 * first[0]![k]! + 0.3 * first[1]![k]! + 0.5 * first[2]![k]! - [-0.08, -0.14, 0.9][k]!)
  expect(Math.hypot(...point.map((x, k) => x - bodyAt(frames.at(-1)!, 0).position[k]!))).toBeCloseTo(Math.hypot(...arm), 9)
})

/** Of 36 cells on the ground. */
const laid = { id: 'c', ...sheet(6, 0.8, 0.0051), damping: 0.02, stretchWarp: 500, stretchWeft: 500, shear: 50 }

it.each([1 / 120, 1 / 480])('a box that lands flat on a sheet on the ground lies on it: nothing sinks in, nothing is thrown back, in steps of %f s', step => {
  const load = box('load', [0.2, 0.2, 0.2], [0.03, 0.02, 0.13], { linearVelocity: [0, 0, -2] })
  const result = run(sceneOf([floor, load], 0.4, { duration: 0.1, outputRate: 1 / step, timeStepping: { step } }, { deformables: [laid] }))
  expect(deepest(result)).toBeLessThan(1e-9)
  // The surface of the sheet is 5 mm from its vertices, on both sides.
  for (const frame of result.frames) {
    expect(bodyAt(frame, 1).position[2]!).toBeGreaterThan(0.11 - 2e-9)
    expect(bodyAt(frame, 1).linearVelocity[2]!).toBeLessThan(1e-6)
  }
  expect(Math.abs(bodyAt(result.frames.at(-1)!, 1).position[2]! - 0.11)).toBeLessThan(1e-6)
  expect(unexplained(result)).toBeLessThan(1e-9)
})

it('a box that tumbles onto a cloth on the ground is held at its surface, to 1e-9 m, and every step is solved', () => {
  const load = box('load', [0.2, 0.2, 0.2], [0.03, 0.02, 0.3], { linearVelocity: [0, 0, -2], angularVelocity: [1, 2, 0] })
  const result = run(sceneOf([floor, load], 0.4, { ...settings, duration: 0.25 }, { deformables: [laid] }))
  expect(result.events.filter(({ kind }) => kind === 'degraded')).toEqual([])
  expect(deepest(result)).toBeLessThan(1e-9)
  expect(result.contacts.at(-1)!.bodyB).toContain(1)
})

it('a sheet that a driven plate presses thinner than it is: an event says how deep, in every frame', () => {
  const plate = box('plate', [0.9, 0.9, 0.02], [0, 0, 0.03], { type: 'kinematic', linearVelocity: [0, 0, -0.5] })
  const { contacts, frames, events, status } = run(sceneOf([floor, plate], 0.4, { ...settings, outputRate: 120, duration: 0.025 }, { deformables: [laid] }))
  expect(status).toBe('completed')
  const told = events.filter(({ kind }) => kind === 'degraded')
  contacts.forEach(({ gap }, k) => {
    const depth = Math.max(0, ...[...gap].map(value => -value))
    const message = told.find(({ time }) => k > 0 && time > frames[k - 1]!.time && time <= frames[k]!.time)?.message
    expect(message === undefined, `at ${frames[k]!.time} s: ${depth} m`).toBe(depth <= 1e-9)
  })
  // At the end the plate leaves 7.5 mm of the sheet's 10 mm.
  expect(told.length).toBeGreaterThan(0)
  expect(told.at(-1)!.message).toMatch(/contacts are left up to 0\.00\d+ m deep$/)
})

describe.each([['straight', 0], ['at an angle', 3]] as const)('a small block that strikes a free sheet %s, between its vertices', (_, along) => {
  // Prescribed motion that would pass through the sheet in one step of 1/60 s, so that the stage divides it.
  const plate = box('plate', [0.05, 0.04, 0.05], [0.047, 0.052, -0.1], { type: 'kinematic', linearVelocity: [along, 0, 9] })
  const cloth = sheet(4, 0.4, 0.02)
  const result = run(sceneOf([plate], 0.4, { duration: 0.1, outputRate: 60, timeStepping: { step: 1 / 60 } }, {
    gravity: [0, 0, 0], deformables: [{ id: 'c', ...cloth, ...cotton, arealDensity: 0.5 }],
  }))
  const masses = new Float64Array(25)
  for (const v of cloth.triangles.flat()) masses[v]! += 0.5 * 0.01 / 2 / 3
  const momentum = (k: number, axis: number): number => masses.reduce((sum, m, v) => sum + m * result.deformables[k]!.velocity[3 * v + axis]!, 0)

  it('gives it the impulse of the recorded contact forces in every step, divided or not', () => {
    expect(result.deformables.some(({ steps }) => steps > 1)).toBe(true)
    for (let k = 1; k < result.deformables.length; k++) {
      const { count, bodyA, bodyB, normal, normalForce, frictionForce } = result.contacts[k]!
      for (let axis = 0; axis < 3; axis++) {
        let force = 0
        // The sheet is deformable 0, numbered after the body; its contacts with itself cancel.
        for (let i = 0; i < count; i++) if (bodyA[i] !== bodyB[i]) force += (bodyA[i] === 1 ? 1 : -1) * (normalForce[i]! * normal[3 * i + axis]! + frictionForce[3 * i + axis]!)
        expect(Math.abs(momentum(k, axis) - momentum(k - 1, axis) - force / 60)).toBeLessThan(1e-9)
      }
    }
    expect(momentum(result.deformables.length - 1, 2)).toBeGreaterThan(0.1)
    if (along > 0) expect(momentum(result.deformables.length - 1, 0)).toBeGreaterThan(0.01)
  })
})
