/**
 * Among the forces that give the same motion, {f : A f = A f*, complementarity, cones}, the one with the least Σ f². The set is convex, so
 * there is exactly one, and it is symmetric where the scene is: mg/4 on each leg of a chair.
 *
 * With orthonormal columns Q spanning the range of A, Qᵀf = c fixes the motion, and the least-norm force is f = P(Qλ), P the projection
 * onto the allowed forces, where λ maximises the concave dual cᵀλ − envelope(Qλ). Its gradient c − Qᵀ P(Qλ) is piecewise smooth: Newton's
 * method with a line search finds λ from anywhere, in one step where no bound is active.
 */

import { cholesky, choleskySolve, dot } from '../math/factor'
import { orthonormalize, pivotedCholesky } from '../math/semidefinite'
import { PIVOT_ZERO } from '../math/tolerances'
import {
  BASIS_CLAMPED, BASIS_CONE, BASIS_FREE, BASIS_IDLE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, ROW_BOX, ROW_EQUALITY, ROW_UNILATERAL,
  type ContactProblem, type ContactSolution,
} from './problem'
import { solveFrozen } from './frozen'
import { addProjectedGram, coupledNormal, projectOnto, type CoupledForces, type ForceSet } from './projection'
import { relativeAcceleration, residual } from './residual'
import { rowScales, slippingFriction, stickingFriction } from './scaling'
import { sizeOf, slipLength, spinsOf } from './spin'

/** Relative acceleration below which a row counts as held, × the largest of |b| and |f| (equilibrated). */
const HELD = 1e-11
const MAX_STEPS = 80

/** Error of Qᵀf that is rounding, × the largest |z|. */
const ROUNDING = 4e-16

type Coupling = { -readonly [K in keyof CoupledForces]: CoupledForces[K] extends readonly (infer T)[] ? T[] : CoupledForces[K] }

/** The sets that the motion of a solution allows its forces. */
export function allowedForces(problem: ContactProblem, f: Float64Array, a: Float64Array): ForceSet[] {
  const { size: n, b, kind, friction, spin = [], level } = problem
  const s = rowScales(problem)
  let scale = 0
  for (let i = 0; i < n; i++) scale = Math.max(scale, Math.abs(b[i]! * s[i]!), Math.abs(f[i]! / s[i]!))
  const held = (i: number): boolean => Math.abs(a[i]! * s[i]!) <= HELD * scale
  const sets: ForceSet[] = []
  const frictional = new Uint8Array(n)
  const coupled = new Map<number, Coupling>()
  const coupling = (normal: number): Coupling => {
    let found = coupled.get(normal)
    if (found === undefined) {
      coupled.set(normal, found = { kind: 'coupled', normal, slaved: [], discs: [], contact: -1, slides: false, spins: [] })
      if (held(normal)) sets.push(found)
    }
    return found
  }
  friction.forEach((contact, c) => {
    const { normal, tangent1, tangent2, slip1, slip2 } = contact
    frictional[normal] = 1
    const set = coupling(normal)
    const mu = slippingFriction(contact, level)
    const a1 = a[tangent1]!
    const a2 = a[tangent2]!
    set.contact = c
    if (contact.state === 'sliding') set.slaved.push({ row: tangent1, x: -mu * slip1 }, { row: tangent2, x: -mu * slip2 })
    else if (held(tangent1) && held(tangent2)) set.discs.push({ rows: [tangent1, tangent2], mu: stickingFriction(contact) })
    else {
      const size = Math.sqrt(a1 * a1 + a2 * a2)
      set.slaved.push({ row: tangent1, x: -mu * a1 / size }, { row: tangent2, x: -mu * a2 / size })
    }
    set.slides = set.discs.length === 0
  })
  spin.forEach(({ normal, rows, limit, state, slip }, c) => {
    const rests = state === 'static' && rows.every(held)
    const size = sizeOf(rows.map(row => a[row]!))
    const direction = rests ? [] : state === 'sliding' ? slip : rows.map(row => a[row]! / size)
    if (normal < 0 && rests) sets.push({ kind: 'ball', rows, spin: c, radius: limit })
    else if (normal < 0) sets.push({ kind: 'fixed', rows, spin: c, values: direction.map(d => -limit * d) })
    else {
      frictional[normal] = 1
      const set = coupling(normal)
      set.spins.push({ spin: c, slides: !rests })
      if (rests) set.discs.push({ rows, mu: limit })
      else rows.forEach((row, k) => set.slaved.push({ row, x: -limit * direction[k]! }))
    }
  })
  for (let i = 0; i < n; i++) {
    if (kind[i] === ROW_EQUALITY) sets.push({ kind: 'free', row: i })
    else if (kind[i] === ROW_BOX) {
      const bound = held(i) ? undefined : a[i]! > 0 ? 'lower' : 'upper'
      const lower = bound === 'upper' ? problem.upper[i]! : problem.lower[i]!
      sets.push({ kind: 'interval', row: i, lower, upper: bound === 'lower' ? lower : problem.upper[i]!, bound })
    } else if (kind[i] === ROW_UNILATERAL && !frictional[i] && held(i)) {
      sets.push({ kind: 'interval', row: i, lower: 0, upper: Infinity })
    }
  }
  return sets
}

