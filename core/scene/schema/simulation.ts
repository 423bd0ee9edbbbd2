import * as z from 'zod'
import { choice, described, flag, integer, nonNegative, positive, within } from './field'

/** Options of the event-driven method. */
export const eventDrivenSchema = z.strictObject({
  integrator: choice({
    'dormand-prince': 'Order 5(4), adaptive: the error stays below the tolerance.',
    rk4: 'Runge–Kutta of order 4 with fixed steps, for comparison.',
    midpoint: 'Of order 2 with fixed steps, for comparison.',
    euler: 'Of order 1 with fixed steps, for comparison.',
  }, { label: 'Integrator', help: 'Integrator of positions and velocities between events.' }).default('dormand-prince'),
  tolerance: within(1e-13, 1e-2, { label: 'Tolerance', help: 'Relative error per step of the adaptive integrator.' }).default(1e-9),
  step: positive({ label: 'Step', unit: 's', step: 0.0001, help: 'Step of the fixed-step integrators; the largest step of the adaptive one is the output interval.' })
    .default(0.001),
  contactTolerance: within(1e-14, 1e-3, { label: 'Contact tolerance', help: 'Largest gap of touching features, relative to the scene size.' })
    .default(1e-9),
  solver: choice({
    dantzig: 'Pivoting by Dantzig\'s rule as Baraff extended it to friction: exact to rounding.',
    lemke: 'Lemke\'s pivoting: exact to rounding.',
    'gauss-seidel': 'Projected Gauss–Seidel sweeps; Dantzig\'s method if they do not converge.',
    jacobi: 'Projected Jacobi sweeps, independent of the order of contacts; Dantzig\'s method if they do not converge.',
    sor: 'Gauss–Seidel sweeps with over-relaxation; Dantzig\'s method if they do not converge.',
    qp: 'A quadratic programme; Dantzig\'s method if it fails.',
  }, { label: 'Solver', help: 'Solver of the contact forces between events.' }).default('dantzig'),
  staticFriction: choice({
    exact: 'Coulomb\'s law.',
    lotstedt: 'Friction is bounded by the normal force of the previous step.',
    crawl: 'Contacts creep below the crawl speed instead of sticking.',
    'sign-guess': 'The two axes of friction are bounded separately.',
  }, { label: 'Static friction', help: 'Coulomb\'s law, or an approximation for comparison, which the run reports.' }).default('exact'),
  crawlSpeed: positive({ label: 'Crawl speed', unit: 'm/s', step: 1e-5, help: 'Slip speed below which the crawl approximation reduces friction in proportion; smaller values need shorter steps.' })
    .default(1e-4),
  impact: choice({
    simultaneous: 'All touching contacts simultaneously, by Newton\'s law.',
    sequential: 'Sequentially, pair by pair, as in Newton\'s cradle.',
    'energy-consistent': 'Simultaneously, by a law that returns the given share of energy.',
  }, { label: 'Impacts', help: 'Impact law for bodies that touch others. Also used in time-stepping.' }).default('simultaneous'),
  jointFeedback: described(z.strictObject({
    stiffness: nonNegative({ label: 'Stiffness', unit: '1/s²', step: 1, help: 'k_s: stiffness of the correction of joint errors.' }),
    damping: nonNegative({ label: 'Damping', unit: '1/s', step: 1, help: 'k_d: damping of the correction; 2 √k_s is critical damping.' }),
  }), {
    label: 'Joint feedback', help: 'Joint errors decay by C̈ + k_d Ċ + k_s C = 0; frames report the remaining C as joint error. Absent: joints are projected to rounding after every step.',
  }).optional(),
  flatSpots: choice({
    impulse: 'One impulse without approach velocity and without work, a zeroth-order impact.',
    'time-stepping': 'Time-stepping finishes the output interval, which is marked.',
  }, {
    label: 'Flat spots', help: 'Method to cross a spot of zero curvature, as on a superquadric, where the contact force is unbounded. Absent: by an impulse.', absent: 'impulse',
  }).optional(),
  restingSpeed: nonNegative({ label: 'Resting speed', unit: 'm/s', step: 1e-5, help: 'Approaches slower than this do not bounce.' }).default(1e-4),
  rootFinder: choice({
    quadratic: 'Safeguarded quadratic prediction.', bisection: 'Plain bisection, for comparison.',
  }, { label: 'Root finder', help: 'Root search for the time of a collision.' }).default('quadratic'),
  maxEventsPerFrame: integer(1, 1e6, { label: 'Events per frame', help: 'Above this number, time-stepping finishes the output interval, which is marked.' })
    .default(1000),
})

