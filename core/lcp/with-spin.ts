/**
 * Solvers for problems with torsional, rolling and ball-joint friction, based on solvers without it.
 *
 * The state of each spin is guessed: holding (a = 0, an equality), sliding (τ at its bound along a known direction) or unloaded. The remaining problem is of
 * the type that the solvers support, with the sliding torques as given forces. Its solution shows which guesses were wrong. The linear system of the whole
 * index set, in which torques depend on the *changing* normal forces, gives the forces for the next guess. If guesses cycle, Newton's method solves the
 * whole problem (`semismooth.ts`), along growing bounds if necessary.
 */

import { solveFrozen } from './frozen'
import {
  BASIS_CLAMPED, BASIS_FREE, BASIS_LIMITED, ROW_EQUALITY, type ContactProblem, type ContactSolution, type ContactSolver, type SolveOptions,
} from './problem'
import { scaleForces } from './cone'
import { solveWithOnset } from './coefficients'
import { readIndexSet } from './index-set'
import { relativeAcceleration, residual } from './residual'
import { rowScales, scaleProblem } from './scaling'
import { solveSemismooth } from './semismooth'
import { sizeOf, slipLength, spinBound, spinsOf } from './spin'
import { SOLVED_RESIDUAL } from '../math/tolerances'

/** Maximum number of rounds of guesses. */
const MAX_ROUNDS = 6
/** Relative acceleration below which a contact or spin holds in the result of Newton's method, × the largest of the equilibrated problem. */
const STILL = 1e-9
/** Residual above which another round is made, × the tolerance: the normal forces that scale the torques still change. */
const AIM = 1e-3
/** Rounding of the excess of a torque over its bound and of the relative acceleration, × the largest of the equilibrated problem. */
const ROUNDING = 1e-13

/** The given solver, extended to problems with spins. */
export function withSpin(solver: ContactSolver): ContactSolver {
  return {
    name: solver.name,
    solve: (problem, options = {}) => problem.spin === undefined || problem.spin.length === 0
      ? solver.solve(problem, options) : solveSpinning(solver, problem, options),
  }
}

function solveSpinning(solver: ContactSolver, problem: ContactProblem, options: SolveOptions): ContactSolution {
  const tolerance = options.tolerance ?? SOLVED_RESIDUAL
  const hit = new SpinSolve(solver, problem, options).startHolds(tolerance)
  if (hit !== null) return hit
  return solveWithOnset(problem, tolerance, uniform => {
    const guessed = new SpinSolve(solver, uniform, options).run(tolerance)
    if (guessed.status !== 'limit') return guessed
    const found = bySemismooth(uniform, tolerance)
    return found.residual < guessed.residual ? { ...found, pivots: guessed.pivots + found.pivots } : guessed
  })
}

/** Increments in which the bounds of spins grow from zero to their values if Newton's method fails at once. */
const GROWTH = [4, 16]

/** Newton's method, at once or along growing bounds. Without spins the problem is a standard one, and its solution is continuous in the bounds. */
function newtonForces(problem: ContactProblem, tolerance: number): ReturnType<typeof solveSemismooth> {
  let best = solveSemismooth(problem, tolerance)
  let { iterations } = best
  for (const parts of GROWTH) {
    if (best.residual <= tolerance) break
    let f: Float64Array = new Float64Array(problem.size)
    for (let k = 0; k <= parts; k++) {
      const spin = problem.spin!.map(rows => ({ ...rows, limit: rows.limit * k / parts }))
      const found = solveSemismooth({ ...problem, spin }, tolerance, f)
      f = found.f
      iterations += found.iterations
      if (k === parts && found.residual < best.residual) best = found
    }
  }
  return { ...best, iterations }
}

/** Newton's method on the whole problem from nearly solved forces, without any search if that fails. */
export function newtonWithSpin(problem: ContactProblem, tolerance: number, start: Float64Array): ContactSolution {
  return solveWithOnset(problem, tolerance, uniform => bySemismooth(uniform, tolerance, solveSemismooth(uniform, tolerance, start, [0])))
}

