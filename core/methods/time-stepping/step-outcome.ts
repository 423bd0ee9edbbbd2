/** What a step of some bodies did, until it is reported and recorded. */

import { WORKS } from '../../contact/works'
import type { World } from '../../contact/world'
import { shortNumber } from '../../math/short-number'
import type { HardSolve, MethodEvent } from '../method'
import type { StepContext } from './context'
import type { IslandImpact } from './division-point'
import type { PositionCorrection } from './position-correction'
import type { StepFacts } from './report'
import type { StepFailure } from './stepper'
import { Traces } from './traces'

/** Result of a step of some bodies; neither reported nor recorded yet. */
export class StepOutcome {
  /** Facts to report, ordered by time, s. */
  readonly reports: { readonly time: number; readonly facts?: StepFacts; readonly event?: MethodEvent }[] = []
  readonly works = new Float64Array(WORKS.length)
  impactWork = 0
  numericalWork = 0
  /** J: see `LoadWorks`. */
  readonly load = { along: 0, gained: 0 }
  /** Steps that were halved, or solved with another contact model. */
  degraded = 0
  /** Bodies whose whole step was taken in halves, by what was stepped together. */
  readonly halved: (readonly number[])[] = []
  /** Islands that were solved with the fallback of the scene's contact model in any part of the step. */
  readonly fellBack: (readonly number[])[] = []
  readonly traces = new Traces()
  hardest: HardSolve | null = null

  /** Adds an impact before a step. */
  addImpact({ time, impacts, scaled, works, impactWork }: IslandImpact): void {
    this.reports.push({ time, facts: { time, bodies: [], held: new Map(), limits: new Map(), impacts, scaled } })
    works.forEach((work, k) => { this.works[k]! += work })
    this.impactWork += impactWork
  }

  /** Adds that the step of h seconds up to `time` was corrected at its end. */
  addCorrection(world: World, { bodies, most }: PositionCorrection, time: number, h: number): void {
    const ids = [...bodies].map(body => world.bodies[body]!.id)
    this.addEvent({
      kind: 'degraded', time,
      message: `${ids.length} bodies that contacts left overlapping were moved apart at the end of a step of ${shortNumber(h)} s, by up to ${shortNumber(most, 3)} m (${some(ids)})`,
    })
  }

  /** Adds that the step of h seconds from the context's time is taken otherwise. @param what how */
  addDegraded({ time, world }: StepContext, { reason, at }: StepFailure, what: string, h: number): void {
    const ids = at.map(body => world.bodies[body]!.id)
    this.addEvent({
      kind: 'degraded', time, ...(at.length === 2 ? { bodyA: at[0]!, bodyB: at[1]! } : {}),
      message: `the step of ${shortNumber(h)} s ${what}: ${reason}${ids.length === 0 ? '' : ` (${some(ids)})`}`,
    })
  }

  private addEvent(event: MethodEvent): void {
    this.degraded++
    this.reports.push({ time: event.time, event })
  }

  /** Adds the outcome of a later or a separate step. */
  add(other: StepOutcome): void {
    this.reports.push(...other.reports)
    other.works.forEach((work, k) => { this.works[k]! += work })
    this.impactWork += other.impactWork
    this.numericalWork += other.numericalWork
    this.load.along += other.load.along
    this.load.gained += other.load.gained
    this.degraded += other.degraded
    this.halved.push(...other.halved)
    this.fellBack.push(...other.fellBack)
    this.traces.addAll(other.traces)
    this.hardest = harder(this.hardest, other.hardest)
  }
}

/** The harder one of two solves: more sweeps, then the larger residual. */
export function harder(a: HardSolve | null, b: HardSolve | null): HardSolve | null {
  if (a === null || b === null) return a ?? b
  const more = b.history.length - a.history.length
  return more > 0 || (more === 0 && b.history.length > 0 && b.history.at(-1)! > a.history.at(-1)!) ? b : a
}

/** The first of a list of ids. */
function some(ids: readonly string[]): string {
  return `${ids.slice(0, 4).join(', ')}${ids.length > 4 ? ', …' : ''}`
}
