/** Ropes whose segments are rods, and seams of cloth: lengths and places are enforced by multipliers, which are recorded. */

import { describe, expect, it } from 'vitest'
import { runDeformables as run, unexplained } from './deformable-runs'
import { bodyAt, box, sceneOf } from './support'

const settings = { duration: 0.5, outputRate: 60, timeStepping: { step: 1 / 240 } }
const G = 9.81

/** A rope of n equal segments, 1 m, from the origin along a direction, 0.5 kg/m. */
const rope = (n: number, [x, z]: readonly [number, number], rest: object = {}): object => ({
  id: 'r', type: 'rope', material: 'stone', radius: 0.001, points: [[0, 0, 0], [x, 0, z]], segments: n, linearDensity: 0.5, inextensible: true, pins: [0], ...rest,
})

/** m: largest difference of a segment's length from l, in all frames. */
function stretched(frames: readonly { readonly position: Float64Array }[], n: number, l: number): number {
  return Math.max(...frames.map(({ position: p }) => Math.max(...Array.from({ length: n }, (_, k) =>
    Math.abs(Math.hypot(p[3 * k + 3]! - p[3 * k]!, p[3 * k + 4]! - p[3 * k + 1]!, p[3 * k + 5]! - p[3 * k + 2]!) - l)))))
}

describe('an inextensible rope', () => {
  it('that swings keeps the length of its segments to 1e-9 m', () => {
    const { deformables, status } = run(sceneOf([], 0.3, settings, { deformables: [rope(20, [1, 0])] }))
    expect(status).toBe('completed')
    expect(stretched(deformables, 20, 0.05)).toBeLessThan(1e-9)
    expect(deformables.at(-1)!.position[3 * 20 + 2]!).toBeLessThan(-0.5)
    expect(Math.max(...deformables.at(-1)!.strain.map(Math.abs))).toBeLessThan(2e-8)
  })

  it('of 1,000 segments takes no more iterations than one of 20, and keeps its lengths', () => {
    const few = (n: number): number => {
      const { deformables } = run(sceneOf([], 0.3, { duration: 20 / 240, outputRate: 240, timeStepping: { step: 1 / 240 } }, { deformables: [rope(n, [1, 0])] }))
      expect(stretched(deformables, n, 1 / n)).toBeLessThan(1e-9)
      return Math.max(...deformables.slice(5).map(({ iterations }) => iterations))
    }
    expect(few(20)).toBeLessThanOrEqual(4)
    expect(few(1000)).toBeLessThanOrEqual(4)
  })

  it('of one segment swings as a pendulum, to the order of the method', () => {
    // From 0.2 rad, with half of the mass at the end: ω² = g / l, correction for the amplitude 1 + θ²/16. Implicit Euler damps the motion, with an error of first order.
    const start: [number, number] = [Math.sin(0.2), -Math.cos(0.2)]
    const quarter = (Math.PI / 2) * Math.sqrt(1 / G) * (1 + 0.2 * 0.2 / 16)
    const errors = [1 / 240, 1 / 480].map(step => {
      const { deformables, frames } = run(sceneOf([], 0.3, { duration: 1, outputRate: 240, timeStepping: { step } }, { deformables: [rope(1, start)] }))
      const k = deformables.findIndex(({ position }) => position[3]! <= 0)
      const [before, after] = [deformables[k - 1]!.position[3]!, deformables[k]!.position[3]!]
      return Math.abs(frames[k - 1]!.time + before / (before - after) / 240 - quarter)
    })
    expect(errors[0]).toBeLessThan(0.02)
    expect(errors[1]! / errors[0]!).toBeLessThan(0.6)
  })

  it('at rest pulls with the weight below each segment, and at its pin with all of it', () => {
    const { deformables } = run(sceneOf([], 0.3, settings, { deformables: [rope(10, [0, -1])] }))
    const { tension, reaction } = deformables.at(-1)!
    for (let k = 0; k < 10; k++) expect(tension[k]! / (0.5 * G)).toBeCloseTo(1 - (k + 0.5) / 10, 7)
    expect(reaction[2]! / (0.5 * G)).toBeCloseTo(1, 7)
  })

  it('carries a swinging body, with a closed energy balance', () => {
    const hung = rope(8, [1, 0], { attachments: [{ vertex: 8, body: 'load' }] })
    const result = run(sceneOf([box('load', [0.1, 0.1, 0.1], [1, 0, 0])], 0.3, settings, { deformables: [hung] }))
    expect(stretched(result.deformables, 8, 0.125)).toBeLessThan(1e-9)
    expect(unexplained(result)).toBeLessThan(1e-6)
    expect(bodyAt(result.frames.at(-1)!, 0).position[2]!).toBeLessThan(-0.5)
  })
})

it('a seam holds two strips together exactly, and its reactions carry the weight below', () => {
  // Two strips of 2 × 2 vertices, one below the other, each with vertices of its own along the seam.
  const strip = (top: number): number[][] => [[0, 0, top], [0.2, 0, top], [0, 0, top - 0.2], [0.2, 0, top - 0.2]]
  const cloth = { id: 'c', type: 'cloth', material: 'stone', vertices: [...strip(1), ...strip(0.8)], triangles: [[0, 2, 1], [1, 2, 3], [4, 6, 5], [5, 6, 7]], arealDensity: 2,
    stretchWarp: 5000, stretchWeft: 5000, shear: 500, damping: 0.1, pins: [0, 1], seams: [[2, 4], [3, 5]] }
  const result = run(sceneOf([], 0.3, { ...settings, duration: 2 }, { deformables: [cloth] }))
  expect(result.status).toBe('completed')
  for (const { position } of result.deformables) {
    for (const [a, b] of [[2, 4], [3, 5]] as const) for (let k = 0; k < 3; k++) expect(Math.abs(position[3 * a + k]! - position[3 * b + k]!)).toBeLessThan(1e-9)
  }
  const { reaction } = result.deformables.at(-1)!
  expect(reaction.length).toBe(12)
  // On the upper strip's vertices: the weight of the lower one, 0.08 kg.
  expect(-(reaction[8]! + reaction[11]!) / (0.08 * G)).toBeCloseTo(1, 4)
})
