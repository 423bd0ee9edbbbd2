/** Springs and implicit integration against closed forms. */

import { describe, expect, it } from 'vitest'
import {
  adaptiveSteps, angleCondition, distanceCondition, energyOf, gravityLoad, implicitEuler, onLineCondition, pointCondition, STAGE_SETTINGS, stepAudit, storedEnergy, elementWorkspace, trBdf2, addForces,
  type ParticleSystem, type StageSettings,
} from '../../../core/deformables'
import { explicitEuler } from '../../../core/dynamics/integrators'

const numbers = (...values: number[]): Float64Array => Float64Array.from(values)
const exact: StageSettings = { ...STAGE_SETTINGS, tolerance: 1e-13, solver: 'direct' }
const free = (n: number): Uint8Array => new Uint8Array(n)

/** A chain of n masses m between two nailed ends, springs k of rest length 1 that are not stretched. */
function chain(n: number, k: number, m: number): { system: ParticleSystem; positions: Float64Array } {
  const held = new Uint8Array(n + 2)
  held[0] = held[n + 1] = 1
  const pairs = Int32Array.from({ length: 2 * (n + 1) }, (_, i) => Math.floor(i / 2) + (i % 2))
  const springs = energyOf(distanceCondition(pairs, new Float64Array(n + 1).fill(1)), new Float64Array(n + 1).fill(k), new Float64Array(n + 1), n + 2)
  return { system: { masses: new Float64Array(n + 2).fill(m), energies: [springs], loads: [], held }, positions: Float64Array.from({ length: 3 * (n + 2) }, (_, i) => (i % 3 === 0 ? i / 3 : 0)) }
}

describe('decay ẋ = −k x', () => {
  /** A massless particle on a spring k with damping 1 N s/m moves as ẋ = −k x. With 1e-24 kg, m / h² is below the rounding of k. */
  const k = 50
  const decay = (h: number): number => {
    const system: ParticleSystem = {
      masses: numbers(1e-24), energies: [energyOf(pointCondition(Int32Array.of(0), numbers(0, 0, 0)), numbers(k, k, k), numbers(1, 1, 1), 1)], loads: [], held: free(1),
    }
    const state = { positions: numbers(1, 0, 0), velocities: numbers(-k, 0, 0) }
    implicitEuler(system, exact).step(state, 0, h, new Float64Array(3))
    return state.positions[0]!
  }

  it.each([0.001, 0.02, 0.1, 10])('by implicit Euler loses 1 ÷ (1 + h k) a step, h = %d', h => {
    expect(Math.abs(decay(h) * (1 + h * k) - 1)).toBeLessThan(1e-13)
  })

  it.each([0.01, 0.03, 0.039, 0.041])('by explicit Euler is multiplied by 1 − h k in each step: beyond 1 ÷ k it changes sign, beyond 2 ÷ k it grows without bound; h = %d', h => {
    const integrator = explicitEuler()
    const y = numbers(1)
    const steps = 200
    for (let s = 0; s < steps; s++) {
      const before = y[0]!
      integrator.step((_t, state, out) => { out[0] = -k * state[0]! }, s * h, y, h, y, y)
      expect(Math.sign(y[0]!)).toBe((h * k > 1 ? -1 : 1) * Math.sign(before))
    }
    expect(Math.abs(y[0]! / (1 - h * k) ** steps - 1)).toBeLessThan(1e-9)
    expect(Math.abs(y[0]!) > 1).toBe(h * k > 2)
  })
})