/** Orthonormal columns (n × rank) with the range of S⁻¹ L, where S A S ≈ L Lᵀ: Qᵀf then fixes A f. */
export function rangeBasis(problem: ContactProblem): { Q: Float64Array; rank: number } {
  const { size: n, A } = problem
  const s = rowScales(problem)
  const scaled = new Float64Array(n * n)
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) scaled[i * n + j] = A[i * n + j]! * s[i]! * s[j]!
  const { L, rank } = pivotedCholesky(scaled, n, PIVOT_ZERO)
  for (let i = 0; i < n; i++) for (let j = 0; j < rank; j++) L[i * rank + j]! /= s[i]!
  orthonormalize(L, n, rank)
  return { Q: L, rank }
}

/**
 * The forces f ∈ `sets` with Qᵀf = Qᵀ`target` that are nearest to `centre` (the origin unless given); `error` is what Qᵀf misses its
 * target by, relative, and `z` is what f is the projection of.
 */
export function leastNormIn(
  sets: readonly ForceSet[], Q: Float64Array, n: number, rank: number, target: Float64Array, centre?: Float64Array,
): { f: Float64Array; z: Float64Array; error: number } {
  const c = new Float64Array(rank)
  for (let i = 0; i < n; i++) for (let j = 0; j < rank; j++) c[j]! += Q[i * rank + j]! * target[i]!
  let size = 0
  for (let j = 0; j < rank; j++) size = Math.max(size, Math.abs(c[j]!))
  const lambda = c.slice()
  if (centre) for (let i = 0; i < n; i++) for (let j = 0; j < rank; j++) lambda[j]! -= Q[i * rank + j]! * centre[i]!
  const trial = new Float64Array(rank)
  const z = new Float64Array(n)
  const f = new Float64Array(n)
  const gradient = new Float64Array(rank)
  const evaluate = (at: Float64Array): number => {
    for (let i = 0; i < n; i++) z[i] = dot(Q, i * rank, at, 0, rank) + (centre ? centre[i]! : 0)
    return projectOnto(sets, z, f) - dot(c, 0, at, 0, rank)
  }
  const slope = (): number => {
    for (let j = 0; j < rank; j++) gradient[j] = -c[j]!
    for (let i = 0; i < n; i++) {
      const force = f[i]!
      if (force !== 0) for (let j = 0; j < rank; j++) gradient[j]! += Q[i * rank + j]! * force
    }
    let worst = 0
    for (let j = 0; j < rank; j++) worst = Math.max(worst, Math.abs(gradient[j]!))
    return worst
  }
  let value = evaluate(lambda)
  let error = slope()
  const H = new Float64Array(rank * rank)
  for (let step = 0; step < MAX_STEPS && error > ROUNDING * reach(z); step++) {
    const before = error
    H.fill(0)
    addProjectedGram(sets, z, Q, rank, H)
    const shift = Math.max(1e-14, Math.min(1e-3, 1e-2 * error / size))
    for (let j = 0; j < rank; j++) H[j * rank + j]! += shift
    const R = cholesky(H, rank, 1e-300)
    const delta = new Float64Array(rank)
    for (let j = 0; j < rank; j++) delta[j] = -gradient[j]!
    choleskySolve(R, rank, delta)
    const descent = dot(gradient, 0, delta, 0, rank)
    let part = 1
    let accepted = false
    for (let halving = 0; halving < 30 && !accepted; halving++, part /= 2) {
      for (let j = 0; j < rank; j++) trial[j] = lambda[j]! + part * delta[j]!
      const next = evaluate(trial)
      const nextError = slope()
      accepted = next <= value + 1e-4 * part * descent || nextError < 0.9 * error
      if (accepted) {
        lambda.set(trial)
        value = next
        error = nextError
      }
    }
    if (!accepted) {
      evaluate(lambda)
      slope()
      break
    }
    // Rounding is reached where Newton's method no longer halves a small error.
    if (error > 0.5 * before && error <= 1e-11 * reach(z)) break
  }
  return { f, z, error: size > 0 ? error / size : 0 }
}

