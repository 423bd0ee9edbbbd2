/** Runs steps from one time to another, each with its audit and its events. */

import type { CarriedHeaps } from './heap'
import type { CarriedLeapfrog } from './leapfrog'
import type { CarriedImpulses } from './memory'
import { shortNumber } from '../../math/short-number'
import { ContactSet } from '../../contact/contact-set'
import { rememberCoordinates } from '../../contact/drives'
import { WORKS } from '../../contact/works'
import { mayBreak, breakJoints, springEnergyOf } from '../../contact/joint-breaking'
import { bodiesOfJoint } from '../../dynamics/joints'
import { DeformableStage, type StageState } from '../deformables/stage'
import { StopError, type HardSolve, type MethodEvent } from '../method'
import type { StepContext } from './context'
import { Coupling } from './coupling'
import { EnergyWatch } from './energy-watch'
import { collide } from './impacts'
import type { CarriedFailures } from './past-failures'
import { IslandSteps } from './island-steps'
import { ContactReport, type ReportedContacts } from './report'
import { MAX_HALVINGS } from './settings'
import { Sleepers, type SleepRecord } from './sleep'
import { solvedJoints } from './solved-joints'
import { lengthLike, stepLength } from './step-length'
import { harder, type StepOutcome } from './step-outcome'
import { Stepper } from './stepper'
import { GAP_TARGET } from './tolerances'

const JOINTS = WORKS.indexOf('joints')
/** Relative excess of an interval over a whole number of steps that is distributed over these. */
const WHOLE = 1e-9
/** Steps before a longer step is tried again; doubled whenever it fails. */
const PATIENCE = 64

export interface Carried {
  readonly longest: number
  readonly successes: number
  readonly patience: number
  readonly trying: boolean
  readonly told: ReportedContacts
  readonly past: readonly [peak: number, excess: number]
  readonly slumber: SleepRecord
  readonly deformables: StageState | null
  readonly heaps: CarriedHeaps
  readonly impulses: CarriedImpulses
  readonly leapfrog: CarriedLeapfrog
  readonly failures: CarriedFailures
}

export class StepRunner {
  readonly stepper: Stepper
  /** Steps that were halved, or solved with another contact model, since this was last reset. */
  halved = 0
  /** Hardest solve since this was last reset. */
  hardest: HardSolve | null = null
  private readonly islands: IslandSteps
  private readonly report: ContactReport
  private readonly collisions: ContactSet
  private readonly watch: EnergyWatch
  readonly sleepers: Sleepers
  /** Null if the world has none. */
  readonly deformables: DeformableStage | null
  /** s: the last one between marks. */
  private interval = 0
  /** s: longer steps gained energy; steps twice as long are tried after `patience` successful steps. */
  private longest = Infinity
  private successes = 0
  private patience = PATIENCE
  private toldFirstOrder = false
  private trying = false

  constructor(private readonly context: StepContext) {
    const { world, settings, environment } = context
    this.stepper = new Stepper(context, new Coupling(world, settings.impact !== 'simultaneous'))
    this.collisions = new ContactSet(world)
    this.islands = new IslandSteps(context, this.stepper, (h, told) => collide(context, this.collisions, h, told))
    this.report = new ContactReport(event => environment.observer.event(event))
    this.watch = new EnergyWatch(context)
    this.sleepers = new Sleepers(context, this.stepper)
    this.deformables = world.deformables === null ? null : new DeformableStage(context, environment.start?.particles ?? null)
    if (environment.start === undefined) this.tellInside()
  }

  /** Reports particles that start inside bodies; they pass through these. */
  private tellInside(): void {
    const { context: { world, environment }, deformables } = this
    for (const { deformable, body, count } of deformables?.touching.inside ?? []) {
      const [one, other] = [world.deformables!.list[deformable]!.id, world.bodies[body]!.id]
      environment.observer.event({
        kind: 'warning', time: 0, bodyA: body,
        message: `${count === 1 ? '1 vertex' : `${count} vertices`} of "${one}" ${count === 1 ? 'begins' : 'begin'} inside "${other}" and will not touch it`,
      })
    }
  }

