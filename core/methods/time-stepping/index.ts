/**
 * The time-stepping method [CS248B; PEG17]: steps of fixed length across all events, impulses instead of forces, contacts solved for gaps that are not
 * negative at the end of every step.
 */

import type { Drive } from '../../contact/constraints'
import { ContactSet } from '../../contact/contact-set'
import { EquationsOfMotion } from '../../contact/equations'
import type { World } from '../../contact/world'
import { bodiesOfJoint } from '../../dynamics/joints'
import { initialState } from '../../dynamics/state-layout'
import { breakpointsOf, isBreakpoint, drivesChangeAt } from '../../contact/breakpoints'
import { allDrives, allJointSpins, rememberCoordinates } from '../../contact/drives'
import { noCounts, type MethodEnd, type MethodEnvironment, type MethodFrame, type MethodSettings } from '../method'
import { Marks } from '../marks'
import type { Plain } from '../method-state'
import { separate } from '../separate'
import { spawnAndRemoveJoints, releasedBodies } from '../joint-presence'
import { updatePresence, presenceTimes } from '../presence'
import { reportSpawnOverlaps } from '../spawn-overlap'
import { commonState, takeOver } from '../take-over'
import type { OwnState } from './carried-over'
import type { StepContext } from './context'
import { measureContacts, stepFrame, type MeasuredContacts } from './frames'
import { Leapfrog } from './leapfrog'
import { LocalScales } from './local-scales'
import { applyJointImpact } from './rattle'
import { StepRunner } from './run-steps'
import type { TimeSteppingSettings } from './settings'
import { GAP_TARGET } from './tolerances'

export type { TimeSteppingSettings } from './settings'

/** Runs a world to its end. @throws StopError if the run cannot continue, ScriptError from a script */
export function runTimeStepping(
  world: World, settings: TimeSteppingSettings, run: MethodSettings, environment: MethodEnvironment,
): MethodEnd {
  return new TimeSteppingRun(world, settings, run, environment).run()
}

class TimeSteppingRun {
  private readonly context: StepContext
  private readonly steps: StepRunner
  /** s, sorted: output times, force breakpoints, spawns and the end. */
  private readonly marks: Marks
  private readonly frameTotal: number
  private nextFrame = 0
  /** s: time of the last frame written. */
  private framed = -Infinity
  /** Measurements at the present poses; null after the bodies have moved or their forces were solved again. */
  private measured: MeasuredContacts | null = null

  constructor(
    world: World, settings: TimeSteppingSettings, private readonly run_: MethodSettings, private readonly environment: MethodEnvironment,
  ) {
    const equations = new EquationsOfMotion(world, undefined, undefined, world.forest)
    equations.jointLoads.servosAreRows = true
    const { start } = environment
    // This must precede the collection of drives: inactive joints have none.
    if (start !== undefined) takeOver(equations, start)
    this.context = {
      gap: GAP_TARGET,
      world, settings, environment, equations, contacts: new ContactSet(world), drives: allDrives(world, start?.time ?? 0, true),
      jointSpins: allJointSpins(world),
      time: start?.time ?? 0, step: settings.step, state: start?.state.slice() ?? initialState(equations.layout), impactWork: start?.impactWork ?? 0,
      kinematicImpactWork: start?.kinematicImpactWork ?? 0, spawnedEnergy: start?.spawnedEnergy ?? 0, numericalWork: start?.numericalWork ?? 0,
      warnings: [...start?.warnings ?? []], solves: new Map(),
      counts: { ...start?.counts ?? noCounts() }, scales: new LocalScales(world), leapfrog: new Leapfrog(world.bodies.length), smooth: true,
    }
    this.nextFrame = start?.frame ?? 0
    this.steps = new StepRunner(this.context)
    this.frameTotal = Math.round(run_.duration * run_.outputRate)
    this.marks = marksOf(world, run_, this.frameTotal, this.context.time)
  }

  run(): MethodEnd {
    const { context, run_, environment } = this
    environment.started(context.counts, context.warnings)
    const { start } = environment
    if (start !== undefined && start.own !== null) {
      this.goOn(start.own)
    } else {
      this.separate(context.settings.separate)
      applyJointImpact(context)
      this.emitFirstFrame()
    }
    for (const { marks } = this; marks.next < Infinity;) {
      const mark = marks.next
      marks.advance()
      context.equations.before(mark)
      this.measured = null
      if (!this.steps.to(mark)) return this.end('cancelled')
      if (this.isFrame(mark)) environment.observer.reached?.(() => this.frameAt(mark))
      this.passMark(mark)
      if (mark >= run_.duration) break
      if (this.framed === mark && environment.pauses?.() === true) return this.paused()
    }
    return this.end('completed')
  }

  private end(status: MethodEnd['status']): MethodEnd {
    const { context } = this
    const { settings: { solver }, solves } = context
    // The solvers chosen by `auto`.
    const chosen = [...solves].map(([name, count]) => `${name} ${count}`).join(', ')
    return {
      status, simulatedTime: context.time, counts: context.counts, warnings: context.warnings,
      ...(solver === 'auto' && chosen !== '' ? { solver: `auto (${chosen})` } : {}),
    }
  }

  /** Resumes from a checkpoint, whose frame has been written. */
  private goOn(own: Plain): void {
    const { context, steps } = this
    const { carried, solves, arrives } = own as unknown as OwnState
    context.equations.before(this.marks.next)
    context.equations.loads(context.time, context.state)
    rememberCoordinates(context.world, context.equations)
    steps.carried = carried
    for (const [name, count] of solves) context.solves.set(name, count)
    this.nextFrame++
    // Bodies added by the user are moved out of overlaps.
    if (arrives === true) this.updatePresence(context.time, true)
  }

