/** TR-BDF2 as the implicit method of a scene: its order, its damping, and contacts, supports, rods, constraints and energy with it. */

import { describe, expect, it } from 'vitest'
import { crossings } from './crossings'
import { runDeformables as run, sheet, unexplained, type DeformableRun } from './deformable-runs'
import { bodyAt, box, floor, sceneOf } from './support'

type Method = 'euler' | 'tr-bdf2'
const g = 9.81

/** Of steps of h seconds, which are frames unless a rate is given. */
const settings = (implicitMethod: Method, h: number, duration: number, outputRate = 1 / h): object =>
  ({ duration, outputRate, timeStepping: { step: h, implicitMethod } })

const cotton = { damping: 0.02, stretchWarp: 200, stretchWeft: 200, shear: 20 }

/** Largest distance of vertices at the end of two runs, m. */
const apart = (a: DeformableRun, b: DeformableRun): number => {
  const [p, q] = [a.deformables.at(-1)!.position, b.deformables.at(-1)!.position]
  return Math.max(...Array.from(p, (x, k) => Math.abs(x - q[k]!)))
}

/** Ratios of the errors at h, h/2 and h/4, against steps of h/32. */
function ratios(scene: (method: Method, h: number) => DeformableRun, method: Method, h: number): { readonly errors: number[]; readonly ratios: number[] } {
  const exact = scene('tr-bdf2', h / 32)
  const errors = [h, h / 2, h / 4].map(step => apart(scene(method, step), exact))
  return { errors, ratios: [errors[0]! / errors[1]!, errors[1]! / errors[2]!] }
}

/** A sheet that starts level and falls about the edge at which it is pinned. */
const falling = (method: Method, h: number): DeformableRun => {
  const cloth = sheet(3, 0.3, 0)
  return run(sceneOf([], 0, settings(method, h, 0.4, 5), {
    deformables: [{ id: 'c', ...cloth, radius: 1e-4, damping: 1e-3, stretchWarp: 50, stretchWeft: 50, shear: 20, arealDensity: 0.2, pins: [0, 1, 2, 3] }],
  }))
}

const springs = (method: Method, h: number): DeformableRun => run(sceneOf([], 0, settings(method, h, 0.5, 2), {
  deformables: [{
    id: 'd', type: 'particles', material: 'stone', radius: 1e-6, pins: [0],
    particles: [0, 1, 2, 3, 4].map(i => ({ position: [0.2 * i, 0, 0], mass: 0.1 })),
    springs: [0, 1, 2, 3].map(i => ({ a: i, b: i + 1, restLength: 0.2, stiffness: 200, damping: 0.1 })),
  }],
}))

const rods = (method: Method, h: number): DeformableRun => run(sceneOf([], 0, settings(method, h, 0.5, 2), {
  deformables: [{
    id: 'r', type: 'rope', material: 'stone', radius: 0.001, inextensible: true, segments: 4, points: [[0, 0, 0], [1, 0, 0]], linearDensity: 0.1, pins: [0],
  }],
}))

const constraint = (method: Method, h: number): DeformableRun => run(sceneOf([], 0, settings(method, h, 0.5, 2), {
  deformables: [{
    id: 'd', type: 'particles', material: 'stone', radius: 1e-7, pins: [0], constraints: [{ condition: { type: 'distance', vertices: [0, 1] } }],
    particles: [{ position: [0, 0, 0], mass: 1 }, { position: [1, 0, 0], mass: 1 }],
  }],
}))

describe('errors against a fine reference at h, h/2, h/4', () => {
  it.each([
    ['a sheet that falls about its edge', falling, 0.01],
    ['a hanging chain of springs', springs, 0.01], ['a rope of rods', rods, 0.005],
    ['a pendulum by a constraint', constraint, 0.01],
  ] as const)('%s: of second order, and of first with implicit Euler', (_name, scene, h) => {
    const second = ratios(scene, 'tr-bdf2', h)
    const first = ratios(scene, 'euler', h)
    for (const ratio of second.ratios) expect(ratio).toBeGreaterThan(3.3)
    for (const ratio of first.ratios) expect(ratio).toBeLessThan(2.6)
    expect(second.errors[0]!).toBeLessThan(first.errors[0]! / 4)
  })
})

