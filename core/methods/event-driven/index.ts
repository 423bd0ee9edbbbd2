/**
 * The event-driven method [Baraff92 ch. 3]: between events the equations of motion are smooth, with contacts, friction modes and joints frozen, and are
 * integrated to a tolerance; events are located on the dense output, stepped to exactly, and everything is decided anew there.
 */

import { ContactSet } from '../../contact/contact-set'
import { EquationsOfMotion } from '../../contact/equations'
import { project } from '../../contact/projection'
import type { World } from '../../contact/world'
import { kineticEnergy } from '../../dynamics/body'
import type { DenseOutput, StepResult } from '../../dynamics/integrator'
import { initialState, renormalize, writeScales } from '../../dynamics/state-layout'
import { noCounts, StopError, type MethodEnd, type MethodEnvironment, type MethodSettings } from '../method'
import { separate } from '../separate'
import { reportSpawnOverlaps } from '../spawn-overlap'
import { finishByStepping } from '../time-stepping/finish'
import { firstCollision, type Collision } from './collisions'
import type { RunContext } from './context'
import { allDrives, allJointSpins, rememberCoordinates } from './drives'
import { solveFrame } from './frames'
import { EventSearch, type LocatedEvent } from './locate'
import { Monitors, WATCHES_FORCES } from './monitors'
import { endStep } from './past-forces'
import { restart, warnOnce } from './restart'
import { requireJoints } from './satisfied'
import { absoluteTolerances, type EventDrivenSettings } from './settings'
import { turnSlips, turnSpins } from './turns'
import { unresolved } from './unresolved'

export type { EventDrivenSettings } from './settings'

/** s, before the integrator has said better. */
const FIRST_STEP = 1e-3
/** Steps to an event's instant, each corrected by what the last one missed. */
const POLISHINGS = 4
/** Events at one instant after which the run is stuck. */
const MAX_AT_ONE_INSTANT = 100

/** Runs a world to its end. @throws StopError when the run cannot go on, ScriptError from a script */
export function runEventDriven(
  world: World, settings: EventDrivenSettings, run: MethodSettings, environment: MethodEnvironment,
): MethodEnd {
  return new EventDrivenRun(world, settings, run, environment).run()
}

/** More events in one interval than `maxEventsPerFrame`, or too many at one instant. */
class TooManyEvents extends StopError {
  constructor(count: number, time: number) {
    super('TooManyEvents', `${count} events since the last frame`, time, [])
  }
}

