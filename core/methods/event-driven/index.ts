/**
 * The event-driven method [Baraff92 ch. 3]. Between events the equations of motion are smooth, with contacts, friction modes and joints frozen, and
 * are integrated to a tolerance. Events are located on the dense output, a step ends exactly at each event, and all contact states are redetermined
 * there.
 *
 * Bodies that cannot interact step independently, those at the earliest time first: an event of one group does not restart the others, and each group
 * has its own step size. Groups are synchronised at frames, by their dense outputs, and at breakpoints.
 */

import { EquationsOfMotion } from '../../contact/equations'
import type { World } from '../../contact/world'
import { StopError, type MethodEnd, type MethodEnvironment, type MethodFrame, type MethodSettings, type RestartCause } from '../method'
import { Marks, onFrames } from '../marks'
import { takeOver } from '../take-over'
import { requireApart, separate } from '../separate'
import { spawnAndRemoveJoints, releasedBodies } from '../joint-presence'
import { updatePresence, presenceTimes } from '../presence'
import { reportSpawnOverlaps } from '../spawn-overlap'
import type { RunContext } from './context'
import { breakpointsOf, isBreakpoint, drivesChangeAt } from '../../contact/breakpoints'
import { allDrives, allJointSpins } from '../../contact/drives'
import { applyJointImpact } from '../../contact/joint-impact'
import { solveFrame } from './frames'
import { GroupSteppers } from './group-steppers'
import { resumed, handedOver } from './hand-over'
import { initialContext } from './initial-context'
import { requireJoints } from './satisfied'
import type { EventDrivenSettings } from './settings'
import { warnOnce } from './solve-island'
import { shortNumber } from '../../math/short-number'

export type { EventDrivenSettings } from './settings'

/** s, the initial step size. */
const FIRST_STEP = 1e-3
/** Ends of steps after which time-stepping takes over: too many events, no forces, or unbounded forces. */
const FINISHED: ReadonlySet<string> = new Set(['TooManyEvents', 'SolverFailure', 'StepSizeUnderflow'])

/** Runs a world to its end. @throws StopError if the run cannot continue, ScriptError from a script */
export function runEventDriven(
  world: World, settings: EventDrivenSettings, run: MethodSettings, environment: MethodEnvironment,
): MethodEnd {
  return new EventDrivenRun(world, settings, run, environment).run()
}

class EventDrivenRun {
  /** Context of the whole world. With a single group it is that group's context; otherwise it is updated at frames, stops and changes of groups. */
  private readonly context: RunContext
  private readonly environment: MethodEnvironment
  private readonly frameState: Float64Array
  private readonly groups: GroupSteppers
  /** Force breakpoints, spawns, controller instants, and the end. */
  private readonly stops: Marks
  private readonly frameTotal: number
  private nextFrame = 0
  /** Time-stepping has finished part of this frame's interval. */
  private degraded = false
  /** Whether events have been reported before: a resumed run begins with a restart. */
  private eventsAlreadyReported = false
  /** s: the frame at which the run is to pause. */
  private pauseAt = Infinity
  private pauseFrame = Infinity

  constructor(
    world: World, private readonly settings: EventDrivenSettings, private readonly schedule: MethodSettings,
    environment: MethodEnvironment,
  ) {
    const equations = new EquationsOfMotion(world, undefined, undefined, world.forest)
    const { start, observer } = environment
    const from = resumed(start)
    const { events } = from
    // Must precede the collection of drives: inactive joints have none.
    if (start !== undefined) takeOver(equations, start)
    this.environment = {
      ...environment,
      observer: {
        frame: frame => observer.frame(frame),
        event: event => {
          if (this.eventsAlreadyReported) return
          events.count++
          observer.event(event)
        },
      },
    }
    this.context = initialContext(settings, this.environment, equations, events)
    this.nextFrame = start?.frame ?? 0
    this.frameState = new Float64Array(equations.layout.length)
    this.frameTotal = Math.round(schedule.duration * schedule.outputRate)
    const { time } = this.context
    const times = [...breakpointsOf(world), ...presenceTimes(world), schedule.duration]
    const instants = world.control?.instants(time, schedule.duration) ?? []
    this.stops = new Marks([times.sort((a, b) => a - b)], instants.map(list => onFrames(list, schedule.outputRate)), time, schedule.duration)
    this.groups = new GroupSteppers(this.context)
  }

