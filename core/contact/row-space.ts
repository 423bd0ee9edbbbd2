/**
 * Least-norm multipliers of frozen constraints, in the space of body motions: what the equations of motion ask for at every stage.
 *
 *   min |f̂|   with   J M⁻¹ Wᵀ f̂ = b
 *
 * J holds the rows whose acceleration is prescribed, W the directions in which the unknown multipliers push: the same rows, but for sliding
 * friction, which pushes along n̂ − μ ŝ while n̂ is held [Baraff92 §9.3] (there f̂ = √(1 + μ²) f_N, so that friction counts in the norm).
 *
 * A stack has many more rows than degrees of freedom m = 6 × bodies, so the work is done with Jᵀ J and Wᵀ W (m × m, summed row by row) and A is never
 * formed. Least norm means f̂ = W w, and
 *
 *   Jᵀ J c = Jᵀ b             some acceleration c that the rows prescribe
 *   Wᵀ W w = M (c + Z_J α)    α such that the right-hand side is in the range of Wᵀ:  (Z_Wᵀ M Z_J) α = −Z_Wᵀ M c
 *
 * with Z_J, Z_W the null spaces of J and W. Then J M⁻¹ Wᵀ W w = J (c + Z_J α) = b. Refinement takes f̂ to rounding. The result is smooth in the
 * data while the rank stays what it is, so the caller passes on the rank found at the restart.
 */

import { dot, luFactor, luSolve, type LU } from '../math/factor'
import { pivotedCholesky, type PivotedCholesky } from '../math/semidefinite'
import { worldInertia } from '../dynamics/body'
import { JACOBIAN_WIDTH } from '../dynamics/joints/joint'
import type { Snapshot } from './snapshot'

/** Pivots of the scaled Jᵀ J (diagonal 1) below this are dependent rows: rounding of a sum of rows is 1e-16. */
const DEPENDENT = 1e-12
/** Squared sizes of columns below this share of the largest are rounding of normals and arms: no row acts along that coordinate. */
const UNTOUCHED = 1e-26
const REFINEMENTS = 3

/** Rows with their bodies; 12 doubles of Jacobian a row. */
export interface RowBlock {
  readonly count: number
  readonly bodyA: Int32Array
  readonly bodyB: Int32Array
  readonly jacobian: Float64Array
  /** What some of them see of a second pair of bodies, and which of the block's rows they are; absent where none does. */
  readonly second?: RowBlock
  readonly owners?: readonly number[]
}

export interface RowSpaceForces {
  /** f̂ of each row of W; null where J and W do not fit (no solution in general). */
  readonly f: Float64Array | null
  readonly rank: number
  /** Largest |b − J M⁻¹ Wᵀ f̂| ÷ largest |b|: how consistent the equations are. */
  readonly residual: number
}

/** A block's normal matrix with its factor and null space. */
interface Factored {
  readonly block: RowBlock
  readonly factor: PivotedCholesky
  /** Scale of each coordinate: 1/√(diagonal), 0 where no row touches it. */
  readonly D: Float64Array
  readonly free: readonly Float64Array[]
}

/** Solver for one island's dynamic bodies. */
export class RowSpace {
  private readonly place: Int32Array
  private readonly size: number
  private readonly inertia: Float64Array
  /** Scratch for the normal matrix. */
  private readonly normal: Float64Array

  constructor(private readonly snapshot: Snapshot, private readonly bodies: readonly number[]) {
    this.place = new Int32Array(snapshot.bodies.length).fill(-1)
    bodies.forEach((body, k) => { this.place[body] = 6 * k })
    this.size = 6 * bodies.length
    this.inertia = new Float64Array(9 * bodies.length)
    this.normal = new Float64Array(this.size * this.size)
  }

  /** Takes over the bodies' present orientations; before the first `solve`, and whenever the snapshot has changed. */
  update(): void {
    this.bodies.forEach((body, k) => this.inertia.set(worldInertia(this.snapshot.bodies[body]!, this.snapshot.motions[body]!.rotation), 9 * k))
  }

  /**
   * @param rank rank of J to hold the system at; found when absent
   * @param from f̂ to stay nearest to, instead of zero
   */
  solve(hold: RowBlock, push: RowBlock, b: Float64Array, rank?: number, from?: Float64Array): RowSpaceForces {
    const f = from?.slice() ?? new Float64Array(push.count)
    if (hold.count === 0) return { f, rank: 0, residual: 0 }
    const J = this.factored(hold, rank)
    const W = push === hold ? J : this.factored(push, J.factor.rank)
    const coupling = this.coupling(J, W)
    if (coupling === null) return { f: null, rank: J.factor.rank, residual: Infinity }
    const rest = b.slice()
    const motion = new Float64Array(this.size)
    if (from !== undefined) this.remaining(hold, push, b, f, rest)
    let scale = 0
    for (const value of b) scale = Math.max(scale, Math.abs(value))
    for (let pass = 0; ; pass++) {
      this.addTransposed(hold, rest, motion, true)
      basicSolve(J, motion)
      this.throughMass(motion, J, W, coupling)
      basicSolve(W, motion)
      for (let i = 0; i < push.count; i++) f[i] = f[i]! + this.along(push, i, motion)
      const worst = this.remaining(hold, push, b, f, rest)
      if (pass === REFINEMENTS || worst <= 4 * Number.EPSILON * scale) {
        return { f, rank: J.factor.rank, residual: scale > 0 ? worst / scale : 0 }
      }
    }
  }

