/** Conditions between vertices of several deformables, and points of bodies: the same motion as within one, closed forms, reactions, and the energy balance. */

import { describe, expect, it } from 'vitest'
import { rotate, type Quat } from '../../core/math/quaternion'
import { cross, dot, length, sub } from '../../core/math/vector'
import { check } from '../../core/simulation'
import { runDeformables as run, unexplained, type DeformableRun } from './deformable-runs'
import { bodyAt, box, sceneOf } from './support'

type Vector = readonly [number, number, number]
const g = 9.81

interface Point { readonly at: Vector; readonly mass?: number; readonly velocity?: Vector }
const particle = ({ at, mass = 1, velocity = [0, 0, 0] }: Point): object => ({ position: at, mass, velocity })
const cloud = (id: string, points: readonly Point[], rest: object = {}): object =>
  ({ id, type: 'particles', material: 'stone', radius: 1e-7, particles: points.map(particle), ...rest })
const other = (deformable: string, vertex = 0): object => ({ type: 'vertex', deformable, vertex })

interface Options { readonly duration?: number; readonly step?: number; readonly gravity?: Vector; readonly method?: string }
const scene = (deformables: readonly object[], { duration = 0.5, step = 1 / 240, gravity = [0, 0, -g], method = 'euler' }: Options = {}): object =>
  sceneOf([], 0, { duration, outputRate: Math.round(1 / step), timeStepping: { step, implicitMethod: method } }, { gravity, forces: [], deformables })

/** Largest difference of positions and velocities in all frames. */
function apart(a: DeformableRun, b: DeformableRun): number {
  expect(a.status).toBe('completed')
  expect(a.deformables.length).toBe(b.deformables.length)
  return Math.max(...a.deformables.map((frame, n) => Math.max(
    ...frame.position.map((x, k) => Math.abs(x - b.deformables[n]!.position[k]!)), ...frame.velocity.map((v, k) => Math.abs(v - b.deformables[n]!.velocity[k]!)))))
}

const points: readonly Point[] = [
  { at: [0, 0, 0], mass: 1, velocity: [0.1, 0, 0.3] }, { at: [1, 0, 0], mass: 2, velocity: [0, 0.4, 0] },
  { at: [0, 1, 0], mass: 3, velocity: [0, 0, 0.2] }, { at: [0, 0, 1], mass: 4, velocity: [0.3, 0, 0] },
]

describe('conditions between deformables', () => {
  const circle = { type: 'circle', center: [0, 0, 0], normal: [0, 0, 1], radius: 1 }
  /** With how many of the four points, from the second on where 0 is not on the curve. */
  const kinds: readonly [string, object, readonly number[]][] = [
    ['distance', {}, [0, 1]], ['angle', {}, [1, 0, 2]], ['area', {}, [0, 1, 2]], ['volume', {}, [0, 1, 2, 3]], ['centre', {}, [0, 1, 2, 3]],
    ['plane', { point: [0, 0, 0], normal: [0, 0, 1] }, [0, 1, 2]], ['line', { point: [0, 0, 0], direction: [1, 0, 0] }, [0, 1]], ['curve', { curve: circle }, [1, 2]],
  ]
  const cases = kinds.flatMap(([type, values, of]) => (['constraints', 'behaviours'] as const).flatMap(list =>
    (['euler', 'tr-bdf2'] as const).map(method => [`${list}: ${type}, ${method}`, list, { type, ...values }, of, method] as const)))

  it.each(cases)('move vertices as the same ones within one deformable: %s', (_, list, values, of, method) => {
    const extra = list === 'behaviours' ? { stiffness: 500, damping: 3 } : {}
    const one = run(scene([cloud('d', points, { [list]: [{ condition: { ...values, vertices: of }, ...extra }] })], { method }))
    // Each particle is a deformable, in the same order; the condition belongs to that of its first vertex.
    const condition = { ...values, vertices: [0], others: of.slice(1).map(k => other(`d${k}`)) }
    const several = run(scene(points.map((point, k) => cloud(`d${k}`, [point], k === of[0] ? { [list]: [{ condition, ...extra }] } : {})), { method }))
    expect(apart(several, one)).toBeLessThan(1e-12)
    expect(unexplained(several)).toBeLessThan(1e-9)
    if (list === 'constraints') {
      several.deformables.forEach(({ reaction }, n) => {
        expect(reaction.length).toBe(one.deformables[n]!.reaction.length)
        reaction.forEach((force, k) => expect(Math.abs(force - one.deformables[n]!.reaction[k]!)).toBeLessThan(1e-8))
      })
    }
  })

  it('name the vertex of their own deformable too, so that it need not come first', () => {
    const corner = [{ condition: { type: 'angle', vertices: [1], others: [other('b'), other('a', 0)] } }]
    const made = run(scene([cloud('a', [points[0]!, points[1]!], { constraints: corner }), cloud('b', [points[2]!])]))
    made.deformables.forEach(({ position: x }) => {
      const [p, q] = [[0, 1, 2].map(k => x[3 + k]! - x[6 + k]!), [0, 1, 2].map(k => x[k]! - x[6 + k]!)]
      const cosine = p.reduce((sum, v, k) => sum + v * q[k]!, 0) / Math.sqrt(p.reduce((s, v) => s + v * v, 0) * q.reduce((s, v) => s + v * v, 0))
      expect(Math.abs(Math.acos(cosine) - Math.PI / 4)).toBeLessThan(1e-9)
    })
  })
})

