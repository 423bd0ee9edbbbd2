/** A point on the path from soft to hard contact (`compliant.ts`): Newton's method at a given compliance, then the proximal iteration to exact contact. */

import { cholesky, choleskySolve, dot, luFactor, luSolve } from '../math/factor'
import { gram, pivotedCholesky } from '../math/semidefinite'
import { PIVOT_ZERO } from '../math/tolerances'
import { respond, respondAt } from './compliant-law'
import { readIndexSet } from './index-set'
import { ROW_BOX, ROW_EQUALITY, ROW_FRICTION, ROW_UNILATERAL } from './problem'
import { relativeAcceleration, residual } from './residual'
import type { ScaledProblem } from './scaling'

export interface IndexSet {
  readonly basis: Uint8Array
  readonly slip: Float64Array
  /** Forces near the solution, equilibrated. */
  readonly f: Float64Array
  readonly steps: number
}

/** Compliance at the start of the path. */
export const MAX_COMPLIANCE = 1
/** Residual below which an index set can be read off. */
const NEAR = 1e-6
/** Residual above which an index set is not tried. */
const MAX_ERROR = 1e-2
/** Share of the forces that each proximal step moves into the offset. */
const PROXIMAL_SHARE = 0.9
/** Relative acceleration below which a contact sticks, × the largest of |b| and |f|. */
const STILL = 1e-7
/** Rounding error of w − Lᵀf, × |w| ε. */
const ROUNDING = 1e-14
const MAX_STEPS = 30
const MAX_PROXIMAL = 20

export class CompliantPath {
  epsilon = MAX_COMPLIANCE
  steps = 0
  /** Lᵀf at the current point. */
  readonly w: Float64Array
  /** Force offset of the proximal iteration. */
  readonly offset: Float64Array
  readonly f: Float64Array
  private readonly y: Float64Array
  private readonly L: Float64Array
  private readonly rank: number
  /** Columns with nonzero elements in each row of L, and in the three rows of each contact together. */
  private readonly filled: readonly Int32Array[]
  private readonly contactFilled: readonly Int32Array[]
  private readonly rest: Float64Array
  private readonly trial: Float64Array
  private readonly F: Float64Array
  private readonly problem: ScaledProblem
  private proposed = ''
  private proposedError = Infinity

  constructor(problem: ScaledProblem, private readonly friction: Float64Array) {
    const { size: n, A, b } = problem
    this.problem = {
      ...problem,
      friction: problem.friction.map((contact, c) => ({ ...contact, staticFriction: friction[c]!, dynamicFriction: friction[c]! })),
    }
    const { L, rank } = pivotedCholesky(A, n, PIVOT_ZERO)
    this.L = L
    this.rank = rank
    const columns = (...rows: number[]): Int32Array =>
      Int32Array.from(Array.from({ length: rank }, (_, j) => j).filter(j => rows.some(i => L[i * rank + j] !== 0)))
    this.filled = Array.from({ length: n }, (_, i) => columns(i))
    this.contactFilled = problem.friction.map(contact => columns(contact.normal, contact.tangent1, contact.tangent2))
    this.rest = leastSquares(L, n, rank, b)
    this.w = new Float64Array(rank)
    this.trial = new Float64Array(rank)
    this.F = new Float64Array(rank)
    this.offset = new Float64Array(n)
    this.f = new Float64Array(n)
    this.y = new Float64Array(n)
  }

  /** Continues from w, solved at the current compliance, to a smaller one with the same force offset: a is proportional to ε. */
  harden(solved: Float64Array, ratio: number): void {
    this.epsilon *= ratio
    for (let j = 0; j < this.rank; j++) this.w[j] = this.rest[j]! + ratio * (solved[j]! - this.rest[j]!)
  }

  /** Row i of L times a vector. */
  private rowTimes(i: number, x: Float64Array): number {
    const { L, rank } = this
    let s = 0
    for (const j of this.filled[i]!) s += L[i * rank + j]! * x[j]!
    return s
  }

  /** x += s · row i of L. */
  private addRow(x: Float64Array, i: number, s: number): void {
    const { L, rank } = this
    for (const j of this.filled[i]!) x[j]! += s * L[i * rank + j]!
  }

