/**
 * The event-driven method [Baraff92 ch. 3]: between events the equations of motion are smooth, with contacts, friction modes and joints frozen, and are
 * integrated to a tolerance; events are located on the dense output, stepped to exactly, and everything is decided anew there.
 *
 * Bodies that cannot act on each other step each on their own, those that are behind first: an event of one group restarts none of the others, and each has
 * the step size that it needs. They meet at frames, by their dense outputs, and at breakpoints.
 */

import { ContactSet } from '../../contact/contact-set'
import { EquationsOfMotion } from '../../contact/equations'
import type { World } from '../../contact/world'
import { kineticEnergy } from '../../dynamics/body'
import { initialState, writeScales } from '../../dynamics/state-layout'
import { noCounts, StopError, type MethodEnd, type MethodEnvironment, type MethodSettings } from '../method'
import { separate } from '../separate'
import { reportSpawnOverlaps } from '../spawn-overlap'
import { finishByStepping } from '../time-stepping/finish'
import type { RunContext } from './context'
import { allDrives, allJointSpins } from './drives'
import { solveFrame } from './frames'
import { addWorks, contentsOf, copyBodies, fill, giveBack, groupContext } from './group-contexts'
import { GroupStepper } from './group-stepper'
import { Groups } from './groups'
import { requireJoints } from './satisfied'
import { absoluteTolerances, type EventDrivenSettings } from './settings'
import { warnOnce } from './solve-island'
import type { StepMotion } from './step-motion'

export type { EventDrivenSettings } from './settings'

/** s, before the integrator has said better. */
const FIRST_STEP = 1e-3
/** Steps of a group for which its bodies are given room. */
const STEPS_OF_ROOM = 8

/** Runs a world to its end. @throws StopError when the run cannot go on, ScriptError from a script */
export function runEventDriven(
  world: World, settings: EventDrivenSettings, run: MethodSettings, environment: MethodEnvironment,
): MethodEnd {
  return new EventDrivenRun(world, settings, run, environment).run()
}

class EventDrivenRun {
  /** Of the whole world; that of the only group where there is but one, else brought up to date at frames, stops and when groups change. */
  private readonly context: RunContext
  private readonly environment: MethodEnvironment
  private readonly frameState: Float64Array
  private readonly groups: Groups
  /** In the order of their first bodies. */
  private steppers: GroupStepper[] = []
  /** s, sorted: force breakpoints, spawns and the end. */
  private readonly stops: readonly number[]
  private readonly frameTotal: number
  private nextFrame = 0
  private nextStop = 0
  /** Part of this frame's interval was finished by time-stepping. */
  private degraded = false

  constructor(
    world: World, private readonly settings: EventDrivenSettings, private readonly run_: MethodSettings,
    environment: MethodEnvironment,
  ) {
    const equations = new EquationsOfMotion(world)
    const events = { count: 0, branched: new Set<number>() }
    const { observer } = environment
    this.environment = {
      ...environment,
      observer: {
        frame: frame => observer.frame(frame),
        event: event => {
          events.count++
          observer.event(event)
        },
      },
    }
    this.context = {
      world, settings, environment: this.environment, equations, tolerances: absoluteTolerances(world.scales, settings.contactTolerance, settings.friction),
      contacts: new ContactSet(world), time: 0, state: initialState(equations.layout), points: [], limits: [], drives: allDrives(world),
      jointSpins: allJointSpins(world),
      concerned: null, impactWork: 0, kinematicImpactWork: 0, spawnedEnergy: 0, warnings: [], pastForcesTime: 0, knownSets: new Map(),
      slidingSets: new Map(), nextSlidingSets: new Map(), events,
      counts: noCounts(),
    }
    this.frameState = new Float64Array(equations.layout.length)
    this.frameTotal = Math.round(run_.duration * run_.outputRate)
    this.stops = [...new Set([
      ...world.forces.flatMap(force => force.breakpoints), ...world.bodies.map(body => body.spawnTime), run_.duration,
    ])].filter(time => time > 0 && time <= run_.duration).sort((a, b) => a - b)
    this.groups = new Groups(world, settings)
  }

