/**
 * How long arrows are: a reference force is drawn with a reference length, both taken from the scene, so that arrows can be compared over the
 * whole run; the person's slider multiplies.
 */

import type { BodyPlan } from '../body-plan'

/** Part of the typical body's diameter that the reference force takes. */
const REFERENCE_PART = 0.6

/** Median of the dynamic bodies' radii, m; 0.5 where there is none. */
export function typicalRadius(plan: BodyPlan): number {
  const radii = Array.from(plan.radii).filter((radius, i) => radius > 0 && plan.kinds[i] === 0)
  return median(radii) ?? 0.5
}

export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

export interface ArrowScales {
  /** m/N */
  readonly force: number
  /** m/(N s) */
  readonly impulse: number
  /** m/(m/s) */
  readonly velocity: number
  /** s: 1 rad/s is drawn as long as a speed of 1 typical radius per second. */
  readonly spin: number
  /** m: length of a unit vector. */
  readonly unit: number
}

/**
 * @param masses kg, of the dynamic bodies that have one
 * @param gravity m/s², magnitude; without gravity 1 g serves as reference
 */
export function arrowScales(radius: number, masses: readonly number[], gravity: number, slider: number): ArrowScales {
  const g = gravity > 0 ? gravity : 9.81
  const unit = 2 * radius * REFERENCE_PART
  const mass = median(masses.filter(m => m > 0 && Number.isFinite(m))) ?? 1
  const force = slider * unit / (mass * g)
  // A body that falls its own diameter has this speed, and needs this time for it.
  const speed = Math.sqrt(2 * g * 2 * radius)
  const velocity = slider * unit / speed
  return { force, impulse: slider * unit / (mass * speed), velocity, spin: velocity * radius, unit: 0.5 * unit * Math.sqrt(slider) }
}

/** 1, 2 or 5 times a power of ten: the largest that is not above `value`. */
export function roundDown125(value: number): number {
  const power = Math.pow(10, Math.floor(Math.log10(value) + 1e-12))
  const mantissa = value / power
  return (mantissa >= 5 ? 5 : mantissa >= 2 ? 2 : 1) * power
}
