/**
 * Length of arrows: the largest contact force so far is about as long as the typical body, or without contacts the largest force of the
 * scene; the user's slider multiplies this. Within a run the reference only grows, and by factors of two, so that arrows at different times
 * can be compared and their scale seldom changes.
 */

import type { ContactFrame, TrajectoryEvent } from '../../../core/trajectory/frame'
import type { BodyPlan } from '../body-plan'

/** Length of the reference force, × diameter of the typical body. */
const REFERENCE_LENGTH = 1.1
/** The typical body's radius counts as at least this share of the scene's, so that arrows are visible in large scenes with small bodies. */
const MIN_RADIUS_SHARE = 0.09
/** The scene's forces are shorter: they stand alone, often at the end of a long body, and would leave the picture. */
const APPLIED = 3
/** Forces below this share of the typical weight are rounding errors and do not set the scale. */
const TRACE = 1e-3

/** Median radius of the dynamic bodies, m; 0.5 without any. */
export function typicalRadius(plan: BodyPlan): number {
  const radii = Array.from(plan.radii).filter((radius, i) => radius > 0 && plan.kinds[i] === 0)
  return median(radii) ?? 0.5
}

/** For an even number of values, the lower of the two middle ones. */
function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)]
}

export interface ArrowScales {
  /** m/N */
  readonly force: number
  /** m/(N s) */
  readonly impulse: number
  /** m/(m/s) */
  readonly velocity: number
  /** s: 1 rad/s is as long as a speed of one typical radius per second. */
  readonly spin: number
  /** m: length of a unit vector. */
  readonly unit: number
}

/** Quantities that the scales depend on. */
export interface ScaleInput {
  /** Radii of the typical body and of the whole scene, m. */
  readonly radius: number
  readonly sceneRadius: number
  /** kg, of the dynamic bodies that have a mass. */
  readonly masses: readonly number[]
  /** m/s², magnitude; without gravity the scale uses 1 g. */
  readonly gravity: number
  readonly slider: number
  /** N and N s: the largest so far; 0 if there was none. */
  readonly largestForce: number
  readonly largestImpulse: number
  /** N: the largest force of the scene that was drawn, which counts where nothing touches. */
  readonly largestApplied: number
}

export function arrowScales({ radius, sceneRadius, masses, gravity, slider, largestForce, largestImpulse, largestApplied }: ScaleInput): ArrowScales {
  const g = gravity > 0 ? gravity : 9.81
  const unit = slider * REFERENCE_LENGTH * 2 * Math.max(radius, MIN_RADIUS_SHARE * sceneRadius)
  const mass = median(masses.filter(m => m > 0 && Number.isFinite(m))) ?? 1
  // Speed after a free fall through one diameter.
  const speed = Math.sqrt(4 * g * radius)
  const velocity = 0.5 * unit / speed
  return {
    force: unit / reference(largestForce, mass * g, reference(APPLIED * largestApplied, mass * g)), impulse: unit / reference(largestImpulse, mass * speed),
    velocity, spin: velocity * radius, unit: 0.4 * unit / Math.sqrt(slider),
  }
}

/** The next power of two; the default value if there is none, or if the largest is only rounding. */
function reference(largest: number, usual: number, otherwise = usual): number {
  return largest > TRACE * usual ? Math.pow(2, Math.ceil(Math.log2(largest))) : otherwise
}

/** N; the largest total force of one contact, friction included. */
export function largestContactForce(contacts: ContactFrame): number {
  let squared = 0
  for (let i = 0; i < contacts.count; i++) {
    const n = contacts.normalForce[i]!
    const x = contacts.frictionForce[3 * i]!
    const y = contacts.frictionForce[3 * i + 1]!
    const z = contacts.frictionForce[3 * i + 2]!
    squared = Math.max(squared, n * n + x * x + y * y + z * z)
  }
  return Math.sqrt(squared)
}

/** N s */
export function largestImpactImpulse(events: readonly TrajectoryEvent[]): number {
  return events.reduce((largest, { impulse }) => impulse.length < 3 ? largest : Math.max(largest, Math.hypot(impulse[0]!, impulse[1]!, impulse[2]!)), 0)
}

/** The largest 1, 2 or 5 times a power of ten that is not above `value`. */
export function roundDown125(value: number): number {
  const power = Math.pow(10, Math.floor(Math.log10(value) + 1e-12))
  const mantissa = value / power
  return (mantissa >= 5 ? 5 : mantissa >= 2 ? 2 : 1) * power
}
