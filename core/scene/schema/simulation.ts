import * as z from 'zod'
import { choice, described, flag, integer, nonNegative, positive, within } from './field'

/** Options of the event-driven method. */
export const eventDrivenSchema = z.strictObject({
  integrator: choice(['dormand-prince', 'rk4', 'midpoint', 'euler'], {
    label: 'Integrator', help: 'Dormand–Prince 5(4) is adaptive; the others take fixed steps.',
  }).default('dormand-prince'),
  tolerance: within(1e-13, 1e-2, { label: 'Tolerance', help: 'Relative, per step, of the adaptive integrator.' }).default(1e-9),
  step: positive({ label: 'Step', unit: 's', step: 0.0001, help: 'Of the fixed-step integrators; the largest step of the adaptive one is the output interval.' })
    .default(0.001),
  contactTolerance: within(1e-14, 1e-3, { label: 'Contact tolerance', help: 'Gap up to which features count as touching, relative to the scene size.' })
    .default(1e-9),
  solver: choice(['dantzig', 'lemke', 'gauss-seidel', 'jacobi', 'sor', 'qp'], {
    label: 'Solver', help: 'Of the contact forces. Dantzig and Lemke are exact, the others iterate.',
  }).default('dantzig'),
  staticFriction: choice(['exact', 'lotstedt', 'crawl', 'sign-guess'], {
    label: 'Static friction', help: 'Exact is Coulomb\'s law. The others are approximations for comparison, and the run says so: lotstedt bounds friction by '
      + 'the normal force of the step before, crawl lets contacts creep below the crawl speed, sign-guess bounds the two axes of friction each on its own.',
  }).default('exact'),
  crawlSpeed: positive({ label: 'Crawl speed', unit: 'm/s', step: 1e-5, help: 'Slip speed below which the crawl approximation reduces friction in proportion; the smaller, the shorter the steps.' })
    .default(1e-4),
  impact: choice(['simultaneous', 'sequential', 'energy-consistent'], {
    label: 'Impacts', help: 'All touching contacts at once, pair after pair (Newton\'s cradle), or a law that conserves the given share of energy.',
  }).default('simultaneous'),
  restingSpeed: nonNegative({ label: 'Resting speed', unit: 'm/s', step: 1e-5, help: 'Approaches slower than this do not bounce.' }).default(1e-4),
  rootFinder: choice(['quadratic', 'bisection'], {
    label: 'Root finder', help: 'Of the time of collision: safeguarded quadratic prediction, or plain bisection for comparison.',
  }).default('quadratic'),
  maxEventsPerFrame: integer(1, 1e6, { label: 'Events per frame', help: 'With more than these, the output interval is finished by time-stepping and marked.' })
    .default(1000),
})

/** Options of the time-stepping method. */
export const timeSteppingSchema = z.strictObject({
  step: positive({ label: 'Step', unit: 's', step: 0.0001 }).default(0.004166666666666667),
  contactModel: choice(['peg', 'standard'], {
    label: 'Contact model', help: 'Geometrically exact for polytopes, or Stewart and Trinkle\'s standard model.',
  }).default('peg'),
  solver: choice(['auto', 'dantzig', 'lemke', 'gauss-seidel', 'jacobi', 'sor', 'accelerated'], { label: 'Solver' }).default('auto'),
  frictionCone: choice(['exact', 'polyhedral'], { label: 'Friction cone', help: 'Coulomb\'s law with the round cone, or its pyramid.' }).default('exact'),
  frictionDirections: described(z.number().int().min(4).max(64).multipleOf(2), {
    label: 'Friction directions', step: 2, help: 'Edges of the polyhedral cone; even.',
  }).default(8),
  primaryContacts: integer(1, 8, { label: 'Primary contacts', help: 'Of the geometrically exact model, for each pair of features.' }).default(1),
  sleep: flag({ label: 'Sleep', help: 'Whether islands that have been at rest for half a second are left out, exactly still, until something touches them or the forces on them change.' }).default(false),
})

/** Options of the penalty method, which is for comparison only. */
export const penaltySchema = z.strictObject({
  stiffness: positive({ label: 'Stiffness', unit: 'N/m', step: 1e4 }).default(1e6),
  damping: nonNegative({ label: 'Damping', unit: 'N s/m', step: 10 }).default(1e3),
  step: positive({ label: 'Step', unit: 's', step: 1e-5 }).default(1e-4),
})

/** At the indeterminate event of this number, go on with this one of its solutions. */
export const branchSchema = z.strictObject({
  event: integer(0, 2147483647, { label: 'Event', help: 'Number of the indeterminate event in the run.' }),
  solution: integer(0, 2147483647, { label: 'Solution', help: 'Which of the solutions listed by that event.' }),
})

export const simulationSchema = z.strictObject({
  duration: described(z.number().gt(0).max(1e6), { label: 'Duration', unit: 's', step: 0.5 }).default(5),
  outputRate: described(z.number().gt(0).max(1e6), { label: 'Output rate', unit: 'Hz', step: 10, help: 'Recorded frames a second.' }).default(240),
  seed: integer(0, 4294967295, { label: 'Seed', help: 'Of the scripts\' random numbers.' }).default(1),
  method: choice(['auto', 'event-driven', 'time-stepping', 'penalty'], {
    label: 'Method', help: 'Auto is event-driven for up to 8 dynamic bodies with shapes, and time-stepping beyond, or where initial overlap is separated; the run says which.',
  }).default('auto'),
  initialOverlap: choice(['refuse', 'separate'], {
    label: 'Initial overlap', help: 'What to do where bodies overlap at the start: refuse to run, or push them apart.',
  }).default('refuse'),
  eventDriven: described(eventDrivenSchema, { label: 'Event-driven' }).prefault({}),
  timeStepping: described(timeSteppingSchema, { label: 'Time-stepping' }).prefault({}),
  penalty: described(penaltySchema, { label: 'Penalty' }).prefault({}),
  branch: described(z.array(branchSchema), { label: 'Branches', help: 'Choices at indeterminate instants.' }).default([]),
})
