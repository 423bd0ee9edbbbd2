import * as z from 'zod'
import { choice, described, flag, integer, nonNegative, positive, within } from './field'

/** Options of the event-driven method. */
export const eventDrivenSchema = z.strictObject({
  integrator: choice({
    'dormand-prince': 'Of order 5(4), adaptive: its error stays below the tolerance.',
    rk4: 'Runge–Kutta of order 4 with fixed steps, for comparison.',
    midpoint: 'Of order 2 with fixed steps, for comparison.',
    euler: 'Of order 1 with fixed steps, for comparison.',
  }, { label: 'Integrator', help: 'What advances positions and velocities between events.' }).default('dormand-prince'),
  tolerance: within(1e-13, 1e-2, { label: 'Tolerance', help: 'Relative, per step, of the adaptive integrator.' }).default(1e-9),
  step: positive({ label: 'Step', unit: 's', step: 0.0001, help: 'Of the fixed-step integrators; the largest step of the adaptive one is the output interval.' })
    .default(0.001),
  contactTolerance: within(1e-14, 1e-3, { label: 'Contact tolerance', help: 'Gap up to which features count as touching, relative to the scene size.' })
    .default(1e-9),
  solver: choice({
    dantzig: 'Pivoting by Dantzig\'s rule as Baraff extended it to friction: exact to rounding.',
    lemke: 'Lemke\'s pivoting: exact to rounding.',
    'gauss-seidel': 'Projected Gauss–Seidel sweeps; where they do not converge, Dantzig\'s is asked.',
    jacobi: 'Projected Jacobi sweeps, which do not depend on the order of contacts; where they do not converge, Dantzig\'s is asked.',
    sor: 'Gauss–Seidel sweeps with over-relaxation; where they do not converge, Dantzig\'s is asked.',
    qp: 'A quadratic programme; where it finds no answer, Dantzig\'s is asked.',
  }, { label: 'Solver', help: 'Finds the contact forces between events.' }).default('dantzig'),
  staticFriction: choice({
    exact: 'Coulomb\'s law.',
    lotstedt: 'Friction is bounded by the normal force of the step before.',
    crawl: 'Contacts creep below the crawl speed instead of sticking.',
    'sign-guess': 'The two axes of friction are bounded each on its own.',
  }, { label: 'Static friction', help: 'Coulomb\'s law, or an approximation of it for comparison, which the run says.' }).default('exact'),
  crawlSpeed: positive({ label: 'Crawl speed', unit: 'm/s', step: 1e-5, help: 'Slip speed below which the crawl approximation reduces friction in proportion; the smaller, the shorter the steps.' })
    .default(1e-4),
  impact: choice({
    simultaneous: 'All touching contacts at once, by Newton\'s law.',
    sequential: 'Pair after pair, as in Newton\'s cradle.',
    'energy-consistent': 'All at once, by a law that returns the given share of energy.',
  }, { label: 'Impacts', help: 'How bodies that touch others bounce. Holds in time-stepping too.' }).default('simultaneous'),
  jointFeedback: described(z.strictObject({
    stiffness: nonNegative({ label: 'Stiffness', unit: '1/s²', step: 1, help: 'k_s: how strongly a joint that is off is drawn back.' }),
    damping: nonNegative({ label: 'Damping', unit: '1/s', step: 1, help: 'k_d: how strongly its parting is damped; 2 √k_s brings it back soonest without swinging.' }),
  }), {
    label: 'Joint feedback', help: 'Joints that are off return by C̈ + k_d Ċ + k_s C = 0, and what is left of C is the joint error that frames tell. Absent: joints are brought back to rounding after every step.',
  }).optional(),
  flatSpots: choice({
    impulse: 'A body goes across by one impulse without any approach, a zeroth-order impact, which does no work.',
    'time-stepping': 'The output interval is finished by time-stepping, and marked.',
  }, {
    label: 'Flat spots', help: 'How a contact point is taken across a spot of no curvature, as on a superquadric, where its force grows beyond all bounds. Absent: by an impulse.', absent: 'impulse',
  }).optional(),
  restingSpeed: nonNegative({ label: 'Resting speed', unit: 'm/s', step: 1e-5, help: 'Approaches slower than this do not bounce.' }).default(1e-4),
  rootFinder: choice({
    quadratic: 'Safeguarded quadratic prediction.', bisection: 'Plain bisection, for comparison.',
  }, { label: 'Root finder', help: 'Finds the time of a collision.' }).default('quadratic'),
  maxEventsPerFrame: integer(1, 1e6, { label: 'Events per frame', help: 'With more than these, the output interval is finished by time-stepping and marked.' })
    .default(1000),
})

