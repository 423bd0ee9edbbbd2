/**
 * Repairs an index set that nearly holds: one linear solve a round tells which rows break their conditions, and those change their places, all at
 * once (block principal pivoting). From a good guess, the last index set or that of nearly solved forces, it takes a few rounds; far from
 * a solution it may run in circles, which it notices, and then pivoting has to do the work.
 */

import { AIM, candidate, scaleForces, unscale, type Candidate } from './cone'
import { solveFrozen } from './frozen'
import { newtonOnIndexSet } from './newton'
import {
  BASIS_CLAMPED, BASIS_FREE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, ROW_BOX, ROW_EQUALITY, ROW_FRICTION, type ContactProblem,
} from './problem'
import { residual } from './residual'
import { slippingFriction, type ScaledProblem } from './scaling'

const MAX_ROUNDS = 20
/** Rounds without fewer broken conditions after which it is given up. */
const PATIENCE = 5
/** Broken by less than this is rounding, × the largest of |b| and |f| (equilibrated). */
const ROUNDING = 1e-13
/** Change of a slip direction, 1 − cos, that is worth another round. */
const TURNED = 1e-6

/** @returns the solution and its rounds; undefined where the index set could not be repaired */
export function repair(
  problem: ContactProblem, scaled: ScaledProblem, start: { readonly basis: Uint8Array; readonly slip: Float64Array }, tolerance: number,
): { found: Candidate; rounds: number } | undefined {
  const basis = start.basis.map((place, i) => legal(problem, i, place))
  const slip = start.slip.slice()
  let fewest = Infinity
  let waited = 0
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const frozen = solveFrozen(problem, basis, slip)
    let worst = residual(problem, frozen.f, frozen.a)
    if (worst <= AIM * tolerance) return { found: candidate(problem, scaled, basis, slip, frozen.f, frozen.a, worst), rounds: round }
    const broken = new Broken(problem, scaled, basis, slip, frozen.f, frozen.a)
    if (broken.count === 0) {
      // Only directions of slip are left: they are Newton's work.
      const exact = newtonOnIndexSet(scaled, basis, slip, scaleForces(scaled, frozen.f))
      const f = unscale(scaled, exact.f)
      const a = exact.a.map((value, i) => value / scaled.scale[i]!)
      worst = residual(problem, f, a)
      return worst <= tolerance ? { found: candidate(problem, scaled, basis, slip, f, a, worst), rounds: round } : undefined
    }
    if (broken.count < fewest) {
      fewest = broken.count
      waited = 0
    } else if (++waited > PATIENCE) return undefined
    broken.change()
  }
  return undefined
}

/** A basis of pivoting: friction that cannot be slaved sticks, rows that idle are free. */
function legal(problem: ContactProblem, row: number, place: number): number {
  const kind = problem.kind[row]!
  if (kind === ROW_EQUALITY) return BASIS_CLAMPED
  if (kind === ROW_FRICTION) return place === BASIS_LIMITED || place === BASIS_FREE ? place : BASIS_CLAMPED
  if (kind === ROW_BOX) return place === BASIS_LOWER || place === BASIS_UPPER ? place : BASIS_CLAMPED
  return place === BASIS_CLAMPED ? BASIS_CLAMPED : BASIS_FREE
}

/** The rows of an index set that break their conditions, and what they become. */
class Broken {
  count = 0
  private readonly changes: (() => void)[] = []

  constructor(
    private readonly problem: ContactProblem, scaled: ScaledProblem, private readonly basis: Uint8Array, private readonly slip: Float64Array,
    f: Float64Array, a: Float64Array,
  ) {
    const { size: n, kind, lower, upper } = scaled
    const force = scaleForces(scaled, f)
    const rate = a.map((value, i) => value * scaled.scale[i]!)
    let size = 0
    for (let i = 0; i < n; i++) size = Math.max(size, Math.abs(scaled.b[i]!), Math.abs(force[i]!))
    const zero = ROUNDING * size
    const contactOfNormal = new Map(problem.friction.map((contact, c) => [contact.normal, c]))
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
      const contact = contactOfNormal.get(i)
      if (place === BASIS_FREE) {
        if (rate[i]! < -zero) this.close(i, contact)
      } else if (force[i]! < -zero) this.open(i, contact)
      else if (contact !== undefined) this.friction(contact, force, rate, zero)
    }
  }

  change(): void {
    for (const change of this.changes) change()
  }

  private move(row: number, place: number): void {
    this.count++
    this.changes.push(() => { this.basis[row] = place })
  }

  private open(row: number, contact: number | undefined): void {
    this.move(row, BASIS_FREE)
    if (contact !== undefined) this.tangents(contact, BASIS_FREE)
  }

  private close(row: number, contact: number | undefined): void {
    this.move(row, BASIS_CLAMPED)
    if (contact === undefined) return
    const { state, slip1, slip2 } = this.problem.friction[contact]!
    if (state === 'sliding') this.turn(contact, slip1, slip2)
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
      this.turn(contact, -force[tangent1]! / size, -force[tangent2]! / size)
      this.tangents(contact, BASIS_LIMITED)
      return
    }
    const size = length(rate[tangent1]!, rate[tangent2]!)
    const along = rate[tangent1]! * this.slip[2 * contact]! + rate[tangent2]! * this.slip[2 * contact + 1]!
    if (along < -zero) {
      this.count++
      this.tangents(contact, BASIS_CLAMPED)
    } else if (size > zero && along < (1 - TURNED) * size && slippingFriction(rows, this.problem.level) > 0) {
      this.count++
      this.turn(contact, rate[tangent1]! / size, rate[tangent2]! / size)
    }
  }

  private tangents(contact: number, place: number): void {
    const { tangent1, tangent2 } = this.problem.friction[contact]!
    this.changes.push(() => { this.basis[tangent1] = this.basis[tangent2] = place })
  }

  private turn(contact: number, x: number, y: number): void {
    this.changes.push(() => {
      this.slip[2 * contact] = x
      this.slip[2 * contact + 1] = y
    })
  }
}

function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y)
}