function bySemismooth(problem: ContactProblem, tolerance: number, found = newtonForces(problem, tolerance)): ContactSolution {
  const { f, residual: worst, iterations } = found
  const scaled = scaleProblem(problem)
  const force = scaleForces(scaled, f)
  const rate = relativeAcceleration(scaled, force)
  const set = readIndexSet(scaled, force, rate, STILL)
  const slip = new Float64Array(slipLength(problem))
  slip.set(set.slip)
  const still = STILL * [...force, ...scaled.b].reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  for (const { spin: { rows, normal, state, slip: given }, at } of spinsOf(problem)) {
    const turning = rows.map(row => rate[row]!)
    const size = sizeOf(turning)
    const turns = state === 'sliding' || size > still
    set.basis.fill(normal >= 0 && set.basis[normal] !== BASIS_CLAMPED ? BASIS_FREE : turns ? BASIS_LIMITED : BASIS_CLAMPED, rows[0], rows[0]! + rows.length)
    if (turns) slip.set(state === 'sliding' ? given : turning.map(value => value / size), at)
  }
  const none = new Float64Array(0)
  return {
    f, a: relativeAcceleration(problem, f), basis: set.basis, slip, residual: worst, status: worst <= tolerance ? 'solved' : 'limit', pivots: iterations,
    ray: none, history: none, basisHit: false,
  }
}

class SpinSolve {
  private readonly spins: ReturnType<typeof spinsOf>
  /** `BASIS_…` of each spin, and its direction at its position in `slip`. */
  private readonly places: number[]
  private readonly slip: Float64Array
  private forces: Float64Array
  private start: SolveOptions['start']
  private pivots = 0
  private best: ContactSolution | undefined

  constructor(private readonly solver: ContactSolver, private readonly problem: ContactProblem, private readonly options: SolveOptions) {
    this.spins = spinsOf(problem)
    this.slip = new Float64Array(slipLength(problem))
    this.forces = new Float64Array(problem.size)
    const { start } = options
    const known = start !== undefined && start.basis.length === problem.size && start.slip.length === this.slip.length
    this.places = this.spins.map(({ spin, at }) => {
      if (spin.state === 'sliding') {
        this.slip.set(spin.slip, at)
        return BASIS_LIMITED
      }
      const place = known ? start.basis[spin.rows[0]!]! : BASIS_CLAMPED
      if (place === BASIS_LIMITED) this.slip.set(start!.slip.subarray(at, at + spin.rows.length), at)
      return place === BASIS_LIMITED && sizeOf([...this.slip.subarray(at, at + spin.rows.length)]) > 0.5 ? BASIS_LIMITED : BASIS_CLAMPED
    })
    if (known) this.start = start
  }

  /** The solution of the start index set, if it still holds. */
  startHolds(tolerance: number): ContactSolution | null {
    if (this.start === undefined) return null
    const hit = this.frozen(this.start.basis, this.givenDirections(this.start.slip))
    return hit.residual <= tolerance ? { ...hit, basisHit: true } : null
  }

