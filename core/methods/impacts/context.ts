/** Data that the resolution of impacts at one instant requires. */

import type { Drive, TouchingLimit, TouchingPoint } from '../../contact/constraints'
import type { ContactSet } from '../../contact/contact-set'
import type { EquationsOfMotion } from '../../contact/equations'
import type { Tolerances } from '../../contact/tolerances'
import type { World } from '../../contact/world'
import type { ContactSolver } from '../../lcp/problem'
import type { MethodCounts, MethodEnvironment } from '../method'

export interface ImpactSettings {
  readonly solver: ContactSolver
  readonly impact: 'simultaneous' | 'sequential' | 'energy-consistent'
  /** m/s: slower approaches are inelastic. */
  readonly restingSpeed: number
}

export interface ImpactContext {
  readonly world: World
  readonly settings: ImpactSettings
  readonly tolerances: Tolerances
  readonly equations: EquationsOfMotion
  readonly contacts: ContactSet
  readonly environment: MethodEnvironment
  readonly counts: MethodCounts
  /** s */
  time: number
  /** State vector at `time`. */
  state: Float64Array
  /** Touching points at `time`, including separating ones. */
  points: TouchingPoint[]
  limits: TouchingLimit[]
  drives: readonly Drive[]
  /** J, ≤ 0 except for rounding. */
  impactWork: number
  kinematicImpactWork: number
}
