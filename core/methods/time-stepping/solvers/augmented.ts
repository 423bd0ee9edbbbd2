/**
 * Newton's method in velocities, those of an island's bodies or of its rows (`ImpulseResponse`), by augmented Lagrangians [Alart and Curnier 1991]. The
 * impulses p_k are updated by
 *
 *   p_{k+1} = Π(p_k − ρ (J u − b)),   u = M⁻¹ Jᵀ p_{k+1}
 *
 * with increasing ρ. Each k is a piecewise smooth system of six unknowns a body. Its matrix has blocks only for bodies in contact, so factoring a
 * chain, a stack or a row of dominoes is cheap, whatever the number and the conditioning of the contacts.
 *
 * All contacts of an island are updated simultaneously. Where forces are not unique (sticking contacts pressed against each other), a symmetric
 * problem thus keeps a symmetric solution; Gauss–Seidel sweeps do not preserve symmetry.
 *
 * Newton steps are primal-dual [Hintermüller and Stadler 2006]: the impulses q that belong to the current velocities, u = M⁻¹ Jᵀ q, are linearised
 * too. Where slip reverses, Π has kinks; steps with its derivatives alone end at one kink after another, primal-dual ones pass many at once.
 *
 * Friction makes the matrix unsymmetric, and Newton steps may then fail to be descent directions. In that case the friction discs keep the radius
 * given by p_k: this problem is convex, and descent steps on its energy converge.
 */

import type { StepProblem } from '../step-problem'
import { BodyPattern } from './body-pattern'
import { BodyResponse } from './body-response'
import { ForceLaw, type LawProblem } from './force-law'
import type { ImpulseResponse } from './impulse-response'
import { shiftLoad } from './load-shift'
import type { NewtonVectors } from './newton-vectors'

/** Block products in one factorisation (a quarter of a second) above which sweeps are used. Walls of 300, 1,000 and 3,000 bricks need 5e4, 3e5 and 2e6. */
export const MAX_PRODUCTS = 5_000_000
/** Block products in all factorisations of one solution. A wall of 3,000 bricks needs 4e8 from a cold start. */
const MAX_WORK = 600_000_000
const MAX_ROUNDS = 30
/** Newton steps of a round, with the exact friction law and with frozen discs. */
const MAX_STEPS = 20
const MAX_FROZEN_STEPS = 30
/** Halvings of a Newton step with the exact friction law. */
const MAX_CUTS = 5
const MAX_FROZEN_CUTS = 30
/** Failed rounds after which a problem without frozen steps is given up. */
const MAX_FAILURES = 2
/** Least reduction of the bracket of a frozen step, as a share of its length. */
const MIN_REDUCTION = 0.1
/** The line search of a frozen step ends when the slope of the energy falls below this × the slope at its start. */
const FLAT = 0.5
/**
 * Stiffness of the first round, by the residual of the guess relative to the largest target velocity. Each round multiplies the stiffness by
 * `HARDER`, or divides it by that if the round fails.
 */
const FIRST = [{ miss: 0.03, stiffness: 10 }, { miss: 1e-3, stiffness: 100 }, { miss: 0, stiffness: 1e3 }] as const
const HARDER = 10
const STIFFEST = 1e6
/** Accuracy of a round: × the residual, and, as the limit set by rounding, × stiffness × target velocities. */
const ROUND = 1e-5
const ROUNDING = 1e-15
/** Rounds without improvement on the best or the last residual after which the solution counts as exact to rounding. */
const STALE = 3
/**
 * In rows of bodies, where a factorisation takes at most `ROW_PRODUCTS` block products a body, more rounds without improvement are allowed while the residual
 * is larger than `COARSE` × the largest target velocity and thus not rounding. In a row of dominoes whose last two collide, it stays between 0.2 and
 * 0.006 m/s for nine rounds and is 5e-7 and 5e-11 m/s after the next two; sweeps would find other forces there, which are not symmetric. In walls that are
 * struck, further rounds do not help.
 */
const ROW_PRODUCTS = 4
const COARSE = 1e-6
const STALE_COARSE = 18
/** Relative change of the residual in a round below which load only shifts between redundant rows. */
const STEADY = 0.1

export interface Impulses {
  /** m/s, defined like the residual of a sweep. */
  readonly residual: number
  /** Total number of Newton steps. */
  readonly steps: number
  /** m/s: residual of the guess, and after each round. */
  readonly guess: number
  readonly history: readonly number[]
}

export interface Goal {
  /** m/s */
  readonly accuracy: number
  /** m/s: below this the first round without improvement is the last. */
  readonly sufficient: number
  /** How often load may be shifted between rows that contradict each other (`load-shift.ts`). */
  readonly shifts?: number
}

