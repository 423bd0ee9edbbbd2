/**
 * Constraints held by multipliers [PBM01-F]: C(x) = 0 for conditions C of a few particles each. The constraint force Jᵀ λ solves
 *
 *   J W Jᵀ λ = −J̇ q̇ − J W Q − k_s C − k_d Ċ                                            [PBM01-F eq. 11]
 *
 * with the inverse masses W (0 for held particles) and the other forces Q. J is block-sparse: each constraint has one block for each of its
 * particles, so J W Jᵀ couples constraints that share a particle; a chain of n rods is solved in O(n). The direct L D Lᵀ is the default. Conjugate
 * gradients give the least squares solution of least norm, also for redundant constraints (§4.4).
 */

import { conjugateGradients, graphOf, iterationWorkspace, minimumDegree, sparseLDL, type Iterated } from '../../sparse'
import { checkVertices, type Condition } from '../condition'
import { elementWorkspace } from '../energy'

export type MultiplierSolver = 'direct' | 'least-squares'

export interface Multipliers {
  /** Components of all constraints. */
  readonly rows: number
  /** C, Ċ and J̇ q̇ of all rows at the state last evaluated. */
  readonly values: Float64Array
  readonly rates: Float64Array
  readonly curvatures: Float64Array
  /** Evaluates C, J, Ċ = J v and J̇ v at a state. */
  evaluate(x: Float64Array, v: Float64Array): void
  /** Adds s J W f to `out`: the change of Ċ by forces f over a time s. */
  addResponse(f: Float64Array, s: number, out: Float64Array): void
  /** Solves J W Jᵀ λ = b. */
  solve(b: Float64Array, lambda: Float64Array, solver: MultiplierSolver): SolveReport
  /** Adds s Jᵀ λ to `f`. */
  addForces(lambda: Float64Array, s: number, f: Float64Array): void
}

export interface SolveReport {
  /** Solver used: least squares if the direct solver met redundant constraints. */
  readonly solver: MultiplierSolver
  readonly iterations: number
  /** |J W Jᵀ λ − b| ÷ |b|, largest components. */
  readonly residual: number
}

/** A pivot below this × its diagonal element indicates a redundant constraint. */
const REDUNDANT = 1e-12

/** Relative residual of the iterative solution. */
const ITERATED = 1e-13

/** @param inverseMasses 1/kg, one a particle, 0 for held particles */
export function multipliers(conditions: readonly Condition[], inverseMasses: Float64Array): Multipliers {
  for (const condition of conditions) checkVertices(condition, inverseMasses.length)
  const rows = conditions.reduce((sum, { count, rows: each }) => sum + count * each, 0)
  const { rowStarts, particles } = rowParticles(conditions, rows)
  const blocks = new Float64Array(3 * particles.length)
  const workspace = elementWorkspace(conditions)
  const [values, rates, curvatures] = [new Float64Array(rows), new Float64Array(rows), new Float64Array(rows)]
  const { starts, columns } = coupledRows(rowStarts, particles, inverseMasses)
  const factor = sparseLDL(rows, starts, columns, minimumDegree(graphOf(rows, starts, columns)))
  const A = new Float64Array(columns.length)
  const vectors = iterationWorkspace(rows)
  const particleForces = new Float64Array(3 * inverseMasses.length)
  const diagonal = new Float64Array(rows)
  const product = new Float64Array(rows)
  const iterated: Iterated = { iterations: 0, residual: 0, negative: false }

  function assemble(): void {
    for (let r = 0; r < rows; r++) {
      for (let k = starts[r]!; k < starts[r + 1]!; k++) {
        const c = columns[k]!
        let sum = 0
        for (let p = rowStarts[r]!; p < rowStarts[r + 1]!; p++) {
          for (let q = rowStarts[c]!; q < rowStarts[c + 1]!; q++) {
            if (particles[p] !== particles[q]) continue
            const inner = blocks[3 * p]! * blocks[3 * q]! + blocks[3 * p + 1]! * blocks[3 * q + 1]! + blocks[3 * p + 2]! * blocks[3 * q + 2]!
            sum += inverseMasses[particles[p]!]! * inner
          }
        }
        A[k] = sum
        if (c === r) diagonal[r] = sum
      }
    }
  }

  /** y = J W Jᵀ x. */
  function apply(x: Float64Array, y: Float64Array): void {
    particleForces.fill(0)
    addForces(x, 1, particleForces)
    y.fill(0)
    addResponse(particleForces, 1, y)
  }

  function addForces(lambda: Float64Array, s: number, f: Float64Array): void {
    for (let r = 0; r < rows; r++) {
      const w = s * lambda[r]!
      for (let p = rowStarts[r]!; p < rowStarts[r + 1]!; p++) {
        const i = 3 * particles[p]!
        f[i]! += w * blocks[3 * p]!
        f[i + 1]! += w * blocks[3 * p + 1]!
        f[i + 2]! += w * blocks[3 * p + 2]!
      }
    }
  }

  function addResponse(f: Float64Array, s: number, out: Float64Array): void {
    for (let r = 0; r < rows; r++) {
      let sum = 0
      for (let p = rowStarts[r]!; p < rowStarts[r + 1]!; p++) {
        const i = particles[p]!
        sum += inverseMasses[i]! * (blocks[3 * p]! * f[3 * i]! + blocks[3 * p + 1]! * f[3 * i + 1]! + blocks[3 * p + 2]! * f[3 * i + 2]!)
      }
      out[r]! += s * sum
    }
  }

  /** Largest component of J W Jᵀ λ − b, × the largest of b. */
  function residual(b: Float64Array, lambda: Float64Array): number {
    apply(lambda, product)
    let error = 0
    let size = 0
    for (let r = 0; r < rows; r++) {
      error = Math.max(error, Math.abs(product[r]! - b[r]!))
      size = Math.max(size, Math.abs(b[r]!))
    }
    return size > 0 ? error / size : error
  }

  return {
    rows, values, rates, curvatures, addForces, addResponse,
    evaluate(x, v) {
      let row = 0
      for (const condition of conditions) {
        const { arity, vertices, count, rows: each, curvature } = condition
        const width = 3 * arity
        for (let e = 0; e < count; e++) {
          condition.evaluate(e, x, workspace.C, workspace.J)
          for (let r = 0; r < each; r++, row++) {
            values[row] = workspace.C[r]!
            let rate = 0
            for (let a = 0; a < arity; a++) {
              const i = 3 * vertices[e * arity + a]!
              const at = r * width + 3 * a
              for (let k = 0; k < 3; k++) {
                blocks[3 * rowStarts[row]! + 3 * a + k] = workspace.J[at + k]!
                rate += workspace.J[at + k]! * v[i + k]!
              }
            }
            rates[row] = rate
            curvatures[row] = 0
            if (!curvature || rests(condition, e, v)) continue
            workspace.w.fill(0)
            workspace.w[r] = 1
            workspace.H.fill(0)
            curvature(e, x, workspace.w, workspace.H)
            curvatures[row] = quadratic(condition, e, workspace.H, v)
          }
        }
      }
    },
    solve(b, lambda, solver) {
      if (solver === 'direct') {
        assemble()
        if (factor.factor(A, REDUNDANT)) {
          lambda.set(b)
          factor.solve(lambda)
          return { solver: 'direct', iterations: 1, residual: residual(b, lambda) }
        }
      }
      assemble()
      lambda.fill(0)
      const jacobi = { apply: (r: Float64Array, z: Float64Array) => { for (let k = 0; k < rows; k++) z[k] = diagonal[k]! > 0 ? r[k]! / diagonal[k]! : 0 } }
      conjugateGradients(apply, b, lambda, jacobi, null, { tolerance: ITERATED, iterations: 2 * rows + 10 }, vectors, iterated)
      return { solver: 'least-squares', iterations: iterated.iterations, residual: residual(b, lambda) }
    },
  }
}