  run(): MethodEnd {
    const { context } = this
    this.environment.started(context.counts)
    const { approximation } = context.settings.friction
    if (approximation !== null) warnOnce(context, approximation)
    context.equations.before(this.stops[0] ?? Infinity)
    if (context.settings.separate) separate(context, true)
    this.restartAll('start', FIRST_STEP)
    this.emitFrame(0)
    while (this.nextStop < this.stops.length) {
      try {
        if (!this.turn()) return this.end('cancelled')
      } catch (error) {
        if (!this.canFinish(error)) throw error
        this.finishInterval(error)
      }
    }
    return this.end('completed')
  }

  private end(status: MethodEnd['status']): MethodEnd {
    const { settings, events, warnings } = this.context
    for (const { event } of settings.branch) {
      if (!events.branched.has(event)) warnings.push(`simulation.branch names event ${event}, which is no indeterminate instant of this run`)
    }
    return { status, simulatedTime: this.context.time, counts: this.context.counts, warnings: this.context.warnings }
  }

  /**
   * What comes next: frames that all have passed, a step to settle, or a step of the group that is furthest behind. All of it in the order of time.
   *
   * @returns whether the run goes on: it has not been cancelled
   */
  private turn(): boolean {
    const { context, steppers } = this
    const stop = this.stops[this.nextStop]!
    const now = steppers.reduce((least, { reached }) => Math.min(least, reached), Infinity)
    const near = context.tolerances.simultaneous * Math.max(1, now)
    while (this.nextFrame <= this.frameTotal && this.frameTime() < now - near) this.emitFrame(this.frameTime())
    if (now === stop && steppers.every(({ unsettled }) => unsettled)) {
      this.passStop()
      this.emitFrameAt(stop)
      return true
    }
    const due = steppers.find(({ unsettled, reached }) => unsettled && reached <= now + near && reached !== stop)
    if (due !== undefined) {
      due.settle()
      return true
    }
    this.emitFrameAt(now)
    if (this.environment.cancelled()) {
      this.bringTo(now)
      return false
    }
    const behind = steppers.find(({ unsettled, reached }) => !unsettled && reached === now)
    behind?.advance(stop, motion => this.staysApart(behind, motion))
    return true
  }

  /** Whether a group's step may be made as it is: its bodies keep to their rooms, or find others; else groups are made anew. */
  private staysApart(stepper: GroupStepper, motion: () => StepMotion): boolean {
    const { groups } = this
    if (!groups.possible) return true
    const bodies = this.bodiesOf(stepper)
    return groups.hold(bodies, motion()) || this.regroup(stepper, bodies, motion())
  }

  /**
   * Gives the bodies of a group new rooms, joins it with the groups whose rooms they meet, and parts what no longer belongs together.
   *
   * @returns whether the group is what it was
   */
  private regroup(stepper: GroupStepper, own: readonly number[], motion: StepMotion): boolean {
    const { groups } = this
    const { time } = stepper.context
    const chosen = [stepper]
    const bodies = [...own]
    this.furnish(stepper, own, motion)
    for (let k = 0; k < chosen.length; k++) {
      for (const other of this.steppers) {
        if (chosen.includes(other)) continue
        const others = this.bodiesOf(other)
        if (!bodies.some(a => others.some(b => groups.meet(a, b)))) continue
        other.cutShort(time)
        this.furnish(other, others, null)
        chosen.push(other)
        bodies.push(...others)
        k = -1
        break
      }
    }
    const parts = groups.partition(bodies, chosen.map(({ context }) => context))
    if (chosen.length === 1 && parts.length === 1) return true
    this.replace(chosen, parts, time)
    return false
  }