/**
 * Solves in place from the initial guess.
 *
 * @returns null if the problem has unsupported rows, the matrix has too much fill-in, or the guess is not finite; the problem is then unchanged
 */
export function augmented(problem: StepProblem, goal: Goal): Impulses | null {
  const pattern = supported(problem)
  if (pattern === null) return null
  const { kind, lower, upper, friction, b, p, rows, gradient } = problem
  const law: LawProblem = { kind, lower, upper, friction, b, p, compliance: rows.compliance }
  return solveWith(law, new BodyResponse(problem, pattern), gradient === rows.jacobian, goal, problem.interrupt)
}

/**
 * The same with any response.
 *
 * @param symmetric whether impulses act along the rows whose rates they change. Otherwise there is no energy that frozen steps could reduce
 */
export function solveWith(
  problem: LawProblem, response: ImpulseResponse, symmetric: boolean, goal: Goal, interrupt?: () => void,
): Impulses | null {
  return new Augmented(problem, response, symmetric, interrupt).solve(goal)
}

/** The blocks of the problem's matrix; null if it has unsupported rows or too much fill-in. */
export function supported({ rows, spin, bodyCount, slotA, slotB }: StepProblem): BodyPattern | null {
  if (rows.owners.length > 0 || spin.length > 0) return null
  const pattern = new BodyPattern(bodyCount, slotA, slotB, MAX_PRODUCTS)
  return pattern.sparse ? pattern : null
}

class Augmented {
  private readonly law: ForceLaw
  private readonly vectors: NewtonVectors
  private steps = 0

  constructor(
    private readonly problem: LawProblem, private readonly response: ImpulseResponse, private readonly symmetric: boolean,
    private readonly interrupt: (() => void) | undefined,
  ) {
    this.law = new ForceLaw(problem, response)
    this.vectors = response.vectors
  }

  solve({ accuracy, sufficient, shifts = 0 }: Goal): Impulses | null {
    const { law, problem, problem: { p, b } } = this
    const asked = b.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    const history: number[] = []
    let failures = 0
    law.begin(p)
    const guess = law.residual()
    if (!Number.isFinite(guess)) return null
    let worst = guess
    let best = guess
    // A guess that is exact to rounding is kept bit for bit: otherwise a resting island would never become stationary.
    const enough = Math.max(accuracy, law.rounding())
    const kept = p.slice()
    const change = new Float64Array(p.length)
    let shifted = 0
    let stiffness: number = FIRST.find(({ miss }) => worst >= miss * asked)!.stiffness
    for (let stale = 0; history.length < MAX_ROUNDS && best > enough && stale < this.patience(best, asked, sufficient) && !this.spent;) {
      const small = Math.max(0.1 * enough, ROUND * worst, ROUNDING * stiffness * asked)
      const found = this.follow(stiffness, small) || (this.symmetric && this.followFrozen(stiffness, small))
      if (!found && !this.symmetric && ++failures === MAX_FAILURES) break
      if (found) {
        for (let i = 0; i < p.length; i++) change[i] = law.force[i]! - p[i]!
        p.set(law.force)
        law.begin(p)
        const last = worst
        worst = law.residual()
        stale = stiffness >= STIFFEST && worst > Math.max(best, last) / 2 ? stale + 1 : 0
        if (stale > 0 && best > sufficient && shifted < shifts && Math.abs(worst - last) < STEADY * last
          && shiftLoad(problem, law.single, p, change)) {
          law.begin(p)
          worst = law.residual()
          stale = 0
          shifted++
        }
      } else if (stiffness <= 1) {
        break
      }
      history.push(worst)
      if (worst < best) {
        best = worst
        kept.set(p)
      }
      stiffness = found ? Math.min(stiffness * HARDER, STIFFEST) : stiffness / HARDER
    }
    p.set(kept)
    return { residual: best, steps: this.steps, guess, history }
  }

  /** Rounds without improvement that are allowed. */
  private patience(residual: number, asked: number, sufficient: number): number {
    const isRow = this.response.products <= ROW_PRODUCTS / 6 * this.vectors.change.length
    return isRow && residual > COARSE * asked ? STALE_COARSE : residual > sufficient ? STALE : 1
  }

  /** Whether the factorisation budget of one solution is used up. A resting heap whose forces do not converge is left to the sweeps. */
  private get spent(): boolean {
    return this.steps * this.response.products > MAX_WORK
  }