  private paused(): MethodEnd {
    const { context, steps } = this
    const own: OwnState = { carried: steps.carried, solves: [...context.solves] }
    return { ...this.end('paused'), next: { ...commonState(context, this.nextFrame - 1, context.time, steps.deformables?.state), own: own as unknown as Plain } }
  }

  /** Processes spawns, removals, breakpoints and the frame of a mark. */
  private passMark(mark: number): void {
    const { context: { world, settings }, environment } = this
    this.updatePresence(mark, settings.separate)
    if (isBreakpoint(world, mark)) {
      environment.observer.event({ kind: 'breakpoint', time: mark })
      // Forces change: those of the next step have not acted since the middle of the last one.
      for (const { index } of world.bodies) this.context.leapfrog.restart(index)
    }
    this.control(mark)
    if (this.isFrame(mark)) this.emitFrame(mark)
  }

  /** @param deep whether to remove overlaps of spawned bodies at any depth */
  private updatePresence(time: number, deep: boolean): void {
    const { context } = this
    const { world, equations } = context
    const { spawned, removed } = updatePresence(context, time)
    if (spawned.length + removed.length > 0) this.measured = null
    // Wakes the bodies that rested on removed ones.
    if (removed.length > 0) {
      this.steps.placedAnew(context.state)
      this.steps.sleepers.wake(world.bodies.map(({ index }) => index))
    }
    if (spawned.length > 0) {
      for (const body of spawned) context.leapfrog.restart(body)
      equations.snapshot.update(context.state)
      reportSpawnOverlaps(context, spawned, deep)
      this.separate(deep)
      applyJointImpact(context)
    }
    this.joinAndPart(time, deep)
  }

  private isFrame(mark: number): boolean {
    return this.nextFrame <= this.frameTotal && mark === this.nextFrame / this.run_.outputRate
  }

  /** Handles joints that appear or disappear. */
  private joinAndPart(time: number, deep: boolean): void {
    const { context, steps } = this
    const { world, equations, state } = context
    const changed = spawnAndRemoveJoints(context, time)
    if (changed.length === 0) return
    this.measured = null
    const loose = releasedBodies(world, changed)
    reportSpawnOverlaps(context, loose, deep, 'is let go')
    if (loose.length > 0) this.separate(deep)
    else steps.placedAnew(state)
    context.drives = allDrives(world, time, true)
    context.jointSpins = allJointSpins(world)
    applyJointImpact(context)
    equations.snapshot.update(state)
    steps.sleepers.wake(changed.flatMap(joint => bodiesOfJoint(world.joints[joint]!.constraint)))
  }

  /** Calls the due controllers with the forces of the last step, and applies their commands and those of keys. @returns whether controllers were called */
  private control(time: number): boolean {
    const { context, steps } = this
    const { world } = context
    const acted = world.control?.act(time, () => this.frameAt(time)) === true
    if (!acted && !drivesChangeAt(world, time)) return false
    const before = context.drives
    context.drives = allDrives(world, time, true)
    const same = (joint: number): boolean => driveText(before, joint, time) === driveText(context.drives, joint, time)
    steps.sleepers.wake(world.joints.flatMap(({ constraint }, joint) => same(joint) ? [] : bodiesOfJoint(constraint)))
    return acted
  }

  private separate(deep: boolean): void {
    const before = this.context.state.slice()
    // Steps with a limited number of linearisations may leave overlaps.
    if (this.context.settings.linearizations === null) separate(this.context, deep)
    this.steps.placedAnew(before)
  }

  /** The state at the start, with the forces of the first step. */
  private emitFirstFrame(): void {
    const { context, steps: { stepper }, marks } = this
    context.equations.before(marks.next)
    context.equations.loads(context.time, context.state)
    rememberCoordinates(context.world, context.equations)
    const solve = (): void => {
      stepper.attempt(Math.min(context.settings.step, marks.next - context.time), context.settings.contactModel, stepper.motions.all)
      stepper.keep()
      this.measured = null
    }
    solve()
    if (this.control(context.time)) solve()
    this.emitFrame(context.time)
  }

  private frameAt(time: number): MethodFrame {
    const { context, steps } = this
    context.equations.snapshot.update(context.state)
    this.measured ??= measureContacts(context, steps)
    return stepFrame(context, steps, this.measured, this.nextFrame, time)
  }

  private emitFrame(time: number): void {
    const { context, steps } = this
    this.environment.observer.frame(this.frameAt(time))
    this.nextFrame++
    context.counts.frames++
    this.framed = time
    steps.halved = 0
    steps.hardest = null
  }
}

/** Drive state of a joint at a time, s, as text. */
function driveText(drives: readonly Drive[], joint: number, time: number): string {
  return drives.filter(drive => drive.joint === joint)
    .map(({ coordinate, source, targetVelocity, maxForce, servo }) => [coordinate, source, targetVelocity, maxForce, ...servo === null ? [] : [servo.stiffness, servo.damping, ...Object.values(servo.reference(time))]].join(' '))
    .join()
}

/** All times at which a step must end. */
function marksOf(world: World, { duration, outputRate }: MethodSettings, frames: number, from: number): Marks {
  const times = [...breakpointsOf(world), ...presenceTimes(world), duration]
  return new Marks([times.sort((a, b) => a - b), frameTimes(outputRate, frames, from)], world.control?.instants(from, duration) ?? [], from, duration)
}

function* frameTimes(rate: number, frames: number, from: number): Generator<number> {
  for (let frame = Math.max(1, Math.floor(from * rate)); frame <= frames; frame++) yield frame / rate
}