  /**
   * Inputs of the next steps besides the state. Contacts are searched again; their impulses start from those of the last step, so that resting bodies need
   * no new solve, and the forces of heaps continue to converge over many steps.
   */
  get carried(): Carried {
    const { longest, successes, patience, trying, report, watch, sleepers, deformables } = this
    return {
      longest, successes, patience, trying, told: report.told, past: watch.past, slumber: sleepers.slumber, deformables: deformables?.carried ?? null,
      heaps: this.stepper.heaps.carried, impulses: this.stepper.memory.carried, leapfrog: this.context.leapfrog.carried,
      failures: this.islands.past.carried,
    }
  }

  set carried({ longest, successes, patience, trying, told, past, slumber, deformables, heaps, impulses, leapfrog, failures }: Carried) {
    this.islands.past.carried = failures
    this.context.leapfrog.carried = leapfrog
    this.stepper.heaps.carried = heaps
    this.stepper.memory.carried = impulses
    if (this.deformables !== null && deformables !== null) this.deformables.carried = deformables
    this.longest = longest
    this.successes = successes
    this.patience = patience
    this.trying = trying
    this.report.told = told
    this.watch.past = past
    this.sleepers.slumber = slumber
  }

  /** Steps up to exactly `time`. @returns false if the run was cancelled on the way. @throws StopError */
  to(time: number): boolean {
    const { context } = this
    const from = context.time
    this.lengthen()
    this.interval = lengthLike(this.interval, from, time)
    const count = Math.max(1, Math.ceil(this.interval / Math.min(context.settings.step, this.longest) * (1 - WHOLE)))
    context.step = this.interval / count
    for (let k = 1; k <= count; k++) {
      if (context.environment.cancelled()) return false
      const until = k === count ? time : from + (time - from) * k / count
      this.deformables?.before(until)
      this.step(until, 0)
      this.deformables?.after()
      context.counts.work += context.world.deformables?.mass.length ?? 0
      this.tellUnsolved(context.step)
    }
    return true
  }

  /** Reports a step of h seconds whose deformables did not converge. */
  private tellUnsolved(h: number): void {
    const { context: { counts, time }, deformables } = this
    if (deformables === null) return
    const { left, depth, firstOrder } = deformables
    if (firstOrder > 0 && !this.toldFirstOrder) {
      this.toldFirstOrder = true
      const message = 'deformables: a step of second order did not converge; this one, and others like it, are by implicit Euler, of first order'
      this.event({ kind: 'warning', time, message })
    }
    const told = [
      ...left > 0 ? [`forces were solved to ${shortNumber(left, 2)} of the largest one`] : [],
      ...depth > GAP_TARGET ? [`contacts are left up to ${shortNumber(depth, 2)} m deep`] : [],
    ]
    if (told.length === 0) return
    this.event({ kind: 'degraded', time, message: `deformables: ${told.join('; ')}` })
    counts.fallbacks++
    counts.fallbackTime += h
  }

  /** Tries longer steps again after forces were too stiff. */
  private lengthen(): void {
    if (this.longest === Infinity || this.successes < this.patience) return
    this.longest = this.longest * 2 < this.context.settings.step ? this.longest * 2 : Infinity
    this.successes = 0
    this.trying = true
  }

  /** To be called after anything but a step has placed bodies; `before` is the state until then. */
  placedAnew(before: Float64Array): void {
    this.stepper.near.forget()
    this.sleepers.wakeMoved(before)
  }