  private furnish({ context, step }: GroupStepper, bodies: readonly number[], motion: StepMotion | null): void {
    const { snapshot } = context.equations
    snapshot.update(context.state)
    for (const body of bodies) this.groups.furnish(body, snapshot.motions[body]!, STEPS_OF_ROOM * step, motion)
  }

  /** Makes groups of `parts` out of the bodies of `chosen`, which have all come to `time`. */
  private replace(chosen: readonly GroupStepper[], parts: readonly (readonly number[])[], time: number): void {
    const { context, groups, steppers } = this
    const contents = contentsOf(chosen.map(stepper => stepper.context))
    const step = Math.min(...chosen.map(stepper => stepper.step))
    for (const stepper of chosen) if (stepper.context !== context) giveBack(stepper.context, context)
    context.time = time
    const rest = steppers.filter(stepper => !chosen.includes(stepper))
    const stop = this.stops[this.nextStop]!
    const made = rest.length === 0 && parts.length === 1 ? [this.wholeStepper(contents, step)] : parts.map(bodies =>
      this.stepperOf(groupContext(context, bodies, contents, bodies.some(body => groups.jointed.has(body)), stop), step))
    for (const stepper of made) {
      stepper.eventsInFrame = Math.max(...chosen.map(({ eventsInFrame }) => eventsInFrame))
      stepper.watch()
    }
    this.steppers = [...rest, ...made].sort((a, b) => this.bodiesOf(a)[0]! - this.bodiesOf(b)[0]!)
  }

  private wholeStepper(contents: ReturnType<typeof contentsOf>, step: number): GroupStepper {
    const { context } = this
    fill(context, contents)
    context.equations.loads(context.time, context.state)
    return this.stepperOf(context, step)
  }

  private stepperOf(context: RunContext, step: number): GroupStepper {
    const { world: { scales: { size, speed, force } }, equations: { layout } } = context
    const scales = new Float64Array(layout.length)
    writeScales(layout, size, speed, scales)
    scales.fill(force * size, layout.bodyLength)
    return new GroupStepper(context, this.settings.integrator(), scales, step)
  }

  /** The moving bodies of a group that exist, sorted. */
  private bodiesOf({ context: { world, equations: { snapshot, layout } } }: GroupStepper): number[] {
    return world.bodies.map(({ index }) => index).filter(body => layout.offsets[body]! >= 0 && snapshot.exists[body])
  }

  /** Brings everything to one instant that no step ends before, and gathers it in the context of the whole. */
  private bringTo(time: number): void {
    const { context, steppers } = this
    for (const stepper of steppers) {
      if (stepper.unsettled && stepper.reached > time) stepper.cutShort(time)
      else if (stepper.unsettled) stepper.arrive()
    }
    this.gather()
    context.time = time
  }

  /** Gives everything back to the context of the whole; groups have to be made anew. */
  private gather(): void {
    const { context, steppers } = this
    if (steppers.some(stepper => stepper.context === context)) return
    fill(context, contentsOf(steppers.map(stepper => stepper.context)))
    for (const stepper of steppers) giveBack(stepper.context, context)
    this.steppers = []
  }

  /** Decides everything anew, from the context of the whole. */
  private restartAll(reason: string, step: number): void {
    const { context } = this
    const stepper = this.steppers.find(known => known.context === context) ?? this.stepperOf(context, step)
    this.steppers = [stepper]
    this.groups.clear()
    stepper.reached = context.time
    stepper.restart(reason)
  }

  /** Whether what ended a step leaves the way of time-stepping, whose impulses always exist [physics.md §4.2]. */
  private canFinish(error: unknown): error is StopError {
    return this.settings.finishing !== null && error instanceof StopError && (error.name === 'TooManyEvents' || error.name === 'SolverFailure')
  }