describe('the particle that is drawn to a line, k = 1e9 [PBM01-D §2]', () => {
  it('stays on it with h = 0.01, and its motion along the line is free', () => {
    const line = energyOf(onLineCondition(Int32Array.of(0), [0, 0, 0], [1, 0, 0]), numbers(1e9, 1e9), numbers(0, 0), 1)
    const system: ParticleSystem = { masses: numbers(1), energies: [line], loads: [], held: free(1) }
    const state = { positions: numbers(0, 0.3, 0), velocities: numbers(1, 0, 0) }
    const method = implicitEuler(system, exact)
    for (let k = 0; k < 100; k++) method.step(state, 0.01 * k, 0.01, new Float64Array(3))
    expect(Math.abs(state.positions[0]! - 1)).toBeLessThan(1e-12)
    expect(Math.abs(state.positions[1]!)).toBeLessThan(1e-12)
  })

  it('without mass, ẋ = −x and ẏ = −k y, is lost by explicit steps longer than 2 ÷ k, and kept by shorter ones; 2e-9 s for a motion that takes a second', () => {
    const k = 1e9
    const integrator = explicitEuler()
    const after = (h: number): Float64Array => {
      const y = numbers(1, 1e-3)
      for (let s = 0; s < 1000; s++) integrator.step((_t, state, out) => { out.set([-state[0]!, -k * state[1]!]) }, s * h, y, h, y, y)
      return y
    }
    expect(Math.abs(after(1.9 / k)[1]!)).toBeLessThan(1e-40)
    expect(after(1.9 / k)[0]!).toBeCloseTo(1 - 1.9e-6, 11)
    expect(Math.abs(after(2.1 / k)[1]!)).toBeGreaterThan(1e30)
  })

  it('is lost by explicit steps longer than 2 ÷ √k, and kept by shorter ones', () => {
    const line = energyOf(onLineCondition(Int32Array.of(0), [0, 0, 0], [1, 0, 0]), numbers(1e9, 1e9), numbers(0, 0), 1)
    const workspace = elementWorkspace([line.condition])
    const after = (h: number): number => {
      const x = numbers(0, 1e-3, 0)
      const v = numbers(0, 0, 0)
      for (let k = 0; k < 200; k++) {
        const f = new Float64Array(3)
        addForces(line, x, v, f, workspace)
        for (let i = 0; i < 3; i++) {
          v[i]! += h * f[i]! // symplectic Euler: stable up to h ω = 2
          x[i]! += h * v[i]!
        }
      }
      return Math.abs(x[1]!)
    }
    expect(after(1.9 / Math.sqrt(1e9))).toBeLessThan(1e-2)
    expect(after(2.1 / Math.sqrt(1e9))).toBeGreaterThan(1e3)
  })
})

describe('a chain of N masses and springs', () => {
  it.each([1, 2, 5, 8])('swings in mode n along itself with ω = 2 √(k/m) sin(nπ / 2(N+1)), n = %d of 8', mode => {
    const [N, k, m] = [8, 400, 0.5]
    const { system, positions } = chain(N, k, m)
    const omega = 2 * Math.sqrt(k / m) * Math.sin((mode * Math.PI) / (2 * (N + 1)))
    const rest = positions.slice()
    const velocities = new Float64Array(positions.length)
    for (let i = 1; i <= N; i++) velocities[3 * i] = 1e-4 * Math.sin((i * mode * Math.PI) / (N + 1))
    const state = { positions, velocities }
    const method = trBdf2(system, exact)
    // The method has a phase error of order (ω h)² / 24, small at these steps; the period follows from the zero crossings of the first mass.
    const h = (2 * Math.PI) / omega / 4000
    let before = 0
    const crossings: number[] = []
    for (let s = 0; crossings.length < 2; s++) {
      method.step(state, s * h, h, new Float64Array(positions.length))
      const now = state.positions[3]! - rest[3]!
      if (before < 0 && now >= 0) crossings.push((s + 1) * h - (now / (now - before)) * h)
      before = now
    }
    expect(Math.abs((2 * Math.PI) / (crossings[1]! - crossings[0]!) / omega - 1)).toBeLessThan(1e-6)
  })
})