function reach(z: Float64Array): number {
  let largest = 0
  for (const value of z) largest = Math.max(largest, Math.abs(value))
  return largest
}

/**
 * The solution with its forces replaced by the least-norm ones of the same motion, and its basis brought up to date: `IDLE` and `CONE` say
 * where a bound is active without motion. Returned as it came where the forces were unique already, or no better ones were found.
 */
export function leastNorm(problem: ContactProblem, solution: ContactSolution): ContactSolution {
  if (solution.status !== 'solved' || problem.size === 0) return solution
  const n = problem.size
  const sets = allowedForces(problem, solution.f, solution.a)
  const held = inside(problem, sets)
  const free = solveFrozen(problem, held.basis, held.slip)
  const unbounded = residual(problem, free.f, free.a)
  if (unbounded <= LEAST_NORM_RESIDUAL) {
    // No bound is active: the least-norm solution of the equations alone.
    return { ...solution, ...held, f: free.f, a: free.a, residual: unbounded, rank: free.rank }
  }
  const { Q, rank } = rangeBasis(problem)
  const { f, z } = leastNormIn(sets, Q, n, rank, solution.f)
  const worst = residual(problem, f)
  if (!(worst <= Math.max(solution.residual, LEAST_NORM_RESIDUAL))) return solution
  const { basis, slip } = placesIn(problem, sets, z)
  return freeze(problem, { ...solution, f, a: relativeAcceleration(problem, f), residual: worst, basis, slip })
}

/**
 * The least-norm solution as `solveFrozen` gives it for its basis, so that forces go on from here without a jump. Contacts at their cones
 * are slaved only as long as the others still hold every clamped row; else they count as clamped.
 */
function freeze(problem: ContactProblem, solution: ContactSolution): ContactSolution {
  const { basis, slip } = solution
  const unslaved = basis.map(place => place === BASIS_CONE ? BASIS_CLAMPED : place)
  const slaved = basis.includes(BASIS_CONE)
  let frozen = solveFrozen(problem, basis, slip)
  let places = basis
  if (slaved) {
    const free = solveFrozen(problem, unslaved, slip)
    if (frozen.rank < free.rank) {
      frozen = free
      places = unslaved
    }
  }
  const worst = residual(problem, frozen.f, frozen.a)
  if (worst <= Math.max(solution.residual, LEAST_NORM_RESIDUAL)) {
    return { ...solution, f: frozen.f, a: frozen.a, residual: worst, basis: places, rank: frozen.rank }
  }
  return { ...solution, basis: places, rank: frozen.rank }
}

/** Residual that the least-norm forces may have even where the given ones had less. */
const LEAST_NORM_RESIDUAL = 1e-11