it.each([500, 1000, 2000])('two masses on a constraint that spin: rounding stops no step of 1/%d s from being of second order', rate => {
  const made = run(sceneOf([], 0, settings('tr-bdf2', 1 / rate, 0.5, 20), {
    gravity: [0, 0, 0], deformables: [{
      id: 'd', type: 'particles', material: 'stone', radius: 1e-7, constraints: [{ condition: { type: 'distance', vertices: [0, 1] } }],
      particles: [{ position: [-0.6, 0, 0], mass: 1, velocity: [0, 0, -1.2] }, { position: [0.2, 0, 0], mass: 3, velocity: [0, 0, 0.4] }],
    }],
  }))
  expect(made.events).toEqual([])
  const { position: x } = made.deformables.at(-1)!
  expect(Math.abs(Math.atan2(x[5]!, x[3]!) - 1)).toBeLessThan(1.3 * (2 / rate) * (2 / rate))
})

it('a pendulum of cloth without damping swings on for 10 s; with implicit Euler it has come to rest', () => {
  const flat = sheet(3, 0.3, 0)
  // Hanging, 0.5 rad from the vertical.
  const vertices = flat.vertices.map(([x, y]) => [Math.sin(0.5) * (x! + 0.15), y!, -Math.cos(0.5) * (x! + 0.15)])
  const made = (['tr-bdf2', 'euler'] as const).map(method => run(sceneOf([], 0, settings(method, 1 / 120, 10, 60), {
    deformables: [{ id: 'c', ...flat, vertices, radius: 1e-4, damping: 0, stretchWarp: 200, stretchWeft: 200, shear: 50, arealDensity: 0.2, pins: [0, 1, 2, 3] }],
  })))
  const fastest = ({ certificates }: DeformableRun, from: number, to: number): number =>
    Math.max(...certificates.slice(from, to).map(({ energy }) => energy.kinetic))
  const kept = made.map(one => fastest(one, 530, 601) / fastest(one, 0, 70))
  expect(kept[0]!).toBeGreaterThan(0.8)
  expect(kept[1]!).toBeLessThan(0.1)
  for (const one of made) expect(unexplained(one)).toBeLessThan(1e-6)
})

describe('contact', () => {
  const ball = { id: 's', type: 'fixed', shapes: [{ type: 'sphere', radius: 0.3, material: 'stone' }] }
  const cloth = sheet(8, 0.8, 0.32)
  const result = run(sceneOf([ball], 0.3, settings('tr-bdf2', 1 / 120, 0.5, 60), { deformables: [{ id: 'c', ...cloth, ...cotton }] }))

  it('of a cloth that drapes on a sphere: nothing is inside, nothing crosses, and energy is balanced', () => {
    expect(result.status).toBe('completed')
    for (const { gap } of result.contacts) for (const value of gap) expect(value).toBeGreaterThan(-1e-9)
    for (const { position } of result.deformables) expect(crossings(position, cloth.triangles)).toBe(0)
    expect(result.contacts.at(-1)!.count).toBeGreaterThan(5)
    expect(unexplained(result)).toBeLessThan(1e-6)
  })

  it('of a sheet that lies on the ground: its forces are its weight, and its velocity is 0', () => {
    const { deformables, contacts } = run(sceneOf([floor], 0.3, settings('tr-bdf2', 1 / 120, 1, 60), {
      deformables: [{ id: 'c', ...sheet(4, 0.4, 0.02), ...cotton, arealDensity: 1 }],
    }))
    const { normalForce } = contacts.at(-1)!
    expect(normalForce.reduce((sum, force) => sum + force, 0) / (0.16 * g)).toBeCloseTo(1, 6)
    for (const v of deformables.at(-1)!.velocity) expect(Math.abs(v)).toBeLessThan(1e-6)
  })

  it('of a sheet that falls folded on the ground: no crossing in any frame', () => {
    const flat = sheet(8, 0.4, 0)
    // Rolled about y by three quarters of a turn, above the ground.
    const vertices = flat.vertices.map(([x, y]) => [0.08 * Math.sin((x! + 0.2) / 0.085), y!, 0.12 - 0.08 * Math.cos((x! + 0.2) / 0.085)])
    const made = run(sceneOf([floor], 0.3, settings('tr-bdf2', 1 / 240, 0.5, 60), {
      deformables: [{ id: 'c', ...flat, vertices, damping: 0.02, stretchWarp: 200, stretchWeft: 200, shear: 20, radius: 0.004 }],
    }))
    expect(made.status).toBe('completed')
    for (const { position } of made.deformables) expect(crossings(position, flat.triangles)).toBe(0)
    expect(unexplained(made)).toBeLessThan(1e-6)
  })
})

