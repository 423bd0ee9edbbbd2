/** A known answer of mechanics: a scene of `scenes/verification`, and the expected results of its run, from a closed form. */

import type { Recorded } from '../support'

export interface VerificationCase {
  /** Title of its row in the table. */
  readonly title: string
  /** `scenes/verification/<scene>.cairn.json`. */
  readonly scene: string
  readonly method: 'event-driven' | 'time-stepping' | 'penalty'
  /** Settings of `simulation` that differ from the scene's own, a level deep. */
  readonly simulation?: Readonly<Record<string, unknown>>
  /** Bounds on the certificate of every frame that differ from `CERTIFICATE`. */
  readonly certificate?: Partial<CertificateBounds>
  /** How the run must end; `completed` unless given. */
  readonly ends?: 'completed' | 'stopped'
  compare(run: Recorded): readonly Comparison[]
  /** For time-stepping: the error that must decrease with the step. */
  readonly convergence?: Convergence
}

/** An error that must fall at least as fast as the step to the power `ORDER`. */
export interface Convergence {
  readonly quantity: string
  /** Errors below this, in the unit of the quantity, count as zero: the method is exact here at any step. */
  readonly exact: number
  /** Halvings of the step over which the order is the mean. Default 1. */
  readonly halvings?: number
  /** Number of nearby steps over which errors are averaged, since errors depend on the time of an event within its step: 4/4, 4/5, 4/6 … of the step. Default 1. */
  readonly phases?: number
  /** s: duration of the runs with finer steps, if shorter than that of the case. */
  readonly duration?: number
  error(run: Recorded): number
}

/** Least order of convergence of every case of the time-stepping method. */
const ORDER = 0.9

/** @param errors at the case's step, and after the halvings */
export function converged({ quantity, exact, halvings = 1 }: Convergence, [coarse, fine]: readonly [number, number]): Comparison {
  const name = `order of convergence: ${quantity}`
  if (coarse <= exact && fine <= exact) return { quantity: name, expected: `≤ ${exact} at both`, got: `${coarse.toExponential(1)}, ${fine.toExponential(1)}`, error: 0, tolerance: 0 }
  const order = Math.log2(coarse / fine) / halvings
  return { quantity: name, expected: `≥ ${ORDER}`, got: order, error: Math.max(0, ORDER - order), tolerance: 0 }
}

/** Largest values allowed in any frame. */
export interface CertificateBounds {
  /** Relative to max KE + max |ΔPE|. */
  readonly energy: number
  /** Normalised. */
  readonly complementarity: number
  readonly cone: number
  /** m or rad. */
  readonly joints: number
  /** m. */
  readonly penetration: number
}

export const CERTIFICATE: Readonly<Record<VerificationCase['method'], CertificateBounds>> = {
  'event-driven': { energy: 1e-8, complementarity: 1e-10, cone: 1e-10, joints: 1e-9, penetration: 1e-9 },
  'time-stepping': { energy: Infinity, complementarity: 1e-9, cone: 1e-9, joints: 1e-9, penetration: 1e-9 },
  penalty: { energy: Infinity, complementarity: Infinity, cone: 1e-9, joints: 1e-6, penetration: Infinity },
}

export interface Comparison {
  /** Name of the quantity, with its unit. */
  readonly quantity: string
  readonly expected: number | string
  readonly got: number | string
  readonly error: number
  readonly tolerance: number
}

/** |got − expected| ≤ tolerance × |expected|. */
export function relative(quantity: string, expected: number, got: number, tolerance: number): Comparison {
  return { quantity, expected, got, error: Math.abs(got - expected) / Math.abs(expected), tolerance }
}

/** |got − expected| ≤ tolerance, in the unit of the quantity. */
export function absolute(quantity: string, expected: number, got: number, tolerance: number): Comparison {
  return { quantity, expected, got, error: Math.abs(got - expected), tolerance }
}

/** The pair [expected, got] with the largest difference; with `scale`, relative to it. */
export function furthest(quantity: string, pairs: Iterable<readonly [number, number]>, tolerance: number, scale = 1): Comparison {
  let worst: Comparison = { quantity, expected: NaN, got: NaN, error: -1, tolerance }
  for (const [expected, got] of pairs) {
    const error = Math.abs(got - expected) / scale
    if (!(error <= worst.error)) worst = { quantity, expected, got, error, tolerance }
  }
  return worst.error < 0 ? { ...worst, error: NaN } : worst
}

/** A comparison of words, such as the mode of a contact. */
export function verdict(quantity: string, expected: string, got: string): Comparison {
  return { quantity, expected, got, error: expected === got ? 0 : 1, tolerance: 0 }
}