describe('two masses of two deformables, joined by a rod', () => {
  it('spin about their centre of mass: it stays, the rod keeps its length and bears μ ω² l', () => {
    const [m, M, l, spin] = [1, 3, 0.8, 2]
    const [a, b] = [-l * M / (m + M), l * m / (m + M)]
    const rod = [{ condition: { type: 'distance', vertices: [0], others: [other('b')] } }]
    const made = run(scene([
      cloud('a', [{ at: [a, 0, 0], mass: m, velocity: [0, 0, spin * a] }], { constraints: rod }), cloud('b', [{ at: [b, 0, 0], mass: M, velocity: [0, 0, spin * b] }]),
    ], { gravity: [0, 0, 0], duration: 1, step: 1 / 240, method: 'tr-bdf2' }))
    made.deformables.forEach(({ position: x, reaction }, n) => {
      for (let k = 0; k < 3; k++) expect(Math.abs(m * x[k]! + M * x[3 + k]!)).toBeLessThan(1e-11)
      expect(Math.abs(Math.hypot(x[3]! - x[0]!, x[5]! - x[2]!) - l)).toBeLessThan(1e-11)
      if (n > 0) expect(Math.abs(Math.hypot(...reaction) / (m * M / (m + M) * spin * spin * l) - 1)).toBeLessThan(1e-4)
    })
    const { position: x } = made.deformables.at(-1)!
    expect(Math.abs(Math.atan2(x[2]!, x[0]!) - (spin - Math.PI))).toBeLessThan(1e-4)
    expect(unexplained(made)).toBeLessThan(1e-9)
  })

  it('swing as a pendulum on a car: ω² = g (m + M) / m l for small amplitudes, with no force along the rail', () => {
    const [m, M, l, amplitude] = [2, 1, 0.5, 1e-3]
    // The car m runs along x; the bob M hangs from it.
    const start = [l * Math.sin(amplitude), 0, -l * Math.cos(amplitude)] as const
    const made = run(scene([
      cloud('bob', [{ at: start, mass: M }], { constraints: [{ condition: { type: 'distance', vertices: [0], others: [other('car')] } }] }),
      cloud('car', [{ at: [0, 0, 0], mass: m }], { constraints: [{ condition: { type: 'line', vertices: [0], point: [0, 0, 0], direction: [1, 0, 0] } }] }),
    ], { duration: 1, step: 1 / 500, method: 'tr-bdf2' }))
    const omega = Math.sqrt(g * (m + M) / (m * l))
    made.deformables.forEach(({ position: x, velocity: v, reaction }, n) => {
      const t = n / 500
      expect(Math.abs((x[0]! - x[3]!) / (l * amplitude) - Math.cos(omega * t))).toBeLessThan(1e-4)
      expect(Math.abs(M * x[0]! + m * x[3]! - M * start[0])).toBeLessThan(1e-11)
      if (n === 0) return
      // Rod on the bob: its weight and its acceleration, as means over the step. Rail on the car: nothing along x.
      const before = made.deformables[n - 1]!.velocity
      for (let k = 0; k < 3; k++) expect(Math.abs(reaction[k]! - M * ((v[k]! - before[k]!) * 500 + (k === 2 ? g : 0)))).toBeLessThan(1e-7)
      expect(Math.abs(reaction[3]!)).toBeLessThan(1e-9)
      expect(Math.abs(reaction[5]! - (m + M) * g)).toBeLessThan(1e-4)
    })
    expect(unexplained(made)).toBeLessThan(1e-9)
  })
})