/** Options of the time-stepping method. */
export const timeSteppingSchema = z.strictObject({
  step: positive({
    label: 'Step', unit: 's', step: 0.0001, help: 'Length of a time step: the shorter, the smaller the error of the motion. Steps in which something would go wrong are halved, with an event.',
  }).default(0.004166666666666667),
  tolerance: positive({
    label: 'Tolerance', unit: 'm', step: 1e-6, help: 'How far above each other bodies may be left at the end of a step; they never overlap. Absent: a billionth of a metre for bodies whose contacts are solved exactly, a ten-thousandth of the smaller body in heaps that move.',
  }).optional(),
  contactModel: choice({
    peg: 'Geometrically exact: polyhedra end where their edges are, so that nothing is trapped in front of a corner.',
    standard: 'Stewart and Trinkle\'s: every contact is a plane without end. Cheaper, and held by such planes near corners.',
    'half-spaces': 'For comparison: every pair of features that could touch in the step is such a plane, not only those that face each other.',
    'locally-nonconvex': 'For comparison: a vertex stays above one of the faces that it is near; that edges cross is not seen.',
  }, { label: 'Contact model', help: 'What a step takes for the surface at a contact.' }).default('peg'),
  solver: choice({
    auto: 'Exact for small islands; for large ones Newton\'s method where bodies touch few others, accelerated sweeps in heaps. The run tells how often each.',
    dantzig: 'Pivoting: exact to rounding, at a cost that grows with the cube of an island\'s contacts.',
    lemke: 'Lemke\'s pivoting: exact to rounding, at a cost that grows with the cube of an island\'s contacts.',
    slack: 'For comparison: the mixed problem in slack variables of the geometrically exact model\'s paper, by Lemke\'s pivoting, which decides itself what keeps features apart near corners. Needs the polyhedral friction cone.',
    'gauss-seidel': 'Projected Gauss–Seidel sweeps, as most engines have them.',
    jacobi: 'Projected Jacobi sweeps: no contact comes before another, slowest to converge.',
    sor: 'Gauss–Seidel sweeps with over-relaxation.',
    accelerated: 'Sweeps with Nesterov\'s momentum and restarts: for heaps.',
  }, { label: 'Solver', help: 'Finds the impulses of contacts and joints in a step. What iteration leaves is the residual that each frame tells.' }).default('auto'),
  frictionCone: choice({ exact: 'Coulomb\'s round cone.', polyhedral: 'A pyramid with as many edges as friction directions.' }, {
    label: 'Friction cone', help: 'Bound of the friction force in the contact plane.',
  }).default('exact'),
  frictionDirections: described(z.number().int().min(4).max(64).multipleOf(2), {
    label: 'Friction directions', step: 2, help: 'Edges of the polyhedral cone; even. The exact cone has none.',
  }).default(8),
  primaryContacts: integer(1, 8, { label: 'Primary contacts', help: 'Of the geometrically exact model: how many candidates of a constraint may push in a step. More choose better near corners, and cost more.' }).default(1),
  linearizations: integer(1, 12, {
    label: 'Linearisations', help: 'How often a step\'s gaps are linearised at most: with 1 as in most engines and in the literature, and what overlaps then stays so, for comparison. Absent: until nothing overlaps.',
  }).optional(),
  sleep: flag({ label: 'Sleep', help: 'Whether islands that have been at rest for half a second are left out, exactly still, until something touches them or the forces on them change.' }).default(false),
})