  /** Adds Σ rowᵢᵀ xᵢ to a motion-space vector, or sets it. */
  private addTransposed(block: RowBlock, x: Float64Array, out: Float64Array, clear: boolean): void {
    if (clear) out.fill(0)
    if (block.second !== undefined) this.addTransposed(block.second, Float64Array.from(block.owners!, i => x[i]!), out, false)
    for (let i = 0; i < block.count; i++) {
      const value = x[i]!
      if (value === 0) continue
      const base = i * JACOBIAN_WIDTH
      const a = this.placeOf(block.bodyA[i]!)
      const c = this.placeOf(block.bodyB[i]!)
      for (let k = 0; k < 6; k++) {
        if (a >= 0) out[a + k] = out[a + k]! + block.jacobian[base + k]! * value
        if (c >= 0) out[c + k] = out[c + k]! + block.jacobian[base + 6 + k]! * value
      }
    }
  }

  private placeOf(body: number): number {
    return body < 0 ? -1 : this.place[body]!
  }

  private along(block: RowBlock, i: number, x: Float64Array): number {
    const base = i * JACOBIAN_WIDTH
    const a = this.placeOf(block.bodyA[i]!)
    const c = this.placeOf(block.bodyB[i]!)
    const second = block.owners === undefined ? -1 : block.owners.indexOf(i)
    let sum = second < 0 ? 0 : this.along(block.second!, second, x)
    for (let k = 0; k < 6; k++) {
      if (a >= 0) sum += block.jacobian[base + k]! * x[a + k]!
      if (c >= 0) sum += block.jacobian[base + 6 + k]! * x[c + k]!
    }
    return sum
  }

  private factored(block: RowBlock, rank: number | undefined): Factored {
    const m = this.size
    const N = this.normal.fill(0)
    const at = new Int32Array(JACOBIAN_WIDTH)
    const J = block.jacobian
    for (let row = 0; row < block.count; row++) {
      const a = this.placeOf(block.bodyA[row]!)
      const c = this.placeOf(block.bodyB[row]!)
      for (let k = 0; k < 6; k++) {
        at[k] = a < 0 ? -1 : a + k
        at[6 + k] = c < 0 ? -1 : c + k
      }
      const base = row * JACOBIAN_WIDTH
      for (let i = 0; i < JACOBIAN_WIDTH; i++) {
        const value = J[base + i]!
        const line = at[i]! * m
        if (line < 0 || value === 0) continue
        for (let j = 0; j < JACOBIAN_WIDTH; j++) {
          const column = at[j]!
          if (column >= 0) N[line + column] = N[line + column]! + value * J[base + j]!
        }
      }
    }
    block.owners?.forEach((row, k) => this.addCoupling(block, row, block.second!, k))
    const D = columnScales(N, m)
    for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) N[i * m + j] = N[i * m + j]! * D[i]! * D[j]!
    const factor = pivotedCholesky(N, m, DEPENDENT, rank ?? m)
    return { block, factor, D, free: nullSpace(factor, D, m) }
  }

  /** Completes the normal matrix for a row with a second pair of bodies: (J₁ + J₂)ᵀ (J₁ + J₂) − J₁ᵀ J₁. */
  private addCoupling(block: RowBlock, row: number, second: RowBlock, k: number): void {
    const m = this.size
    const first = new Float64Array(m)
    const other = new Float64Array(m)
    this.scatter(block, row, first)
    this.scatter(second, k, other)
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < m; j++) {
        this.normal[i * m + j] = this.normal[i * m + j]! + first[i]! * other[j]! + other[i]! * (first[j]! + other[j]!)
      }
    }
  }

  /** Adds a row on its own two bodies to a motion-space vector. */
  private scatter({ bodyA, bodyB, jacobian }: RowBlock, row: number, out: Float64Array): void {
    for (const [side, body] of [bodyA[row]!, bodyB[row]!].entries()) {
      const at = this.placeOf(body)
      if (at < 0) continue
      for (let k = 0; k < 6; k++) out[at + k] = out[at + k]! + jacobian[row * JACOBIAN_WIDTH + 6 * side + k]!
    }
  }

  /** Factor of Z_Wᵀ M Z_J; null where the null spaces differ in size or the matrix is singular: friction wedges or the rows contradict. */
  private coupling(J: Factored, W: Factored): LU | null {
    const n = J.free.length
    if (W.free.length !== n) return null
    const G = new Float64Array(n * n)
    const heavy = new Float64Array(this.size)
    for (let j = 0; j < n; j++) {
      heavy.set(J.free[j]!)
      this.applyMass(heavy)
      for (let i = 0; i < n; i++) G[i * n + j] = dot(W.free[i]!, 0, heavy, 0, this.size)
    }
    const factor = luFactor(G, n)
    return factor.pivotRatio > 1e-14 ? factor : null
  }

  /** c → M (c + Z_J α), in the range of Wᵀ. */
  private throughMass(c: Float64Array, J: Factored, W: Factored, coupling: LU): void {
    this.applyMass(c)
    const n = J.free.length
    if (n === 0) return
    const rhs = new Float64Array(n)
    for (let i = 0; i < n; i++) rhs[i] = -dot(W.free[i]!, 0, c, 0, this.size)
    const alpha = luSolve(coupling, rhs)
    const nu = new Float64Array(this.size)
    for (let i = 0; i < n; i++) for (let k = 0; k < this.size; k++) nu[k] = nu[k]! + alpha[i]! * J.free[i]![k]!
    this.applyMass(nu)
    for (let k = 0; k < this.size; k++) c[k] = c[k]! + nu[k]!
  }

  private applyMass(x: Float64Array): void {
    this.bodies.forEach((body, k) => transformBody(x, 6 * k, this.snapshot.bodies[body]!.mass, this.inertia, 9 * k))
  }

  /** b − J M⁻¹ Wᵀ f̂ into `rest`; its largest element. */
  private remaining(hold: RowBlock, push: RowBlock, b: Float64Array, f: Float64Array, rest: Float64Array): number {
    const motion = new Float64Array(this.size)
    this.addTransposed(push, f, motion, false)
    const { inverseMass, inverseInertia } = this.snapshot
    this.bodies.forEach((body, k) => transformBody(motion, 6 * k, inverseMass[body]!, inverseInertia, 9 * body))
    let worst = 0
    for (let i = 0; i < hold.count; i++) {
      rest[i] = b[i]! - this.along(hold, i, motion)
      worst = Math.max(worst, Math.abs(rest[i]!))
    }
    return worst
  }
}