describe('two ropes', () => {
  const line = (id: string, from: Vector, to: Vector, segments: number, rest: object = {}): object => ({
    id, type: 'rope', material: 'stone', radius: 0.001, points: [from, to], segments, linearDensity: 0.5, inextensible: true, ...rest,
  })

  it('tied end to end swing as one of the whole length', () => {
    const options = { duration: 0.4, step: 1 / 240 }
    const one = run(scene([line('r', [0, 0, 0], [1, 0, 0], 20, { pins: [0] })], options))
    const knot = [{ condition: { type: 'coincide', vertices: [8], others: [other('second')] } }]
    const two = run(scene([line('first', [0, 0, 0], [0.4, 0, 0], 8, { pins: [0], constraints: knot }), line('second', [0.4, 0, 0], [1, 0, 0], 12)], options))
    expect(two.status).toBe('completed')
    two.deformables.forEach(({ position }, n) => {
      for (let v = 0; v <= 20; v++) {
        for (let k = 0; k < 3; k++) expect(Math.abs(position[3 * (v <= 8 ? v : v + 1) + k]! - one.deformables[n]!.position[3 * v + k]!)).toBeLessThan(1e-9)
      }
      for (let k = 0; k < 3; k++) expect(Math.abs(position[24 + k]! - position[27 + k]!)).toBeLessThan(1e-9)
    })
    expect(unexplained(two)).toBeLessThan(1e-9)
  })

  it('hanging at rest: the knot bears the weight below it', () => {
    const knot = [{ condition: { type: 'coincide', vertices: [4], others: [other('second')] } }]
    const { deformables } = run(scene([line('first', [0, 0, 0], [0, 0, -0.4], 4, { pins: [0], constraints: knot }), line('second', [0, 0, -0.4], [0, 0, -1], 6)]))
    // After the pin: the force on the last vertex of the first rope.
    const { reaction } = deformables.at(-1)!
    expect(reaction[2]! / (0.5 * g)).toBeCloseTo(1, 8)
    expect(reaction[5]! / (-0.5 * 0.6 * g)).toBeCloseTo(1, 8)
  })
})

