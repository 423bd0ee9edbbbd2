/** Events of a run at their exact times. */

import type { EventKind } from '../vocabulary'
import type { ContactFrame } from './contact-frame'

/** An event at an exact time. Indices of bodies, shapes and joints are −1 if they do not apply. */
export interface TrajectoryEvent {
  /** Number of the event in the run, from 0. */
  readonly index: number
  readonly kind: EventKind
  /** s, exact. */
  readonly time: number
  readonly bodyA: number
  readonly bodyB: number
  readonly shapeA: number
  readonly shapeB: number
  /** Index into `FEATURE_KINDS` and of the feature; −1 if none. */
  readonly featureKindA: number
  readonly featureA: number
  readonly featureKindB: number
  readonly featureB: number
  readonly joint: number
  /** m; empty if it does not apply. */
  readonly point: Float64Array
  readonly normal: Float64Array
  /** N s on A; for impacts. */
  readonly impulse: Float64Array
  /** m/s, ≥ 0: normal speeds before and after an impact. */
  readonly approachSpeed: number
  readonly reboundSpeed: number
  /** States of bodyA and bodyB before and after an impact, `BODY_STRIDE` doubles each in that order (A, B); empty otherwise. */
  readonly before: Float64Array
  readonly after: Float64Array
  /** Energy lost in this event, J. */
  readonly energyLoss: number
  /**
   * s: exact end of infinitely many bounces, summed in closed form. NaN for every event except the impact whose approach speed was below the resting
   * speed.
   */
  readonly restTime: number
  /**
   * For an indeterminate instant: every basic solution, as the contacts of the bodies concerned with their forces and accelerations, and the number
   * of the solution with which the run continued; empty and −1 otherwise.
   */
  readonly solutions: readonly ContactFrame[]
  readonly solution: number
  /** Text for the user; empty if the kind is sufficient. */
  readonly message: string
}
