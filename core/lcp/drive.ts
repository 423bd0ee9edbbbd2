/**
 * Dantzig's method [Baraff94 §4] with friction coupled to the changing normal force.
 *
 * Rows are treated one at a time. `drive` changes the force of a row until its conditions hold, while every row treated earlier keeps its conditions:
 * clamped rows keep a = 0. The first condition that would be violated ends the step and changes the state of its row:
 *
 *   a normal force or a box row reaches a bound          it leaves the clamped set
 *   the acceleration of a free row reaches zero          it joins the clamped set
 *   a sticking contact's friction reaches its bound      friction is slaved to the normal force, along its current direction
 *   a slaved static contact's a_t·d̂ returns to zero      it sticks again; a_t across d̂ is driven to zero afterwards
 *
 * The direction of slip is the direction of friction when its bound was reached; `newton.ts` computes the exact one (antiparallel to a_t). Tangents are
 * first rotated so that one points along −a_t, so the result does not depend on the given axes. Ties go to the lowest index.
 */

import { maxStep, type Block } from './max-step'
import { CLAMPED, FREE, LOWER, PENDING, Pivoting, REDUNDANT, UPPER } from './pivoting'
import { ROW_BOX, ROW_EQUALITY, ROW_UNILATERAL } from './problem'
import type { ScaledProblem } from './scaling'

export type PivotOutcome = 'solved' | 'ray' | 'infeasible' | 'limit'

/** |a| below which a row is not driven, × scale: rounding in rows that depend on clamped ones. */
const RESTING = 1e-11
/** |a| that may be accumulated rounding, × scale: the clamped forces are corrected before such a value is accepted. */
const SUSPECT = 1e-6
export class Drive {
  readonly state: Pivoting
  private readonly queue: number[] = []
  private zero = 0
  /** Number of consecutive steps of length zero. */
  private stalled = 0

  /** @param friction coefficient of each contact during pivoting, the same for sticking and slipping */
  constructor(private readonly problem: ScaledProblem, private readonly friction: Float64Array, private readonly maxPivots: number) {
    this.state = new Pivoting(problem)
  }

  run(): PivotOutcome {
    const { problem, state } = this
    const { n, f, place } = state
    let scale = 0
    for (let i = 0; i < n; i++) {
      if (problem.kind[i] === ROW_BOX) f[i] = Math.min(Math.max(0, problem.lower[i]!), problem.upper[i]!)
      scale = Math.max(scale, Math.abs(problem.b[i]!), Math.abs(f[i]!))
    }
    this.zero = RESTING * scale
    problem.friction.forEach((contact, c) => {
      if (contact.state === 'sliding') state.slave(c, contact.dynamicFriction, -contact.slip1, -contact.slip2)
    })
    for (let i = 0; i < n; i++) {
      if (problem.kind[i] !== ROW_EQUALITY) continue
      const outcome = this.equality(i)
      if (outcome !== 'solved') return outcome === 'ray' ? 'infeasible' : outcome
    }
    for (let i = 0; i < n; i++) {
      const type = problem.kind[i]!
      let outcome: PivotOutcome = 'solved'
      if (type === ROW_BOX) outcome = this.box(i)
      else if (type === ROW_UNILATERAL) outcome = this.normal(i)
      if (outcome !== 'solved') return outcome
    }
    const outcome = this.settle()
    if (outcome !== 'solved') return outcome
    for (let i = 0; i < n; i++) if (place[i] === PENDING) place[i] = FREE
    return 'solved'
  }

  /** a of a row before its treatment. */
  private rate(i: number): number {
    const { state } = this
    this.problem.interrupt?.()
    state.refresh(i)
    const size = Math.abs(state.a[i]!)
    if (size > this.zero && size < this.zero * (SUSPECT / RESTING) && state.clamped.length > 0) state.correct(RESTING)
    return state.a[i]!
  }

  private equality(i: number): PivotOutcome {
    const a = this.rate(i)
    if (Math.abs(a) > this.zero) {
      // With slaved friction a force may accelerate its own row in the wrong direction; a free force then changes in the other direction.
      const sign = a > 0 ? -1 : 1
      this.state.direction(i, sign)
      const outcome = this.drive(i, this.problem.kind[i] === ROW_EQUALITY && this.state.da[i]! * a > 0 ? -sign : sign)
      if (outcome !== 'solved') return outcome
    }
    if (this.state.place[i] === PENDING) this.state.clamp(i)
    return 'solved'
  }

  private box(i: number): PivotOutcome {
    const { state, problem } = this
    const a = this.rate(i)
    const f = state.f[i]!
    if (a > 0 && f <= problem.lower[i]!) state.place[i] = LOWER
    else if (a < 0 && f >= problem.upper[i]!) state.place[i] = UPPER
    else return this.equality(i)
    return 'solved'
  }

  /** The normal force of a contact (or a unilateral row without friction), then its friction. */
  private normal(i: number): PivotOutcome {
    const { state, problem } = this
    if (this.rate(i) >= -this.zero) state.place[i] = FREE
    else {
      const outcome = this.drive(i, 1)
      if (outcome !== 'solved') return outcome
      if (state.place[i] === PENDING) state.clamp(i)
    }
    const c = problem.contactOf[i]!
    if (c < 0 || problem.friction[c]!.state === 'sliding') return 'solved'
    if (state.place[i] === CLAMPED) this.queue.push(c)
    else this.open(c)
    return 'solved'
  }