it('a box and a rope that pulls it share their momentum, to rounding, and the rope its energy', () => {
  const rope = {
    id: 'r', type: 'rope', material: 'stone', radius: 0.005, segments: 10, points: [[0, 0, 2], [0, 0, 1]], linearDensity: 2, axialStiffness: 2000, damping: 0.05,
    velocity: [0.3, 1, 0], attachments: [{ vertex: 10, body: 'load', point: [0, 0, 0.1] }],
  }
  const made = run(sceneOf([box('load', [0.2, 0.2, 0.2], [0, 0, 0.9])], 0.5, settings('tr-bdf2', 1 / 240, 1, 60), { gravity: [0, 0, 0], deformables: [rope] }))
  const { deformables, frames } = made
  const momentum = (k: number): number[] => [0, 1, 2].map(axis => {
    let sum = 8 * bodyAt(frames[k]!, 0).linearVelocity[axis]!
    for (let i = 0; i <= 10; i++) sum += 0.2 * (i === 0 || i === 10 ? 0.5 : 1) * deformables[k]!.velocity[3 * i + axis]!
    return sum
  })
  for (let k = 1; k < frames.length; k++) momentum(k).forEach((value, axis) => expect(Math.abs(value - momentum(0)[axis]!)).toBeLessThan(1e-8))
  expect(bodyAt(frames.at(-1)!, 0).linearVelocity[1]).toBeGreaterThan(0.05)
  expect(unexplained(made)).toBeLessThan(1e-6)
})

it('a box that hangs on an elastic rope pulls at both ends with its weight', () => {
  const made = run(sceneOf([box('load', [0.2, 0.2, 0.2], [0, 0, 0.9])], 0.5, settings('tr-bdf2', 1 / 240, 6, 20), {
    deformables: [{
      id: 'r', type: 'rope', material: 'stone', radius: 0.005, segments: 10, points: [[0, 0, 2], [0, 0, 1]], linearDensity: 0.1, axialStiffness: 2000, damping: 0.1,
      pins: [0], attachments: [{ vertex: 10, body: 'load', point: [0, 0, 0.1] }],
    }],
  }))
  const { reaction } = made.deformables.at(-1)!
  expect(reaction[2]!).toBeCloseTo(8.1 * g, 2)
  expect(reaction[5]!).toBeCloseTo(-8 * g, 2)
  expect(unexplained(made)).toBeLessThan(1e-6)
})

it('a step that does not converge is taken by implicit Euler, and a warning says so; nothing sinks in', () => {
  const sheeted = { id: 'c', ...sheet(6, 0.8, 0.01), ...cotton, radius: 0.005 }
  const load = box('load', [0.2, 0.2, 0.2], [0.03, 0.02, 0.3], { linearVelocity: [0, 0, -2], angularVelocity: [2, 1.5, 1] })
  const made = run(sceneOf([floor, load], 0.4, settings('tr-bdf2', 1 / 120, 0.4, 60), { deformables: [sheeted] }))
  expect(made.events.filter(({ kind, message }) => kind === 'warning' && message.includes('implicit Euler')).length).toBe(1)
  for (const { gap } of made.contacts) for (const value of gap) expect(value).toBeGreaterThan(-1e-9)
})
