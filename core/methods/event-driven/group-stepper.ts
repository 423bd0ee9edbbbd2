/**
 * Integrates a group of bodies from event to event. Each step goes to its end or to the first event in it. A step is computed first and settled
 * later: frames inside it must wait for the other groups, and then use the equations by which the step was computed.
 */

import { project } from '../../contact/projection'
import type { DenseOutput, Integrator, StepResult } from '../../dynamics/integrator'
import { renormalize } from '../../dynamics/state-layout'
import { stopWhereCancelled, type RestartCause } from '../method'
import { firstCollision, type Collision } from './collisions'
import type { RunContext } from './context'
import { rememberCoordinates } from '../../contact/drives'
import { EventCount } from './event-count'
import { FreeRotation } from './free-rotation'
import { EventSearch, type LocatedEvent } from './locate'
import { Monitors, WATCHES_FORCES } from './monitors'
import { endStep } from './past-forces'
import { movingBodies } from './moving-bodies'
import { correctedTime, MAX_CORRECTION, MAX_CORRECTIONS } from './event-time'
import { MAX_EXTRAPOLATION } from './tolerances'
import { restart } from './restart'
import { StepMotion } from './step-motion'
import { updateSlipDirections, updateSpinDirections } from './turns'
import { unresolved } from './unresolved'
import { crossFlatSpot, crossingStep, reportCrossing, straight, type Crossing } from './zeroth-order'

export class GroupStepper {
  /** s: end of the last step. */
  reached: number
  /** A frame has found that the frozen index sets no longer give the same motion as a fresh solve. */
  suspect = false
  readonly eventCount = new EventCount()
  /** Cause of the end of the last step, until it is settled; null for a regular end. */
  private ended: LocatedEvent | Collision | null = null
  private settled = true
  /** Set if the last step crossed a flat spot. */
  private crossing: Crossing | null = null
  private result: StepResult | null = null
  private readonly out: Float64Array
  private readonly sample: Float64Array
  private search: EventSearch
  private readonly rotation: FreeRotation

  /**
   * @param scales by component of the context's state, relative to which errors are measured
   * @param step s, the step size to try first
   */
  constructor(
    readonly context: RunContext, private readonly integrator: Integrator, private readonly scales: Float64Array, public step: number,
  ) {
    this.reached = context.time
    this.out = new Float64Array(context.state.length)
    this.sample = new Float64Array(context.state.length)
    this.search = new EventSearch(new Monitors(context), context.state.length)
    this.rotation = new FreeRotation(context)
    this.rotation.correct(context, context.state)
  }

  /** A step has been computed but not settled. */
  get unsettled(): boolean {
    return !this.settled
  }

  /**
   * One integrator step from the context's state, ended at the first event in it; the context is unchanged until `settle`.
   *
   * @param stop s, upper limit of the step's end
   * @param accept called with the whole step before it is used; false discards it
   */
  advance(stop: number, accept: (motion: () => StepMotion) => boolean): void {
    const { context } = this
    const start = context.time
    const { dense, end } = this.attempt(start, stop)
    let motion: StepMotion | null = null
    if (!accept(() => motion ??= new StepMotion(context, dense, start, end))) return
    context.counts.steps++
    context.counts.work += 1 + movingBodies(context.equations.snapshot)
    if (this.crossing !== null) {
      this.end(end, null)
      return
    }
    const event = this.search.find(dense, end)
    const occurrence = this.firstCollision(event === null ? motion : null, dense, start, event?.time ?? end) ?? event
    if (occurrence === null) {
      this.end(end, null)
      return
    }
    const found = this.stepToFirst(start, occurrence)
    // If the integrator does not accept the step to the event, although it accepted the longer step, smaller steps are taken.
    if (found !== null) this.end(found.time, found.first)
  }