  /** Newton's method from p_k. @returns whether it converged; the law's force is then that of the round */
  private follow(stiffness: number, small: number): boolean {
    const { law, vectors: { change, before, step, rates, stepRates, tried, missing, dual: q, along } } = this
    this.restart()
    law.look(rates, stiffness, q, false)
    let miss = this.miss()
    for (let k = 0; k < MAX_STEPS; k++) {
      if (!this.direct()) return false
      step.set(missing)
      before.set(change)
      let next = Infinity
      let share = 1
      for (let cut = 0; ; cut++, share /= 2) {
        for (let j = 0; j < change.length; j++) change[j] = before[j]! - share * step[j]!
        for (let i = 0; i < tried.length; i++) tried[i] = rates[i]! - share * stepRates[i]!
        law.look(tried, stiffness, q, false)
        next = this.miss()
        if (next < miss) break
        if (!(cut < MAX_CUTS)) return false
      }
      for (let i = 0; i < q.length; i++) q[i]! += share * along[i]!
      rates.set(tried)
      law.look(rates, stiffness, q, false)
      miss = next
      if (miss <= small) return true
    }
    return false
  }

  /**
   * The same with frozen discs. The energy E has ∇E = M (u − M⁻¹ Jᵀ Π). With u = M⁻¹ Jᵀ q, q = p_k at first, its derivative along a step M⁻¹ Jᵀ d is
   * d · J (u − M⁻¹ Jᵀ Π), which does not need M itself. The row rates J u and J M⁻¹ Jᵀ d are linear in the length of the step, so each trial
   * length costs a few operations a row.
   */
  private followFrozen(stiffness: number, small: number): boolean {
    const { law, response, vectors: { change, rates, stepRates, tried, missing, dual: q, along, answered, pushed }, problem: { p } } = this
    this.restart()
    const slopeAt = (share: number): number => {
      for (let i = 0; i < tried.length; i++) tried[i] = rates[i]! - share * stepRates[i]!
      law.look(tried, stiffness, q, true)
      let sum = 0
      for (let i = 0; i < along.length; i++) sum += along[i]! * tried[i]! - (law.force[i]! - p[i]!) * answered[i]!
      return sum
    }
    law.look(rates, stiffness, q, true)
    this.miss()
    for (let k = 0; k < MAX_FROZEN_STEPS && !this.spent; k++) {
      if (!this.direct()) return false
      response.push(along, pushed)
      response.rates(pushed, answered)
      const before = slopeAt(0)
      let [low, high, share] = [0, 1, 1]
      let [slopeLow, slopeHigh] = [before, 0]
      let slope = slopeAt(share)
      for (let cut = 0; cut < MAX_FROZEN_CUTS && Math.abs(slope) > FLAT * Math.abs(before) && !(share === 1 && slope <= 0); cut++) {
        if (slope > 0) [high, slopeHigh] = [share, slope]
        else [low, slopeLow] = [share, slope]
        // The slope is piecewise linear: take the root of the secant, but not too close to an end of the bracket.
        share = low + (high - low) * Math.min(Math.max(slopeLow / (slopeLow - slopeHigh), MIN_REDUCTION), 1 - MIN_REDUCTION)
        slope = slopeAt(share)
      }
      for (let j = 0; j < change.length; j++) change[j]! -= share * missing[j]!
      for (let i = 0; i < q.length; i++) q[i]! += share * along[i]!
      rates.set(tried)
      law.look(rates, stiffness, q, true)
      if (this.miss() <= small) return true
    }
    return false
  }

  /** No change of velocities yet. */
  private restart(): void {
    const { change, rates, dual } = this.vectors
    change.fill(0)
    rates.fill(0)
    dual.set(this.problem.p)
  }

  /** Replaces `missing` by the Newton step, of which −1 × is to be taken, and computes its row rates and the change of q. @returns whether there is one */
  private direct(): boolean {
    const { law, response, vectors: { missing, stepRates, dual, along } } = this
    this.steps++
    this.interrupt?.()
    response.fill()
    if (!response.factor()) return false
    for (let i = 0; i < dual.length; i++) along[i] = law.force[i]! - dual[i]!
    response.solve(missing)
    response.rates(missing, stepRates)
    law.answer(stepRates, along)
    return true
  }

  /** Computes the residual of u = M⁻¹ Jᵀ Π after the round's change of velocities. @returns its largest row rate, m/s */
  private miss(): number {
    const { law, response, vectors: { change, missing, added }, problem: { p } } = this
    for (let i = 0; i < p.length; i++) added[i] = law.force[i]! - p[i]!
    response.push(added, missing)
    for (let k = 0; k < missing.length; k++) missing[k] = change[k]! - missing[k]!
    const rates = added
    response.rates(missing, rates)
    let worst = 0
    for (let i = 0; i < p.length; i++) worst = Math.max(worst, Math.abs(rates[i]!))
    return worst
  }
}
