/** Particles on prescribed paths: forced oscillation, places and velocities, reactions and the work of the motion. */

import { describe, expect, it } from 'vitest'
import { runDeformables as run, unexplained, type DeformableRun } from './deformable-runs'
import { sceneOf } from './support'

type Vector = readonly [number, number, number]
const particlesOf = (positions: readonly Vector[], more: object, mass = 1) => ({
  id: 'd', type: 'particles', material: 'stone', radius: 1e-3, particles: positions.map(position => ({ position, mass })), ...more,
})
const floating = (deformables: readonly object[], duration: number, step: number, gravity: Vector = [0, 0, 0]): DeformableRun =>
  run(sceneOf([], 0, { duration, outputRate: Math.round(1 / step), timeStepping: { step } }, { gravity, deformables, forces: [] }))

const harmonic = (amplitude: number, omega: number) => ({ type: 'ellipse', semiAxisB: [amplitude, 0, 0], period: 2 * Math.PI / omega })

describe('the controlled end of a spring', () => {
  const [k, mass, amplitude, omega] = [40, 2, 0.01, 3]
  const damping = 8

  it('forces an oscillation with the amplitude and phase of implicit Euler\'s transfer function', () => {
    const h = 0.002
    // One step of implicit Euler is d/dt → s = (1 − e^{−iωh}) / h: (m s² + d s + k) X = (d s + k) A.
    const made = floating([particlesOf([[0, 0, 0], [1, 0, 0]], {
      springs: [{ a: 0, b: 1, restLength: 1, stiffness: k, damping }], controlled: [{ vertices: [0], motion: harmonic(amplitude, omega) }],
    }, mass)], 12, h)
    expect(made.status).toBe('completed')
    const [c, s] = [(1 - Math.cos(omega * h)) / h, Math.sin(omega * h) / h]
    const [numRe, numIm] = [k + damping * c, damping * s]
    const [denRe, denIm] = [k + damping * c + mass * (c * c - s * s), damping * s + mass * 2 * c * s]
    const size = (denRe * denRe + denIm * denIm)
    const [re, im] = [(numRe * denRe + numIm * denIm) / size, (numIm * denRe - numRe * denIm) / size]
    let worst = 0
    made.deformables.forEach(({ position }, n) => {
      const t = n * h
      if (t < 11) return
      const expected = amplitude * (re * Math.sin(omega * t) + im * Math.cos(omega * t))
      worst = Math.max(worst, Math.abs(position[3]! - 1 - expected))
    })
    expect(worst).toBeLessThan(1e-10)
    // The continuous amplitude, to the first order of the method.
    const exact = amplitude * Math.sqrt((k * k + (damping * omega) ** 2) / ((k - mass * omega ** 2) ** 2 + (damping * omega) ** 2))
    expect(Math.abs(amplitude * Math.sqrt(re * re + im * im) / exact - 1)).toBeLessThan(0.01)
    expect(unexplained(made)).toBeLessThan(1e-9)
  })
})