/** Options of the penalty method, which is for comparison only. */
export const penaltySchema = z.strictObject({
  stiffness: positive({ label: 'Stiffness', unit: 'N/m', step: 1e4, help: 'Of the spring that each contact is: a resting body sinks in by its weight divided by it.' }).default(1e6),
  damping: nonNegative({ label: 'Damping', unit: 'N s/m', step: 10, help: 'Of the spring that each contact is.' }).default(1e3),
  step: positive({ label: 'Step', unit: 's', step: 1e-5, help: 'Stiff springs and light bodies need short ones.' }).default(1e-4),
  joints: described(z.strictObject({
    stiffness: positive({ label: 'Stiffness', unit: 'N/m', step: 1e4, help: 'By which each equation of a joint pulls; N m/rad where it holds an angle.' }).default(1e6),
    damping: nonNegative({ label: 'Damping', unit: 'N s/m', step: 10, help: 'N m s/rad where an equation holds an angle.' }).default(1e3),
  }), { label: 'Joints as springs', help: 'Joints give way by their force divided by the stiffness. Absent: forces hold them exactly.' }).optional(),
})

/** At the indeterminate event of this number, go on with this one of its solutions. */
export const branchSchema = z.strictObject({
  event: integer(0, 2147483647, { label: 'Event', help: 'Number of the indeterminate event in the run.' }),
  solution: integer(0, 2147483647, { label: 'Solution', help: 'Which of the solutions listed by that event.' }),
})

export const simulationSchema = z.strictObject({
  duration: described(z.number().gt(0).max(1e6), { label: 'Duration', unit: 's', step: 0.5, help: 'Simulated time.' }).default(5),
  outputRate: described(z.number().gt(0).max(1e6), { label: 'Output rate', unit: 'Hz', step: 10, help: 'Recorded frames a second.' }).default(240),
  seed: integer(0, 4294967295, { label: 'Seed', help: 'Of the scripts\' random numbers.' }).default(1),
  method: choice({
    auto: 'Event-driven for up to 8 dynamic bodies with shapes; time-stepping beyond, where initial overlap is separated, or with deformables. The run says which.',
    'event-driven': 'Finds every impact and change of contact at its exact time: for small scenes, to rounding.',
    'time-stepping': 'Steps of a fixed length: for many bodies. Nothing overlaps at the end of a step.',
    penalty: 'Contacts are springs, and bodies sink in: for comparison only.',
  }, { label: 'Method', help: 'How the motion is computed.' }).default('auto'),
  dimensions: integer(2, 3, {
    label: 'Dimensions', help: 'With 2 everything moves in the plane y = 0 and turns about y: prisms and cylinders along y are polygons and discs. What forces would do out of the plane is left out. Absent: 3.', absent: '3',
  }).optional(),
  coordinates: choice({
    maximal: 'Every body has its own, and joints are equations: forces hold them.',
    reduced: 'Bodies that hang together by joints have the joints\' coordinates, so that joints hold by construction; loops, contacts and other joints are equations. Event-driven.',
  }, { label: 'Coordinates', help: 'What positions are counted in. Both give the same motion. Absent: maximal.', absent: 'maximal' }).optional(),
  initialOverlap: choice({ refuse: 'Bodies that overlap at the start are told of, and have to be moved apart before a run.', separate: 'They are moved apart before anything moves.' }, {
    label: 'Initial overlap', help: 'What to do where bodies overlap at the start.',
  }).default('refuse'),
  eventDriven: described(eventDrivenSchema, { label: 'Event-driven', help: 'Used where the method is event-driven, or auto in small scenes.' }).prefault({}),
  timeStepping: described(timeSteppingSchema, { label: 'Time-stepping', help: 'Used where the method is time-stepping, auto in larger scenes, or an event-driven interval falls back to it.' }).prefault({}),
  penalty: described(penaltySchema, { label: 'Penalty', help: 'Used where the method is penalty.' }).prefault({}),
  branch: described(z.array(branchSchema), { label: 'Branches', help: 'Choices at indeterminate instants.' }).default([]),
})