  run(tolerance: number): ContactSolution {
    if (this.start !== undefined) this.forces = this.frozen(this.start.basis, this.givenDirections(this.start.slip)).f
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const found = this.reduced()
      this.pivots += found.pivots
      if (found.status === 'ray' || found.status === 'infeasible') return { ...found, pivots: this.pivots }
      const basis = found.basis.slice()
      this.spins.forEach(({ spin: { rows, normal } }, k) => {
        for (const row of rows) basis[row] = normal >= 0 && basis[normal] !== BASIS_CLAMPED ? BASIS_FREE : this.places[k]!
      })
      const exact = this.frozen(basis, found.slip)
      const as = { ...found, basis, residual: residual(this.problem, found.f, found.a) }
      const better = exact.residual < as.residual ? exact : as
      if (this.best === undefined || better.residual < this.best.residual) this.best = better
      const changed = this.reconsider(found)
      if (this.best.residual <= AIM * tolerance || (!changed && this.best.residual <= tolerance && round > 2)) break
      this.forces = exact.residual < 1 ? exact.f : found.f
    }
    const best = this.best!
    return { ...best, pivots: this.pivots, status: best.residual <= tolerance ? 'solved' : 'limit', basisHit: false }
  }

  /** `from` with the given directions of sliding contacts and spins. */
  private givenDirections(from: Float64Array): Float64Array {
    const slip = from.slice()
    this.problem.friction.forEach(({ state, slip1, slip2 }, c) => {
      if (state === 'sliding') slip.set([slip1, slip2], 2 * c)
    })
    for (const { spin, at } of this.spins) if (spin.state === 'sliding') slip.set(spin.slip, at)
    return slip
  }

  /** The forces of a whole index set. */
  private frozen(basis: Uint8Array, slip: Float64Array): ContactSolution {
    const { f, a } = solveFrozen(this.problem, basis, slip)
    const none = new Float64Array(0)
    return {
      f, a, basis: basis.slice(), slip: slip.slice(), residual: residual(this.problem, f, a), status: 'solved', pivots: 0, ray: none, history: none,
      basisHit: false,
    }
  }

  /** Solves without the spins that do not hold, and writes the result into the rows of the whole problem. */
  private reduced(): ContactSolution {
    const { problem, spins, places, slip } = this
    const { size: n, A, kind, friction } = problem
    const known = new Float64Array(n)
    const removed = new Uint8Array(n)
    const kinds = kind.slice()
    spins.forEach(({ spin, at }, k) => {
      const bound = spinBound(spin, this.forces)
      spin.rows.forEach((row, i) => {
        kinds[row] = ROW_EQUALITY
        if (places[k] === BASIS_CLAMPED) return
        removed[row] = 1
        if (places[k] === BASIS_LIMITED) known[row] = -bound * slip[at + i]!
      })
    })
    const rows = [...kind.keys()].filter(i => removed[i] === 0)
    const index = new Int32Array(n).fill(-1)
    rows.forEach((row, k) => { index[row] = k })
    const m = rows.length
    const part = new Float64Array(m * m)
    rows.forEach((i, r) => rows.forEach((j, s) => { part[r * m + s] = A[i * n + j]! }))
    const given = [...known.keys()].filter(i => known[i] !== 0)
    const pick = (x: Float64Array): Float64Array => Float64Array.from(rows, i => x[i]!)
    const b = Float64Array.from(rows, i => given.reduce((sum, j) => sum - A[i * n + j]! * known[j]!, problem.b[i]!))
    const found = this.solver.solve({
      size: m, A: part, b, kind: Uint8Array.from(rows, i => kinds[i]!), lower: pick(problem.lower), upper: pick(problem.upper), level: problem.level,
      ...problem.interrupt === undefined ? {} : { interrupt: problem.interrupt },
      friction: friction.map(contact => ({
        ...contact, normal: index[contact.normal]!, tangent1: index[contact.tangent1]!, tangent2: index[contact.tangent2]!,
      })),
    }, {
      ...this.options,
      ...(this.start === undefined ? {} : {
        start: { basis: Uint8Array.from(rows, i => this.start!.basis[i]!), slip: this.start.slip.slice(0, 2 * friction.length) },
      }),
    })
    const spread = (x: Float64Array, out: Float64Array): Float64Array => {
      if (x.length > 0) rows.forEach((row, k) => { out[row] = x[k]! })
      return out
    }
    const f = spread(found.f, known)
    const basis = new Uint8Array(n).fill(BASIS_FREE)
    rows.forEach((row, k) => { basis[row] = found.basis[k]! })
    const directions = this.slip.slice()
    directions.set(found.slip)
    const whole = {
      ...found, f, a: relativeAcceleration(problem, f), basis, slip: directions, ray: found.ray.length > 0 ? spread(found.ray, new Float64Array(n)) : found.ray,
    }
    this.start = { basis, slip: directions }
    return whole
  }

  /** Changes the guesses that the reduced solution has shown to be wrong. @returns whether any has changed */
  private reconsider({ f, a, basis }: ContactSolution): boolean {
    const { problem, spins, places, slip } = this
    const scales = rowScales(problem)
    let largest = 0
    for (let i = 0; i < problem.size; i++) largest = Math.max(largest, Math.abs(problem.b[i]! * scales[i]!), Math.abs(f[i]! / scales[i]!))
    const zero = ROUNDING * largest
    let changed = false
    for (const [k, { spin, at }] of spins.entries()) {
      if (spin.normal >= 0 && basis[spin.normal] !== BASIS_CLAMPED) {
        // This applies to unloaded contacts: when they become loaded, their spins are guessed again.
        if (spin.state === 'static' && places[k] !== BASIS_FREE) changed = true
        if (spin.state === 'static') places[k] = BASIS_FREE
        continue
      }
      if (spin.state === 'sliding') continue
      const s = scales[spin.rows[0]!]!
      const torque = spin.rows.map(row => f[row]! / s)
      const rate = spin.rows.map(row => a[row]! * s)
      const bound = spinBound(spin, f) / s
      if (places[k] === BASIS_FREE) {
        places[k] = BASIS_CLAMPED
        changed = true
      } else if (places[k] === BASIS_CLAMPED) {
        const size = sizeOf(torque)
        if (size <= bound + zero) continue
        places[k] = BASIS_LIMITED
        slip.set(torque.map(value => -value / size), at)
        changed = true
      } else {
        const size = sizeOf(rate)
        const along = rate.reduce((sum, value, i) => sum + value * slip[at + i]!, 0)
        if (along < -zero) {
          places[k] = BASIS_CLAMPED
          changed = true
        } else if (size > zero) slip.set(rate.map(value => value / size), at)
      }
    }
    return changed
  }
}
