/** Sparse factorisations and iterations against dense ones. */

import { describe, expect, it } from 'vitest'
import {
  addElement, blockJacobi, blockLDL, blockMatrix, blockPattern, conjugateGradients, elementSlots, graphOf, incompleteCholesky, iterationWorkspace, minimumDegree, multiply, sparseLDL, type BlockMatrix,
} from '../../../../core/sparse'
import { eliminateScalar } from './scalar-elimination'
import { luFactor, luSolve } from '../../../../core/math/factor'

/** A grid of side × side vertices, coupled along cells and diagonals, with a random positive definite matrix for each pair. */
function grid(side: number, negative = 0): BlockMatrix {
  const pairs: number[] = []
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      if (i + 1 < side) pairs.push(i * side + j, (i + 1) * side + j)
      if (j + 1 < side) pairs.push(i * side + j + 1, i * side + j)
      if (i + 1 < side && j + 1 < side) pairs.push(i * side + j, (i + 1) * side + j + 1)
    }
  }
  const stencils = { arity: 2, vertices: Int32Array.from(pairs) }
  const pattern = blockPattern(side * side, [stencils])
  const A = blockMatrix(pattern)
  const slots = elementSlots(pattern, stencils)
  let state = 5
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2147483648 - 1
  }
  for (let e = 0; e < pairs.length / 2; e++) {
    const H = new Float64Array(36)
    for (let k = 0; k < 3; k++) {
      const u = [random(), random(), random()]
      const g = [...u, ...u.map(value => -value)]
      for (let r = 0; r < 6; r++) for (let c = 0; c < 6; c++) H[6 * r + c]! += g[r]! * g[c]!
    }
    addElement(A.values, slots, 3 * e, 2, H)
  }
  for (let i = 0; i < side * side; i++) for (let k = 0; k < 3; k++) A.values[9 * (pattern.starts[i + 1]! - 1) + 4 * k]! += i < negative ? -20 : 0.01
  return A
}

function dense(A: BlockMatrix): Float64Array {
  const n = 3 * A.n
  const full = new Float64Array(n * n)
  const unit = new Float64Array(n)
  const column = new Float64Array(n)
  for (let c = 0; c < n; c++) {
    unit.fill(0)
    unit[c] = 1
    multiply(A, unit, column)
    for (let r = 0; r < n; r++) full[r * n + c] = column[r]!
  }
  return full
}

const difference = (x: Float64Array, y: Float64Array): number => x.reduce((most, value, i) => Math.max(most, Math.abs(value - y[i]!)), 0)

