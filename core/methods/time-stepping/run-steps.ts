/** Steps from one time to another, halved where one does not go, each with its audit and its events. */

import { ContactSet } from '../../contact/contact-set'
import { rememberCoordinates } from '../event-driven/drives'
import { StopError } from '../method'
import { auditStep } from './audit'
import type { StepContext } from './context'
import { EnergyWatch } from './energy-watch'
import { collide } from './impacts'
import { ContactReport } from './report'
import { MAX_HALVINGS } from './settings'
import { Stepper, type StepFailure } from './stepper'

/** Share of a step by which an interval may exceed a whole number of steps and still be cut into those. */
const WHOLE = 1e-9

export class StepRunner {
  readonly stepper: Stepper
  /** Steps that were halved, or solved with another contact model, since this was last set. */
  halved = 0
  private readonly report = new ContactReport()
  private readonly collisions: ContactSet
  private readonly watch: EnergyWatch
  /** s: longer steps gained energy. */
  private longest = Infinity
  private readonly powerBefore: Float64Array

  constructor(private readonly context: StepContext) {
    this.stepper = new Stepper(context)
    this.collisions = new ContactSet(context.world)
    this.watch = new EnergyWatch(context)
    this.powerBefore = new Float64Array(context.equations.power.length)
  }

  /** Whole steps up to exactly `time`. @returns false where the run was cancelled on the way. @throws StopError */
  to(time: number): boolean {
    const { context } = this
    const from = context.time
    const count = Math.max(1, Math.ceil((time - from) / Math.min(context.settings.step, this.longest) * (1 - WHOLE)))
    for (let k = 1; k <= count; k++) {
      if (context.environment.cancelled()) return false
      this.step(k === count ? time : from + (time - from) * k / count, 0)
    }
    return true
  }

  /** A step by the scene's contact model, or by the one that this model falls back on, which an event then says. */
  private attempt(h: number): StepFailure | null {
    const { context: { settings: { contactModel } }, stepper } = this
    const failure = stepper.attempt(h, contactModel)
    if (failure === null || contactModel.fallback === undefined) return failure
    if (stepper.attempt(h, contactModel.fallback) !== null) return failure
    this.tellDegraded(failure, `is solved with the ${contactModel.fallback.name} contact model`, h)
    return null
  }

  /** One step to `time`, or two to its middle and from there where it does not go in one. */
  private step(time: number, halvings: number): void {
    const { context, stepper, powerBefore } = this
    const { equations, counts } = context
    collide(context, this.collisions, time - context.time)
    const failure = this.attempt(time - context.time)
    if (failure !== null) {
      this.halve(time, halvings, failure)
      return
    }
    powerBefore.set(equations.power)
    this.watch.begin()
    const { impactWork } = context
    stepper.finish(time)
    auditStep(context, stepper, powerBefore)
    if (this.watch.gained(stepper.end)) {
      context.impactWork = impactWork
      this.shorten(time, halvings)
      return
    }
    context.time = time
    context.state.set(stepper.end)
    equations.snapshot.update(context.state)
    rememberCoordinates(context.world, equations)
    counts.steps++
    this.report.tell(context, stepper, time)
  }

  /** This step in two, and later ones no longer than those. */
  private shorten(time: number, halvings: number): void {
    const { context } = this
    const step = time - context.time
    const reason = 'springs, damping or other forces are too stiff for it, and it would gain energy'
    if (halvings >= MAX_HALVINGS) {
      throw new StopError('StepSizeUnderflow', `a step of ${step} s, halved ${halvings} times already, does not go: ${reason}`, context.time, [])
    }
    if (step / 2 < this.longest) {
      this.longest = step / 2
      this.tellDegraded({ reason, bodies: [] }, 'is halved, and so are those that follow', step)
    }
    this.step(context.time + step / 2, halvings + 1)
    this.step(time, halvings + 1)
  }

  private halve(time: number, halvings: number, { reason, bodies }: StepFailure): void {
    const { context } = this
    const ids = bodies.map(body => context.world.bodies[body]!.id)
    const step = time - context.time
    if (halvings >= MAX_HALVINGS) {
      throw new StopError('StepSizeUnderflow', `a step of ${step} s, halved ${halvings} times already, does not go: ${reason}`, context.time, ids)
    }
    this.tellDegraded({ reason, bodies }, 'is halved', step)
    this.step(context.time + step / 2, halvings + 1)
    this.step(time, halvings + 1)
  }
  private tellDegraded({ reason, bodies }: StepFailure, what: string, step: number): void {
    const { context } = this
    const ids = bodies.map(body => context.world.bodies[body]!.id)
    this.halved++
    context.environment.observer.event({
      kind: 'degraded', time: context.time, ...(bodies.length === 2 ? { bodyA: bodies[0]!, bodyB: bodies[1]! } : {}),
      message: `the step of ${step} s ${what}: ${reason}${ids.length === 0 ? '' : ` (${ids.slice(0, 4).join(', ')}${ids.length > 4 ? ', …' : ''})`}`,
    })
  }
}
