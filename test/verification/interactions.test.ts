/** Pairwise interactions of particles, from a scene to the recorded frames. */

import { describe, expect, it } from 'vitest'
import { runDeformables as run, unexplained, type DeformableRun } from './deformable-runs'
import { sceneOf } from './support'

type Point = readonly [number, number, number]
const dust = (id: string, positions: readonly Point[], velocities: readonly Point[] = [], mass = (_: number) => 1) => ({
  id, type: 'particles', material: 'stone', radius: 1e-4, particles: positions.map((position, k) => ({ position, velocity: velocities[k] ?? [0, 0, 0], mass: mass(k) })),
})
const floating = (deformables: readonly object[], forces: readonly object[], duration: number, step: number) =>
  run(sceneOf([], 0, { duration, outputRate: Math.round(1 / step), timeStepping: { step } }, { gravity: [0, 0, 0], deformables, forces }))

const [depth, diameter, cutOff] = [0.5, 0.1, 0.25]
const gas = { id: 'gas', type: 'lennard-jones', depth, diameter, cutOff }

/** Slope and curvature of the Lennard-Jones potential, by powers of the distance. */
const slope = (r: number): number => 4 * depth * (6 * diameter ** 6 / r ** 7 - 12 * diameter ** 12 / r ** 13)
const curvature = (r: number): number => 4 * depth * (156 * diameter ** 12 / r ** 14 - 42 * diameter ** 6 / r ** 8)
/** Distance of equilibrium with the force shifted to 0 at the cut-off. */
function equilibrium(): number {
  let [low, high] = [diameter, 1.3 * diameter]
  for (let k = 0; k < 100; k++) {
    const middle = (low + high) / 2
    if (slope(middle) - slope(cutOff) < 0) low = middle
    else high = middle
  }
  return low
}

/** Largest deviation of a distance from rest + amplitude × Re (1 − iωh)^−n, which implicit Euler makes of cos ωt, relative to the amplitude. */
function deviation({ deformables }: DeformableRun, omega: number, h: number, rest: number, amplitude: number): number {
  return Math.max(...deformables.map(({ position: x }, n) => {
    const expected = amplitude * (1 + (omega * h) ** 2) ** (-n / 2) * Math.cos(n * Math.atan(omega * h))
    return Math.abs(x[3]! - x[0]! - rest - expected) / amplitude
  }))
}

describe('two particles', () => {
  const mass = (k: number): number => 1 + k
  it('in a Lennard-Jones well oscillate with ω² = U″ / μ', () => {
    const [rest, amplitude, h] = [equilibrium(), 1e-6, 1e-3]
    const omega = Math.sqrt(curvature(rest) / (2 / 3))
    const made = floating([dust('two', [[0, 0, 0], [rest + amplitude, 0, 0]], [], mass)], [gas], 0.5, h)
    expect(made.status).toBe('completed')
    expect(0.5 * omega / (2 * Math.PI)).toBeGreaterThan(5)
    expect(deviation(made, omega, h, rest, amplitude)).toBeLessThan(2e-4)
  })

  it('that attract each other softly oscillate through each other with ω² = 6 E / r_c² μ', () => {
    const [amplitude, h] = [1e-4, 2e-3]
    const omega = Math.sqrt(6 * 0.4 / 0.3 ** 2 / (2 / 3))
    const made = floating([dust('two', [[0, 0, 0], [amplitude, 0, 0]], [], mass)], [{ id: 'glue', type: 'pair', energy: -0.4, cutOff: 0.3 }], 2, h)
    expect(deviation(made, omega, h, 0, amplitude)).toBeLessThan(1e-5)
  })

  it('that repel each other gain the potential energy as motion, within the loss of the method', () => {
    const made = floating([dust('two', [[0, 0, 0], [0.1, 0, 0]], [], mass)], [{ id: 'push', type: 'pair', energy: 0.4, cutOff: 0.3 }], 1, 1e-3)
    const { energy } = made.certificates.at(-1)!
    expect(energy.initial).toBeCloseTo(0.4 * (1 - 1 / 9) ** 3, 12)
    expect(energy.potential).toBe(0)
    expect(energy.kinetic).toBeCloseTo(energy.initial + energy.numerical, 9)
    expect(Math.abs(energy.numerical)).toBeLessThan(0.01 * energy.initial)
    expect(unexplained(made)).toBeLessThan(1e-9)
  })

  it('beyond the cut-off do not move', () => {
    const { deformables } = floating([dust('two', [[0, 0, 0], [cutOff, 0, 0]])], [gas], 0.1, 0.01)
    expect([...deformables.at(-1)!.position]).toEqual([0, 0, 0, cutOff, 0, 0])
  })
})

