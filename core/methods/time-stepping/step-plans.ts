/** How the bodies of a step are to be stepped: the ways of doing so, and what the first attempts are. */

import type { Coupling } from './coupling'
import type { DivisionPoint } from './division-point'
import type { PastFailures } from './past-failures'
import type { StepFailure } from './stepper'

/**
 * How bodies are stepped: in one step, in one step with the fallback model, in one step with the accuracy of a pile, in two parts with an impact between
 * them, or in two halves.
 */
export type Way = 'one' | 'fallback' | 'piled' | 'impact' | 'halves'

/** Bodies of an island that is stepped as a pile rather than in halves: many contacts that close at once fail at any length of the step. */
export const PILED = 24

/**
 * Number of divisions of a step at impacts, and the time of the last such impact, s: impacts soon after it are resolved
 * simultaneously.
 */
export interface Divided {
  readonly times: number
  readonly last: number
  /**
   * Whether all bodies keep the same parts. Bodies that met have to, to the end of the step: if each island took its own parts again, all that each takes
   * would be repeated at every later division, and once more for every meeting within it.
   */
  readonly together: boolean
}

export const UNDIVIDED: Divided = { times: 0, last: -Infinity, together: false }
/**
 * After this number of divisions of a step, impacts have no restitution, so that their sequence ends; after twice as many,
 * the rest is one step.
 */
export const MAX_DIVISIONS = 64

export interface Plan {
  readonly bodies: readonly number[]
  readonly way: Way
  readonly failure: StepFailure | null
  /** Whether they were stepped separately and met. */
  readonly met: boolean
}

const PAST = { halves: 'whole steps before it have failed', fallback: 'steps before it have failed with that of the scene' }

/** Of bodies that were stepped separately and met: the way that each of them can take, and why. */
const MEETING: readonly (readonly [Way, string])[] = [
  ['halves', 'an island whose step is halved meets another'],
  ['impact', 'an island whose step is divided meets another'],
  ['piled', 'an island that is solved with the accuracy of a pile meets another'],
  ['fallback', 'an island that another contact model solves meets another'],
  ['one', 'islands met'],
]

/** @param bodies that met, with all that must be stepped with them @param at the pair that met @param own what they did separately */
export function planOfMeeting(bodies: Iterable<number>, at: readonly number[], own: readonly Plan[]): Plan {
  const [way, reason] = MEETING.find(([way]) => own.some(plan => plan.way === way))!
  const divisionPoint = way === 'impact' ? earliest(own.flatMap(plan => plan.way === 'impact' ? [plan.failure!.divisionPoint!] : [])) : null
  const all = [...bodies].sort((a, b) => a - b)
  return { bodies: all, way, failure: { reason, at, divisionPoint, bodies: all }, met: true }
}

/**
 * One step of all, but halves or the fallback model at once for the bodies whose last steps needed them, and for those coupled to these.
 *
 * @param divided how the step was divided so far; bodies that keep the same parts have one plan
 * @param whole whether it is a whole step, which may be taken in halves
 */
export function firstPlans(bodies: readonly number[], { atOnce, model }: PastFailures, coupling: Coupling, { together }: Divided, whole: boolean): Plan[] {
  const plans: Plan[] = []
  const taken = new Set<number>()
  for (const [way, groups] of [['halves', whole ? atOnce.among(bodies) : []], ['fallback', model.among(bodies)]] as const) {
    for (const at of groups) {
      const chosen = [...together ? bodies : coupling.closure(at)].filter(body => !taken.has(body)).sort((a, b) => a - b)
      for (const body of chosen) taken.add(body)
      if (chosen.length > 0) plans.push({ bodies: chosen, way, met: false, failure: { reason: PAST[way], at, divisionPoint: null, bodies: chosen } })
    }
  }
  const others = bodies.filter(body => !taken.has(body))
  return others.length === 0 && plans.length > 0 ? plans : [{ bodies: others, way: 'one', failure: null, met: false }, ...plans]
}

/** Several failures as that of all their bodies: one that is no impact if there is any, else the first impact. */
export function asOne(failures: readonly StepFailure[]): StepFailure {
  const failed = failures.find(({ divisionPoint }) => divisionPoint === null)
  return failed ?? { ...failures[0]!, divisionPoint: earliest(failures.map(({ divisionPoint }) => divisionPoint!)) }
}

/** The first of several impacts, or all at the start. */
export function earliest(points: readonly DivisionPoint[]): DivisionPoint {
  const after = Math.min(...points.map(({ after }) => after))
  return { after, islandImpacts: points.filter(point => point.after === after).flatMap(({ islandImpacts }) => islandImpacts) }
}
