/**
 * The tolerances of the time-stepping method: every constant that decides what counts as touching, at rest, satisfied or explained. Limits of iterations and
 * sizes of problems are where they are used. `tolerances.test.ts` shows that the known answers hold with each that its runs read ten times larger and smaller.
 */

// Gaps

/** m: gap target of contacts, so that rounding and linearisation errors leave true gaps ≥ 0. */
export const GAP_TARGET = 1e-9

/** × size: the same for iterative solvers, which have larger residuals; a smaller target costs more sweeps. */
export const ITERATIVE_GAP = 1e-6

/** × size of the smaller body: the same in piles, where bodies collide all the time and more accurate gaps would dominate the cost. */
export const PILE_GAP = 1e-4

/** × size: smaller overlaps are rounding errors of the coordinates. */
export const GAP_ROUNDING = 4 * Number.EPSILON

/** × size: lateral tolerance within which features count as the same place. */
export const LATERAL_TOLERANCE = 1e-6

/** × the gap target of contacts: with a target of zero, rounding would violate it and trigger repeated solves. */
export const MIN_AIM = 1e-4

/**
 * × the gap target: the largest gap that a resting contact keeps. The solver's velocity residual moves resting contacts by
 * less than this in about ten steps, so that no new solve is needed in that time.
 */
export const MAX_AIM = 2

/** × the gap target: that of islands with bodies that fit exactly between others, which have no room for more. */
export const NARROW_GAP = 1e-3

/** × gap target: contacts with a smaller gap count as resting. */
export const TOUCHING = 10

/** × scene size: an active contact with a larger gap counts as open. */
export const LEFT_OPEN = 1e-8

// Velocities

/** m/s ÷ (gap target ÷ step): velocities of this accuracy change a gap by a tenth of the gap target. */
export const ACCURACY = 0.1

/**
 * × the fastest approach of the island's contacts: accuracy of the first passes, which are limited by their linearisation; and × the final accuracy,
 * at most.
 */
export const FIRST_ACCURACY = 1e-3

/** × the fastest approach: the velocity error allowed where many bodies collide. */
export const PILE_ACCURACY = 1e-5

/** × the fastest row: a solution with a larger residual is refused, except in piles. */
export const FORCE_ERROR = 0.1

/** × speed scale: slower slip counts as sticking. */
export const STICKING = 1e-8

/** m/s, × speed scale: slower slip counts as rest. */
export const STILL_SLIP = 1e-6

/** Velocity below which a contact counts as sticking, × the largest velocity of the equilibrated problem. */
export const STUCK = 1e-5

// Heaps

/** × the speed of the fastest point: target accuracy of velocities. */
export const HEAP_ACCURACY = 0.01

/**
 * × `stillSpeed`, below which a body counts as at rest: the residual at which sweeps end. A heap already at rest keeps its impulses up to the larger residual,
 * because rounding may not allow a smaller one.
 */
export const HEAP_FLOOR = 0.03

/** The same for a heap at rest. */
export const HEAP_FLOOR_AT_REST = 1

// Joints

/** m and rad: joint errors at the end of a step. */
export const JOINT_ERROR = 1e-12

/** m and rad: largest joint error of a step that is accepted after its last pass. */
export const JOINT_ALLOWED = 1e-9

/** × the scene's speed: smaller joint velocity errors are rounding. */
export const JOINT_VELOCITY_ROUNDING = 1e-12

/** × scene size: a limit closer than this counts as reached. */
export const LIMIT_REACHED = 1e-9

/** Pivots of the scaled matrix (diagonal 1) below this belong to redundant rows. */
export const DEPENDENT = 1e-12

// Rest

/** × the scene's speed: a body is still if none of its points is faster. */
export const STILL_SPEED = 1e-4

/** × the scene's acceleration: largest residual acceleration of a balanced body. Iterative solvers leave a few 1e-4. */
export const BALANCE = 1e-3

/** × the scene's force, and its torque over the scene's size: changes below this are rounding. */
export const SAME_FORCE = 1e-9

/** × the velocity of a typical acceleration in a step: residual at which forces balance a hundred times better than required. */
export const BALANCED = 1e-12

/** The same in a pile, at which sweeps end. */
export const BALANCED_IN_PILE = 1e-11

// Energy

/** Share of the absolute work of contacts that their sum may gain by gap corrections. */
export const GAP_CORRECTION_GAIN = 0.1

/**
 * × the kinetic energy of an island at the start of a step: gain that counts as the error of the method. A contact that
 * moves along a rotating body, as that of a rolling disc, ends a step with a velocity proportional to the step, which it
 * does not have at the start of a run; this gains energy by the square of the step. Relative to the other works of the
 * step the gain does not shrink with the step, so without this share no step would be short enough.
 */
export const SMALL_GAIN = 1e-6

/** × the kinetic energy of an island at the start of a step: the largest unexplained gain of a step with impacts. */
export const MAX_IMPACT_GAIN = 0.1

/** The same for a loss. */
export const MAX_IMPACT_LOSS = 0.2

/** × the work of a typical force over the scene's size: smaller works count as zero. */
export const ENERGY_FLOOR = 1e-3

/** × the largest energies so far: above the discretisation error of resolved forces, below the gain of unresolved ones. */
export const MAX_FORCE_GAIN = 0.4

/** × the energies at the ends of a dissipative step: one that gains more is too long for the damping rate, and its works are meaningless. */
export const MAX_DAMPED_GAIN = 0.1

/** The same for a step longer than the last ones found short enough. */
export const MAX_CAUTIOUS_GAIN = 0.05
