/**
 * Second-order steps of bodies with persistent contacts: leapfrog with multipliers [Störmer–Verlet].
 *
 * One velocity v̄ moves a body through a step of h seconds, c⁺ = c + h v̄. It is the velocity at the middle of the step. So forces f and multipliers p change
 * it from middle to middle, over k = (h' + h)/2 seconds with h' the length of the previous step, or over k = h/2 in the first such step:
 *
 *   v̄ = v̄' + m⁻¹ (k f + p)
 *
 * The velocity of the state is that at the end of the step. It leads v̄ by the force F over half a step,
 *
 *   v = v̄ + m⁻¹ ℓ,   ℓ = h/2 F
 *
 * F is the value of f + p/k in the next step, extrapolated from the last two steps; the next step subtracts ℓ again. (Multipliers solved from v would have to
 * compensate the errors of ℓ, and would alternate from step to step.) If forces change suddenly, for example when a slip ends, ℓ is solved for
 * (`end-kick.ts`); without a solution it is unknown and zero, and a next step of another kind adds the kick that v̄ still lacks to its own.
 *
 * Impacts start from v (`island-impact.ts`). Islands that are not stepped in this way, such as piles, have the whole kick at the start of the step
 * (`bounce.ts`, `contact-work.ts`).
 */

import { OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../../dynamics/state'
import type { Snapshot } from '../../contact/snapshot'
import { sizeOf } from '../../lcp/spin'
import { length } from '../../math/vector'
import type { BodyMotions } from './body-motions'
import type { StepIsland } from './step-island'

/** × force × radius: smaller torques are rounding. */
const ROUNDING = 1e-4
/** × the initial slip, or the change of a normal velocity by forces: smaller speeds count as zero. */
const STOPPED = 0.01

/** × the larger of the total force on a body and its force without contacts: a larger change in one step is sudden. */
const SUDDEN = 0.5

/** × the time from the middle of the last step to its end: longer steps do not extrapolate forces, whose change in a very short step is rounding. */
const MAX_EXTRAPOLATION = 16

/**
 * Rows besides those of joints up to which forces after a sudden change are solved for: eight contacts. Where more contacts are redundant, as below rows of
 * dominoes, pivoting may choose forces that are not symmetric.
 */
const MAX_SOLVED_ROWS = 24

/** Plain data of a checkpoint. */
export interface CarriedLeapfrog {
  readonly lags: readonly number[]
  readonly leads: readonly number[]
  readonly led: readonly number[]
  readonly known: readonly number[]
  readonly forces: readonly number[]
}

export class Leapfrog {
  /** s, by body: from the middle of its last step to its end; 0 if its next step starts from the velocity of the state. */
  private readonly lags: Float64Array
  /** ℓ, N s and N m s, six doubles a body. */
  private readonly leads: Float64Array
  /** By body: whether ℓ is known. */
  private readonly led: Uint8Array
  /** By body: whether `forces` of its last step, f + p/k, N and N m, six doubles a body, can be extrapolated. */
  private readonly known: Uint8Array
  private readonly forces: Float64Array

  /** @param bodies number of bodies */
  constructor(bodies: number) {
    this.lags = new Float64Array(bodies)
    this.leads = new Float64Array(6 * bodies)
    this.led = new Uint8Array(bodies)
    this.known = new Uint8Array(bodies)
    this.forces = new Float64Array(6 * bodies)
  }

  get carried(): CarriedLeapfrog {
    return { lags: [...this.lags], leads: [...this.leads], led: [...this.led], known: [...this.known], forces: [...this.forces] }
  }

  /** Of a world with at least these bodies. */
  set carried({ lags, leads, led, known, forces }: CarriedLeapfrog) {
    this.lags.set(lags)
    this.leads.set(leads)
    this.led.set(led)
    this.known.set(known)
    this.forces.set(forces)
  }

  copy(): Leapfrog {
    const copy = new Leapfrog(this.lags.length)
    copy.lags.set(this.lags)
    copy.leads.set(this.leads)
    copy.led.set(this.led)
    copy.known.set(this.known)
    copy.forces.set(this.forces)
    return copy
  }

  /** Takes over the values of some bodies. */
  takeFrom({ lags, leads, led, known, forces }: Leapfrog, bodies: readonly number[]): void {
    for (const body of bodies) {
      this.lags[body] = lags[body]!
      this.leads.set(leads.subarray(6 * body, 6 * body + 6), 6 * body)
      this.led[body] = led[body]!
      this.known[body] = known[body]!
      this.forces.set(forces.subarray(6 * body, 6 * body + 6), 6 * body)
    }
  }

  /** Makes the next step of the body start from the velocity of its state. */
  restart(body: number): void {
    this.lags[body] = this.known[body] = 0
    this.leads.fill(0, 6 * body, 6 * body + 6)
  }

  /** Records that bodies were stopped and have no remaining force. */
  stop(bodies: readonly number[]): void {
    for (const body of bodies) {
      this.leads.fill(0, 6 * body, 6 * body + 6)
      this.known[body] = 0
      this.led[body] = 1
    }
  }

  /** s: the end of the last step whose kick the velocity of the state does not contain, because ℓ was not known. */
  missing(body: number): number {
    return this.led[body] === 1 ? 0 : this.lags[body]!
  }

  /** The same for bodies of an island: the least. */
  missingOf(bodies: readonly number[], { inverseMass }: Snapshot): number {
    let least = Infinity
    for (const body of bodies) if (inverseMass[body]! > 0) least = Math.min(least, this.missing(body))
    return least
  }

  /** Kicks a body without contacts up to the middle of its step; without a known lead, from the middle of its last step. */
  kickFree(body: number, motions: BodyMotions, external: Float64Array, h: number): void {
    motions.kickBody(body, external, this.missing(body) + h / 2)
  }

  /**
   * Kicks the island's bodies from the middle of their last step, or from the state if the instants of these middles
   * differ. @returns k, s
   */
  kick({ bodies }: StepIsland, motions: BodyMotions, external: Float64Array, h: number): number {
    const { lags, leads } = this
    const moving = bodies.filter(body => motions.snapshot.inverseMass[body]! > 0)
    const lag = lags[moving[0]!]!
    const goesOn = lag > 0 && moving.every(body => lags[body] === lag)
    const time = (goesOn ? lag : 0) + h / 2
    for (const body of bodies) motions.kickBody(body, external, time, goesOn ? leads : null)
    return time
  }

  /**
   * Ends a step of some bodies.
   *
   * @param islands of these bodies
   * @param external forces of the step, six doubles a body
   * @param end state at its end; velocities of the middle are replaced by those of the end
   */
  finish(bodies: readonly number[], islands: readonly StepIsland[], motions: BodyMotions, external: Float64Array, h: number, end: Float64Array): void {
    const persisting = islands.filter(({ mode, leapfrog }) => mode === 'contact' && leapfrog)
    const inside = new Set(persisting.flatMap(island => island.bodies))
    for (const body of bodies) if (!inside.has(body)) this.restart(body)
    for (const island of persisting) this.lead(island, motions, external, h, end)
  }

  private lead(island: StepIsland, motions: BodyMotions, external: Float64Array, h: number, end: Float64Array): void {
    const { snapshot, push } = motions
    const { kickTime } = island
    const moving = island.bodies.filter(body => snapshot.inverseMass[body]! > 0)
    const lag = this.lags[moving[0]!]!
    // These are the forces at the start of the step. They are extrapolated linearly to its end by their change since
    // the previous step.
    const forces = moving.map(body => Float64Array.from({ length: 6 }, (_, k) => external[6 * body + k]! + push[6 * body + k]! / kickTime))
    const goesOn = !stops(island, motions, lag > 0 ? Math.min(1, h / (2 * lag)) : 1)
    const known = moving.map(body => goesOn && this.known[body] === 1 && h <= MAX_EXTRAPOLATION * this.lags[body]!)
    const leads = moving.map((body, i) => goesOn && (!known[i]! || this.changesSlowly(body, snapshot, forces[i]!, external)))
    island.sudden = island.rowCount - island.tiedRows <= MAX_SOLVED_ROWS && leads.includes(false)
    island.further = !leads.includes(false) && known.every(one => one) ? h / (2 * lag) : 0
    for (const [i, body] of moving.entries()) {
      const further = known[i]! ? h / (2 * this.lags[body]!) : 0
      this.lags[body] = h / 2
      this.known[body] = goesOn ? 1 : 0
      const isLed = leads[i]! && !island.sudden
      this.led[body] = isLed ? 1 : 0
      for (let k = 0; k < 6; k++) {
        const at = 6 * body + k
        const force = forces[i]![k]!
        this.leads[at] = isLed ? h / 2 * (force + further * (force - this.forces[at]!)) : 0
        this.forces[at] = force
      }
      const o = snapshot.layout.offsets[body]!
      for (let k = 0; k < 3; k++) {
        end[o + OFFSET_VELOCITY + k]! += snapshot.inverseMass[body]! * this.leads[6 * body + k]!
        end[o + OFFSET_MOMENTUM + k]! += this.leads[6 * body + 3 + k]!
      }
    }
  }

  /**
   * Adds the impulses to ℓ that make velocities at the end satisfy the joints, or those of the second half of a kick: they belong to the velocity of the
   * state, not to that from middle to middle.
   */
  followEnds(islands: readonly StepIsland[]): void {
    const wrench = new Float64Array(this.leads.length)
    for (const { bodies, mode, leapfrog, endRows, endImpulse, endKick } of islands) {
      if (mode !== 'contact' || !leapfrog) continue
      if (endKick !== null) {
        bodies.forEach((body, i) => {
          this.leads.set(endKick.impulses.subarray(6 * i, 6 * i + 6), 6 * body)
          this.led[body] = 1
        })
      }
      if (endRows === null) continue
      endRows.addWrench(endImpulse, wrench)
      for (const body of bodies) for (let k = 6 * body; k < 6 * body + 6; k++) this.leads[k]! += wrench[k]!
    }
  }

  /** Whether the forces on a body are close to those of its last step; only then are they extrapolated. */
  private changesSlowly(body: number, { bodies }: Snapshot, forces: Float64Array, external: Float64Array): boolean {
    const size = (at: (k: number) => number, from: number): number => length([at(from), at(from + 1), at(from + 2)])
    const { boundingRadius } = bodies[body]!
    const largest = (from: number): number => Math.max(size(k => forces[k]!, from), size(k => external[6 * body + k]!, from))
    const change = (from: number): number => size(k => forces[k]! - this.forces[6 * body + k]!, from)
    return change(0) <= SUDDEN * largest(0)
      && change(3) <= Math.max(SUDDEN * largest(3), Number.isFinite(boundingRadius) ? ROUNDING * largest(0) * boundingRadius : 0)
  }
}

/**
 * Whether contacts of a step stopped an approach or a slip, a change that no force continues: a contact that has just begun to push, or one that slid and
 * now sticks; the same for friction of joints, and motors that reach their velocity. In terms of its rows a rolling contact also slips, in proportion to the
 * length of the step.
 *
 * @param share length of the step ÷ that of the last one, at most 1
 */
function stops({ constraints, drives, problem, free, spins, stickSpeed }: StepIsland, { before, leading, velocity }: BodyMotions, share: number): boolean {
  const { rows, p } = problem!
  const slipOf = (own: readonly number[], target: number, after: boolean): number =>
    sizeOf(own.map(row => (after ? rows.along(row, velocity) : rows.along(row, before) - rows.along(row, leading)) - target))
  const ends = (own: readonly number[], still: number, target = 0): boolean => {
    const slip = slipOf(own, target, false)
    return slip > still && slipOf(own, target, true) <= STOPPED * share * slip
  }
  return constraints.some(({ pressed, row, friction, normalVelocity }) => {
    if (!(p[row]! > 0)) return false
    const least = STOPPED * Math.abs(free[row]! - normalVelocity)
    return !pressed && -normalVelocity > least || friction > 0 && ends([row + 1, row + 2], Math.max(stickSpeed, least))
  }) || spins.some(({ rows: own }) => ends(own.rows, stickSpeed))
    || drives.some(({ drive: { servo, targetVelocity }, row }) => servo === null && ends([row], stickSpeed, targetVelocity))
}

/** Whether a joint reaches its limit in the step, which stops it at once. */
export function reachesLimit({ limits, problem, free }: StepIsland, { before }: BodyMotions): boolean {
  const { rows, p } = problem!
  return limits.some(({ row }) => {
    const approach = row < 0 || !(p[row]! > 0) ? 0 : -rows.along(row, before)
    return approach > STOPPED * Math.abs(free[row]! + approach)
  })
}
