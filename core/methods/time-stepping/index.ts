/**
 * The time-stepping method [CS248B; PEG17]: steps of fixed length across all events, impulses instead of forces, contacts solved for gaps that are not
 * negative at the end of every step.
 */

import { ContactSet } from '../../contact/contact-set'
import { EquationsOfMotion } from '../../contact/equations'
import type { World } from '../../contact/world'
import { kineticEnergy } from '../../dynamics/body'
import { initialState } from '../../dynamics/state-layout'
import { allDrives, rememberCoordinates } from '../event-driven/drives'
import { StopError, type MethodEnd, type MethodEnvironment, type MethodSettings } from '../method'
import { auditStep } from './audit'
import type { StepContext } from './context'
import { stepFrame } from './frames'
import { ContactReport } from './report'
import { MAX_HALVINGS, type TimeSteppingSettings } from './settings'
import { Stepper, type StepFailure } from './stepper'

export type { TimeSteppingSettings } from './settings'

/** Share of a step by which an interval may exceed a whole number of steps and still be cut into those. */
const WHOLE = 1e-9

/** Runs a world to its end. @throws StopError when the run cannot go on, ScriptError from a script */
export function runTimeStepping(
  world: World, settings: TimeSteppingSettings, run: MethodSettings, environment: MethodEnvironment,
): MethodEnd {
  return new TimeSteppingRun(world, settings, run, environment).run()
}

class TimeSteppingRun {
  private readonly context: StepContext
  private readonly stepper: Stepper
  private readonly report = new ContactReport()
  private readonly powerBefore: Float64Array
  /** s, sorted: output times, force breakpoints, spawns and the end. */
  private readonly marks: readonly number[]
  private readonly frameTotal: number
  private nextFrame = 0
  private degraded = false

  constructor(
    world: World, settings: TimeSteppingSettings, private readonly run_: MethodSettings, private readonly environment: MethodEnvironment,
  ) {
    const equations = new EquationsOfMotion(world)
    this.context = {
      world, settings, environment, equations, contacts: new ContactSet(world), drives: allDrives(world), time: 0,
      state: initialState(equations.layout), impactWork: 0, kinematicImpactWork: 0, spawnedEnergy: 0, warnings: [],
      counts: { frames: 0, steps: 0, solverCalls: 0, basisHits: 0, pivots: 0, maxContacts: 0 },
    }
    this.stepper = new Stepper(this.context)
    this.powerBefore = new Float64Array(equations.power.length)
    this.frameTotal = Math.round(run_.duration * run_.outputRate)
    this.marks = marksOf(world, run_, this.frameTotal)
  }

  run(): MethodEnd {
    const { context, run_, environment } = this
    environment.started(context.counts)
    this.emitFirstFrame()
    for (const mark of this.marks) {
      context.equations.before(mark)
      const count = Math.max(1, Math.ceil((mark - context.time) / context.settings.step * (1 - WHOLE)))
      const from = context.time
      for (let k = 1; k <= count; k++) {
        if (environment.cancelled()) return this.end('cancelled')
        this.advance(k === count ? mark : from + (mark - from) * k / count, 0)
      }
      this.passMark(mark)
      if (mark >= run_.duration) break
    }
    return this.end('completed')
  }

  private end(status: MethodEnd['status']): MethodEnd {
    return { status, simulatedTime: this.context.time, counts: this.context.counts, warnings: this.context.warnings }
  }

  /** One step to `time`, or two to its middle and from there where it does not go in one. */
  private advance(time: number, halvings: number): void {
    const { context, stepper, powerBefore } = this
    const { equations, counts } = context
    const failure = stepper.attempt(time - context.time)
    if (failure !== null) {
      this.halve(time, halvings, failure)
      return
    }
    powerBefore.set(equations.power)
    stepper.finish(time)
    auditStep(context, stepper, powerBefore)
    context.time = time
    context.state.set(stepper.end)
    equations.snapshot.update(context.state)
    rememberCoordinates(context.world, equations)
    counts.steps++
    this.report.tell(context, stepper, time)
  }

  private halve(time: number, halvings: number, { reason, bodies }: StepFailure): void {
    const { context } = this
    const ids = bodies.map(body => context.world.bodies[body]!.id)
    const step = time - context.time
    if (halvings >= MAX_HALVINGS) {
      throw new StopError('StepSizeUnderflow', `a step of ${step} s, halved ${halvings} times already, does not go: ${reason}`, context.time, ids)
    }
    this.degraded = true
    context.environment.observer.event({
      kind: 'degraded', time: context.time, ...(bodies.length === 2 ? { bodyA: bodies[0]!, bodyB: bodies[1]! } : {}),
      message: `the step of ${step} s is halved: ${reason} (${ids.slice(0, 4).join(', ')}${ids.length > 4 ? ', …' : ''})`,
    })
    this.advance(context.time + step / 2, halvings + 1)
    this.advance(time, halvings + 1)
  }

  /** Spawns, breakpoints and the frame of a mark. */
  private passMark(mark: number): void {
    const { context, environment } = this
    const { world, equations } = context
    for (const body of world.bodies) {
      if (body.spawnTime !== mark || mark === 0) continue
      equations.snapshot.exists[body.index] = true
      context.spawnedEnergy += kineticEnergy(body, body.initial)
      environment.observer.event({ kind: 'spawn', time: mark, bodyA: body.index })
    }
    if (world.forces.some(force => force.breakpoints.includes(mark))) environment.observer.event({ kind: 'breakpoint', time: mark })
    if (this.nextFrame <= this.frameTotal && mark === this.nextFrame / this.run_.outputRate) this.emitFrame(mark)
  }

  /** The state at the start, with the forces of the first step. */
  private emitFirstFrame(): void {
    const { context, stepper, marks } = this
    context.equations.before(marks[0] ?? Infinity)
    context.equations.loads(0, context.state)
    rememberCoordinates(context.world, context.equations)
    stepper.attempt(Math.min(context.settings.step, marks[0] ?? context.settings.step))
    context.equations.snapshot.update(context.state)
    this.emitFrame(0)
  }

  private emitFrame(time: number): void {
    const { context } = this
    context.equations.snapshot.update(context.state)
    this.environment.observer.frame(stepFrame(context, this.stepper, this.nextFrame++, time, this.degraded))
    context.counts.frames++
    this.degraded = false
  }
}

/** Everything that a step has to end at. */
function marksOf(world: World, { duration, outputRate }: MethodSettings, frames: number): number[] {
  const times = [
    ...Array.from({ length: frames }, (_, k) => (k + 1) / outputRate), ...world.forces.flatMap(force => force.breakpoints),
    ...world.bodies.map(body => body.spawnTime), duration,
  ]
  return [...new Set(times)].filter(time => time > 0 && time <= duration).sort((a, b) => a - b)
}
