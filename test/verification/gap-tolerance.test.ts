/**
 * `timeStepping.tolerance` permits gaps between bodies, and has no other effect: bodies rest as still, and energy is balanced as well, as with the
 * default.
 */

import { describe, expect, it } from 'vitest'
import { bodyAt, box, floor, recorded, sceneOf, size, worst } from './support'

const TOLERANCE = 1e-4

function run(bodies: readonly object[], duration: number, tolerance?: number) {
  return recorded(sceneOf([floor, ...bodies], 0.5, {
    method: 'time-stepping', duration, outputRate: 60, timeStepping: { step: 1 / 60, ...(tolerance === undefined ? {} : { tolerance }) },
  }))
}

/** Boxes of 1 m in a triangle, ten in the lowest row. */
const pyramid = Array.from({ length: 10 }, (_, row) => Array.from({ length: 10 - row }, (_, k) =>
  box(`b${row}-${k}`, [1, 1, 1], [1.05 * (k + row / 2), 0, 0.5 + row]))).flat()

const dominoes = Array.from({ length: 6 }, (_, k) =>
  box(`d${k}`, [0.1, 0.5, 1], [0.4 * k, 0, 0.5], k === 0 ? { angularVelocity: [0, 1.5, 0], linearVelocity: [0.75, 0, 0] } : {}))

describe('a gap tolerance of 0.1 mm', () => {
  it('lets a pyramid of 55 boxes rest exactly', () => {
    const rested = run(pyramid, 0.5, TOLERANCE)
    expect(rested.end.status).toBe('completed')
    expect(worst(rested, ({ maxPenetration }) => maxPenetration)).toBe(0)
    const last = rested.frames.at(-1)!
    for (let i = 1; i <= pyramid.length; i++) {
      const { linearVelocity, angularVelocity, position } = bodyAt(last, i)
      expect(size(linearVelocity) + size(angularVelocity)).toBe(0)
      const row = Math.round(position[2]! - 0.5)
      expect(position[2]! - 0.5 - row).toBeGreaterThanOrEqual(0)
      expect(position[2]! - 0.5 - row).toBeLessThanOrEqual(2 * TOLERANCE * (row + 1))
    }
    const { energy, maxComplementarity, solverCalls } = rested.certificates.at(-1)!
    expect(Math.abs(energy.residual)).toBeLessThanOrEqual(1e-6)
    expect(maxComplementarity).toBeLessThanOrEqual(1e-10)
    expect(solverCalls).toBe(0)
  })

  it('lets dominoes fall, with the same energy residual and number of solves as the default', { tags: 'long' }, () => {
    const [loose, exact] = [run(dominoes, 3, TOLERANCE), run(dominoes, 3)]
    for (const { end } of [loose, exact]) expect(end.status).toBe('completed')
    expect(worst(loose, ({ maxPenetration }) => maxPenetration)).toBe(0)
    const solves = ({ certificates }: typeof loose): number => certificates.reduce((sum, { solverCalls }) => sum + solverCalls, 0)
    expect(solves(loose)).toBeLessThanOrEqual(1.1 * solves(exact))
    const residual = ({ certificates }: typeof loose): number => Math.abs(certificates.at(-1)!.energy.residual)
    expect(residual(loose)).toBeLessThanOrEqual(1.5 * residual(exact))
    for (let i = 1; i <= dominoes.length; i++) expect(bodyAt(loose.frames.at(-1)!, i).position[2]!).toBeLessThanOrEqual(0.35)
  })
})
