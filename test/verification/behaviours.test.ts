/** Energies of conditions on particles: frequencies with closed forms, damping, and the energy balance. */

import { describe, expect, it } from 'vitest'
import { runDeformables as run, unexplained, type DeformableRun } from './deformable-runs'
import { sceneOf } from './support'

type Vector = readonly [number, number, number]
interface Case {
  readonly name: string
  readonly places: readonly Vector[]
  readonly masses: readonly number[]
  /** With C = −δ or of size δ at the start. */
  readonly condition: (delta: number) => object
  /** J W Jᵀ, by hand. */
  readonly inverseMass: number
  /** |C| at positions. */
  readonly measure: (x: ArrayLike<number>, delta: number) => number
}

const length = (v: readonly number[]): number => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0))
const at = (x: ArrayLike<number>, i: number): number[] => [x[3 * i]!, x[3 * i + 1]!, x[3 * i + 2]!]
const minus = (a: readonly number[], b: readonly number[]): number[] => a.map((x, k) => x - b[k]!)
const cross = ([a, b, c]: readonly number[], [d, e, f]: readonly number[]): number[] => [b! * f! - c! * e!, c! * d! - a! * f!, a! * e! - b! * d!]
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, k) => sum + x * b[k]!, 0)

const CASES: readonly Case[] = [
  {
    name: 'coincide', places: [[0, 0, 0], [1e-5, 0, 0]], masses: [1, 2], inverseMass: 1 + 1 / 2, condition: () => ({ type: 'coincide', vertices: [0, 1] }),
    measure: x => at(x, 1)[0]! - at(x, 0)[0]!,
  },
  {
    name: 'distance', places: [[0, 0, 0], [1, 0, 0]], masses: [1, 2], inverseMass: 1 + 1 / 2, condition: d => ({ type: 'distance', vertices: [0, 1], distance: 1 - d }),
    measure: (x, d) => length(minus(at(x, 0), at(x, 1))) - 1 + d,
  },
  {
    name: 'point', places: [[3, 2, 1]], masses: [2], inverseMass: 1 / 2, condition: d => ({ type: 'point', vertex: 0, point: [3, 2, 1 - d] }), measure: (x, d) => x[2]! - 1 + d,
  },
  {
    name: 'line', places: [[0, 0, 1]], masses: [2], inverseMass: 1 / 2, condition: d => ({ type: 'line', vertices: [0], point: [1, d, 1], direction: [5, 0, 0] }),
    measure: (x, d) => d - x[1]!,
  },
  {
    name: 'plane', places: [[0, 0, 1]], masses: [2], inverseMass: 1 / 2, condition: d => ({ type: 'plane', vertices: [0], point: [1, 4, 1 - d], normal: [0, 0, 7] }),
    measure: (x, d) => x[2]! - 1 + d,
  },
  {
    name: 'curve', places: [[1, 0, 0]], masses: [2], inverseMass: 1 / 2,
    condition: d => ({ type: 'curve', vertices: [0], curve: { type: 'circle', center: [0, 0, 0], normal: [0, 0, 1], radius: 1 - d } }),
    measure: (x, d) => length(at(x, 0)) - 1 + d,
  },
  {
    // Corner 1 with sides 2 and 0.5: gradients 1/side at the ends, both at the corner.
    name: 'angle', places: [[2, 0, 0], [0, 0, 0], [0, 0.5, 0]], masses: [1, 2, 4], inverseMass: 1 / 4 + 4 / 4 + (1 / 4 + 4) / 2,
    condition: d => ({ type: 'angle', vertices: [0, 1, 2], angle: Math.PI / 2 - d }),
    measure: (x, d) => {
      const [p, q] = [minus(at(x, 0), at(x, 1)), minus(at(x, 2), at(x, 1))]
      return Math.atan2(length(cross(p, q)), dot(p, q)) - Math.PI / 2 + d
    },
  },
  {
    // Gradients: half of the opposite side.
    name: 'area', places: [[0, 0, 0], [3, 0, 0], [0, 4, 0]], masses: [1, 2, 4], inverseMass: (25 + 16 / 2 + 9 / 4) / 4,
    condition: d => ({ type: 'area', vertices: [0, 1, 2], area: 6 - d }),
    measure: (x, d) => length(cross(minus(at(x, 1), at(x, 0)), minus(at(x, 2), at(x, 0)))) / 2 - 6 + d,
  },
  {
    // Gradients: a third of the opposite face. The order makes the volume negative.
    name: 'volume', places: [[0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]], masses: [1, 2, 4, 8], inverseMass: (3 / 4 + (1 / 2 + 1 / 4 + 1 / 8) / 4) / 9,
    condition: d => ({ type: 'volume', vertices: [0, 1, 2, 3], volume: 1 / 6 - d }),
    measure: (x, d) => -dot(minus(at(x, 1), at(x, 0)), cross(minus(at(x, 2), at(x, 0)), minus(at(x, 3), at(x, 0)))) / 6 - 1 / 6 + d,
  },
  {
    name: 'centre', places: [[0, 0, 0], [1, 0, 0], [0, 2, 0]], masses: [1, 2, 5], inverseMass: 1 / 8, condition: d => ({ type: 'centre', vertices: [0, 1, 2], point: [0.25, 1.25, -d] }),
    measure: (x, d) => ([1, 2, 5].reduce((sum, m, i) => sum + m * x[3 * i + 2]!, 0)) / 8 + d,
  },
]