  /** @param motion of the whole step, if known and wanted */
  private firstCollision(motion: StepMotion | null, dense: DenseOutput, start: number, end: number): Collision | null {
    const { context } = this
    if (!context.contacts.mayEverTouch) return null
    return firstCollision(context, motion ?? new StepMotion(context, dense, start, end))
  }

  private end(time: number, occurrence: LocatedEvent | Collision | null): void {
    this.reached = time
    this.ended = occurrence
    this.settled = false
  }

  /** State at an instant of the last step, or at the context's time. */
  stateAt(time: number): Float64Array {
    const { context } = this
    if (this.settled && Math.abs(time - context.time) <= context.tolerances.simultaneous * Math.max(1, time)) this.sample.set(context.state)
    else this.result!.dense.at(time, this.sample)
    return this.sample
  }

  /** Moves the context to the end of the step, and handles the cause of the end. */
  settle(): void {
    const { ended } = this
    this.arrive()
    if (ended === null) {
      if (this.crossing !== null) this.land()
      else if (this.suspect || !this.refresh()) this.restart('index set')
    } else if ('monitor' in ended) this.restart(ended.monitor.kind, ended.monitor.island)
    else this.restart('collision')
  }

  /** Moves the context to the end of the step without handling its cause; the caller then restarts everything. */
  arrive(): void {
    const { context, ended } = this
    if (this.reached > context.time) this.commit(this.reached, this.out)
    if (ended !== null && 'monitor' in ended && ended.monitor.kind === 'stick') (ended.monitor.point ?? ended.monitor.spin!).onset = false
    this.ended = null
    this.settled = true
  }

  /** Ends the last step at an earlier instant, before its event, and settles it. */
  cutShort(time: number): void {
    const { context } = this
    this.ended = null
    this.settled = true
    const going = this.step
    while (context.time < time) {
      const { end } = this.attempt(context.time, time)
      this.commit(end, this.out)
      this.reached = end
      if (this.crossing !== null) this.land()
      else if (this.suspect || !this.refresh()) this.restart('index set')
    }
    this.reached = context.time
    this.step = Math.max(this.step, going)
  }

  /** Computes an accepted step from `start` towards `stop`, into `out`. */
  private attempt(start: number, stop: number): { dense: DenseOutput; end: number } {
    const { context } = this
    this.crossing = null
    for (;;) {
      // This also applies if a shorter step to an event was not accepted.
      if (this.step < crossingStep(context) && context.settings.flatSpots === 'impulse') {
        this.crossing = crossFlatSpot(context, this.step, stop, this.out)
        if (this.crossing !== null) return this.crossed(start, this.crossing)
      }
      const left = stop - start
      let h = Math.min(this.step, context.settings.longestStep, left)
      // Avoids an extra step for a very short remainder.
      if (left - h < 1e-3 * h) h = left
      if (!(h > 4 * Number.EPSILON * Math.max(start, 1e-12))) {
        throw unresolved(context, h)
      }
      const result = this.tryStep(start, h)
      this.step = result.accepted ? Math.max(result.nextStep, h < this.step && h === left ? this.step : 0) : result.nextStep
      if (result.accepted) return { dense: result.dense, end: h === left ? stop : start + h }
    }
  }

  /** Crosses a flat spot instead of a step; `out` receives the state at its end. */
  private crossed(start: number, { end }: Crossing): { dense: DenseOutput; end: number } {
    const dense = straight(start, end, this.context.state, this.out)
    this.result = { accepted: true, error: 0, nextStep: end - start, dense }
    this.step = end - start
    return { dense, end }
  }

  /** Restarts after a flat spot. */
  private land(): void {
    const { context, crossing } = this
    context.equations.snapshot.update(context.state)
    reportCrossing(context, crossing!)
    this.crossing = null
    this.restart('flat spot')
  }

  private tryStep(start: number, h: number): StepResult {
    const { context } = this
    stopWhereCancelled(context.environment)
    return this.result = this.integrator.step(context.equations.derivative, start, context.state, h, this.scales, this.out)
  }