/** A number inside an interval. */
function middle(lower: number, upper: number): number {
  if (lower === -Infinity) return upper === Infinity ? 0 : upper - 1
  return upper === Infinity ? lower + 1 : (lower + upper) / 2
}

/** The index set in which every force is inside its set. */
function inside(problem: ContactProblem, sets: readonly ForceSet[]): { basis: Uint8Array; slip: Float64Array } {
  const z = new Float64Array(problem.size)
  for (const set of sets) {
    if (set.kind === 'coupled') z[set.normal] = 1
    else if (set.kind === 'interval') z[set.row] = middle(set.lower, set.upper)
  }
  return placesIn(problem, sets, z)
}

/** The index set of the projection of z onto the sets. */
export function placesIn(
  problem: Pick<ContactProblem, 'size' | 'friction' | 'spin'>, sets: readonly ForceSet[], z: Float64Array,
): { basis: Uint8Array; slip: Float64Array } {
  const basis = new Uint8Array(problem.size).fill(BASIS_FREE)
  const slip = new Float64Array(slipLength(problem))
  const spins = spinsOf(problem)
  for (const set of sets) place(set, z, basis, slip, spins)
  return { basis, slip }
}

function place(set: ForceSet, z: Float64Array, basis: Uint8Array, slip: Float64Array, spins: ReturnType<typeof spinsOf>): void {
  if (set.kind === 'free') basis[set.row] = BASIS_CLAMPED
  else if (set.kind === 'interval' && set.bound) basis[set.row] = set.bound === 'lower' ? BASIS_LOWER : BASIS_UPPER
  else if (set.kind === 'interval') {
    const value = z[set.row]!
    const unilateral = set.lower === 0 && set.upper === Infinity
    basis[set.row] = value <= set.lower ? (unilateral ? BASIS_IDLE : BASIS_LOWER) : value >= set.upper ? BASIS_UPPER : BASIS_CLAMPED
  } else if (set.kind === 'fixed') {
    mark(set.rows, BASIS_LIMITED, against(set.values), basis, slip, spins[set.spin]!.at)
  } else if (set.kind === 'ball') {
    const torque = set.rows.map(row => z[row]!)
    const rests = sizeOf(torque) <= set.radius
    mark(set.rows, rests ? BASIS_CLAMPED : BASIS_CONE, rests ? [] : against(torque), basis, slip, spins[set.spin]!.at)
  } else placeCoupled(set, z, basis, slip, spins)
}

function placeCoupled(set: CoupledForces, z: Float64Array, basis: Uint8Array, slip: Float64Array, spins: ReturnType<typeof spinsOf>): void {
  const { fn, active } = coupledNormal(set, z)
  if (fn < 0 || (fn === 0 && (set.slaved.length > 0 || active.includes(true)))) {
    basis[set.normal] = BASIS_IDLE
    return
  }
  basis[set.normal] = BASIS_CLAMPED
  // In the order in which they were added: friction first.
  let slaved = 0
  let disc = 0
  const next = (slides: boolean, count: number, at: number): void => {
    if (slides) {
      const rows = set.slaved.slice(slaved, slaved += count)
      mark(rows.map(({ row }) => row), BASIS_LIMITED, against(rows.map(({ x }) => x)), basis, slip, at)
      return
    }
    const { rows } = set.discs[disc]!
    const limited = active[disc++]!
    mark(rows, limited ? BASIS_CONE : BASIS_CLAMPED, limited ? against(rows.map(row => z[row]!)) : [], basis, slip, at)
  }
  if (set.contact >= 0) next(set.slides, 2, 2 * set.contact)
  for (const { spin, slides } of set.spins) next(slides, spins[spin]!.spin.rows.length, spins[spin]!.at)
}

function mark(rows: readonly number[], where: number, direction: readonly number[], basis: Uint8Array, slip: Float64Array, at: number): void {
  for (const row of rows) basis[row] = where
  slip.set(direction, at)
}

/** The unit vector against x; zero for zero. */
function against(x: readonly number[]): number[] {
  const size = sizeOf(x)
  return x.map(value => size > 0 ? -value / size : 0)
}