/** Options of the time-stepping method. */
export const timeSteppingSchema = z.strictObject({
  step: positive({
    label: 'Step', unit: 's', step: 0.0001, help: 'Length of a time step; shorter steps have smaller errors. Failed steps are halved and reported as events.',
  }).default(0.004166666666666667),
  tolerance: positive({
    label: 'Tolerance', unit: 'm', step: 1e-6, help: 'Largest gap between touching bodies at the end of a step; they never overlap. Absent: 1e-9 m for exactly solved contacts, 1e-4 of the smaller body in moving heaps.',
  }).optional(),
  contactModel: choice({
    peg: 'Geometrically exact: constraints of polyhedra end at their edges, so that bodies are not trapped at corners.',
    standard: 'Stewart and Trinkle\'s: every contact is an infinite plane. Faster, but bodies may be trapped at corners.',
    'half-spaces': 'For comparison: infinite planes for all pairs of features that could touch in the step, not only for facing ones.',
    'locally-nonconvex': 'For comparison: a vertex stays above one of the faces near it; crossing edges are not detected.',
  }, { label: 'Contact model', help: 'Model of the surface at a contact in a step.' }).default('peg'),
  solver: choice({
    auto: 'Exact for small islands; for large ones Newton\'s method if bodies touch few others, accelerated sweeps in heaps. The run counts the use of each.',
    dantzig: 'Pivoting: exact to rounding, at a cost that grows with the cube of an island\'s contacts.',
    lemke: 'Lemke\'s pivoting: exact to rounding, at a cost that grows with the cube of an island\'s contacts.',
    slack: 'For comparison: the mixed problem in slack variables of the geometrically exact model\'s paper, by Lemke\'s pivoting, which also selects the separating features near corners. Needs the polyhedral friction cone.',
    'gauss-seidel': 'Projected Gauss–Seidel sweeps, as in most engines.',
    jacobi: 'Projected Jacobi sweeps: independent of the order of contacts, slowest convergence.',
    sor: 'Gauss–Seidel sweeps with over-relaxation.',
    accelerated: 'Sweeps with Nesterov\'s momentum and restarts: for heaps.',
  }, { label: 'Solver', help: 'Solver of the impulses of contacts and joints in a step. Frames report the residual of iterative solvers.' }).default('auto'),
  frictionCone: choice({ exact: 'Coulomb\'s round cone.', polyhedral: 'A pyramid with one edge for each friction direction.' }, {
    label: 'Friction cone', help: 'Bound of the friction force in the contact plane.',
  }).default('exact'),
  frictionDirections: described(z.number().int().min(4).max(64).multipleOf(2), {
    label: 'Friction directions', step: 2, help: 'Number of edges of the polyhedral cone; even. Not used by the exact cone.',
  }).default(8),
  primaryContacts: integer(1, 8, { label: 'Primary contacts', help: 'Geometrically exact model: number of active candidates of a constraint in a step. More are more accurate near corners and slower.' }).default(1),
  linearizations: integer(1, 12, {
    label: 'Linearisations', help: 'Largest number of linearisations of a step\'s gaps, for comparison: 1 as in most engines and the literature, with remaining overlap. Absent: until nothing overlaps.',
  }).optional(),
  handovers: described(z.array(nonNegative({ label: 'Time', unit: 's' })), {
    label: 'Handovers', help: 'Times of frames at which the scene was changed while it ran, as in Live: the run up to such a time uses only the bodies and joints that existed before the change. Absent: none.',
  }).optional(),
  implicitMethod: choice({
    euler: 'Implicit Euler, of first order: free oscillations are damped in proportion to the step.',
    'tr-bdf2': 'Trapezoidal rule and backward differences, of second order: little damping, at about twice the time a step. Contacts on curved surfaces and bodies that deformables act on remain of first order.',
  }, { label: 'Deformables', help: 'Implicit method of particles, ropes, hair and cloth. Absent: euler.', absent: 'euler' }).optional(),
  sleep: flag({ label: 'Sleep', help: 'Whether islands that were at rest for half a second sleep, exactly still, until a body touches them or the forces on them change.' }).default(false),
})

