/** Conditions between vertices of several deformables: the same motion as within one, closed forms, reactions, and the energy balance. */

import { describe, expect, it } from 'vitest'
import { check } from '../../core/simulation'
import { runDeformables as run, unexplained, type DeformableRun } from './deformable-runs'
import { sceneOf } from './support'

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
