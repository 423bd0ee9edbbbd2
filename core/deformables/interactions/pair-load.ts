/**
 * Interactions between all pairs of nearby particles: a potential U(r) with a cut-off, shifted so that both force and energy vanish there:
 * U(r) − U(r_c) − U′(r_c) (r − r_c).
 */

import { DeformableError } from '../condition'
import type { PairCouplings } from '../../math/pair-couplings'
import type { Load } from '../system'
import { buckets } from './buckets'

export interface PairPotential {
  /** J, of r in m. */
  value(r: number): number
  /** dU/dr, N: positive attracts. */
  slope(r: number): number
  /** d²U/dr², N/m. */
  curvature(r: number): number
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
    curvature: r => (4 * epsilon * (156 * sixth(r) * sixth(r) - 42 * sixth(r))) / (r * r),
  }
}

/** E (1 − r²/r_c²)³: repulsive for positive E, attractive for negative, smooth also where particles coincide; E in J, the range r_c in m. */
export function softPair(energy: number, range: number): PairPotential {
  const per = 6 * energy / (range * range)
  const rest = (r: number): number => 1 - (r / range) * (r / range)
  return {
    value: r => energy * rest(r) * rest(r) * rest(r),
    slope: r => -per * r * rest(r) * rest(r),
    curvature: r => per * rest(r) * (4 - 5 * rest(r)),
  }
}

/** Particles that interact; absent: all, each pair. */
export interface PairChoice {
  readonly particles: Int32Array
  /** By entry of `particles`: two with the same owner do not interact. Null: all pairs do. */
  readonly owners: Int32Array | null
}

/** @param cutOff m */
export function pairLoad(particles: number, { value, slope, curvature }: PairPotential, cutOff: number, choice?: PairChoice): Load
  & { readonly pairs: PairCouplings; readonly potential: (x: Float64Array) => number } {
  if (!(cutOff > 0 && cutOff < Infinity)) throw new DeformableError('cutOff', cutOff, 'more than 0 and finite')
  const { particles: chosen, owners } = choice ?? { particles: Int32Array.from({ length: particles }, (_, i) => i), owners: null }
  const near = buckets(chosen.length, cutOff)
  const own = new Float64Array(3 * chosen.length)
  const end = slope(cutOff)
  const offset = value(cutOff)
  const K = new Float64Array(9)
  const opposite = new Float64Array(9)

  /** Calls `visit` for each interacting pair, by the particles' numbers. Those that coincide have no direction, and no force. */
  function eachPair(x: Float64Array, visit: (i: number, j: number, dx: number, dy: number, dz: number, r: number) => void): void {
    for (let k = 0; k < chosen.length; k++) for (let c = 0; c < 3; c++) own[3 * k + c] = x[3 * chosen[k]! + c]!
    near.fill(own)
    near.eachPair(own, (a, b, dx, dy, dz, square) => {
      if (square === 0 || (owners !== null && owners[a] === owners[b])) return
      visit(chosen[a]!, chosen[b]!, dx, dy, dz, Math.sqrt(square))
    })
  }

  function addForces(x: Float64Array, f: Float64Array): number {
    let sum = 0
    eachPair(x, (i, j, dx, dy, dz, r) => {
      const s = (end - slope(r)) / r
      sum += value(r) - offset - end * (r - cutOff)
      f[3 * i]! += s * dx
      f[3 * i + 1]! += s * dy
      f[3 * i + 2]! += s * dz
      f[3 * j]! -= s * dx
      f[3 * j + 1]! -= s * dy
      f[3 * j + 2]! -= s * dz
    })
    return sum
  }

  return {
    addForces(_t, x, _v, f) { addForces(x, f) },
    potential(x) {
      let sum = 0
      eachPair(x, (_i, _j, _dx, _dy, _dz, r) => { sum += value(r) - offset - end * (r - cutOff) })
      return sum
    },
    pairs: {
      addForces,
      // ∇²U = U″ r̂ r̂ᵀ + (U′/r) (1 − r̂ r̂ᵀ); its eigenvalues are U″ and U′/r.
      addBlocks(x, semidefinite, add) {
        eachPair(x, (i, j, dx, dy, dz, r) => {
          let across = (slope(r) - end) / r
          let along = curvature(r)
          if (semidefinite) {
            across = Math.abs(across)
            along = Math.abs(along)
          }
          const s = (along - across) / (r * r)
          K[0] = across + s * dx * dx
          K[1] = K[3] = s * dx * dy
          K[2] = K[6] = s * dx * dz
          K[4] = across + s * dy * dy
          K[5] = K[7] = s * dy * dz
          K[8] = across + s * dz * dz
          for (let e = 0; e < 9; e++) opposite[e] = -K[e]!
          add(i, i, K)
          add(j, j, K)
          add(Math.max(i, j), Math.min(i, j), opposite)
        })
      },
    },
  }
}
