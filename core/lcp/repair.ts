/**
 * Repairs an index set that nearly holds. In each round one linear solve finds the rows that violate their conditions, and all of them change their states
 * at once (block principal pivoting); Newton's method turns directions of slip (`linearized.ts`). From a good guess (the last index set, or that of nearly
 * solved forces) it takes a few rounds. Far from a solution it may cycle; this is detected, and other methods must be used.
 */

import { AIM, candidate, scaleForces, unscale, type Candidate } from './cone'
import { solveFrozen } from './frozen'
import { linearizedForces } from './linearized'
import { newtonOnIndexSet } from './newton'
import {
  BASIS_CLAMPED, BASIS_FREE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, ROW_BOX, ROW_EQUALITY, ROW_FRICTION, ROW_UNILATERAL, type ContactProblem,
} from './problem'
import { relativeAcceleration, residual, residualScale } from './residual'
import { slippingFriction, type ScaledProblem } from './scaling'

const MAX_ROUNDS = 30
/** Default number of rounds without fewer violated conditions after which the repair stops. */
const PATIENCE = 6
/** Violation that counts as rounding, × the largest of |b| and |f| (equilibrated). */
const ROUNDING = 1e-13

export interface RepairOptions {
  /** Rounds without fewer violated conditions after which the repair stops. */
  readonly patience?: number
  /** Equilibrated forces near a solution; the result is nearest to them. Without them the first result has least norm. */
  readonly near?: Float64Array
}

/** @returns the number of rounds and the solution, if the repair succeeded */
export function repair(
  problem: ContactProblem, scaled: ScaledProblem, start: { readonly basis: Uint8Array; readonly slip: Float64Array }, tolerance: number,
  options: RepairOptions = {},
): { found?: Candidate; rounds: number } {
  const basis = start.basis.map((place, i) => legal(problem, i, place))
  const slip = start.slip.slice()
  const compliance = new Float64Array(problem.friction.length).fill(Infinity)
  let fewest = Infinity
  let waited = 0
  let settling = 0
  const patience = options.patience ?? PATIENCE
  // Forces change as little as possible between rounds: with redundant rows this keeps forces inside their cones.
  let reference = options.near
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const force = linearizedForces(scaled, basis, slip, compliance, reference) ?? scaleForces(scaled, solveFrozen(problem, basis, slip).f)
    const f = unscale(scaled, force)
    const a = relativeAcceleration(problem, f)
    const worst = residual(problem, f, a)
    if (worst <= AIM * tolerance) return { found: candidate(problem, scaled, basis, slip, f, a, worst), rounds: round }
    const broken = new Broken(problem, scaled, basis, slip, compliance, force, a)
    // Between velocities such contradictions are far below the accuracy of gaps, and a step must not lose the load of a contact to them.
    if (broken.count === 0 && worst > tolerance && problem.level === 'acceleration') broken.release(tolerance * residualScale(problem.b, f, scaled.scale))
    if (broken.count === 0 && ++settling > SETTLING) {
      // Only directions of slip are left, and they do not converge.
      if (worst <= tolerance) return { found: candidate(problem, scaled, basis, slip, f, a, worst), rounds: round }
      const exact = newtonOnIndexSet(scaled, basis, slip, force)
      const exactForces = unscale(scaled, exact.f)
      const rates = exact.a.map((value, i) => value / scaled.scale[i]!)
      const left = residual(problem, exactForces, rates)
      return left <= tolerance ? { found: candidate(problem, scaled, basis, slip, exactForces, rates, left), rounds: round } : { rounds: round }
    }
    if (broken.count > 0) {
      settling = 0
      if (broken.count < fewest) {
        fewest = broken.count
        waited = 0
      } else if (++waited > patience) return { rounds: round }
    }
    broken.change()
    reference = withinBounds(scaled, force)
  }
  return { rounds: MAX_ROUNDS }
}

/** Rounds in which only directions of slip change. */
const SETTLING = 6

/** A state that pivoting also allows: friction that cannot be slaved sticks, idle rows are free. */
function legal(problem: ContactProblem, row: number, place: number): number {
  const kind = problem.kind[row]!
  if (kind === ROW_EQUALITY) return BASIS_CLAMPED
  if (kind === ROW_FRICTION) return place === BASIS_LIMITED || place === BASIS_FREE ? place : BASIS_CLAMPED
  if (kind === ROW_BOX) return place === BASIS_LOWER || place === BASIS_UPPER ? place : BASIS_CLAMPED
  return place === BASIS_CLAMPED ? BASIS_CLAMPED : BASIS_FREE
}

/** The rows of an index set that violate their conditions, and their new states. */
class Broken {
  count = 0
  private readonly changes: (() => void)[] = []
  /** Equilibrated accelerations. */
  private readonly rate: Float64Array

  constructor(
    private readonly problem: ContactProblem, scaled: ScaledProblem, private readonly basis: Uint8Array, private readonly slip: Float64Array,
    private readonly compliance: Float64Array, private readonly force: Float64Array, a: Float64Array,
  ) {
    const { size: n, kind, lower, upper } = scaled
    const rate = this.rate = a.map((value, i) => value * scaled.scale[i]!)
    let size = 0
    for (let i = 0; i < n; i++) size = Math.max(size, Math.abs(scaled.b[i]!), Math.abs(force[i]!))
    const zero = ROUNDING * size
    for (let i = 0; i < n; i++) {
      const place = basis[i]!
      if (kind[i] === ROW_BOX) {
        if (place === BASIS_CLAMPED) {
          if (force[i]! < lower[i]! - zero) this.move(i, BASIS_LOWER)
          else if (force[i]! > upper[i]! + zero) this.move(i, BASIS_UPPER)
        } else if (place === BASIS_LOWER ? rate[i]! < -zero : rate[i]! > zero) this.move(i, BASIS_CLAMPED)
        continue
      }
      if (kind[i] === ROW_EQUALITY || kind[i] === ROW_FRICTION) continue
      const contact = scaled.contactOf[i]!
      if (place === BASIS_FREE) {
        if (rate[i]! < -zero) this.close(i, contact)
      } else if (force[i]! < -zero) this.open(i, contact)
      else if (contact >= 0) this.friction(contact, force, rate, zero)
    }
  }