  /** One step to `time`, of all bodies that are awake. */
  private step(time: number, halvings: number): void {
    const { context, stepper, watch, sleepers } = this
    const { equations, state } = context
    const from = context.time
    const h = stepLength(context, time)
    collide(context, this.collisions, h, context.environment)
    sleepers.wakeChanged()
    const start = state.slice()
    const middles = context.leapfrog.copy()
    const { impactWork, kinematicImpactWork, numericalWork } = context
    const rewind = (): void => {
      state.set(start)
      context.leapfrog.takeFrom(middles, stepper.motions.all)
      context.time = from
      context.impactWork = impactWork
      context.kinematicImpactWork = kinematicImpactWork
      context.numericalWork = numericalWork
      equations.snapshot.update(state)
    }
    equations.snapshot.update(state)
    watch.begin()
    stepper.near.beginWhole()
    sleepers.makeWay(h)
    let outcome = this.advance(time, halvings)
    for (let touched = sleepers.touched(outcome.traces); touched.length > 0; touched = sleepers.touched(outcome.traces)) {
      rewind()
      sleepers.wake(touched)
      outcome = this.advance(time, halvings)
    }
    stepper.memory.recycle()
    outcome.works.forEach((work, k) => { state[equations.layout.bodyLength + k]! += work })
    context.impactWork += outcome.impactWork
    context.numericalWork += outcome.numericalWork
    if (watch.gained(state, this.trying)) {
      rewind()
      this.shorten(time, halvings)
      return
    }
    if (++this.successes >= PATIENCE) this.trying = false
    if (halvings === 0) this.islands.past.note(sleepers.awake, outcome)
    equations.snapshot.update(state)
    rememberCoordinates(context.world, equations)
    this.deformables?.book(outcome.load)
    this.tell(outcome)
    this.part()
    const { counts } = context
    counts.fallbacks += outcome.degraded
    if (outcome.degraded > 0 || this.longest < Infinity) counts.fallbackTime += h
    if (context.settings.sleep) sleepers.settle(h)
    else sleepers.rest(start)
  }

  /** Breaks the joints overloaded in the step. */
  private part(): void {
    const { context, stepper, sleepers } = this
    const { world, equations, state, time } = context
    if (!mayBreak(world)) return
    const borne = solvedJoints(context, stepper)
    const brokenJoints = breakJoints(world, joint => borne[joint]!)
    if (brokenJoints.length === 0) return
    state[equations.layout.bodyLength + JOINTS]! -= springEnergyOf(equations, brokenJoints)
    for (const { joint, message } of brokenJoints) {
      const { bodyA, bodyB } = world.joints[joint]!.constraint
      this.event({ kind: 'part', time, bodyA, bodyB, joint, message })
    }
    context.drives = context.drives.filter(({ element }) => !element.broken)
    context.jointSpins = context.jointSpins.filter(({ element }) => !element.broken)
    sleepers.wake(brokenJoints.flatMap(({ joint }) => bodiesOfJoint(world.joints[joint]!.constraint)))
  }

  /** @throws StopError after reporting the solves of its step */
  private advance(time: number, halvings: number): StepOutcome {
    try {
      return this.islands.advance(this.sleepers.awake, time, halvings)
    } catch (error) {
      for (const event of this.islands.unfinished) this.event(event)
      throw error
    }
  }

  private tell({ reports, degraded, hardest }: StepOutcome): void {
    this.halved += degraded
    this.hardest = harder(this.hardest, hardest)
    for (const { facts, event } of [...reports].sort((a, b) => a.time - b.time)) {
      if (facts !== undefined) this.report.tell(facts)
      if (event !== undefined) this.event(event)
    }
  }

  private event(event: MethodEvent): void {
    this.context.environment.observer.event(event)
  }

  /** Takes this step in two halves, and limits later ones to their length. */
  private shorten(time: number, halvings: number): void {
    const { context } = this
    const step = time - context.time
    const reason = 'springs, damping or other forces are too stiff for it, and it would gain energy'
    if (halvings >= MAX_HALVINGS) {
      throw new StopError('StepSizeUnderflow', `a step of ${shortNumber(step)} s, halved ${halvings} times already, fails: ${reason}`, context.time, [])
    }
    if (step / 2 < this.longest) {
      this.longest = step / 2
      if (!this.trying) {
        this.halved++
        context.counts.fallbacks++
        this.event({ kind: 'degraded', time: context.time, message: `the step of ${shortNumber(step)} s is halved, and so are those that follow: ${reason}` })
      }
    }
    if (this.trying) this.patience *= 2
    this.trying = false
    this.successes = 0
    this.step(context.time + step / 2, halvings + 1)
    this.step(time, halvings + 1)
  }
}