  run(): MethodEnd {
    const { context, environment: { start } } = this
    this.environment.started(context.counts, context.warnings)
    const { approximation } = context.settings.friction
    if (approximation !== null) warnOnce(context, approximation)
    this.beforeNextStop()
    const continues = start !== undefined && start.own !== null
    if (context.settings.separate && !continues) separate(context, true)
    this.eventsAlreadyReported = continues
    this.restartAll('start', resumed(start).step ?? FIRST_STEP)
    if (context.settings.separate && !continues) requireApart(context)
    this.eventsAlreadyReported = false
    if (!continues && this.control(context.time)) this.restartAll('control', this.groups.step)
    if (continues) this.nextFrame++
    else this.emitFrame(this.frameTime())
    while (this.stops.next < Infinity) {
      try {
        if (!this.turn()) return this.end('cancelled')
        if (context.time >= this.pauseAt && this.nextFrame > this.pauseFrame && this.stops.next < Infinity) return this.paused()
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
      if (!events.branched.has(event)) warnings.push(`simulation.branch names event ${event}, which is not an indeterminate instant of this run`)
    }
    return { status, simulatedTime: this.context.time, counts: this.context.counts, warnings: this.context.warnings }
  }

  /**
   * Performs the next action in time order: a frame that all groups have passed, a step to settle, or a step of the group with the earliest time.
   *
   * @returns whether the run continues: it has not been cancelled
   */
  private turn(): boolean {
    const { context, groups } = this
    const { list, reached: now } = groups
    const stop = this.stops.next
    const near = context.tolerances.simultaneous * Math.max(1, now)
    while (this.nextFrame <= this.frameTotal && this.frameTime() < now - near) this.emitFrame(this.frameTime())
    if (now === stop && list.every(({ unsettled }) => unsettled)) {
      this.passStop(groups.step)
      this.emitFrameAt(stop)
      return true
    }
    const due = list.find(({ unsettled, reached }) => unsettled && reached <= now + near && reached !== stop)
    if (due !== undefined) {
      due.settle()
      return true
    }
    this.emitFrameAt(now)
    if (this.environment.cancelled()) {
      this.groups.bringTo(now)
      return false
    }
    const behind = list.find(({ unsettled, reached }) => !unsettled && reached === now)
    behind?.advance(stop, motion => groups.staysApart(behind, motion))
    return true
  }

  /** Restarts everything from the context of the whole world. */
  private restartAll(reason: RestartCause, step: number): void {
    this.groups.join(step).restart(reason)
  }

  /** Whether time-stepping can continue after the cause of a step's end, because its impulses always exist. */
  private canFinish(error: unknown): error is StopError {
    return this.settings.finishing !== null && error instanceof StopError && FINISHED.has(error.name)
  }

  /** Continues by time-stepping to the next frame or stop, then by the event-driven method. */
  private finishInterval({ message: why }: StopError): void {
    const { context, settings } = this
    const { step } = this.groups
    // The steps of all groups include the time of the most advanced one.
    this.groups.bringTo(Math.max(...this.groups.list.map(stepper => stepper.context.time)))
    const stop = this.stops.next
    const until = this.nextFrame <= this.frameTotal ? Math.min(this.frameTime(), stop) : stop
    const message = `${why}: the interval up to ${shortNumber(until, 6)} s is finished by time-stepping`
    this.environment.observer.event({ kind: 'degraded', time: context.time, message })
    this.degraded = true
    for (const stepper of this.groups.list) stepper.eventCount.reset()
    const { counts, time: from } = context
    const { fallbacks, fallbackTime } = counts
    try {
      if (until > from) context.equations.snapshot.withoutTrees(() => { settings.finishing!(context, until) })
    } finally {
      // The whole interval counts as one fallback, regardless of its steps.
      counts.fallbacks = fallbacks + 1
      counts.fallbackTime = fallbackTime + context.time - from
    }
    if (context.time === stop && context.world.control !== null) this.restartAll('degraded', step)
    if (context.time === stop) this.passStop(step)
    else this.restartAll('degraded', step)
    this.emitFrameAt(context.time)
  }


  private beforeNextStop(): void {
    this.groups.stop = this.stops.next
    this.context.equations.before(this.groups.stop)
  }

  /**
   * Handles force breakpoints, appearing and disappearing bodies at the present time, or the end. @param step s, the step size to try first if groups
   * were separate
   */
  private passStop(step: number): void {
    const { context, environment } = this
    const { world, equations } = context
    const time = this.stops.next
    this.stops.advance()
    this.groups.bringTo(time)
    const controlled = this.control(time)
    this.beforeNextStop()
    const { spawned } = updatePresence(context, time)
    if (spawned.length > 0) {
      equations.loads(time, context.state)
      reportSpawnOverlaps(context, spawned, context.settings.separate)
      if (context.settings.separate) separate(context, true)
    }
    const changed = spawnAndRemoveJoints(context, time)
    if (changed.length > 0) {
      const loose = releasedBodies(world, changed)
      equations.loads(time, context.state)
      reportSpawnOverlaps(context, loose, context.settings.separate, 'is let go')
      if (context.settings.separate && loose.length > 0) separate(context, true)
      context.drives = allDrives(world, time, false)
      context.jointSpins = allJointSpins(world)
      context.impactWork += applyJointImpact(equations, context.state)
    }
    if (isBreakpoint(world, time)) environment.observer.event({ kind: 'breakpoint', time })
    this.restartAll(time === this.schedule.duration ? 'end' : time === this.pauseAt ? 'checkpoint' : controlled ? 'control' : 'breakpoint', step)
  }

  /** Calls the due controllers with the forces just before, and applies their commands and those of keys. @returns whether controllers were called */
  private control(time: number): boolean {
    const { context, frameState } = this
    const { control } = context.world
    const seen = (): MethodFrame => {
      frameState.set(context.state)
      return solveFrame(context, this.nextFrame, time, frameState).frame
    }
    const acted = control?.act(time, seen) === true
    if (acted || drivesChangeAt(context.world, time)) context.drives = allDrives(context.world, time, false)
    return acted
  }

  /** Pauses the run at the next frame that no group has passed. This frame is a stop: all groups end a step there. */
  private pauseSoon(): void {
    const reached = Math.max(this.context.time, ...this.groups.list.map(stepper => stepper.reached))
    let frame = this.nextFrame
    while (frame / this.schedule.outputRate <= reached) frame++
    const time = frame / this.schedule.outputRate
    if (frame > this.frameTotal || time >= this.schedule.duration) return
    this.pauseFrame = frame
    this.pauseAt = time
    this.stops.add(time)
    this.beforeNextStop()
  }

  private paused(): MethodEnd {
    return { ...this.end('paused'), next: handedOver(this.context, this.pauseFrame, this.groups.step) }
  }

  private emitFrameAt(time: number): void {
    if (this.nextFrame > this.frameTotal) return
    if (Math.abs(this.frameTime() - time) <= this.context.tolerances.simultaneous * Math.max(1, time)) this.emitFrame(this.frameTime())
  }

  private frameTime(): number {
    return this.nextFrame / this.schedule.outputRate
  }

  private emitFrame(time: number): void {
    const { context, frameState, groups } = this
    groups.stateAt(time, frameState)
    const { frame, inconsistent } = solveFrame(context, this.nextFrame, time, frameState)
    if (context.settings.feedback === null) requireJoints(context)
    this.environment.observer.frame({ ...frame, ...groups.ownWorks(), degraded: this.degraded })
    this.degraded = false
    context.counts.frames++
    this.nextFrame++
    if (this.pauseAt === Infinity && this.environment.pauses?.() === true) this.pauseSoon()
    for (const stepper of groups.list) {
      stepper.eventCount.nextFrame()
      if (stepper.context.equations.islands.some(island => inconsistent.includes(island))) stepper.suspect = true
    }
  }
}
