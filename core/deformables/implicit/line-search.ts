/** The share of a Newton step that is taken: where the potential is least along it, as far as a few evaluations find that. */

/** Least decrease of the potential along a step, × the decrease predicted by the slope [Armijo]. */
const DECREASE = 1e-4

/** Predicted decreases smaller than this × the potential are lost in rounding. */
const LOST = 1e-9

/** In that case, steepest rise accepted at the end of the step, × the fall at its start. */
const SLOPE_LEFT = 0.9

/** Trials of a line search until it finds a decrease. */
const TRIALS = 30

/**
 * A line search goes on to the minimum along the step, until the slope is this × that at its start, or for at most this many trials: a trial costs a tenth
 * of a factorisation. Contacts make the potential stiffer at one place of the step than at another, and shares of a tenth followed each other for dozens of
 * iterations. With slopes of a half instead, a sheet of 289 vertices on a ball takes a tenth more iterations.
 */
const SHARP = 0.2
const SEARCH = 6

/** The system along a Newton step. */
export interface Line {
  /** Moves to a share of the step. @returns the largest residual there, N */
  at(share: number): number
  /** Minus the derivative of the potential with respect to the share, J, where it is. */
  slope(): number
  /** J, where it is. */
  potential(): number
}

/**
 * Moves along the step.
 *
 * @param share the largest that is feasible, tried first
 * @param first slope at the start; @param before potential at the start, J
 * @param enough N: residual that ends the search
 * @returns the largest residual at the result, N
 */
export function lineSearch(line: Line, share: number, first: number, before: number, enough: number): number {
  let alpha = share
  let largest = line.at(alpha)
  // The minimum lies between a share where the potential still falls and one where it rises.
  let [low, falls, high, rises] = [0, first, 0, 0]
  for (let round = 1; round < TRIALS && largest > enough; round++) {
    const now = line.slope()
    // If the change of the potential is lost in rounding, the slope decides: it still falls at the end, or rises less steeply than it fell.
    const lost = Math.abs(first) <= LOST * Math.abs(before)
    const good = lost ? Math.abs(now) <= SLOPE_LEFT * Math.abs(first) || (first > 0 && now > 0) : line.potential() <= before - DECREASE * alpha * first
    if (good && (lost || Math.abs(now) <= SHARP * first || (now > 0 && alpha === share) || round >= SEARCH)) break
    if (good && now > 0) [low, falls] = [alpha, now]
    else [high, rises] = [alpha, now]
    if (low > 0 && round >= SEARCH) return line.at(low)
    alpha = low + (high - low) * (rises < falls ? Math.min(Math.max(falls / (falls - rises), low > 0 ? 0.25 : 0.1), low > 0 ? 0.75 : 0.5) : 0.5)
    largest = line.at(alpha)
  }
  return largest
}