describe('what several deformables cannot satisfy', () => {
  const rod = (own: number, deformable: string): object => ({ condition: { type: 'distance', vertices: [own], others: [other(deformable)] } })
  it.each([
    ['the same rod from both ends', [cloud('a', [points[0]!], { constraints: [rod(0, 'b')] }), cloud('b', [points[1]!], { constraints: [rod(0, 'a')] })], 'deformables[1].constraints[0]', 'over-determined'],
    ['a rod between two pinned vertices', [cloud('a', [points[0]!], { pins: [0] }), cloud('b', [points[1]!], { pins: [0], constraints: [rod(0, 'a')] })], 'deformables[1].constraints[0]', 'over-determined'],
    ['a rod beside the only segment of a rope of rods', [
      { id: 'a', type: 'rope', material: 'stone', radius: 0.001, points: [[0, 0, 0], [1, 0, 0]], segments: 1, linearDensity: 1, inextensible: true, pins: [0] },
      cloud('b', [points[0]!], { pins: [0], constraints: [{ condition: { type: 'distance', vertices: [0], others: [other('a', 1)] } }] }),
    ], 'deformables[1].constraints[0]', 'over-determined'],
    ['knots apart from each other', [cloud('a', [points[0]!]), cloud('b', [points[1]!], { constraints: [{ condition: { type: 'coincide', vertices: [0], others: [other('a')] } }] })],
      'deformables[1].constraints[0]', 'does not hold at the start'],
  ] as const)('is refused by name: %s', (_, deformables, path, why) => {
    const result = check(scene(deformables))
    const [first] = result.problems
    expect(first).toMatchObject({ name: 'InvalidConstraint', path })
    expect(first!.message).toContain(why)
    expect(first!.allowed).toBeTruthy()
  })
})