/** A block of particles about a quarter looser than at rest, with small deterministic velocities. */
const block = (n: number): readonly Point[] => Array.from({ length: n ** 3 }, (_, k) => [0.14 * (k % n), 0.14 * (Math.floor(k / n) % n), 0.14 * Math.floor(k / n / n)])
const stirred = (positions: readonly Point[]): Point[] => positions.map((_, k) => [0.3 * Math.sin(7 * k), 0.3 * Math.sin(11 * k + 1), 0.3 * Math.sin(13 * k + 2)])

describe.each([[3, 'directly'], [6, 'by iteration']] as const)('a block of %d³ particles in a Lennard-Jones interaction, solved %s', (n, _how) => {
  const positions = block(n)
  const mass = (k: number): number => 1 + 0.5 * Math.sin(k)
  const made = floating([dust('block', positions, stirred(positions), mass)], [gas], 0.3, 0.005)

  it('keeps its momentum', () => {
    const momentum = ({ velocity }: { readonly velocity: ArrayLike<number> }): number[] => [0, 1, 2].map(c => positions.reduce((sum, _, k) => sum + mass(k) * velocity[3 * k + c]!, 0))
    const before = momentum(made.deformables[0]!)
    for (const frame of made.deformables) momentum(frame).forEach((p, c) => expect(Math.abs(p - before[c]!)).toBeLessThan(1e-12 * positions.length))
  })

  it('has a complete energy balance', () => {
    expect(made.status).toBe('completed')
    const kinetic = made.certificates.map(({ energy }) => energy.kinetic)
    expect(Math.max(...kinetic) / kinetic[0]!).toBeGreaterThan(1.5)
    expect(unexplained(made)).toBeLessThan(1e-9)
  })

  it('is solved in few Newton iterations', () => {
    expect(Math.max(...made.deformables.map(({ iterations }) => iterations))).toBeLessThan(12)
  })
})

describe('an interaction that does not act within a deformable', () => {
  const [a, b] = [dust('a', [[0, 0, 0], [0.1, 0, 0]]), dust('b', [[0, 0.12, 0]])]
  const push = { id: 'push', type: 'pair', energy: 0.4, cutOff: 0.3, within: false }
  it('leaves one deformable alone', () => {
    const { deformables } = floating([a], [push], 0.1, 0.01)
    expect([...deformables.at(-1)!.position]).toEqual([0, 0, 0, 0.1, 0, 0])
  })
  it('acts between two, and not on deformables that it does not list', () => {
    const { deformables } = floating([a, b, dust('c', [[0.05, 0.05, 0.05]])], [{ ...push, deformables: ['a', 'b'] }], 0.1, 0.01)
    const { velocity } = deformables.at(-1)!
    expect(velocity[1]).toBeLessThan(-0.01)
    expect(velocity[7]).toBeGreaterThan(0.01)
    expect([...velocity.subarray(9)]).toEqual([0, 0, 0])
  })
})

it('a pin carries the attraction of its particle', () => {
  const rest = 0.1
  const pulled = { ...dust('pinned', [[0, 0, 0]]), pins: [0] }
  const other = { ...dust('other', [[rest, 0, 0]]), pins: [0] }
  const { deformables } = floating([pulled, other], [{ id: 'glue', type: 'pair', energy: -0.4, cutOff: 0.3 }], 0.1, 0.01)
  const force = 6 * 0.4 * rest / 0.09 * (1 - rest * rest / 0.09) ** 2
  expect(deformables.at(-1)!.reaction[0]).toBeCloseTo(-force, 12)
  expect(deformables.at(-1)!.reaction[3]).toBeCloseTo(force, 12)
})
