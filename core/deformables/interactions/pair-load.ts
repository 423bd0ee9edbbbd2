/**
 * Interactions between all pairs of nearby particles: a potential U(r) with a cut-off, shifted so that both force and energy vanish there:
 * U(r) − U(r_c) − U′(r_c) (r − r_c).
 */

import { DeformableError } from '../condition'
import type { Load } from '../system'
import { buckets } from './buckets'

export interface PairPotential {
  /** J, of r in m. */
  value(r: number): number
  /** dU/dr, N: positive attracts. */
  slope(r: number): number
}

/** Lennard-Jones: 4 ε ((σ/r)¹² − (σ/r)⁶); ε in J, σ in m. */
export function lennardJones(epsilon: number, sigma: number): PairPotential {
  const sixth = (r: number): number => {
    const s = sigma / r
    const cube = s * s * s
    return cube * cube
  }
  return {
    value: r => 4 * epsilon * (sixth(r) * sixth(r) - sixth(r)),
    slope: r => (4 * epsilon * (6 * sixth(r) - 12 * sixth(r) * sixth(r))) / r,
  }
}

/** A force that decreases linearly to 0 at the cut-off r_c: strength × (1 − r/r_c), N; repulsive for positive strength, attractive for negative. */
export function evenFall(strength: number, cutOff: number): PairPotential {
  const k = strength / cutOff
  return { value: r => 0.5 * k * r * r, slope: r => k * r }
}

/** @param cutOff m */
export function pairLoad(particles: number, { value, slope }: PairPotential, cutOff: number): Load {
  if (!(cutOff > 0 && cutOff < Infinity)) throw new DeformableError('cutOff', cutOff, 'more than 0 and finite')
  const near = buckets(particles, cutOff)
  const end = slope(cutOff)
  const offset = value(cutOff)
  return {
    addForces(_t, x, _v, f) {
      near.fill(x)
      near.eachPair(x, (i, j, dx, dy, dz, square) => {
        if (square === 0) return
        const r = Math.sqrt(square)
        const s = (end - slope(r)) / r
        f[3 * i]! += s * dx
        f[3 * i + 1]! += s * dy
        f[3 * i + 2]! += s * dz
        f[3 * j]! -= s * dx
        f[3 * j + 1]! -= s * dy
        f[3 * j + 2]! -= s * dz
      })
    },
    potential(x) {
      let sum = 0
      near.fill(x)
      near.eachPair(x, (_i, _j, _dx, _dy, _dz, square) => {
        const r = Math.sqrt(square)
        if (r > 0) sum += value(r) - offset - end * (r - cutOff)
      })
      return sum
    },
  }
}