describe('points of bodies', () => {
  const P = [0.1, 0.15, 0.2] as const
  const inertia = [0.05, 0.04, 0.03, 0, 0, 0]
  const body = (rest: object): object => box('b', [0.2, 0.3, 0.4], [0, 0, 0], { mass: { mass: 3, inertia }, ...rest })
  const on = (id: string | null, point: readonly number[] = P): object => ({ type: 'bodyPoint', body: id, point })
  const withBody = (bodies: readonly object[], deformables: readonly object[], { duration = 1, step = 1 / 240, gravity = [0, 0, -g], method = 'euler' }: Options = {}): object =>
    sceneOf(bodies, 0, { duration, outputRate: Math.round(1 / step), method: 'time-stepping', timeStepping: { step, implicitMethod: method } }, { gravity, forces: [], deformables })
  const rod = (other_: object): object => ({ constraints: [{ condition: { type: 'distance', vertices: [0], others: [other_] } }] })
  /** World: of a point in the frame of the body. */
  const placed = (frame: DeformableRun['frames'][number], point: readonly number[] = P): number[] => {
    const { position, orientation } = bodyAt(frame, 0)
    return rotate(orientation as unknown as Quat, point as unknown as Vector).map((x, k) => x + position[k]!)
  }

  it.each(['euler', 'tr-bdf2'])('of the world hold a pendulum as a pinned particle does, with the same reaction: %s', method => {
    const bob: Point = { at: [0.8, 0, -0.6], mass: 2 }
    const one = run(scene([cloud('p', [bob], rod(on(null, [0, 0, 0])))], { method }))
    const two = run(scene([cloud('p', [bob, { at: [0, 0, 0] }], { pins: [1], constraints: [{ condition: { type: 'distance', vertices: [0, 1] } }] })], { method }))
    one.deformables.forEach(({ position, reaction }, n) => {
      for (let k = 0; k < 3; k++) expect(Math.abs(position[k]! - two.deformables[n]!.position[k]!)).toBeLessThan(1e-11)
      for (let k = 0; k < 3; k++) expect(Math.abs(reaction[k]! - two.deformables[n]!.reaction[3 + k]!)).toBeLessThan(1e-6)
    })
    expect(unexplained(one)).toBeLessThan(1e-9)
  })

  it('at the centre of mass make a body swing as a particle of its mass', () => {
    const start: Vector = [0.8, 0, -0.6]
    const hung = run(withBody([box('b', [0.2, 0.2, 0.2], start, { mass: { mass: 2, inertia: [1, 1, 1, 0, 0, 0] } })], [cloud('p', [{ at: [0, 0, 0] }], { pins: [0], ...rod(on('b', [0, 0, 0])) })]))
    const bob = run(scene([cloud('p', [{ at: start, mass: 2 }], rod(on(null, [0, 0, 0])))], { duration: 1 }))
    expect(hung.status).toBe('completed')
    hung.frames.forEach((frame, n) => {
      const { position } = bodyAt(frame, 0)
      for (let k = 0; k < 3; k++) expect(Math.abs(position[k]! - bob.deformables[n]!.position[k]!)).toBeLessThan(1e-9)
      expect(Math.abs(Math.hypot(...position) - 1)).toBeLessThan(1e-11)
    })
    expect(unexplained(hung)).toBeLessThan(1e-9)
  })

  it.each(['euler', 'tr-bdf2'])('off its centre of mass: a free body and a particle share their momentum, and the rod keeps its length: %s', method => {
    const free = { linearVelocity: [0, 1, 0], angularVelocity: [1, 0, 2] }
    const flying: Point = { at: [1, 0, 0], mass: 2, velocity: [0, -1, 0.5] }
    const made = run(withBody([body(free)], [cloud('p', [flying], rod(on('b')))], { gravity: [0, 0, 0], method }))
    const apart = (n: number): number => Math.hypot(...placed(made.frames[n]!).map((x, k) => x - made.deformables[n]!.position[k]!))
    made.frames.forEach((frame, n) => {
      const { linearVelocity } = bodyAt(frame, 0)
      for (let k = 0; k < 3; k++) expect(Math.abs(3 * linearVelocity[k]! + 2 * made.deformables[n]!.velocity[k]! - [0, 1, 1][k]!)).toBeLessThan(1e-12)
      expect(Math.abs(apart(n) - apart(0))).toBeLessThan(1e-11)
    })
    expect(unexplained(made)).toBeLessThan(1e-6)
    // A particle attached at the point has a mass of its own, in proportion to which the motion differs.
    const differences = [1e-3, 1e-6].map(mass => {
      const attached = cloud('p', [flying, { at: P, mass }], { attachments: [{ vertex: 1, body: 'b' }], constraints: [{ condition: { type: 'distance', vertices: [0, 1] } }] })
      const last = run(withBody([body(free)], [attached], { gravity: [0, 0, 0], method }))
      return Math.max(...[0, 1, 2].map(k => Math.abs(bodyAt(last.frames.at(-1)!, 0).position[k]! - bodyAt(made.frames.at(-1)!, 0).position[k]!)))
    })
    expect(differences[0]).toBeLessThan(3e-4)
    expect(differences[1]).toBeLessThan(1e-6)
  })

  it.each(['coincide', 'angle', 'area', 'volume'].flatMap(type => ['euler', 'tr-bdf2'].map(method => [type, method] as const)))('%s holds on a spinning body: %s', (type, method) => {
    const parts: readonly Point[] = [{ at: type === 'coincide' ? P : [1, 0, 0], mass: 2 }, { at: [0, 1, 0.3] }, { at: [0.5, 0.5, 1] }]
    const count = type === 'coincide' ? 1 : type === 'volume' ? 3 : 2
    const condition = { type, vertices: [0, 1, 2].slice(0, count), others: [on('b')] }
    const made = run(withBody([body({ angularVelocity: [1, 0, 2] })], [cloud('p', parts.slice(0, count), { constraints: [{ condition }] })], { gravity: [0, 0, 0], method, duration: 0.5 }))
    expect(made.status).toBe('completed')
    const value = (n: number): number => {
      const { position: x } = made.deformables[n]!
      const [a, b, c, d] = [...Array.from({ length: count }, (_, i) => [...x.subarray(3 * i, 3 * i + 3)]), placed(made.frames[n]!)] as unknown as [Vector, Vector, Vector, Vector]
      if (type === 'coincide') return length(sub(a, b))
      if (type === 'angle') return Math.atan2(length(cross(sub(a, b), sub(c, b))), dot(sub(a, b), sub(c, b)))
      return type === 'area' ? length(cross(sub(b, a), sub(c, a))) / 2 : dot(sub(b, a), cross(sub(c, a), sub(d, a))) / 6
    }
    made.frames.forEach((_, n) => { expect(Math.abs(value(n) - value(0))).toBeLessThan(1e-9) })
    expect(unexplained(made)).toBeLessThan(1e-6)
  })

  it('of a prescribed body draw a particle along, and their work is in the account of prescribed motion', () => {
    const made = run(withBody([body({ type: 'kinematic', linearVelocity: [0.3, 0, 0], angularVelocity: [0, 1, 0] })], [cloud('p', [{ at: [1, 0, 0], mass: 2 }], rod(on('b')))], { method: 'tr-bdf2' }))
    const apart = (n: number): number => Math.hypot(...placed(made.frames[n]!).map((x, k) => x - made.deformables[n]!.position[k]!))
    made.frames.forEach((_, n) => { expect(Math.abs(apart(n) - apart(0))).toBeLessThan(1e-10) })
    expect(Math.abs(made.certificates.at(-1)!.energy.kinematic)).toBeGreaterThan(1)
    expect(unexplained(made)).toBeLessThan(1e-9)
  })

  it('are refused twice in the same condition, by name', () => {
    const { constraints: [one] } = rod(on('b')) as { constraints: object[] }
    const [first] = check(withBody([body({})], [cloud('p', [{ at: [1, 0, 0] }], { constraints: [one, one] })])).problems
    expect(first).toMatchObject({ name: 'InvalidConstraint', path: 'deformables[0].constraints[1]' })
  })

  it('hold a body by six rods where it is, and a seventh does not disturb it', () => {
    const [a, b, c] = [[0.1, 0, 0], [-0.1, 0.15, 0], [0, -0.15, 0.1]] as const
    const ends: readonly (readonly [Vector, readonly number[]])[] = [[[1, 0, 1], a], [[1, 1, 1], a], [[-1, 0, 1], b], [[-1, 1, 1.2], b], [[0, -1, 1], c], [[0.2, -1, 2], c], [[0, 0, 2], a]]
    const made = run(withBody([body({})], [cloud('p', ends.map(([at]) => ({ at })), {
      pins: ends.map((_, k) => k), constraints: ends.map(([, point], k) => ({ condition: { type: 'distance', vertices: [k], others: [on('b', point)] } })),
    })], { duration: 0.25 }))
    expect(made.status).toBe('completed')
    made.frames.forEach(frame => { for (const x of bodyAt(frame, 0).position) expect(Math.abs(x)).toBeLessThan(1e-8) })
    // The rods bear the weight.
    const { reaction } = made.deformables.at(-1)!
    const lift = ends.reduce((sum, _, k) => sum - reaction[3 * (ends.length + k) + 2]!, 0)
    expect(Math.abs(lift / (3 * g) - 1)).toBeLessThan(1e-6)
  })

  const plane = { type: 'plane', vertices: [0], point: [0, 0, 0], normal: [0, 0, 1] }
  const distance = { type: 'distance', vertices: [0] }
  it.each([
    ['in a behaviour', { behaviours: [{ condition: { ...distance, others: [on('b')] }, stiffness: 1 }] }, 'behaviours[0].condition.others[0].type'],
    ['with feedback', { constraints: [{ condition: { ...distance, others: [on('b')] }, feedback: { stiffness: 1, damping: 1 } }] }, 'constraints[0].feedback'],
    ['in a plane', { constraints: [{ condition: { ...plane, others: [on('b')] } }] }, 'constraints[0].condition.others[0].type'],
    ['of a centre of mass', { constraints: [{ condition: { type: 'centre', vertices: [0], others: [on('b')] } }] }, 'constraints[0].condition.others[0].type'],
    ['that appears later', { constraints: [{ condition: { ...distance, others: [on('late')] } }] }, 'constraints[0].condition.others[0].body'],
  ] as const)('are refused by name: %s', (_, conditions, path) => {
    const late = box('late', [0.1, 0.1, 0.1], [3, 0, 0], { spawnTime: 0.1 })
    const [first] = check(withBody([body({}), late], [cloud('p', [{ at: [1, 0, 0] }], conditions)])).problems
    expect(first).toMatchObject({ name: 'NotSupported', path: `deformables[0].${path}` })
    expect(first!.allowed).toBeTruthy()
  })
})