describe('sparse symmetric systems', () => {
  const A = grid(9)
  const b = Float64Array.from({ length: 3 * A.n }, (_, i) => Math.sin(i))
  const exact = luSolve(luFactor(dense(A), 3 * A.n), b)

  it('are symmetric in products', () => {
    const full = dense(A)
    const n = 3 * A.n
    expect(full).toEqual(full.map((_, k) => full[(k % n) * n + Math.floor(k / n)]!))
  })

  it('are solved directly', () => {
    const factor = blockLDL(A)
    expect(factor.factor(A, 1e-14)).toBe(true)
    expect(factor.negatives).toBe(0)
    const x = b.slice()
    factor.solve(x)
    expect(difference(x, exact)).toBeLessThan(1e-10)
    expect(factor.factor(A, 1e-14)).toBe(true)
    const again = b.slice()
    factor.solve(again)
    expect(again).toEqual(x)
  })

  it('are solved directly by factors that are used in turn', () => {
    const other = grid(9)
    const [one, two] = [blockLDL(A), blockLDL(other)]
    expect(one.factor(A, 1e-14)).toBe(true)
    const x = b.slice()
    one.solve(x)
    expect(two.factor(other, 1e-14)).toBe(true)
    const y = new Float64Array(243).fill(1)
    two.solve(y)
    expect(difference(y, luSolve(luFactor(dense(other), 243), new Float64Array(243).fill(1)))).toBeLessThan(1e-8)
    const again = b.slice()
    one.solve(again)
    expect(again).toEqual(x)
    const third = new Float64Array(243).fill(1)
    two.solve(third)
    expect(third).toEqual(y)
  })

  it.each([0, 4])('are factored by the kernel as without vectors, bit for bit, %d diagonal blocks negative', negative => {
    const matrix = grid(9, negative)
    const [kernel, scalar] = [blockLDL(matrix), blockLDL(matrix, eliminateScalar)].map(factor => {
      expect(factor.factor(matrix, 1e-14)).toBe(true)
      const x = Float64Array.from({ length: 243 }, (_, k) => Math.sin(k))
      factor.solve(x)
      return [factor.negatives, ...x]
    })
    expect(kernel).toEqual(scalar)
  })

  it('are not factored if an element is not a number', () => {
    const matrix = grid(5)
    matrix.values[9 * 20] = NaN
    for (const factor of [blockLDL(matrix), blockLDL(matrix, eliminateScalar)]) expect(factor.factor(matrix, 1e-14)).toBe(false)
  })

  it('report the number of negative eigenvalues', () => {
    const indefinite = grid(5, 4)
    const factor = blockLDL(indefinite)
    expect(factor.factor(indefinite, 1e-14)).toBe(true)
    expect(factor.negatives).toBeGreaterThanOrEqual(10) // 12 diagonal elements were made strongly negative
    const x = new Float64Array(75).fill(1)
    factor.solve(x)
    expect(difference(x, luSolve(luFactor(dense(indefinite), 75), new Float64Array(75).fill(1)))).toBeLessThan(1e-9)
  })

  it.each([['block Jacobi', blockJacobi(A.n)], ['incomplete Cholesky', incompleteCholesky(A)]] as const)('are solved by conjugate gradients with %s', (_name, preconditioner) => {
    expect(preconditioner.factor(A)).toBe(true)
    const x = new Float64Array(3 * A.n)
    const result = { iterations: 0, residual: 0, negative: false }
    conjugateGradients((u, v) => multiply(A, u, v), b, x, preconditioner, null, { tolerance: 1e-12, iterations: 1000 }, iterationWorkspace(3 * A.n), result)
    expect(result.residual).toBeLessThan(1e-12)
    expect(difference(x, exact)).toBeLessThan(1e-8)
  })

  it('end their factorisation at the first negative pivot if an indefinite factor is of no use', () => {
    const indefinite = grid(5, 3)
    const factor = blockLDL(indefinite)
    expect(factor.factor(indefinite, 1e-14)).toBe(true)
    const all = factor.negatives
    expect(factor.factor(indefinite, 1e-14, false)).toBe(false)
    expect(factor.negatives).toBeGreaterThan(0)
    expect(factor.negatives).toBeLessThan(all)
    const definite = grid(5)
    expect(factor.factor(definite, 1e-14, false)).toBe(true)
    expect(factor.negatives).toBe(0)
  })

  it('need fewer iterations with incomplete Cholesky', () => {
    const count = (preconditioner: ReturnType<typeof blockJacobi>): number => {
      preconditioner.factor(A)
      const result = { iterations: 0, residual: 0, negative: false }
      conjugateGradients((u, v) => multiply(A, u, v), b, new Float64Array(3 * A.n), preconditioner, null, { tolerance: 1e-9, iterations: 1000 }, iterationWorkspace(3 * A.n), result)
      return result.iterations
    }
    expect(count(incompleteCholesky(A))).toBeLessThan(0.5 * count(blockJacobi(A.n)))
  })

  it('are reported as indefinite by conjugate gradients', () => {
    const indefinite = grid(5, 4)
    const result = { iterations: 0, residual: 0, negative: false }
    const identity = { apply: (x: Float64Array, y: Float64Array) => y.set(x) }
    conjugateGradients((u, v) => multiply(indefinite, u, v), new Float64Array(75).fill(1), new Float64Array(75), identity, null, { tolerance: 1e-9, iterations: 500 }, iterationWorkspace(75), result)
    expect(result.negative).toBe(true)
  })
})

describe('the order of elimination', () => {
  it('contains every vertex once', () => {
    const { n, starts, columns } = grid(20)
    expect(Array.from(minimumDegree(graphOf(n, starts, columns))).sort((x, y) => x - y)).toEqual(Array.from({ length: n }, (_, i) => i))
  })

  it('causes no fill-in for a chain, nor for a star', () => {
    const chain = {
      starts: Int32Array.from({ length: 101 }, (_, i) => (i === 0 ? 0 : 2 * i - 1)),
      columns: Int32Array.from({ length: 199 }, (_, k) => (k === 0 ? 0 : Math.floor((k - 1) / 2) + ((k - 1) % 2))) }
    expect(sparseLDL(100, chain.starts, chain.columns, minimumDegree(graphOf(100, chain.starts, chain.columns))).fill).toBe(99)
    const star = blockPattern(50, [{ arity: 2, vertices: Int32Array.from({ length: 98 }, (_, k) => (k % 2 === 0 ? 0 : (k + 1) / 2)) }])
    expect(sparseLDL(50, star.starts, star.columns, minimumDegree(graphOf(50, star.starts, star.columns))).fill).toBe(49)
  })

  it('keeps the factor of a grid small: less than half the fill-in of the order by rows', () => {
    const { n, starts, columns } = grid(40)
    const byRows = sparseLDL(n, starts, columns, Int32Array.from({ length: n }, (_, i) => i)).fill
    expect(sparseLDL(n, starts, columns, minimumDegree(graphOf(n, starts, columns))).fill).toBeLessThan(0.5 * byRows)
  })
})