function rests({ arity, vertices }: Condition, e: number, v: Float64Array): boolean {
  for (let a = e * arity; a < (e + 1) * arity; a++) {
    const i = 3 * vertices[a]!
    if (v[i] !== 0 || v[i + 1] !== 0 || v[i + 2] !== 0) return false
  }
  return true
}

/** vᵀ H v over an element's particles. */
function quadratic({ arity, vertices }: Condition, e: number, H: Float64Array, v: Float64Array): number {
  const width = 3 * arity
  let sum = 0
  for (let i = 0; i < width; i++) {
    const vi = v[3 * vertices[e * arity + Math.floor(i / 3)]! + (i % 3)]!
    for (let j = 0; j < width; j++) sum += vi * H[i * width + j]! * v[3 * vertices[e * arity + Math.floor(j / 3)]! + (j % 3)]!
  }
  return sum
}

/** The particles of each row, concatenated. */
function rowParticles(conditions: readonly Condition[], rows: number): { rowStarts: Int32Array; particles: Int32Array } {
  const rowStarts = new Int32Array(rows + 1)
  const particles: number[] = []
  let row = 0
  for (const { arity, vertices, count, rows: each } of conditions) {
    for (let e = 0; e < count; e++) {
      for (let r = 0; r < each; r++) {
        for (let a = 0; a < arity; a++) particles.push(vertices[e * arity + a]!)
        rowStarts[++row] = particles.length
      }
    }
  }
  return { rowStarts, particles: Int32Array.from(particles) }
}

/** Lower triangle of the pattern of J W Jᵀ: the diagonal, and pairs of rows that share a movable particle. */
function coupledRows(rowStarts: Int32Array, particles: Int32Array, inverseMasses: Float64Array): { starts: Int32Array; columns: Int32Array } {
  const rows = rowStarts.length - 1
  const touching: number[][] = Array.from({ length: inverseMasses.length }, () => [])
  const starts = new Int32Array(rows + 1)
  const columns: number[] = []
  for (let r = 0; r < rows; r++) {
    const found = new Set([r])
    for (let p = rowStarts[r]!; p < rowStarts[r + 1]!; p++) {
      const i = particles[p]!
      if (!(inverseMasses[i]! > 0)) continue
      for (const other of touching[i]!) found.add(other)
      touching[i]!.push(r)
    }
    columns.push(...[...found].sort((a, b) => a - b))
    starts[r + 1] = columns.length
  }
  return { starts, columns: Int32Array.from(columns) }
}