class EventDrivenRun {
  private readonly context: RunContext
  private readonly environment: MethodEnvironment
  private readonly scales: Float64Array
  private readonly out: Float64Array
  private readonly frameState: Float64Array
  /** s, sorted: force breakpoints, spawns and the end. */
  private readonly stops: readonly number[]
  private readonly frameTotal: number
  private search: EventSearch
  private step = FIRST_STEP
  private nextFrame = 0
  private nextStop = 0
  private eventsInFrame = 0
  private eventsAtInstant = 0
  private lastEventTime = -Infinity
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
    const { length, bodyLength } = equations.layout
    this.out = new Float64Array(length)
    this.frameState = new Float64Array(length)
    this.scales = new Float64Array(length)
    writeScales(equations.layout, world.scales.size, world.scales.speed, this.scales)
    this.scales.fill(world.scales.force * world.scales.size, bodyLength)
    this.frameTotal = Math.round(run_.duration * run_.outputRate)
    this.stops = [...new Set([
      ...world.forces.flatMap(force => force.breakpoints), ...world.bodies.map(body => body.spawnTime), run_.duration,
    ])].filter(time => time > 0 && time <= run_.duration).sort((a, b) => a - b)
    this.search = new EventSearch(new Monitors(this.context), length)
  }

  run(): MethodEnd {
    const { context, run_ } = this
    this.environment.started(context.counts)
    const { approximation } = context.settings.friction
    if (approximation !== null) warnOnce(context, approximation)
    context.equations.before(this.stops[0] ?? Infinity)
    if (context.settings.separate) separate(context, true)
    this.restart('start')
    this.emitFrame(0, context.state)
    while (context.time < run_.duration) {
      if (this.environment.cancelled()) return this.end('cancelled')
      try {
        this.advance()
      } catch (error) {
        if (!this.canFinish(error)) throw error
        this.finishInterval(error.message)
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

  /** One integrator step, cut at the first event in it. */
  private advance(): void {
    const { context } = this
    const start = context.time
    const stop = this.stops[this.nextStop]!
    const { dense, end } = this.attempt(start, stop)
    context.counts.steps++
    const event = this.search.find(dense, end)
    const occurrence = firstCollision(context, dense, start, event?.time ?? end) ?? event
    if (occurrence === null) {
      const consistent = this.emitFramesBefore(dense, end)
      this.commit(end, this.out)
      if (end === stop) this.passStop()
      else if (!consistent || !this.refresh()) this.restart('index set')
    } else {
      const reached = this.stepToFirst(start, occurrence)
      // What is not resolved that far, though it seemed so beyond, is stepped through in smaller steps.
      if (reached === null) return
      const { time, first } = reached
      if (time > start) {
        this.emitFramesBefore(this.result!.dense, time)
        this.commit(time, this.out)
      }
      if ('monitor' in first && first.monitor.kind === 'stick') (first.monitor.point ?? first.monitor.spin!).onset = false
      if (time === stop) this.passStop()
      else if ('monitor' in first) this.restart(first.monitor.kind, first.monitor.island)
      else this.restart('collision')
    }
    this.emitFrameAt(context.time)
  }

  private result: StepResult | null = null

  /** An accepted step from `start` towards `stop`, into `out`. */
  private attempt(start: number, stop: number): { dense: DenseOutput; end: number } {
    const { context, settings } = this
    for (;;) {
      const left = stop - start
      let h = Math.min(this.step, settings.longestStep, left)
      // A sliver left over would be a step of its own for nothing.
      if (left - h < 1e-3 * h) h = left
      if (!(h > 4 * Number.EPSILON * Math.max(start, 1e-12))) {
        throw unresolved(context, h)
      }
      const result = settings.integrator.step(context.equations.derivative, start, context.state, h, this.scales, this.out)
      this.result = result
      this.step = result.accepted ? Math.max(result.nextStep, h < this.step && h === left ? this.step : 0) : result.nextStep
      if (result.accepted) return { dense: result.dense, end: h === left ? stop : start + h }
    }
  }

  /**
   * Steps again, to exactly the event. Forces are read closer together in the shorter step: a pair of zeros that went unseen before shows now, such as of a
   * normal force that vanishes and, negative, grows beyond all bounds where its point leaves what it lies on; the step then ends there.
   *
   * @returns null where the integrator does not accept the shorter step; `this.step` is what it would take instead
   */
  private stepToFirst(start: number, occurrence: LocatedEvent | Collision): { time: number; first: LocatedEvent | Collision } | null {
    let first = occurrence
    let time = first.time > start ? this.stepTo(start, first) : start
    for (let k = 0; k < POLISHINGS && time > start; k++) {
      if (!this.result!.accepted) {
        this.step = this.result!.nextStep
        return null
      }
      const earlier = this.search.find(this.result!.dense, time, kind => WATCHES_FORCES.has(kind))
      if (earlier === null || !(earlier.time < time - this.context.tolerances.simultaneous * Math.max(1, time))) break
      first = earlier
      time = first.time > start ? this.stepTo(start, first) : start
    }
    return { time, first }
  }

  /** Steps again, to exactly the event, and corrects its time by what the new step says. @returns the event's time; the state is in `out` */
  private stepTo(start: number, occurrence: LocatedEvent | Collision): number {
    const { context, settings, search } = this
    let time = occurrence.time
    const value = (dense: DenseOutput, at: number): number =>
      'monitor' in occurrence ? search.valueAt(dense, occurrence.index, at) : this.separation(dense, occurrence, at)
    for (let k = 0; ; k++) {
      this.result = settings.integrator.step(context.equations.derivative, start, context.state, time - start, this.scales, this.out)
      if (k === POLISHINGS) return time
      const { dense } = this.result
      const d = 1e-3 * (time - start)
      const now = value(dense, time)
      const slope = (now - value(dense, time - d)) / d
      const corrected = time - now / slope
      const moved = Math.abs(corrected - time)
      if (!(slope < 0) || !(moved > 2 * Number.EPSILON * time) || moved > 0.01 * (time - start)) return time
      time = corrected
    }
  }

  private separation(dense: DenseOutput, { pair }: Collision, time: number): number {
    const { snapshot } = this.context.equations
    dense.at(time, this.frameState)
    snapshot.update(this.frameState)
    return pair.collider.separation(snapshot.motions[pair.bodyA]!.pose, snapshot.motions[pair.bodyB]!.pose)
  }

  private commit(time: number, state: Float64Array): void {
    const { context } = this
    context.time = time
    context.state.set(state)
    renormalize(context.equations.layout, context.state)
  }

  /**
   * After a step without events: back onto the constraints, points that have parted for good forgotten, monitors renewed.
   *
   * @returns whether the frozen index sets still hold
   */
  private refresh(): boolean {
    const { context } = this
    const { equations, tolerances, state } = context
    project(equations, state, 1e-5 * tolerances.gap)
    equations.loads(context.time, state)
    rememberCoordinates(context.world, equations)
    const { motions } = equations.snapshot
    context.points = context.points.filter(point => point.normal !== 'parting'
      || point.features.locate(motions[point.bodyA]!.pose, motions[point.bodyB]!.pose).gap <= tolerances.rearm)
    turnSlips(context)
    turnSpins(context)
    const holds = endStep(context)
    // By Lötstedt's law friction is another from here on: the derivative at the end of the step is not that at the start of the next.
    if (this.settings.friction.name === 'lotstedt') this.settings.integrator.reset()
    this.watch()
    return holds
  }

  private watch(): void {
    const { context } = this
    this.search = new EventSearch(new Monitors(context), context.state.length)
    this.search.begin(context.time, context.state)
  }

  /** @param island whose index set has ended, where it is no more than that */
  private restart(reason: string, island?: number): void {
    const { context } = this
    context.concerned = island === undefined ? null : context.equations.islands[island]!.bodies
    this.countEvent()
    this.environment.observer.event({ kind: 'restart', time: context.time, message: reason })
    restart(context)
    this.settings.integrator.reset()
    this.watch()
  }

  private countEvent(): void {
    const { context, settings } = this
    this.eventsInFrame++
    const together = Math.abs(context.time - this.lastEventTime) <= context.tolerances.simultaneous * Math.max(1, context.time)
    this.eventsAtInstant = together ? this.eventsAtInstant + 1 : 1
    this.lastEventTime = context.time
    if (this.eventsInFrame > settings.maxEventsPerFrame || this.eventsAtInstant > MAX_AT_ONE_INSTANT) {
      throw new TooManyEvents(this.eventsInFrame, context.time)
    }
  }

  /** Whether what ended a step leaves the way of time-stepping, whose impulses always exist [physics.md §4.2]. */
  private canFinish(error: unknown): error is StopError {
    return this.settings.finishing !== null && error instanceof StopError && (error.name === 'TooManyEvents' || error.name === 'SolverFailure')
  }

  /** Goes on by time-stepping to the next frame or stop, and event-driven from there [physics.md §3]. */
  private finishInterval(why: string): void {
    const { context, settings } = this
    const stop = this.stops[this.nextStop]!
    const until = this.nextFrame <= this.frameTotal ? Math.min(this.frameTime(), stop) : stop
    const message = `${why}: the interval up to ${until} s is finished by time-stepping`
    this.environment.observer.event({ kind: 'degraded', time: context.time, message })
    this.degraded = true
    this.eventsInFrame = 0
    this.eventsAtInstant = 0
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
    else this.restart('degraded')
    this.emitFrameAt(context.time)
  }

  /** Force breakpoints and spawns at the present time, or the end. */
  private passStop(): void {
    const { context, environment } = this
    const { world, equations } = context
    const time = this.stops[this.nextStop++]!
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
    this.restart(time === this.run_.duration ? 'end' : 'breakpoint')
  }

  /** @returns whether the frozen index sets held in every frame */
  private emitFramesBefore(dense: DenseOutput, end: number): boolean {
    let consistent = true
    while (this.nextFrame <= this.frameTotal && this.frameTime() < end - this.context.tolerances.simultaneous * Math.max(1, end)) {
      const time = this.frameTime()
      dense.at(time, this.frameState)
      consistent = this.emitFrame(time, this.frameState) && consistent
    }
    return consistent
  }

  private emitFrameAt(time: number): void {
    if (this.nextFrame > this.frameTotal) return
    if (Math.abs(this.frameTime() - time) <= this.context.tolerances.simultaneous * Math.max(1, time)) {
      this.frameState.set(this.context.state)
      this.emitFrame(this.frameTime(), this.frameState)
    }
  }

  private frameTime(): number {
    return this.nextFrame / this.run_.outputRate
  }

  private emitFrame(time: number, state: Float64Array): boolean {
    const { frame, consistent } = solveFrame(this.context, this.nextFrame, time, state)
    requireJoints(this.context)
    this.environment.observer.frame({ ...frame, degraded: this.degraded })
    this.degraded = false
    this.context.counts.frames++
    this.nextFrame++
    this.eventsInFrame = 0
    return consistent
  }
}