describe('a damped spring between two free particles [PBM01-C eq. 1]', () => {
  const [k, d, m] = [100, 2, 1]
  const reduced = m / 2
  const rate = d / (2 * reduced)
  const omega = Math.sqrt(k / reduced - rate * rate)
  const springs = energyOf(distanceCondition(Int32Array.of(0, 1), numbers(1)), numbers(k), numbers(d), 2)
  const system: ParticleSystem = { masses: numbers(m, m), energies: [springs], loads: [], held: free(2) }

  /** Its extension after a time, by steps h. */
  const extension = (h: number, time: number): number => {
    const state = { positions: numbers(0, 0, 0, 1.1, 0, 0), velocities: new Float64Array(6) }
    const method = trBdf2(system, exact)
    const steps = Math.round(time / h)
    for (let s = 0; s < steps; s++) method.step(state, s * h, h, new Float64Array(6))
    return state.positions[3]! - state.positions[0]! - 1
  }
  const closed = (t: number): number => 0.1 * Math.exp(-rate * t) * (Math.cos(omega * t) + (rate / omega) * Math.sin(omega * t))

  it('has the period and decrement of the closed form, to the square of the step', () => {
    const coarse = Math.abs(extension(0.01, 1) - closed(1))
    const fine = Math.abs(extension(0.005, 1) - closed(1))
    expect(coarse / fine).toBeGreaterThan(3.5)
    // Extrapolated from three step lengths; the remaining error is of order h⁴.
    const [a, b, c] = [extension(0.002, 1), extension(0.001, 1), extension(0.0005, 1)]
    const [ab, bc] = [(4 * b - a) / 3, (4 * c - b) / 3]
    expect(Math.abs((8 * bc - ab) / 7 - closed(1))).toBeLessThan(1e-9)
  })

  it('gives neither force nor torque to the whole', () => {
    const state = { positions: numbers(0, 0, 0, 1.1, 0, 0), velocities: numbers(0.3, -2, 0.1, 0.1, 3, 0.4) }
    const method = implicitEuler(system, exact)
    for (let s = 0; s < 100; s++) {
      const before = state.velocities.slice()
      method.step(state, 0.01 * s, 0.01, new Float64Array(6))
      const [x, change] = [state.positions, state.velocities.map((v, k) => v - before[k]!)]
      for (let k = 0; k < 3; k++) expect(Math.abs(change[k]! + change[3 + k]!)).toBeLessThan(1e-12)
      const torque = [0, 3].reduce((sum, i) => sum + x[i]! * change[i + 1]! - x[i + 1]! * change[i]!, 0)
      expect(Math.abs(torque)).toBeLessThan(1e-12)
    }
  })
})

describe('implicit Euler', () => {
  it('balances all energy: kinetic and stored energy change by the work less damping and numerical loss', () => {
    const { system: { masses, held, energies }, positions } = chain(6, 500, 0.2)
    const corners = Int32Array.from({ length: 18 }, (_, i) => Math.floor(i / 3) + (i % 3))
    const system: ParticleSystem = {
      masses, held, loads: [gravityLoad(masses, [0, 0, -9.81])],
      energies: [
        { ...energies[0]!, damping: new Float64Array(7).fill(0.3) },
        energyOf(angleCondition(corners, new Float64Array(6).fill(2.8)), new Float64Array(6).fill(0.4), new Float64Array(6).fill(0.01), 8),
      ],
      lead(t, x, v) {
        x[0] = 0.2 * Math.sin(5 * t)
        v[0] = Math.cos(5 * t)
      },
    }
    for (let i = 1; i < 7; i++) positions[3 * i + 1] = 0.05 * Math.sin(i)
    const state = { positions, velocities: new Float64Array(24) }
    const method = implicitEuler(system, exact)
    const audit = stepAudit(system)
    const reactions = new Float64Array(24)
    let size = 0
    const workspace = elementWorkspace(system.energies.map(({ condition }) => condition))
    for (let s = 0; s < 200; s++) {
      const before = { positions: state.positions.slice(), velocities: state.velocities.slice() }
      expect(method.step(state, 0.02 * s, 0.02, reactions).converged).toBe(true)
      const { kinetic, stored, work, led, damped, numerical } = audit(before, state, 0.02 * s, 0.02, reactions)
      size = Math.max(size, system.energies.reduce((sum, energy) => sum + storedEnergy(energy, state.positions, workspace), 0))
      expect(Math.abs(kinetic + stored - work - led + damped + numerical)).toBeLessThan(1e-9 * size)
      expect(damped).toBeGreaterThanOrEqual(0)
    }
  })
})

describe('steps of chosen length', () => {
  it('are as short as the error asks, and say how many were refused', () => {
    const { system, positions } = chain(3, 1e4, 0.1)
    positions[6]! += 0.1
    const state = { positions, velocities: new Float64Array(15) }
    const steps = adaptiveSteps(system, trBdf2(system, exact), { error: 1e-6, changes: [Infinity], shortest: 1e-9 })
    const report = steps.advance(state, 0, 0.1, new Float64Array(15))
    expect(report.steps).toBeGreaterThan(50)
    expect(report.refused).toBeGreaterThan(0)
    const reference = { positions: chain(3, 1e4, 0.1).positions, velocities: new Float64Array(15) }
    reference.positions[6]! += 0.1
    const fine = trBdf2(system, exact)
    for (let s = 0; s < 20_000; s++) expect(fine.step(reference, 0, 5e-6, new Float64Array(15)).converged).toBe(true)
    expect(Math.abs(state.positions[6]! - reference.positions[6]!)).toBeLessThan(2 * report.steps * 1e-6) // twice the sum of the errors of all steps, since errors grow
  })
})
