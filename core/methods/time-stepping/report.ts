/** Events of accepted steps, reported at their ends. */

import type { Rows } from '../../contact/rows'
import type { SpinKind } from '../../contact/constraints'
import type { MethodEvent } from '../method'
import type { ActiveConstraint } from './active-constraint'
import { contactEvent, contactOf, energyScaled, impactOf, type Contact } from './contact-events'
import type { StepContext } from './context'
import type { ReportedImpact } from './reported-impact'
import { slides } from './slip'
import type { StepProblem } from './step-problem'
import type { Stepper } from './stepper'
import { STILL_SLIP } from './tolerances'

type Hold = 'sticking' | 'sliding' | 'frictionless'

/** An active contact for reporting: plain data, from which a resumed run starts. */
export interface Held {
  readonly pair: string
  /** Contact data in events. */
  readonly contact: Contact
  readonly hold: Hold
  /** Kinds of its spin friction, and those that still rotate. */
  readonly spins: readonly SpinKind[]
  readonly turning: readonly SpinKind[]
}

/** State reported last; events are changes of it. */
export interface ReportedContacts {
  readonly held: readonly (readonly [key: string, held: Held])[]
  readonly limits: readonly (readonly [key: string, bodies: readonly number[]])[]
}

/** Reports of one step of some bodies, independent of the previous one. */
export interface StepFacts {
  /** Of the step's end, s. */
  readonly time: number
  readonly bodies: readonly number[]
  /** Contacts that push, by key. */
  readonly held: Map<string, Held>
  /** Impacts above the resting speed; reported if the contact had no impulse before, or bounces. */
  readonly impacts: readonly ReportedImpact[]
  /** Islands whose restitution was scaled. */
  readonly scaled: readonly MethodEvent[]
  /** Limits with an impulse, by key. */
  readonly limits: ReadonlyMap<string, { readonly joint: number; readonly message: string; readonly bodies: readonly number[] }>
}

/** Facts of the stepper's last attempt, which ends at `time`, s. */
export function factsOf(context: StepContext, stepper: Stepper, time: number): StepFacts {
  const held = new Map<string, Held>()
  const impacts: ReportedImpact[] = []
  const limits = new Map<string, { joint: number; message: string; bodies: readonly number[] }>()
  const moves = (body: number): boolean => body >= 0 && context.equations.snapshot.inverseMass[body]! > 0
  const scaled: MethodEvent[] = []
  for (const { constraints, limits: sides, mode, problem, restitutionScale, bodies, recordedWorks } of stepper.islands) {
    for (const { joint, coordinate, side, element: { constraint: { id, bodyA, bodyB } }, row } of sides) {
      if (row < 0 || !(problem!.p[row]! > 0)) continue
      limits.set(`${joint}/${coordinate}/${side}`, { joint, message: `${id} reaches its ${side === 1 ? 'lower' : 'upper'} limit`, bodies: [bodyA, bodyB].filter(moves) })
    }
    if (mode !== 'contact') continue
    if (restitutionScale < 1) scaled.push(energyScaled(context, bodies, restitutionScale, time))
    if (recordedWorks !== null) impacts.push(...recordedWorks.impacts(time))
    for (const active of constraints) {
      if (problem!.p[active.row]! <= 0) continue
      held.set(active.constraint.key, {
        pair: active.constraint.pair.key, contact: contactOf(active), hold: holdOf(context, stepper, active, problem!),
        spins: active.spins.map(({ kind }) => kind), turning: turningOf(context, stepper, active, problem!.rows),
      })
      if (recordedWorks === null && -active.normalVelocity > context.settings.restingSpeed) {
        impacts.push({ key: active.constraint.key, bounces: active.bounce > -Infinity, event: impactOf(stepper.motions.velocity, active, problem!, time) })
      }
    }
  }
  return { time, bodies: stepper.bodies, held, impacts, scaled, limits }
}

export class ContactReport {
  private held = new Map<string, Held>()
  private readonly limits = new Map<string, readonly number[]>()

