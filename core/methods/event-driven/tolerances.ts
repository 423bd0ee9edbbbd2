/**
 * The tolerances of the event-driven method that are not in `core/math/tolerances.ts` and `core/contact/tolerances.ts`. Limits of iterations are where they are
 * used. `tolerances.test.ts` shows that the known answers hold with each that its runs read ten times larger and smaller.
 */

/** Errors after the projection that exceed rounding: × the size of the scene (rad), × its speed scale. */
export const UNSATISFIED = 1e-6

/** The projection ignores position errors below this fraction of the gap tolerance. */
export const PROJECTION_ACCURACY = 1e-5

/** × the largest load: below this, forces and accelerations are indistinguishable from zero, and the solver decides. */
export const CLEAR_LOAD = 1e-8

/** Convergence threshold for the change of normal forces, × the largest force. */
export const SETTLED_FORCES = 1e-12

/** Relative tolerance for reaching the crawl speed. */
export const CRAWL_REACHED = 1e-9

/**
 * × the scene's forces: tolerated excess of the friction of a sticking point on its cone before slip is decided again. Wedged bodies stick in this
 * state for a long time, because the forces of each instant barely hold them; without the tolerance restarts occurred every 1e-8 s. Each frame solves
 * its forces separately.
 */
export const CONE_EXCESS = 1e-6

/** Rounding error as a fraction of a joint's largest reaction. */
export const REACTION_ROUNDING = 1e-10

/**
 * Fraction of a step by which its dense output is extrapolated, or evaluated before its end, instead of another step: the error is the square of
 * this.
 */
export const MAX_EXTRAPOLATION = 1e-6

/** Curvature × scene size below which the contact point moves without bound under a small rotation. */
export const FLAT = 1e-3

/**
 * A crossing starts if the step is below this fraction of the time in which a body travels its own size. The contact position changes by a root of
 * this fraction; the energy does not change.
 */
export const CROSSING_STEP = 1e-10

/**
 * rad: a larger rotation cannot be the rounding of a step, and the energy is left unchanged (near a principal axis a rotation hardly changes the
 * energy).
 */
export const MAX_ENERGY_ROTATION = 1e-5