  /** Drives the friction of every contact with pending tangents. */
  private settle(): PivotOutcome {
    const { state, problem, queue } = this
    while (queue.length > 0) {
      const c = queue.shift()!
      const { normal, tangent1, tangent2 } = problem.friction[c]!
      if (state.place[normal] !== CLAMPED || state.slaved[c] !== 0) continue
      this.rate(tangent1)
      state.refresh(tangent2)
      if (state.place[tangent1] === PENDING && state.place[tangent2] === PENDING) {
        const a1 = state.a[tangent1]!
        const a2 = state.a[tangent2]!
        const size = Math.sqrt(a1 * a1 + a2 * a2)
        if (size > this.zero) state.rotate(c, -a1 / size, -a2 / size)
      }
      for (const t of [tangent1, tangent2]) {
        if (state.place[t] !== PENDING) continue
        const outcome = this.equality(t)
        if (outcome !== 'solved') return outcome
        if (!state.holds(t)) break
      }
    }
    return 'solved'
  }

  /**
   * Changes f_d until a_d = 0 (or the row reaches a bound). Friction makes the clamped matrix unsymmetric, so the solution as a function of f_d may turn
   * back. Then the row that has just changed its state would change back at once in either state. The path continues with decreasing f_d, as in Lemke's
   * method, until it turns again.
   */
  private drive(d: number, initial: number): PivotOutcome {
    const { state } = this
    let sign = initial
    let last: Block | undefined
    let turned = false
    while (state.place[d] === PENDING) {
      if (state.pivots >= this.maxPivots || this.stalled > 2 * state.n + 20) return 'limit'
      state.direction(d, sign)
      const { block, step } = maxStep(this.problem, state, this.friction, d)
      if (!block) return turned || sign !== initial ? 'limit' : 'ray'
      if (!(step < Infinity)) return 'limit'
      if (step === 0 && last && this.undoes(block, last)) {
        if (turned) return 'limit'
        sign = -sign
        turned = true
        continue
      }
      turned = false
      last = block
      this.stalled = step > 0 ? 0 : this.stalled + 1
      state.advance(step)
      if (sign !== initial && state.f[d]! * initial <= 0) return 'limit'
      if (block.kind === 'done') {
        state.a[d] = 0
        return 'solved'
      }
      this.apply(block, d)
    }
    return 'solved'
  }

  /** Whether `block` reverses `last`. */
  private undoes(block: Block, last: Block): boolean {
    if ('contact' in block) return 'contact' in last && block.contact === last.contact && block.kind !== last.kind
    return 'row' in block && 'row' in last && block.row === last.row && (block.kind === 'clamp') !== (last.kind === 'clamp')
  }

  private apply(block: Block, d: number): void {
    const { state, problem } = this
    if (block.kind === 'cone') this.limit(block.contact)
    else if (block.kind === 'stick') this.stick(block.contact)
    else if (block.kind === 'lower' || block.kind === 'upper') {
      const { row } = block
      state.f[row] = block.kind === 'lower' ? problem.lower[row]! : problem.upper[row]!
      state.release(row, block.kind === 'lower' ? LOWER : UPPER)
    } else if (block.kind === 'release') {
      const { row } = block
      state.f[row] = 0
      const c = problem.contactOf[row]!
      if (c >= 0 && problem.friction[c]!.state === 'static') this.open(c)
      state.release(row, FREE)
    } else if (block.kind === 'clamp') this.close(block.row, d)
  }

  /** The friction of contact c has reached its bound. */
  private limit(c: number): void {
    const { state } = this
    const { tangent1, tangent2 } = this.problem.friction[c]!
    let x = state.f[tangent1]!
    let y = state.f[tangent2]!
    let size = Math.sqrt(x * x + y * y)
    if (size <= this.zero) {
      x = state.df[tangent1]!
      y = state.df[tangent2]!
      size = Math.sqrt(x * x + y * y)
    }
    if (size > 0) state.slave(c, this.friction[c]!, x / size, y / size)
    else state.slave(c, this.friction[c]!, 1, 0)
  }

  /** The slip of a slaved contact along its friction has returned to zero. */
  private stick(c: number): void {
    const { state } = this
    const { tangent1 } = this.problem.friction[c]!
    const d1 = state.d1[c]!
    const d2 = state.d2[c]!
    state.unslave(c)
    state.rotate(c, d1, d2)
    state.clamp(tangent1)
    this.queue.push(c)
  }

  /** The acceleration of a free row has reached zero. */
  private close(row: number, d: number): void {
    const { state, problem } = this
    const c = problem.contactOf[row]!
    if (c >= 0 && problem.friction[c]!.state === 'static' && problem.kind[row] === ROW_UNILATERAL && state.place[row] !== REDUNDANT) {
      const { tangent1, tangent2 } = problem.friction[c]!
      const a1 = state.a[tangent1]!
      const a2 = state.a[tangent2]!
      const size = Math.sqrt(a1 * a1 + a2 * a2)
      if (size > this.zero && this.friction[c]! > 0) {
        state.slave(c, this.friction[c]!, -a1 / size, -a2 / size)
        state.clamp(row)
      } else {
        state.clamp(row)
        if (tangent1 !== d) state.clamp(tangent1)
        if (tangent2 !== d) state.clamp(tangent2)
      }
    } else state.clamp(row)
  }

  /** The normal force of contact c has reached zero. */
  private open(c: number): void {
    const { state } = this
    const { tangent1, tangent2 } = this.problem.friction[c]!
    state.letGo(c)
    for (const t of [tangent1, tangent2]) {
      state.f[t] = 0
      state.release(t, FREE)
    }
  }
}