  /**
   * Repeats the step exactly up to the event. The shorter step samples the forces more densely and may reveal a pair of zeros that the longer step
   * missed. An example is a normal force that vanishes, becomes negative and grows without bound as its point leaves the surface. The step then ends
   * at that zero.
   *
   * @returns null if the integrator does not accept the shorter step; `this.step` is then the step size that it suggests
   */
  private stepToFirst(start: number, occurrence: LocatedEvent | Collision): { time: number; first: LocatedEvent | Collision } | null {
    let first = occurrence
    let time = first.time > start ? this.stepTo(start, first) : start
    for (let k = 0; k < MAX_CORRECTIONS && time > start; k++) {
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

  /** Repeats the step up to the event, and corrects its time with the new step. @returns the event's time; the state is in `out` */
  private stepTo(start: number, occurrence: LocatedEvent | Collision): number {
    let time = occurrence.time
    const value = (dense: DenseOutput, at: number): number =>
      'monitor' in occurrence ? this.search.valueAt(dense, occurrence.index, at) : this.separation(dense, occurrence, at)
    for (let k = 0; ; k++) {
      const { dense } = this.tryStep(start, time - start)
      if (k === MAX_CORRECTIONS) return time
      const corrected = correctedTime(at => value(dense, at), start, time)
      const moved = Math.abs(corrected - time)
      if (moved === 0 || moved > MAX_CORRECTION * (time - start)) return time
      if (moved <= MAX_EXTRAPOLATION * (time - start)) {
        // Near its end the dense output is as accurate as the step, because it matches the derivative at the end.
        dense.at(corrected, this.out)
        return corrected
      }
      time = corrected
    }
  }

  private separation(dense: DenseOutput, { pair }: Collision, time: number): number {
    const { snapshot } = this.context.equations
    dense.at(time, this.sample)
    snapshot.update(this.sample)
    return pair.collider.separation(snapshot.motions[pair.bodyA]!.pose, snapshot.motions[pair.bodyB]!.pose)
  }

  private commit(time: number, state: Float64Array): void {
    const { context } = this
    context.time = time
    context.state.set(state)
    renormalize(context.equations.layout, context.state)
  }

  /**
   * Completes a step without events: projects onto the constraints, removes points that have separated, and renews the monitors.
   *
   * @returns whether the frozen index sets still hold
   */
  private refresh(): boolean {
    const { context } = this
    const { equations, tolerances, state } = context
    this.rotation.correct(context, state)
    project(equations, state, 1e-5 * tolerances.gap)
    equations.loads(context.time, state)
    rememberCoordinates(context.world, equations)
    const { motions } = equations.snapshot
    context.points = context.points.filter(point => point.normal !== 'parting'
      || point.features.locate(motions[point.bodyA]!.pose, motions[point.bodyB]!.pose).gap <= tolerances.rearm)
    updateSlipDirections(context)
    updateSpinDirections(context)
    const holds = endStep(context)
    // With Lötstedt's law the friction changes here: the derivative at the end of the step differs from that at the start of the next.
    if (context.settings.friction.name === 'lotstedt') this.integrator.reset()
    this.watch()
    return holds
  }

  /** Starts the event search at the context's state. */
  watch(): void {
    const { context } = this
    this.search = new EventSearch(new Monitors(context), context.state.length, this.search)
    this.search.begin(context.time, context.state)
  }

  /** Restarts at the context's time. @param island whose index set has ended, if nothing else has changed */
  restart(reason: RestartCause, island?: number): void {
    const { context } = this
    context.concerned = island === undefined ? null : context.equations.islands[island]!.bodies
    this.suspect = false
    this.eventCount.add(context)
    context.environment.observer.event({ kind: 'restart', time: context.time, message: reason })
    restart(context)
    this.rotation.begin()
    this.rotation.correct(context, context.state)
    this.integrator.reset()
    this.watch()
  }
}