/** 1/√(diagonal), 0 where no row acts; lengths and angles are compared with their own kind. */
function columnScales(N: Float64Array, m: number): Float64Array {
  const largest = [0, 0]
  const kind = (i: number): number => (i % 6 < 3 ? 0 : 1)
  for (let i = 0; i < m; i++) largest[kind(i)] = Math.max(largest[kind(i)]!, N[i * m + i]!)
  return Float64Array.from({ length: m }, (_, i) => {
    const diagonal = N[i * m + i]!
    return diagonal > UNTOUCHED * largest[kind(i)]! ? 1 / Math.sqrt(diagonal) : 0
  })
}

/** Linear part times `mass`, angular part times a 3 × 3 matrix, in place. */
function transformBody(x: Float64Array, at: number, mass: number, matrix: Float64Array, w: number): void {
  const a = x[at + 3]!
  const b = x[at + 4]!
  const c = x[at + 5]!
  for (let i = 0; i < 3; i++) {
    x[at + i] = mass * x[at + i]!
    x[at + 3 + i] = matrix[w + 3 * i]! * a + matrix[w + 3 * i + 1]! * b + matrix[w + 3 * i + 2]! * c
  }
}

/** Motions that no row sees: one for each coordinate that is no pivot. */
function nullSpace({ rank, L, pivots }: PivotedCholesky, D: Float64Array, m: number): Float64Array[] {
  const free: Float64Array[] = []
  if (rank === m) return free
  const pivoted = new Uint8Array(m)
  for (const p of pivots) pivoted[p] = 1
  for (let q = 0; q < m; q++) {
    if (pivoted[q]) continue
    const z = new Float64Array(m)
    // z_q = 1 and L_pᵀ z_p = −L_qᵀ.
    for (let k = rank - 1; k >= 0; k--) {
      let sum = -L[q * rank + k]!
      for (let i = k + 1; i < rank; i++) sum -= L[pivots[i]! * rank + k]! * z[pivots[i]!]!
      z[pivots[k]!] = sum / L[pivots[k]! * rank + k]!
    }
    for (let i = 0; i < m; i++) z[i] = z[i]! * D[i]!
    z[q] = D[q]! > 0 ? D[q]! : 1
    free.push(z)
  }
  return free
}

/** A solution of N x = g for a consistent g, in place: zero off the pivots. */
function basicSolve({ D, factor: { rank, L, pivots } }: Factored, g: Float64Array): void {
  const z = new Float64Array(rank)
  for (let k = 0; k < rank; k++) {
    const p = pivots[k]!
    z[k] = (g[p]! * D[p]! - dot(L, p * rank, z, 0, k)) / L[p * rank + k]!
  }
  for (let k = rank - 1; k >= 0; k--) {
    const line = pivots[k]! * rank
    const value = z[k]! / L[line + k]!
    z[k] = value
    for (let i = 0; i < k; i++) z[i] = z[i]! - L[line + i]! * value
  }
  g.fill(0)
  for (let k = 0; k < rank; k++) g[pivots[k]!] = z[k]! * D[pivots[k]!]!
}