describe('a controlled particle', () => {
  const motions = {
    keys: { type: 'keys', keys: [{ time: 0.3, offset: [0.2, 0, 0.1] }, { time: 0.8, offset: [0.1, -0.3, 0.4] }] },
    ellipse: { type: 'ellipse', semiAxisA: [0.2, 0, 0], semiAxisB: [0, 0.1, 0.05], period: 0.7 },
    loop: { type: 'loop', points: [[0.3, 0, 0], [0.3, 0.2, 0.1], [0, 0.2, 0]], period: 0.9 },
  } as const

  it.each(Object.entries(motions))('on %s has the velocity that is the derivative of its place, at every frame', (_type, motion) => {
    const h = 1e-4
    const { deformables } = floating([particlesOf([[1, 2, 3]], { controlled: [{ vertices: [0], motion }] })], 1, h)
    for (let n = 1; n < deformables.length - 1; n++) {
      // Accelerations jump at keys.
      if (motion.type === 'keys' && [0.3, 0.8].some(time => Math.abs(n * h - time) < 1.5 * h)) continue
      const [before, now, after] = [deformables[n - 1]!, deformables[n]!, deformables[n + 1]!]
      for (let c = 0; c < 3; c++) expect(Math.abs((after.position[c]! - before.position[c]!) / (2 * h) - now.velocity[c]!)).toBeLessThan(2e-5)
    }
  })

  it('returns to its start after each period of a closed path', () => {
    const { deformables } = floating([particlesOf([[1, 2, 3]], { controlled: [{ vertices: [0], motion: { ...motions.loop, period: 0.5 } }] })], 1, 0.05)
    for (const n of [0, 10, 20]) [1, 2, 3].forEach((place, c) => expect(Math.abs(deformables[n]!.position[c]! - place)).toBeLessThan(1e-14))
    expect(Math.abs(deformables[5]!.position[0]! - 1)).toBeGreaterThan(0.05)
  })

  it('is moved by m a − m g, and the work of that force is the energy that it gains', () => {
    const [h, mass, amplitude, omega] = [1e-3, 3, 0.2, 5]
    const made = floating([particlesOf([[0, 0, 0]], { controlled: [{ vertices: [0], motion: harmonic(amplitude, omega) }] }, mass)], 0.5, h, [0, 0, -10])
    made.deformables.slice(1).forEach(({ reaction }, n) => {
      const [t, s] = [(n + 0.5) * h, Math.sin(omega * h / 2) / (h / 2)]
      // The mean over the step of −m A ω² sin ωt.
      expect(reaction[0]! + mass * amplitude * omega * s * Math.sin(omega * t)).toBeCloseTo(0, 9)
      expect(reaction[2]).toBeCloseTo(10 * mass, 9)
    })
    const { energy } = made.certificates.at(-1)!
    expect(energy.kinematic).toBeCloseTo(energy.kinetic + energy.potential - energy.initial, 12)
    expect(unexplained(made)).toBeLessThan(1e-12)
  })
})

describe('a lattice drawn along a closed path', () => {
  const places = Array.from({ length: 27 }, (_, i): Vector => [0.1 * (i % 3), 0.1 * (Math.floor(i / 3) % 3), 0.1 * Math.floor(i / 9)])
  const springs = places.flatMap((p, a) => places.flatMap((q, b) => {
    const length = Math.sqrt(p.reduce((sum, x, k) => sum + (x - q[k]!) ** 2, 0))
    return a < b && length < 0.15 ? [{ a, b, restLength: length, stiffness: 500, damping: 0.5 }] : []
  }))

  it('keeps its energy balance, and its momentum changes by the recorded reactions', () => {
    const h = 1 / 240
    const made = floating([particlesOf(places, {
      springs, controlled: [{ vertices: [24, 26], motion: { type: 'loop', points: [[0.4, 0, 0], [0.4, 0.3, 0.2], [0, 0.3, 0]], period: 1.2 } }],
    }, 0.05)], 2.4, h, [0, 0, -9.81])
    expect(unexplained(made)).toBeLessThan(1e-9)
    const momentum = (n: number, c: number): number => places.reduce((sum, _, i) => sum + 0.05 * made.deformables[n]!.velocity[3 * i + c]!, 0)
    for (let n = 1; n < made.deformables.length; n++) {
      for (let c = 0; c < 3; c++) {
        const reaction = made.deformables[n]!.reaction
        const force = reaction[c]! + reaction[3 + c]! - (c === 2 ? 27 * 0.05 * 9.81 : 0)
        expect(Math.abs(momentum(n, c) - momentum(n - 1, c) - h * force)).toBeLessThan(1e-10)
      }
    }
  })
})

describe('a rope of rods with a controlled end', () => {
  it('keeps its energy balance', () => {
    const made = floating([{
      id: 'd', type: 'rope', material: 'stone', radius: 1e-3, points: [[0, 0, 0], [1, 0, 0]], segments: 10, inextensible: true, linearDensity: 0.5,
      controlled: [{ vertices: [0], motion: { type: 'ellipse', semiAxisA: [0.1, 0, 0], semiAxisB: [0, 0, 0.2], period: 1 } }],
    }], 2, 1 / 480, [0, 0, -9.81])
    expect(made.status).toBe('completed')
    expect(unexplained(made)).toBeLessThan(1e-8)
  })
})