  /** w − Lᵀ f(w) into F; returns its length. */
  private evaluate(at: Float64Array): number {
    const { problem, rank, F, y, f } = this
    const { size: n, b } = problem
    for (let i = 0; i < n; i++) y[i] = this.offset[i]! + (b[i]! - this.rowTimes(i, at)) / this.epsilon
    respond(problem, this.friction, y, f)
    F.set(at)
    for (let i = 0; i < n; i++) if (f[i] !== 0) this.addRow(F, i, -f[i]!)
    return Math.sqrt(dot(F, 0, F, 0, rank))
  }

  /** Newton's method at the current compliance, from w; if it stalls, it restarts after some Gauss–Seidel sweeps. */
  converge(): boolean {
    for (const sweeps of [0, 20, 200]) {
      if (sweeps > 0) this.sweep(sweeps)
      if (this.newton()) return true
    }
    return false
  }

  private newton(): boolean {
    const { rank, w, trial } = this
    const J = new Float64Array(rank * rank)
    let merit = this.evaluate(w)
    for (let step = 0; step < MAX_STEPS; step++) {
      const size = Math.sqrt(dot(w, 0, w, 0, rank))
      if (!(merit > size * Math.max(1e-14, ROUNDING / this.epsilon))) return true
      J.fill(0)
      this.addResponse(J)
      for (let i = 0; i < rank * rank; i++) J[i]! /= this.epsilon
      for (let j = 0; j < rank; j++) J[j * rank + j]! += 1
      const factor = luFactor(J, rank)
      if (factor.pivotRatio === 0) return false
      const delta = luSolve(factor, this.F)
      let part = 1
      let next = Infinity
      for (let halving = 0; halving < 10; halving++, part /= 2) {
        for (let j = 0; j < rank; j++) trial[j] = w[j]! - part * delta[j]!
        next = this.evaluate(trial)
        if (next <= (1 - 1e-3 * part) * merit) break
      }
      this.steps++
      if (!(next < merit)) {
        this.evaluate(w)
        return merit <= 1e-8 * size
      }
      w.set(trial)
      merit = next
    }
    return false
  }

  /** Projected Gauss–Seidel on the compliant problem, from the current forces; sets w = Lᵀf. */
  private sweep(count: number): void {
    const { problem, w, f, epsilon, offset } = this
    const { size: n, A, b } = problem
    this.evaluate(w)
    w.fill(0)
    for (let i = 0; i < n; i++) this.addRow(w, i, f[i]!)
    const y = new Float64Array(n)
    const old = new Float64Array(3)
    const rate = (i: number): number => this.rowTimes(i, w) - b[i]! + epsilon * (f[i]! - offset[i]!)
    const update = (i: number, force: number): void => {
      if (force === f[i]) return
      this.addRow(w, i, force - f[i]!)
      f[i] = force
    }
    for (let pass = 0; pass < count; pass++) {
      for (let i = 0; i < n; i++) {
        const type = problem.kind[i]!
        if (type === ROW_FRICTION) continue
        const force = f[i]! - rate(i) / (A[i * n + i]! + epsilon)
        if (type === ROW_BOX) update(i, Math.min(Math.max(force, problem.lower[i]!), problem.upper[i]!))
        else update(i, type === ROW_UNILATERAL ? Math.max(0, force) : force)
      }
      problem.friction.forEach((contact, c) => {
        const rows = [contact.normal, contact.tangent1, contact.tangent2]
        const diagonal = A[rows[1]! * n + rows[1]!]! + A[rows[2]! * n + rows[2]!]! + epsilon
        rows.forEach((i, k) => {
          old[k] = f[i]!
          y[i] = k === 0 ? f[i]! : f[i]! - rate(i) / diagonal
        })
        respondAt(contact, this.friction[c]!, y, f)
        rows.forEach((i, k) => {
          const force = f[i]!
          f[i] = old[k]!
          update(i, force)
        })
      })
    }
  }