  change(): void {
    for (const change of this.changes) change()
  }

  /**
   * Dependent rows that contradict each other by more than `limit` cannot all be clamped: the linear solve spreads the contradiction over their
   * accelerations. The row that separates fastest gives up its force, or the sticking contact that moves fastest slips, since the others can carry its load.
   */
  release(limit: number): void {
    const { problem: { kind, friction, level }, basis, rate } = this
    let fastest = limit
    let change: (() => void) | undefined
    const consider = (speed: number, release: () => void): void => {
      if (!(speed > limit)) return
      this.count++
      if (speed > fastest) {
        fastest = speed
        change = release
      }
    }
    const contacts = new Int32Array(kind.length).fill(-1)
    friction.forEach(({ normal }, c) => { contacts[normal] = c })
    basis.forEach((place, i) => {
      if (place === BASIS_CLAMPED && kind[i] === ROW_UNILATERAL) consider(rate[i]!, () => this.open(i, contacts[i]!))
    })
    friction.forEach((contact, c) => {
      const { normal, tangent1, tangent2, state } = contact
      if (state === 'sliding' || basis[tangent1] !== BASIS_CLAMPED) return
      const [x, y] = [rate[tangent1]!, rate[tangent2]!]
      const speed = length(x, y)
      const bound = slippingFriction(contact, level) * this.force[normal]!
      consider(speed, () => {
        this.turn(c, x / speed, y / speed, bound > 0 ? speed / bound : Infinity)
        this.tangents(c, BASIS_LIMITED)
      })
    })
    const counted = this.count
    change?.()
    this.count = counted
  }

  private move(row: number, place: number): void {
    this.count++
    this.changes.push(() => { this.basis[row] = place })
  }

  private open(row: number, contact: number): void {
    this.move(row, BASIS_FREE)
    if (contact >= 0) this.tangents(contact, BASIS_FREE)
  }

  private close(row: number, contact: number): void {
    this.move(row, BASIS_CLAMPED)
    if (contact < 0) return
    const { state, slip1, slip2 } = this.problem.friction[contact]!
    if (state === 'sliding') this.turn(contact, slip1, slip2, Infinity)
    this.tangents(contact, state === 'sliding' ? BASIS_LIMITED : BASIS_CLAMPED)
  }

  private friction(contact: number, force: Float64Array, rate: Float64Array, zero: number): void {
    const rows = this.problem.friction[contact]!
    if (rows.state === 'sliding') return
    const { normal, tangent1, tangent2 } = rows
    if (this.basis[tangent1] !== BASIS_LIMITED) {
      const size = length(force[tangent1]!, force[tangent2]!)
      if (size <= rows.staticFriction * force[normal]! + zero) return
      this.count++
      this.turn(contact, -force[tangent1]! / size, -force[tangent2]! / size, Infinity)
      this.tangents(contact, BASIS_LIMITED)
      return
    }
    const size = length(rate[tangent1]!, rate[tangent2]!)
    const along = rate[tangent1]! * this.slip[2 * contact]! + rate[tangent2]! * this.slip[2 * contact + 1]!
    if (along < -zero) {
      this.count++
      this.tangents(contact, BASIS_CLAMPED)
    } else if (size > zero) {
      const bound = slippingFriction(rows, this.problem.level) * force[normal]!
      this.turn(contact, rate[tangent1]! / size, rate[tangent2]! / size, bound > 0 ? size / bound : Infinity)
    }
  }

  private tangents(contact: number, place: number): void {
    const { tangent1, tangent2 } = this.problem.friction[contact]!
    this.changes.push(() => { this.basis[tangent1] = this.basis[tangent2] = place })
  }

  private turn(contact: number, x: number, y: number, compliance: number): void {
    this.changes.push(() => {
      this.slip[2 * contact] = x
      this.slip[2 * contact + 1] = y
      this.compliance[contact] = compliance
    })
  }
}

/** The nearest forces that satisfy their bounds, approximately: friction is scaled back. */
function withinBounds(scaled: ScaledProblem, force: Float64Array): Float64Array {
  const f = force.slice()
  for (let i = 0; i < scaled.size; i++) {
    if (scaled.kind[i] === ROW_BOX) f[i] = Math.min(Math.max(f[i]!, scaled.lower[i]!), scaled.upper[i]!)
    else if (scaled.kind[i] !== ROW_EQUALITY && scaled.kind[i] !== ROW_FRICTION) f[i] = Math.max(0, f[i]!)
  }
  for (const { normal, tangent1, tangent2, staticFriction } of scaled.friction) {
    const size = length(f[tangent1]!, f[tangent2]!)
    const bound = staticFriction * f[normal]!
    if (size <= bound) continue
    f[tangent1]! *= bound / size
    f[tangent2]! *= bound / size
  }
  return f
}

function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y)
}