  constructor(private readonly event: (event: MethodEvent) => void) {}

  get told(): ReportedContacts {
    return { held: [...this.held], limits: [...this.limits] }
  }

  set told({ held, limits }: ReportedContacts) {
    this.held = new Map(held)
    this.limits.clear()
    for (const [key, bodies] of limits) this.limits.set(key, bodies)
  }

  /** Reports the changes of a step as events. */
  tell({ time, bodies, held, impacts, scaled, limits }: StepFacts): void {
    const part = new Set(bodies)
    // The first body of a pair is always movable; the second may be a common immovable one.
    const before = within(this.held, part)
    // If every contact is unchanged, neither is needed.
    let pairs: ReadonlySet<string> | null = null
    let pairsBefore: ReadonlySet<string> | null = null
    for (const event of scaled) this.event(event)
    for (const { key, bounces, event } of impacts) if (bounces || !before.has(key)) this.event(event)
    for (const [key, { pair, contact, hold, spins, turning }] of held) {
      const was = before.get(key)
      if (was === undefined) {
        pairsBefore ??= pairsOf(before)
        this.event(contactEvent(pairsBefore.has(pair) ? 'feature' : 'newContact', contact, time))
      }
      if (was !== undefined && was.hold !== hold && hold !== 'frictionless') this.event(contactEvent(hold === 'sticking' ? 'stick' : 'slip', contact, time))
      for (const kind of was === undefined ? [] : spins) {
        const [turned, turns] = [was!.turning, turning].map(list => list.includes(kind))
        if (turned !== turns) this.event({ ...contactEvent(turns ? 'slip' : 'stick', contact, time), message: `${kind} friction` })
      }
    }
    const released = new Set<string>()
    for (const [key, { pair, contact }] of before) {
      if (held.has(key)) continue
      pairs ??= pairsOf(held)
      if (pairs.has(pair) || released.has(pair)) continue
      released.add(pair)
      this.event(contactEvent('release', contact, time))
    }
    if (before === this.held) {
      this.held = held
    } else {
      for (const key of before.keys()) this.held.delete(key)
      for (const [key, fact] of held) this.held.set(key, fact)
    }
    const reached = new Set([...this.limits].filter(([, joined]) => joined.some(body => part.has(body))).map(([key]) => key))
    for (const [key, { joint, message }] of limits) if (!reached.has(key)) this.event({ kind: 'limit', time, joint, message })
    for (const key of reached) this.limits.delete(key)
    for (const [key, { bodies: joined }] of limits) this.limits.set(key, joined)
  }
}

/** Those of the bodies in `part`; the same map if that is all of them. */
function within(held: Map<string, Held>, part: ReadonlySet<number>): Map<string, Held> {
  const inside = ({ contact }: Held): boolean => part.has(contact.bodyA)
  for (const fact of held.values()) if (!inside(fact)) return new Map([...held].filter(([, other]) => inside(other)))
  return held
}

function pairsOf(held: ReadonlyMap<string, Held>): ReadonlySet<string> {
  return new Set([...held.values()].map(({ pair }) => pair))
}

function holdOf({ settings, scales }: StepContext, { motions }: Stepper, active: ActiveConstraint, problem: StepProblem): Hold {
  if (!(active.friction > 0)) return 'frictionless'
  const { bodyA, bodyB } = active.constraint.pair
  return slides(active, problem, motions.velocity, STILL_SLIP * scales.speed(bodyA, bodyB), settings.frictionDirections) ? 'sliding' : 'sticking'
}

function turningOf({ scales }: StepContext, { motions }: Stepper, active: ActiveConstraint, rows: Rows): readonly SpinKind[] {
  const { bodyA, bodyB } = active.constraint.pair
  return active.spinning(STILL_SLIP * scales.speed(bodyA, bodyB) / scales.size(bodyA, bodyB), row => rows.along(row, motions.velocity))
    .map(({ kind }) => kind)
}
