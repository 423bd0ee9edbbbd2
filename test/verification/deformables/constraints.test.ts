/** Constraints by multipliers against closed forms. */

import { describe, expect, it } from 'vitest'
import {
  addConstraintForces, distanceCondition, multipliers, onLineCondition, pointCondition, projectPositions, projectVelocities, rattle, type Feedback,
} from '../../../core/deformables'

const numbers = (...values: number[]): Float64Array => Float64Array.from(values)
const G = 9.81

/** A chain of n rods of length 1 ÷ n hanging from a held particle, stretched along x, and gravity. */
function rods(n: number) {
  const masses = new Float64Array(n + 1).fill(1 / n)
  const inverse = masses.map((m, i) => (i === 0 ? 0 : 1 / m))
  const pairs = Int32Array.from({ length: 2 * n }, (_, k) => Math.floor(k / 2) + (k % 2))
  return {
    masses, inverse, constraints: multipliers([distanceCondition(pairs, new Float64Array(n).fill(1 / n))], inverse),
    state: { positions: Float64Array.from({ length: 3 * (n + 1) }, (_, k) => (k % 3 === 0 ? k / 3 / n : 0)), velocities: new Float64Array(3 * (n + 1)) },
    weight: (_t: number, _x: Float64Array, _v: Float64Array, f: Float64Array) => { for (let i = 0; i <= n; i++) f[3 * i + 2]! -= masses[i]! * G },
  }
}

describe('a pendulum held by a multiplier', () => {
  it('has the tension 3 m g cos φ when let go level, and keeps its energy', () => {
    const { constraints, state, inverse, weight } = rods(1)
    let worst = 0
    let energy = 0
    for (let s = 0; s < 10_000; s++) {
      const { lambda } = rattle(constraints, state, inverse, s * 1e-4, 1e-4, 1e-14, 'direct', weight)
      const height = state.positions[5]!
      // φ from the vertical: cos φ = −z, v² = 2 g (−z), tension = m g cos φ + m v² = 3 m g cos φ; λ is that in the middle of the step.
      if (s % 100 === 0) {
        const f = new Float64Array(6)
        weight(0, state.positions, state.velocities, f)
        const now = numbers(0)
        addConstraintForces(constraints, state, f, { stiffness: 0, damping: 0 }, 'direct', now)
        worst = Math.max(worst, Math.abs(-now[0]! - 3 * G * -height))
        expect(Math.abs(-lambda[0]! - 3 * G * -height)).toBeLessThan(0.01)
      }
      energy = Math.max(energy, Math.abs(0.5 * state.velocities.reduce((sum, v) => sum + v * v, 0) + G * height))
    }
    expect(worst).toBeLessThan(1e-5)
    expect(energy).toBeLessThan(1e-6)
  })
})

describe('feedback [PBM01-F §3.2]', () => {
  it.each([[100, 20], [400, 5], [50, 40]])('brings C back as C̈ + k_d Ċ + k_s C = 0 says, k_s = %d, k_d = %d', (stiffness, damping) => {
    const feedback: Feedback = { stiffness, damping }
    const inverse = numbers(0.5)
    const constraints = multipliers([onLineCondition(Int32Array.of(0), [0, 0, 0], [1, 0, 0])], inverse)
    const state = { positions: numbers(0, 0.1, 0), velocities: numbers(1, 0, 0) }
    const h = 1e-3
    const lambda = new Float64Array(2)
    const acceleration = (x: Float64Array, v: Float64Array): Float64Array => {
      const f = numbers(3, 5, -7)
      addConstraintForces(constraints, { positions: x, velocities: v }, f, feedback, 'direct', lambda)
      return f.map(value => value * 0.5)
    }
    for (let s = 0; s < 500; s++) { // classical Runge–Kutta: the constraint forces go through any integrator
      const { positions: x, velocities: v } = state
      const k1 = acceleration(x, v)
      const v2 = v.map((value, k) => value + (h / 2) * k1[k]!)
      const k2 = acceleration(x.map((value, k) => value + (h / 2) * v[k]!), v2)
      const v3 = v.map((value, k) => value + (h / 2) * k2[k]!)
      const k3 = acceleration(x.map((value, k) => value + (h / 2) * v2[k]!), v3)
      const v4 = v.map((value, k) => value + h * k3[k]!)
      const k4 = acceleration(x.map((value, k) => value + h * v3[k]!), v4)
      state.positions = x.map((value, k) => value + (h / 6) * (v[k]! + 2 * v2[k]! + 2 * v3[k]! + v4[k]!))
      state.velocities = v.map((value, k) => value + (h / 6) * (k1[k]! + 2 * k2[k]! + 2 * k3[k]! + k4[k]!))
    }
    const t = 0.5
    const decay = damping / 2
    const discriminant = stiffness - decay * decay
    const w = Math.sqrt(Math.abs(discriminant))
    const shape = discriminant > 0 ? Math.cos(w * t) + (decay / w) * Math.sin(w * t) : discriminant < 0 ? Math.cosh(w * t) + (decay / w) * Math.sinh(w * t) : 1 + decay * t
    expect(Math.abs(state.positions[1]! - 0.1 * Math.exp(-decay * t) * shape)).toBeLessThan(1e-6 * 0.1)
    expect(Math.abs(state.positions[0]! - (t + 0.5 * 1.5 * t * t))).toBeLessThan(1e-9) // along the line nothing is held
  })
})

