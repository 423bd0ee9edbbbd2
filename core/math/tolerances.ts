/**
 * Every tolerance of the simulator, with its reason. All are relative: multiply by the scale named in the comment.
 *
 * *Scene size* is the largest bounding radius of a dynamic body, m. The *speed scale* is √(g · scene size) or the largest initial speed,
 * whichever is greater, m/s.
 */

/** Gap below which two features count as touching, × scene size. It decides only whether they touch; times are located far more accurately. */
export const CONTACT_GAP = 1e-9

/** Overlap at t = 0 or at a spawn that is projected out with a warning instead of refused, × scene size. */
export const INITIAL_OVERLAP = 1e-6

/** A released contact point may collide again once its gap has exceeded this many contact tolerances. */
export const REARM_FACTOR = 2

/** A sliding point below this tangential speed is tried as sticking, × speed scale. */
export const STICK_SPEED = 1e-8

/**
 * A slip that begins from rest keeps the direction of its acceleration up to this speed, × speed scale. The direction of v_t relaxes at the rate μ
 * f_N / (m |v_t|), which is extremely stiff for slow slip. At this speed it is no longer stiff, and the direction has hardly changed.
 */
export const ONSET_SPEED = 1e-5

/**
 * Coefficients of friction below this (of torsional and rolling friction in m) count as zero: such a force is lost in the rounding of any other, and
 * its square underflows.
 */
export const NEGLIGIBLE_FRICTION = 1e-30

/** Events closer than this are simultaneous, × max(1, |t|) s. */
export const SIMULTANEOUS = 1e-12

/** A pivot step or pivot element below this counts as zero, × the problem's scale: redundant contacts otherwise give steps of 1e17. */
export const PIVOT_ZERO = 1e-12

/** Largest normalised residual of a result that counts as solved. */
export const SOLVED_RESIDUAL = 1e-10

/** Relative accuracy of extremal points and closest points. */
export const EXTREMAL_POINT = 1e-12

/** sin² of the angle between two edges below which they count as parallel. */
export const PARALLEL_SIN2 = 1e-18
