/**
 * Skips islands at rest: no contact search, no solve, no motion.
 *
 * An island *rests* once a step has left the state of its bodies and its impulses unchanged, bit for bit, under the same forces: every further step
 * would be identical, so skipping it changes no bit of the run.
 *
 * With `sleep`, an island falls *asleep* once its bodies have been slower than `STILL_SPEED` for `STILL_TIME`, its supports are at rest, and the
 * forces of its contacts and joints balance: a step from rest is solved for that, and its forces are recorded from then on. The remaining velocities
 * are removed and recorded as lost to friction. The island wakes as a whole before the step in which
 *
 * - a moving body would touch one of its bodies, also a spawned or a kinematic one;
 * - the forces on one of its bodies differ from those at which it fell asleep;
 * - an impact changes the velocity of one of its bodies, or one is placed elsewhere.
 */

import type { PrimitivePair } from '../../contact/contact-set'
import { WORKS } from '../../contact/works'
import { bodiesOfJoint } from '../../dynamics/joints'
import { BODY_STATE, OFFSET_CENTER, OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../../dynamics/state'
import { length } from '../../math/vector'
import type { MethodEventKind } from '../method'
import type { StepContext } from './context'
import type { StepDrive } from './step-drive'
import type { Stepper } from './stepper'
import type { Traces } from './traces'
import { BALANCE, SAME_FORCE, STILL_SPEED } from './tolerances'

/** s: how long an island has to be still before it falls asleep. */
const STILL_TIME = 0.5
/** For the rounding of sums of step lengths. */
const ROUNDED = 1 - 1e-9

const FRICTION = WORKS.indexOf('friction')

/** State of sleeping islands for a resumed run. */
export interface SleepRecord {
  readonly groups: readonly (readonly number[])[]
  /** s, by body. */
  readonly still: readonly number[]
  /** By body; empty for awake bodies. */
  readonly forces: readonly (readonly number[])[]
}

export class Sleepers {
  /** By body. */
  readonly asleep: Uint8Array
  /** By body: whether a step would leave it unchanged, bit for bit. */
  readonly resting: Uint8Array
  /** Bodies that step, sorted. */
  awake: readonly number[]
  /** By body: the bodies that fell asleep with it. */
  private readonly together: (readonly number[])[]
  /** s, by body: how long it has been still. */
  private readonly still: Float64Array
  /** Forces under which it fell asleep, 6 doubles a body. */
  private readonly forces: Float64Array

  constructor(private readonly context: StepContext, private readonly stepper: Stepper) {
    const { bodies } = context.world
    this.asleep = new Uint8Array(bodies.length)
    this.resting = new Uint8Array(bodies.length)
    this.awake = stepper.motions.all
    this.together = bodies.map(({ index }) => [index])
    this.still = new Float64Array(bodies.length)
    this.forces = new Float64Array(6 * bodies.length)
  }

  /** Groups of sleeping bodies with their forces, and how long other bodies have been still. */
  get slumber(): SleepRecord {
    const { asleep, together, still, forces } = this
    const groups = [...new Set([...asleep.keys()].filter(body => asleep[body] === 1).map(body => together[body]!))]
    return { groups, still: [...still], forces: [...asleep.keys()].map(body => asleep[body] === 1 ? [...forces.subarray(6 * body, 6 * body + 6)] : []) }
  }

  /** Restores sleeping islands; a step from rest gives the recorded forces. Not reported as an event. */
  set slumber({ groups, still, forces }: SleepRecord) {
    this.still.set(still)
    for (const bodies of groups) {
      this.stepper.attempt(this.context.settings.step, this.context.settings.contactModel, bodies)
      this.stepper.keep()
      for (const body of bodies) {
        this.asleep[body] = 1
        this.together[body] = bodies
        this.forces.set(forces[body]!, 6 * body)
      }
    }
    this.count()
  }

  get any(): boolean {
    return this.awake.length < this.asleep.length
  }

  /** Wakes, before a step, islands with changed forces or impulses. */
  wakeChanged(): void {
    if (!this.any) return
    const { context: { equations, time, state, scales }, asleep, forces } = this
    equations.loads(time, state)
    const { external, layout: { offsets } } = equations
    const stirred: number[] = []
    for (let body = 0; body < asleep.length; body++) {
      if (!this.isStill(body)) continue
      const o = offsets[body]!
      const same = asleep[body] === 1 ? SAME_FORCE * scales.force(body) : 0
      for (let k = 0; k < 3; k++) {
        if (state[o + OFFSET_VELOCITY + k] === 0 && state[o + OFFSET_MOMENTUM + k] === 0
          && Math.abs(external[6 * body + k]! - forces[6 * body + k]!) <= same
          && Math.abs(external[6 * body + 3 + k]! - forces[6 * body + 3 + k]!) <= same * scales.size(body)) continue
        stirred.push(body)
        break
      }
    }
    this.wake(stirred)
  }

  private isStill(body: number): boolean {
    return this.asleep[body] === 1 || this.resting[body] === 1
  }

  /** Wakes resting bodies that may be touched in a step of h seconds; those without a contact then step as if they had never been skipped. */
  makeWay(h: number): void {
    const rests = (body: number): boolean => this.resting[body] === 1
    while (this.resting.includes(1)) {
      const found = this.stepper.approached(h, this.awake, rests)
      if (found.length === 0) return
      this.wake(found)
    }
  }

  /** Skipped bodies that a step of the others touches. */
  touched(traces: Traces): number[] {
    if (!this.any) return []
    const { context: { equations: { snapshot } }, stepper: { near } } = this
    const touches = ({ bodyA, bodyB }: PrimitivePair): boolean => this.isStill(bodyA) !== this.isStill(bodyB)
    return near.all.filter(pair => touches(pair) && traces.meet(pair, snapshot)).map(({ bodyA, bodyB }) => this.isStill(bodyA) ? bodyA : bodyB)
  }

  /** Wakes some bodies and those that fell asleep with them. */
  wake(bodies: readonly number[]): void {
    for (const body of bodies) {
      if (!this.isStill(body)) continue
      const woken = this.together[body]!
      const told = this.asleep[body] === 1
      for (const each of woken) {
        this.asleep[each] = this.resting[each] = 0
        this.still[each] = 0
      }
      if (told) this.tell('wake', woken)
    }
    this.count()
  }

  /** Wakes bodies that something other than a step has moved since `before`. */
  wakeMoved(before: Float64Array): void {
    const { context: { state, equations: { layout: { offsets } } } } = this
    this.wake([...this.asleep.keys()].filter(body => {
      const o = offsets[body]!
      for (let k = o + OFFSET_CENTER; this.isStill(body) && k < o + OFFSET_VELOCITY; k++) if (state[k] !== before[k]) return true
      return false
    }))
  }

  /** After a step from the state `before`: skips from now on everything left unchanged bit for bit. */
  rest(before: Float64Array): void {
    const { context: { state, equations: { layout: { offsets }, snapshot } }, stepper, resting, forces } = this
    const unmoved = (body: number): boolean => {
      const o = offsets[body]!
      for (let k = 0; o >= 0 && k < BODY_STATE; k++) if (state[o + k] !== before[o + k]) return false
      return true
    }
    let any = false
    for (const { bodies, constraints, joints, drives, settled } of stepper.kept.list) {
      if (!settled || drives.some(isGuided) || this.isStill(bodies[0]!) || !bodies.every(unmoved)) continue
      const touched = constraints.map(({ constraint: { pair } }) => pair.bodyB)
      const joined = joints.flatMap(({ element: { constraint } }) => bodiesOfJoint(constraint))
      if (![...touched, ...joined].every(body => body < 0 || snapshot.bodies[body]!.type !== 'kinematic')) continue
      any = true
      for (const body of bodies) {
        resting[body] = 1
        this.together[body] = bodies
        forces.set(stepper.external.subarray(6 * body, 6 * body + 6), 6 * body)
      }
    }
    if (any) this.count()
  }

  /** After a step of h seconds: puts to sleep the islands that have been still for long enough. */
  settle(h: number): void {
    const { context: { equations: { snapshot }, scales }, stepper, still } = this
    let any = false
    for (const body of this.awake) {
      const { velocity, angularVelocity } = snapshot.motions[body]!
      // A kinematic body is still only if it does not move at all.
      const least = snapshot.inverseMass[body]! > 0 ? STILL_SPEED * scales.speed(body) : 0
      const moves = length(velocity) + this.reach(body) * length(angularVelocity) > least
      still[body] = moves ? 0 : still[body]! + h
      any ||= snapshot.inverseMass[body]! > 0 && still[body]! >= STILL_TIME * ROUNDED
    }
    if (!any) return
    const alone = new Set(this.awake.filter(body => snapshot.inverseMass[body]! > 0))
    for (const { bodies, constraints, drives } of stepper.kept.list) {
      for (const body of bodies) alone.delete(body)
      if (this.asleep[bodies[0]!] === 1 || drives.some(isGuided)) continue
      if (constraints.every(({ constraint: { pair: { bodyB } } }) => snapshot.inverseMass[bodyB]! > 0 || still[bodyB]! > 0)) this.tryToSleep(bodies, h)
    }
    for (const body of alone) this.tryToSleep([body], h)
    this.count()
  }

  private tryToSleep(bodies: readonly number[], h: number): void {
    const { context, stepper, still, forces } = this
    const { equations, state, scales } = context
    if (!bodies.every(body => still[body]! >= STILL_TIME * ROUNDED)) return
    const before = state.slice()
    const kinetic = bodies.reduce((sum, body) => sum + equations.kineticEnergyOf(body), 0)
    for (const body of bodies) {
      const o = equations.layout.offsets[body]!
      for (let k = 0; k < 3; k++) state[o + OFFSET_VELOCITY + k] = state[o + OFFSET_MOMENTUM + k] = 0
    }
    const { velocity } = stepper.motions
    const change = (at: number): number => length([velocity[at]!, velocity[at + 1]!, velocity[at + 2]!])
    const middles = context.leapfrog.copy()
    context.leapfrog.stop(bodies)
    const held = stepper.attempt(h, context.settings.contactModel, bodies).length === 0 && bodies.every(body =>
      change(6 * body) + this.reach(body) * change(6 * body + 3) <= BALANCE * h * scales.speed(body) * scales.speed(body) / scales.size(body))
    if (!held) {
      state.set(before)
      context.leapfrog.takeFrom(middles, bodies)
      equations.snapshot.update(state)
      for (const body of bodies) still[body] = 0
      return
    }
    stepper.keep()
    state[equations.layout.bodyLength + FRICTION]! -= kinetic
    for (const body of bodies) {
      this.asleep[body] = 1
      this.together[body] = bodies
      forces.set(stepper.external.subarray(6 * body, 6 * body + 6), 6 * body)
    }
    this.tell('sleep', bodies)
  }

  /** m: distance of its farthest point from its centre of mass. */
  private reach(body: number): number {
    const { boundingRadius } = this.context.world.bodies[body]!
    return Number.isFinite(boundingRadius) ? boundingRadius : 0
  }

  private count(): void {
    this.awake = this.stepper.motions.all.filter(body => !this.isStill(body))
  }

  private tell(kind: MethodEventKind, bodies: readonly number[]): void {
    const { environment: { observer }, time, world } = this.context
    const ids = bodies.slice(0, 4).map(body => world.bodies[body]!.id)
    observer.event({ kind, time, bodyA: bodies[0]!, message: `${ids.join(', ')}${bodies.length > ids.length ? `, … (${bodies.length} bodies)` : ''}` })
  }
}

/** Whether a drive has a prescribed motion, even if it is at rest now. */
function isGuided({ drive: { servo } }: StepDrive): boolean {
  return servo?.moves === true
}