/** Options of the penalty method, which is for comparison only. */
export const penaltySchema = z.strictObject({
  stiffness: positive({ label: 'Stiffness', unit: 'N/m', step: 1e4, help: 'Spring stiffness of a contact: a resting body sinks in by its weight ÷ this.' }).default(1e6),
  damping: nonNegative({ label: 'Damping', unit: 'N s/m', step: 10, help: 'Spring damping of a contact.' }).default(1e3),
  step: positive({ label: 'Step', unit: 's', step: 1e-5, help: 'Stiff springs and light bodies need short steps.' }).default(1e-4),
  joints: described(z.strictObject({
    stiffness: positive({ label: 'Stiffness', unit: 'N/m', step: 1e4, help: 'Stiffness of each equation of a joint; N m/rad for angles.' }).default(1e6),
    damping: nonNegative({ label: 'Damping', unit: 'N s/m', step: 10, help: 'N m s/rad for angles.' }).default(1e3),
  }), { label: 'Joints as springs', help: 'Joints deflect by their force ÷ stiffness. Absent: joints hold exactly.' }).optional(),
})

/** Selects one of the solutions at the indeterminate event with this number. */
export const branchSchema = z.strictObject({
  event: integer(0, 2147483647, { label: 'Event', help: 'Number of the indeterminate event in the run.' }),
  solution: integer(0, 2147483647, { label: 'Solution', help: 'Number of the solution in that event\'s list.' }),
})

export const simulationSchema = z.strictObject({
  duration: described(z.number().gt(0).max(1e6), { label: 'Duration', unit: 's', step: 0.5, help: 'Simulated time.' }).default(5),
  outputRate: described(z.number().gt(0).max(1e6), { label: 'Output rate', unit: 'Hz', step: 10, help: 'Recorded frames a second.' }).default(240),
  seed: integer(0, 4294967295, { label: 'Seed', help: 'Of the scripts\' random numbers.' }).default(1),
  method: choice({
    auto: 'Event-driven for up to 8 dynamic bodies with shapes; time-stepping for more, with separated initial overlap, or with deformables. The run reports the choice.',
    'event-driven': 'Locates every impact and change of contact exactly: for small scenes, accurate to rounding.',
    'time-stepping': 'Steps of a fixed length: for many bodies. Nothing overlaps at the end of a step.',
    penalty: 'Contacts are springs and bodies penetrate: for comparison only.',
  }, { label: 'Method', help: 'Method of computing the motion.' }).default('auto'),
  dimensions: integer(2, 3, {
    label: 'Dimensions', help: 'With 2 all motion is in the plane y = 0 and about y: prisms and cylinders along y are polygons and discs. Force components out of the plane are ignored. Absent: 3.', absent: '3',
  }).optional(),
  coordinates: choice({
    maximal: 'Every body has its own coordinates, and joints are equations.',
    reduced: 'Joined bodies have the joints\' coordinates, so that joints hold exactly; loops, contacts and other joints are equations. For the event-driven method, which auto then takes, and time-stepping.',
  }, { label: 'Coordinates', help: 'Coordinates of positions. Both give the same motion. Absent: maximal.', absent: 'maximal' }).optional(),
  initialOverlap: choice({ refuse: 'Bodies that overlap at the start are reported as errors.', separate: 'They are moved apart before the run.' }, {
    label: 'Initial overlap', help: 'Treatment of bodies that overlap at the start.',
  }).default('refuse'),
  eventDriven: described(eventDrivenSchema, { label: 'Event-driven', help: 'Used if the method is event-driven, or auto in small scenes.' }).prefault({}),
  timeStepping: described(timeSteppingSchema, { label: 'Time-stepping', help: 'Used if the method is time-stepping, auto in larger scenes, or an event-driven interval falls back to it.' }).prefault({}),
  penalty: described(penaltySchema, { label: 'Penalty', help: 'Used if the method is penalty.' }).prefault({}),
  branch: described(z.array(branchSchema), { label: 'Branches', help: 'Choices at indeterminate instants.' }).default([]),
})
