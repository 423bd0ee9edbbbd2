/** Line search: approximates the minimum of the potential along a Newton step with few evaluations. */

/** Least decrease of the potential along a step, × the decrease predicted by the slope [Armijo]. */
const DECREASE = 1e-4

/** × the potential: smaller predicted decreases are below its rounding error, so the slope decides. */
const LOST = 1e-9

/** In that case: largest slope accepted at the result, × the slope at the start. */
const SLOPE_LEFT = 0.9

/** Largest number of evaluations. */
const TRIALS = 30

/**
 * The search ends once the slope is at most `SHARP` × that at the start, or after `SEARCH` evaluations with a decrease; an evaluation costs a tenth of a
 * factorisation. Contacts change the stiffness along the step: with backtracking only, dozens of successive iterations took a tenth of their step. With 0.5
 * for `SHARP`, a sheet of 289 vertices on a ball takes a tenth more iterations.
 */
const SHARP = 0.2
const SEARCH = 6

/** The system along a Newton step x + share × d. */
export interface Line {
  /** Sets the system to a share of the step. @returns the largest residual there, N */
  at(share: number): number
  /** Minus the derivative of the potential with respect to the share, J, at the last share. */
  slope(): number
  /** J, at the last share. */
  potential(): number
}

/**
 * Sets the system to the result.
 *
 * @param share largest feasible share, tried first
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
    // If the change of the potential is below rounding, the potential has to fall still, or its slope has to be smaller than at the start.
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