  /** J += Lᵀ f′(y) L. */
  private addResponse(J: Float64Array): void {
    const { problem, friction, y, L, rank } = this
    const { size: n, kind, lower, upper, contactOf } = problem
    const left = new Float64Array(rank)
    const addOuter = (x: Float64Array, xi: number, z: Float64Array, zi: number, columns: Int32Array, weight: number): void => {
      for (const i of columns) {
        const value = weight * x[xi + i]!
        if (value !== 0) for (const j of columns) J[i * rank + j]! += value * z[zi + j]!
      }
    }
    const addRow = (i: number): void => addOuter(L, i * rank, L, i * rank, this.filled[i]!, 1)
    for (let i = 0; i < n; i++) {
      const type = kind[i]!
      const active = type === ROW_EQUALITY || (type === ROW_BOX && y[i]! > lower[i]! && y[i]! < upper[i]!) ||
        (type === ROW_UNILATERAL && y[i]! > 0 && contactOf[i]! < 0)
      if (active) addRow(i)
    }
    problem.friction.forEach((contact, c) => {
      const { normal, tangent1, tangent2 } = contact
      const yn = y[normal]!
      if (yn <= 0) return
      const n0 = normal * rank
      const p = tangent1 * rank
      const q = tangent2 * rank
      const columns = this.contactFilled[c]!
      const mu = friction[c]!
      const y1 = y[tangent1]!
      const y2 = y[tangent2]!
      const size = Math.sqrt(y1 * y1 + y2 * y2)
      const sliding = contact.state === 'sliding'
      if (!sliding && size <= mu * yn) {
        addRow(normal)
        addRow(tangent1)
        addRow(tangent2)
        return
      }
      const d1 = sliding ? -contact.slip1 : y1 / size
      const d2 = sliding ? -contact.slip2 : y2 / size
      for (const j of columns) left[j] = L[n0 + j]! + mu * (d1 * L[p + j]! + d2 * L[q + j]!)
      addOuter(left, 0, L, n0, columns, 1)
      if (sliding) return
      for (const j of columns) left[j] = d1 * L[q + j]! - d2 * L[p + j]!
      addOuter(left, 0, left, 0, columns, mu * yn / size)
    })
  }

  /** The proximal iteration; true if `attempt` accepted an index set. */
  refine(attempt: (set: IndexSet) => boolean): boolean {
    const { problem } = this
    let best = Infinity
    let tried = Infinity
    let worse = 0
    this.evaluate(this.w)
    for (let round = 0; ; round++) {
      const a = relativeAcceleration(problem, this.f)
      const error = residual(problem, this.f, a)
      worse = error < 0.5 * best ? 0 : worse + 1
      best = Math.min(best, error)
      const last = round === MAX_PROXIMAL || worse === 3
      if ((error <= NEAR && error < 1e-3 * tried) || (last && error < MAX_ERROR)) {
        tried = error
        if (this.propose(a, error, attempt)) return true
      }
      if (last) return false
      // The same forces, with a tenth of the remaining compliance error.
      for (let i = 0; i < problem.size; i++) this.offset[i]! += PROXIMAL_SHARE * (this.f[i]! - this.offset[i]!)
      for (let j = 0; j < this.rank; j++) this.w[j]! += PROXIMAL_SHARE * (this.rest[j]! - this.w[j]!)
      if (!this.converge()) return error < MAX_ERROR && this.propose(a, error, attempt)
    }
  }

  /** Passes the index set of the current forces to `attempt`. The same set is passed again only if the forces are much nearer its solution. */
  private propose(a: Float64Array, error: number, attempt: (set: IndexSet) => boolean): boolean {
    const set = readIndexSet(this.problem, this.f, a, STILL)
    const key = set.basis.join('')
    if (key === this.proposed && error > 0.1 * this.proposedError) return false
    this.proposed = key
    this.proposedError = error
    return attempt({ ...set, f: this.f.slice(), steps: this.steps })
  }
}

/** Least-squares solution of L w = b. */
function leastSquares(L: Float64Array, n: number, rank: number, b: Float64Array): Float64Array {
  const w = new Float64Array(rank)
  for (let i = 0; i < n; i++) for (let j = 0; j < rank; j++) w[j]! += L[i * rank + j]! * b[i]!
  choleskySolve(cholesky(gram(L, n, rank), rank, Number.MIN_VALUE), rank, w)
  return w
}