  /** Goes on by time-stepping to the next frame or stop, and event-driven from there [physics.md §3]. */
  private finishInterval({ message: why }: StopError): void {
    const { context, settings } = this
    const step = Math.min(...this.steppers.map(stepper => stepper.step))
    // Where the last of them stands, every other's step reaches.
    this.bringTo(Math.max(...this.steppers.map(stepper => stepper.context.time)))
    const stop = this.stops[this.nextStop]!
    const until = this.nextFrame <= this.frameTotal ? Math.min(this.frameTime(), stop) : stop
    const message = `${why}: the interval up to ${until} s is finished by time-stepping`
    this.environment.observer.event({ kind: 'degraded', time: context.time, message })
    this.degraded = true
    for (const stepper of this.steppers) stepper.countAnew()
    const { counts, time: from } = context
    const { fallbacks, fallbackTime } = counts
    try {
      if (until > from) finishByStepping(context, settings.finishing!, until)
    } finally {
      // The interval as a whole, whatever became of its steps.
      counts.fallbacks = fallbacks + 1
      counts.fallbackTime = fallbackTime + context.time - from
    }
    if (context.time === stop) this.passStop()
    else this.restartAll('degraded', step)
    this.emitFrameAt(context.time)
  }

  /** Force breakpoints and spawns at the present time, or the end. */
  private passStop(): void {
    const { context, environment } = this
    const { world, equations } = context
    const time = this.stops[this.nextStop++]!
    const step = Math.min(...this.steppers.map(stepper => stepper.step))
    this.bringTo(time)
    equations.before(this.stops[this.nextStop] ?? Infinity)
    const spawned = world.bodies.filter(body => body.spawnTime === time)
    for (const body of spawned) {
      equations.snapshot.exists[body.index] = true
      context.spawnedEnergy += kineticEnergy(body, body.initial)
      environment.observer.event({ kind: 'spawn', time, bodyA: body.index })
    }
    if (spawned.length > 0) {
      equations.loads(time, context.state)
      reportSpawnOverlaps(context, spawned.map(({ index }) => index), context.settings.separate)
      if (context.settings.separate) separate(context, true)
    }
    if (world.forces.some(force => force.breakpoints.includes(time))) environment.observer.event({ kind: 'breakpoint', time })
    this.restartAll(time === this.run_.duration ? 'end' : 'breakpoint', step)
  }

  private emitFrameAt(time: number): void {
    if (this.nextFrame > this.frameTotal) return
    if (Math.abs(this.frameTime() - time) <= this.context.tolerances.simultaneous * Math.max(1, time)) this.emitFrame(this.frameTime())
  }

  private frameTime(): number {
    return this.nextFrame / this.run_.outputRate
  }

  private emitFrame(time: number): void {
    const { context, frameState, steppers } = this
    const works = frameState.subarray(context.equations.layout.bodyLength)
    const { impactWork, kinematicImpactWork } = context
    frameState.set(context.state)
    for (const stepper of steppers) {
      const state = stepper.stateAt(time)
      copyBodies(stepper.context, state, context, frameState)
      if (stepper.context === context) works.set(state.subarray(context.equations.layout.bodyLength))
      else {
        addWorks(stepper.context, state, context, frameState)
        context.impactWork += stepper.context.impactWork
        context.kinematicImpactWork += stepper.context.kinematicImpactWork
      }
    }
    if (!steppers.some(stepper => stepper.context === context)) fill(context, contentsOf(steppers.map(stepper => stepper.context)))
    const { frame, inconsistent } = solveFrame(context, this.nextFrame, time, frameState)
    requireJoints(context)
    this.environment.observer.frame({ ...frame, degraded: this.degraded })
    context.impactWork = impactWork
    context.kinematicImpactWork = kinematicImpactWork
    this.degraded = false
    context.counts.frames++
    this.nextFrame++
    for (const stepper of steppers) {
      stepper.eventsInFrame = 0
      if (stepper.context.equations.islands.some(island => inconsistent.includes(island))) stepper.suspect = true
    }
  }
}