describe('redundant constraints', () => {
  it('are solved in the sense of least squares, each copy with its share', () => {
    const inverse = numbers(1)
    const point = pointCondition(Int32Array.of(0), numbers(0, 0, 0))
    const constraints = multipliers([point, point, point], inverse)
    const f = numbers(3, -6, 9)
    const lambda = new Float64Array(9)
    const report = addConstraintForces(constraints, { positions: numbers(0, 0, 0), velocities: numbers(0, 0, 0) }, f, { stiffness: 0, damping: 0 }, 'direct', lambda)
    expect(report.solver).toBe('least-squares')
    expect(Math.max(...f.map(Math.abs))).toBeLessThan(1e-12)
    for (const [k, share] of [-1, 2, -3].entries()) for (const copy of [0, 3, 6]) expect(Math.abs(lambda[copy + k]! - share)).toBeLessThan(1e-12)
  })

  it('give the same forces directly and by least squares where they are not redundant', () => {
    const { constraints, state, weight } = rods(20)
    for (let k = 0; k < 63; k++) state.velocities[k] = k < 3 ? 0 : Math.sin(k)
    const of = (solver: 'direct' | 'least-squares'): Float64Array => {
      const f = new Float64Array(63)
      weight(0, state.positions, state.velocities, f)
      addConstraintForces(constraints, state, f, { stiffness: 0, damping: 0 }, solver, new Float64Array(20))
      return f
    }
    const [direct, iterated] = [of('direct'), of('least-squares')]
    for (let k = 3; k < 63; k++) expect(Math.abs(direct[k]! - iterated[k]!)).toBeLessThan(1e-7)
  })
})

describe('a rope of 1,000 rods', () => {
  it('keeps every length and rate to the tolerance while it swings', () => {
    const { constraints, state, inverse, weight } = rods(1000)
    for (let s = 0; s < 10; s++) {
      const { positions, solve } = rattle(constraints, state, inverse, s / 600, 1 / 600, 1e-12, 'direct', weight)
      expect(positions.converged).toBe(true)
      expect(solve.solver).toBe('direct')
    }
    constraints.evaluate(state.positions, state.velocities)
    expect(Math.max(...constraints.values.map(Math.abs))).toBeLessThan(2e-12)
    expect(Math.max(...constraints.rates.map(Math.abs))).toBeLessThan(1e-10)
  })

  it('is brought back onto its constraints from a start that breaks them', () => {
    const { constraints, state, inverse } = rods(100)
    for (let k = 3; k < 303; k++) {
      state.positions[k]! += 1e-3 * Math.sin(7 * k)
      state.velocities[k] = Math.cos(3 * k)
    }
    expect(projectPositions(constraints, state, inverse, 1e-13, 'direct').converged).toBe(true)
    projectVelocities(constraints, state, inverse, 'direct')
    constraints.evaluate(state.positions, state.velocities)
    expect(Math.max(...constraints.values.map(Math.abs))).toBeLessThan(1e-13)
    expect(Math.max(...constraints.rates.map(Math.abs))).toBeLessThan(1e-11)
  })
})