const behaving = ({ places, masses }: Pick<Case, 'places' | 'masses'>, behaviours: readonly object[], duration: number, step: number, more: object = {}): DeformableRun =>
  run(sceneOf([], 0, { duration, outputRate: Math.round(1 / step), timeStepping: { step } }, {
    gravity: [0, 0, 0], forces: [],
    deformables: [{ id: 'd', type: 'particles', material: 'stone', radius: 1e-7, particles: places.map((position, i) => ({ position, mass: masses[i] })), behaviours, ...more }],
  }))

describe.each(CASES)('a behaviour of type $name', one => {
  const { condition, inverseMass, measure } = one
  const [delta, stiffness, h] = [1e-5, 40, 1 / 400]

  const worst = (made: DeformableRun, expected: (n: number) => number): number =>
    Math.max(...made.deformables.map(({ position }, n) => Math.abs(measure(position, delta) - expected(n)))) / delta

  it('oscillates with ω² = k J W Jᵀ as implicit Euler does', () => {
    const made = behaving(one, [{ condition: condition(delta), stiffness }], 1.5, h)
    expect(made.status).toBe('completed')
    const omega = Math.sqrt(stiffness * inverseMass)
    expect(worst(made, n => delta * (1 + (omega * h) ** 2) ** (-n / 2) * Math.cos(n * Math.atan(omega * h)))).toBeLessThan(1e-4)
    expect(made.certificates[0]!.energy.initial).toBeCloseTo(stiffness * delta * delta / 2, 14)
    expect(unexplained(made)).toBeLessThan(1e-9)
    expect(made.deformables[0]!.strain).toHaveLength(0)
  })

  it('loses by its damping what the energy balance says, and comes to rest at C = 0', () => {
    const damping = 2 * Math.sqrt(stiffness / inverseMass)
    const made = behaving(one, [{ condition: condition(delta), stiffness, damping }], 3, h)
    const omega = Math.sqrt(stiffness * inverseMass)
    // Critical damping: C = δ (1 + ω t) e^{−ωt}; implicit Euler's double root is 1 ÷ (1 + ωh).
    const root = 1 / (1 + omega * h)
    expect(worst(made, n => delta * (1 + n * omega * h * root) * root ** n)).toBeLessThan(1e-4)
    const { energy } = made.certificates.at(-1)!
    expect(energy.damping).toBeLessThan(-0.9 * energy.initial)
    expect(unexplained(made)).toBeLessThan(1e-9)
  })
})

it('behaviours without given values hold what is there at the start, and do nothing', () => {
  const places: Vector[] = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [0.2, 0.3, 1]]
  const conditions = [
    { type: 'distance', vertices: [0, 1] }, { type: 'point', vertex: 1 }, { type: 'angle', vertices: [0, 1, 3] }, { type: 'area', vertices: [1, 2, 3] },
    { type: 'volume', vertices: [0, 1, 2, 3] }, { type: 'volume', vertices: [0, 2, 1, 3] }, { type: 'centre', vertices: [0, 3] },
  ]
  const { deformables } = behaving({ places, masses: [1, 2, 3, 4] }, conditions.map(condition => ({ condition, stiffness: 100 })), 0.5, 0.01)
  deformables.at(-1)!.position.forEach((x, k) => expect(x).toBeCloseTo(places.flat()[k]!, 13))
})

it('a behaviour draws a body by a particle on it, and their momentum stays', () => {
  const made = run(sceneOf([
    { id: 'box', position: [0, 0, 0], shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'stone' }] },
  ], 0, { duration: 1, outputRate: 240, timeStepping: { step: 1 / 240 } }, {
    gravity: [0, 0, 0], forces: [],
    deformables: [{
      id: 'd', type: 'particles', material: 'stone', radius: 1e-3, particles: [{ position: [0.2, 0, 0.1], mass: 0.01 }, { position: [1, 0, 0], mass: 3 }],
      attachments: [{ vertex: 0, body: 'box' }], behaviours: [{ condition: { type: 'distance', vertices: [0, 1], distance: 0.5 }, stiffness: 50 }],
    }],
  }))
  expect(made.status).toBe('completed')
  const [frame, particles] = [made.frames.at(-1)!, made.deformables.at(-1)!]
  const body = 8 * frame.bodies[7]!
  expect(Math.abs(body)).toBeGreaterThan(0.2)
  expect(Math.abs(body + 0.01 * particles.velocity[0]! + 3 * particles.velocity[3]!)).toBeLessThan(1e-12)
  expect(unexplained(made)).toBeLessThan(1e-6)
})
