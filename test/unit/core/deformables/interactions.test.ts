/** Pairs found with buckets against all pairs, and the forces between them. */

import { describe, expect, it } from 'vitest'
import { buckets, DeformableError, lennardJones, pairLoad, softPair } from '../../../../core/deformables'

/** A cloud that spreads over both signs of every axis. */
function cloud(n: number, size: number): Float64Array {
  let state = 9
  return Float64Array.from({ length: 3 * n }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return size * (state / 2147483648 - 1)
  })
}

/** 1/m: rounding error of a difference quotient over 2e-7 m, × the force. */
const ROUNDED = 1e-15 / 1e-7

describe('buckets', () => {
  it('find exactly the near pairs, each once', () => {
    const [n, size] = [600, 0.3]
    const x = cloud(n, 1)
    const near = buckets(n, size)
    near.fill(x)
    const found: string[] = []
    near.eachPair(x, (i, j) => found.push(`${Math.min(i, j)}-${Math.max(i, j)}`))
    const expected: string[] = []
    for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) if (Math.hypot(...[0, 1, 2].map(k => x[3 * i + k]! - x[3 * j + k]!)) < size) expected.push(`${i}-${j}`)
    expect(found.sort()).toEqual(expected.sort())
    expect(expected.length).toBeGreaterThan(1000)
  })
})

describe.each([['Lennard-Jones', lennardJones(0.5, 0.12)], ['a soft repulsion', softPair(2, 0.4)], ['a soft attraction', softPair(-2, 0.4)]] as const)('an interaction by %s', (_name, potential) => {
  const n = 150
  const x = cloud(n, 0.5)
  const load = pairLoad(n, potential, 0.4)
  const forces = (): Float64Array => {
    const f = new Float64Array(3 * n)
    load.addForces(0, x, x, f)
    return f
  }

  it('has forces that are the negative gradient of its energy, with sum zero', () => {
    const f = forces()
    const size = Math.max(...f.map(Math.abs))
    for (let k = 0; k < 3; k++) expect(Math.abs(f.reduce((sum, value, c) => sum + (c % 3 === k ? value : 0), 0))).toBeLessThan(1e-12 * size)
    for (const c of [0, 100, 301]) {
      const energy = (step: number): number => load.potential!(x.map((value, k) => (k === c ? value + step : value)))
      expect(Math.abs((energy(1e-6) - energy(-1e-6)) / 2e-6 + f[c]!)).toBeLessThan(1e-5 * size)
    }
  })

  it('has a Hessian that is the derivative of its forces', () => {
    const H = new Float64Array(9 * n * n)
    load.pairs.addBlocks(x, false, (i, j, block) => {
      for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) {
        H[(3 * i + r) * 3 * n + 3 * j + c]! += block[3 * r + c]!
        if (i !== j) H[(3 * j + c) * 3 * n + 3 * i + r]! += block[3 * r + c]!
      }
    })
    for (const c of [0, 100, 301]) {
      const at = (step: number): Float64Array => {
        const f = new Float64Array(3 * n)
        load.pairs.addForces(x.map((value, k) => (k === c ? value + step : value)), f)
        return f
      }
      const [more, less, f] = [at(1e-7), at(-1e-7), forces()]
      const size = Math.max(...H.subarray(c * 3 * n, (c + 1) * 3 * n).map(Math.abs))
      expect(size).toBeGreaterThan(0)
      for (let k = 0; k < 3 * n; k++) expect(Math.abs((less[k]! - more[k]!) / 2e-7 - H[c * 3 * n + k]!)).toBeLessThan(1e-5 * size + ROUNDED * Math.abs(f[k]!))
    }
  })

  it('has a semidefinite matrix of each pair on request', () => {
    load.pairs.addBlocks(x, true, (i, j, [a, b, c, , d, e, , , f]) => {
      if (i !== j) return
      const rounding = -1e-12 * (a! + d! + f!) ** 3
      expect(Math.min(a!, d!, f!)).toBeGreaterThanOrEqual(0)
      expect(a! * (d! * f! - e! * e!) - b! * (b! * f! - e! * c!) + c! * (b! * e! - d! * c!)).toBeGreaterThanOrEqual(rounding)
    })
  })
})

describe('an interaction without a cut-off', () => {
  it.each([0, -1, Infinity, NaN])('is refused: %d', cutOff => {
    expect(() => pairLoad(10, lennardJones(1, 1), cutOff)).toThrow(DeformableError)
  })
})
