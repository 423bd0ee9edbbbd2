/** Absolute tolerances that distinguish contacts from gaps, sliding from sticking, and one instant from another. */

import { CONTACT_GAP, ONSET_SPEED, REARM_FACTOR, SIMULTANEOUS, STICK_SPEED } from '../math/tolerances'
import { COULOMB, type FrictionLaw } from './friction-law'
import type { Scales } from './world'

/** Absolute tolerances, in the units of their quantities. */
export interface Tolerances {
  /** m: largest gap of a touching pair. */
  readonly gap: number
  /** m: a separated point with a larger gap may collide again. */
  readonly rearm: number
  /** m: rounding of gaps. */
  readonly gapNoise: number
  /** m/s: slower approaches do not count. */
  readonly approach: number
  /** m/s: a point that separates more slowly rises by less than the rounding of gaps before it is pressed back: it counts as resting. */
  readonly parting: number
  /** m/s */
  readonly stick: number
  /** m/s: a faster contact slides. With the crawl law this is the crawl threshold ε. */
  readonly slip: number
  /** m/s: below this, beginning slip keeps its initial direction. */
  readonly onset: number
  /** rad/s: the same for rotations, at the scene's size. */
  readonly stickSpin: number
  readonly onsetSpin: number
  readonly spinNoise: number
  /** m/s: rounding of tangential speeds. */
  readonly speedNoise: number
  /** N: rounding of forces. */
  readonly forceNoise: number
  /** × max(1, t) s. */
  readonly simultaneous: number
}

/** Rounding of gaps, × the contact tolerance. */
const GAP_NOISE = 1e-3

/** @param contactTolerance largest gap of a touching pair ÷ size of the scene */
export function absoluteTolerances(scales: Scales, contactTolerance = CONTACT_GAP, law: FrictionLaw = COULOMB): Tolerances {
  const gap = contactTolerance * scales.size
  return {
    gap,
    rearm: REARM_FACTOR * gap,
    gapNoise: GAP_NOISE * gap,
    approach: 1e-10 * scales.speed,
    parting: Math.sqrt(2 * GAP_NOISE * contactTolerance) * scales.speed,
    stick: STICK_SPEED * scales.speed,
    slip: law.name === 'crawl' ? law.crawlSpeed : STICK_SPEED * scales.speed,
    onset: ONSET_SPEED * scales.speed,
    stickSpin: STICK_SPEED * scales.speed / scales.size,
    onsetSpin: ONSET_SPEED * scales.speed / scales.size,
    spinNoise: 1e-13 * scales.speed / scales.size,
    speedNoise: 1e-13 * scales.speed,
    forceNoise: 1e-10 * scales.force,
    simultaneous: SIMULTANEOUS,
  }
}
