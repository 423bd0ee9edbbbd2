/**
 * Solves one island until the gaps at the end of the nonlinear step are satisfied. Each pass solves the linear problem, moves the bodies, evaluates
 * gaps, limits and joints there, and corrects the row targets. The rows stay those of the start, so that impulses always act along G(q_n)ᵀ.
 */

import { shortNumber } from '../../math/short-number'
import type { BodyMotions } from './body-motions'
import { bounceSpeed } from './bounce'
import type { StepContext } from './context'
import { DIVIDED_ROWS } from './first-touch'
import { EndGradients } from './end-gradients'
import { evaluateLimits, jointErrors, move } from './island-motion'
import { pileGap } from './pile-gap'
import { correctRolling } from './rolling'
import { SECOND_ORDER_ROWS } from './settings'
import { settleJoints } from './settle-joints'
import { TiedRows } from './tied-rows'
import { isLeftOpen, markSeparated, setRowTargets } from './row-targets'
import { accelerated } from './solvers/iterative'
import { supported } from './solvers/augmented'
import { eliminating } from './solvers/eliminating'
import { newtonAlone } from './solvers/newton'
import { drivenOver } from './step-drive'
import type { StepArrays } from './step-arrays'
import type { FirstPass, StepIsland } from './step-island'
import type { StepProblem, StepSolver } from './step-problem'
import { unmet, type StepEnd } from './unmet'
import { markImpacts, predictWithoutImpacts } from './without-impacts'
import { ACCURACY, FIRST_ACCURACY, FORCE_ERROR, GAP_ROUNDING, GAP_TARGET, ITERATIVE_GAP, JOINT_ALLOWED, JOINT_ERROR, LEFT_OPEN, NARROW_GAP, PILE_ACCURACY } from './tolerances'

/** Passes after which a step counts as too long. */
const MAX_PASSES = 12
/** Passes in which constraints may change their active candidate; with more passes the choice may cycle. */
const CANDIDATE_PASSES = 2
/** Passes in a pile, whose remaining overlaps are removed by position correction: for exactly solved islands, and for large ones. */
const PILE_EXACT_PASSES = 6
const PILE_PASSES = 3
/** Passes solved by pivoting, which needs symmetric problems; remaining gaps are left to the iteration. */
const PIVOTED = 3
const MAX_FIRST_ACCURACY = 1000
const FIRST_PASSES = 2

/** × the joint error of the pass before: if a pass leaves more, the next ones use gradients at the end of the step, with which errors shrink quadratically. */
const SLOW = 0.1

/** × the residual of the guess: accuracy of the iteration with rows whose gaps have rotated, if looser than that of a first pass. */
const FOUND = 0.1

/**
 * Passes that may close open active contacts. Without them a body that rotates about such a contact would end the step
 * above it, and then fall.
 */
const CLOSING_PASSES = 6
/** The same for all contacts, if there are no or few impacts. */
const CLOSING_PASSES_OF_ALL = 2

/** Largest α of a servo in steps of second order: the forces of a stiffer one change from step to step. */
const RESOLVED = 0.5

/** m: gap target of contacts. */
export function gapTarget(context: StepContext, { bodies, pile, narrow }: StepIsland, { exact }: StepSolver): number {
  const { gap, scales, settings: { tolerance } } = context
  if (narrow) return NARROW_GAP * Math.min(gap, tolerance ?? gap)
  if (tolerance !== null) return tolerance
  if (exact) return gap
  return pile ? pileGap(context, bodies) : Math.max(GAP_TARGET, ITERATIVE_GAP * scales.size(...bodies))
}

/**
 * Solves the island with contacts, with the whole kick at the start of the step.
 *
 * @returns the reason of a failure, or null; in a pile contacts may remain violated
 */
export function solveContacts(context: StepContext, island: StepIsland, step: StepArrays, solver: StepSolver): string | null {
  const { motions, h } = step
  const { counts, scales, settings: { linearizations } } = context
  const size = scales.size(...island.bodies)
  const aim = gapTarget(context, island, solver)
  for (const active of island.constraints) active.place(motions.snapshot, island.stickSpeed, aim)
  const exactly = solver.exact || !island.pile
  // A given tolerance applies to gaps, not to velocities: otherwise bodies at rest would drift with the residual
  // velocities.
  const tight = exactly ? ACCURACY * Math.min(aim, GAP_TARGET) / h : Math.max(ACCURACY * aim / h, PILE_ACCURACY * fastest(island))
  const loose = exactly || linearizations !== null ? tight : Math.min(Math.max(tight, FIRST_ACCURACY * fastest(island)), MAX_FIRST_ACCURACY * tight)
  let problem = prepare(context, island, step, solver, loose)
  const leaves = island.pile && island.limits.length === 0 && !island.inTrees
  const passes = linearizations ?? (leaves ? solver.exact ? PILE_EXACT_PASSES : PILE_PASSES : MAX_PASSES)
  let solving = solver
  // With few bodies, shorter steps are affordable for large rotations.
  let turning = leaves
  const mayTurn = solver !== eliminating && context.settings.solver === 'auto' && solver.exact && !island.inTrees
  let jointErrorBefore = Infinity
  let reached: StepEnd = { apart: false, open: true, jointError: 0, residual: 0 }
  for (let pass = 0; pass < passes; pass++) {
    const accuracy = pass < FIRST_PASSES ? loose : tight
    const turned = !solving.exact && problem.gradient !== problem.rows.jacobian
    const before = turned ? problem.p.slice() : null
    const solution = solving.solve(problem, accuracy)
    if (before !== null && !(solution.residual <= Math.max(loose, FOUND * solution.history[0]!))) {
      // With rotated gap gradients, friction may pull a point deeper into the surface the harder it is pushed.
      turning = false
      for (const active of island.constraints) active.forget()
      problem = prepare(context, island, step, solver, loose)
      problem.p.set(before)
      // This pass did not reduce the error and does not count.
      pass--
      continue
    }
    counts.solverCalls++
    context.solves.set(solution.solver, (context.solves.get(solution.solver) ?? 0) + 1)
    counts.pivots += solution.iterations
    if (solution.basisHit) counts.basisHits++
    counts.maxContacts = Math.max(counts.maxContacts, island.constraints.length)
    if (!solution.solved) {
      if (solving === eliminating) return noImpulses(solution.residual)
      return solving === newtonAlone ? unmet({ ...reached, residual: solution.residual }, island.constraints.length, pass, JOINT_ALLOWED * size)
        : `${solution.solver} left a residual of ${solution.residual}`
    }
    island.residual = solution.residual
    island.solver = solution.solver
    island.sweeps = solution.iterations
    if (solution.history.length >= island.history.length) island.history = solution.history
    move(context, island, step)
    if (island.joints.length > 0) island.firstPass ??= firstPassOf(problem, motions)
    if (solving === eliminating) settleJoints(context, island, step, problem.eliminated.value!.joints, size)
    if (!areNumbers(island, motions)) return `${solution.solver} found an invalid motion`
    const chosen = evaluateContacts(island, motions, pass < CANDIDATE_PASSES)
    const open = evaluateLimits(context, island, step)
    const jointError = jointErrors(island, step)
    if (chosen) {
      for (const active of island.constraints) active.place(motions.snapshot, island.stickSpeed, aim)
      problem = prepare(context, island, step, solver, loose)
      continue
    }
    const apart = markSeparated(island, step, -GAP_ROUNDING * size)
    reached = { apart, open, jointError, residual: solution.residual }
    const low = solver.exact && pass < CLOSING_PASSES && problem.rows.count - island.tiedRows <= SECOND_ORDER_ROWS
    // A limited number of linearisations, for comparison, is spent on gaps only.
    // A pile's forces are as they are; elsewhere the step is taken otherwise rather than with forces that fit no motion.
    const fits = leaves || linearizations !== null || solution.residual <= Math.max(tight, FORCE_ERROR * fastestRow(island))
    const rolls = !low || linearizations !== null || correctRolling(island, motions, h) <= tight
    if (rolls && fits && apart && open && jointError <= (pass < MAX_PASSES / 2 ? JOINT_ERROR : JOINT_ALLOWED) * size
      && !(low && isLeftOpen(island, Math.max(LEFT_OPEN * size, context.settings.tolerance ?? 0)))) {
      if (accuracy > tight && solution.residual > tight) {
        pass = Math.max(pass, FIRST_PASSES - 1)
        continue
      }
      keepGuess(island)
      return null
    }
    if (leaves && solving.exact && !island.slack && (pass + 1 >= PIVOTED || solution.solver === 'accelerated')) {
      solving = accelerated(context.settings.frictionDirections, false)
    }
    if (jointError > JOINT_ALLOWED * size && linearizations === null && !leaves) {
      // Further passes would move the joints further apart; a shorter step costs less.
      if (jointError > jointErrorBefore) return unmet(reached, island.constraints.length, pass + 1, JOINT_ALLOWED * size)
      if (jointError > SLOW * jointErrorBefore && mayTurn && supported(problem) !== null) [solving, turning] = [newtonAlone, true]
    }
    jointErrorBefore = jointError
    const gradients = turning && (!solving.exact || solving === newtonAlone) ? new EndGradients(island, step) : null
    setRowTargets(island, step, gradients, aim, pass, low || (loose === tight && pass < CLOSING_PASSES_OF_ALL), context.settings.tolerance)
  }
  // Where many bodies collide, gaps are corrected at the end of the step, and joints keep what is exact.
  if (leaves && linearizations === null && island.joints.length > 0 && !(reached.jointError <= JOINT_ALLOWED * size)) {
    const left = settleJoints(context, island, step, TiedRows.among(problem), size)
    if (!(left <= JOINT_ALLOWED * size)) return unmet({ ...reached, jointError: left }, island.constraints.length, passes, JOINT_ALLOWED * size)
    evaluateContacts(island, motions, false)
    markSeparated(island, step, -GAP_ROUNDING * size)
  }
  if (leaves || linearizations !== null) keepGuess(island)
  return leaves || linearizations !== null ? null : unmet(reached, island.constraints.length, passes, JOINT_ALLOWED * size)
}

function noImpulses(residual: number): string {
  return `no impulses of contacts, drives and limits were found that hold together with the joints (residual ${shortNumber(residual, 3)})`
}

/** Stores the contact impulses as the guess for another solution of the island in this step. */
function keepGuess({ constraints, problem }: StepIsland): void {
  const { p, b } = problem!
  for (const active of constraints) {
    active.given = active.impulse(p)
    active.asked = b[active.row]!
    active.givenTurn = active.angularImpulse(p)
  }
}

/** Builds the rows, their first targets, and the guess. */
function prepare(context: StepContext, island: StepIsland, step: StepArrays, solver: StepSolver, accuracy: number): StepProblem {
  const { motions, h } = step
  step.memory.press(island)
  const meets = markImpacts(context, island)
  island.leapfrog = island.mayLeap && island.rowCount - island.tiedRows <= (meets ? DIVIDED_ROWS : SECOND_ORDER_ROWS)
  const kickTime = kick(context, island, step)
  const problem = island.assemble(motions.snapshot, context.equations.jointPositions, step, kickTime)
  const { rows, b } = problem
  island.firstPass = null
  step.memory.recall(island)
  if (island.leapfrog) island.last = problem.p.map(impulse => impulse / kickTime)
  const goesOn = island.leapfrog && kickTime > h / 2 && step.leapfrog.missingOf(island.bodies, motions.snapshot) === 0
  if (!goesOn) island.led.fill(0)
  for (const entry of island.drives) {
    const before = rows.along(entry.row, motions.before) - rows.along(entry.row, motions.leading)
    drivenOver(entry, rows, island.leapfrog ? 'to the middle' : 'step', h, kickTime, before)
  }
  if (island.leapfrog && island.drives.some(({ implicit }) => implicit > RESOLVED)) {
    island.mayLeap = false
    return prepare(context, island, step, solver, accuracy)
  }
  for (const active of island.constraints) active.resume(problem.p)
  for (const body of island.bodies) motions.push.fill(0, 6 * body, 6 * body + 6)
  motions.accelerateAll(island.bodies)
  for (const body of island.bodies) motions.unpushed.set(motions.velocity.subarray(6 * body, 6 * body + 6), 6 * body)
  const { free } = island
  for (let i = 0; i < rows.count; i++) b[i] = -(free[i] = rows.along(i, motions.velocity))
  for (const joint of island.joints) joint.equations.error.forEach((value, r) => { b[joint.firstRow + r]! -= value / h })
  for (const { row, rate } of island.drives) b[row]! += rate
  for (const limit of island.limits) b[limit.row]! -= limit.start / h
  for (const active of island.constraints) {
    b[active.row]! += (active.aim - active.at.gap) / h
    for (const { row, at } of active.others) b[row]! += (active.aim - at.gap) / h
  }
  predictWithoutImpacts(context, island, step, solver, accuracy)
  for (const joint of island.joints) joint.gradient = null
  for (const limit of island.limits) limit.gradient = null
  for (const active of island.constraints) {
    active.hold = 'yes'
    active.bounce = bounceSpeed(context, active, h, island.restitutionScale)
    // In piles, a repeated solution starts from its last targets; elsewhere added contacts often lead to a different solution.
    if (active.given === null || !island.pile) {
      b[active.row] = Math.max((active.aim - active.at.gap) / h, active.bounce) - free[active.row]!
      active.gradient = null
    } else {
      b[active.row] = active.asked
    }
  }
  island.useGradients()
  return problem
}

/** Kicks the island's bodies to the middle of the step, or by the whole step and what they lack of the last one. @returns s: over how long */
function kick({ equations: { external } }: StepContext, island: StepIsland, { motions, leapfrog, h }: StepArrays): number {
  const { bodies } = island
  if (island.leapfrog) return leapfrog.kick(island, motions, external, h)
  for (const body of bodies) motions.kickBody(body, external, h + leapfrog.missing(body))
  return h + leapfrog.missingOf(bodies, motions.snapshot)
}

/** m/s: the largest normal speed of an island's contacts at the start of the step. */
function fastest({ constraints }: StepIsland): number {
  return constraints.reduce((most, { normalVelocity }) => Math.max(most, Math.abs(normalVelocity)), 0)
}

/** m/s and rad/s: the largest speed of an island's rows at the start of the step or without their impulses. */
function fastestRow(island: StepIsland): number {
  return island.free.reduce((most, rate) => Math.max(most, Math.abs(rate)), fastest(island))
}

function firstPassOf({ rows, p }: StepProblem, { velocity }: BodyMotions): FirstPass {
  return { p: p.slice(), rates: p.map((_, row) => rows.along(row, velocity)) }
}

/** Whether all velocities are finite: NaN would pass every later check, because comparisons with it are false. */
function areNumbers({ bodies }: StepIsland, { velocity }: BodyMotions): boolean {
  return bodies.every(body => {
    let sum = 0
    for (let k = 6 * body; k < 6 * body + 6; k++) sum += velocity[k]!
    return Number.isFinite(sum)
  })
}

function evaluateContacts(island: StepIsland, { poses }: BodyMotions, free: boolean): boolean {
  let chosen = false
  for (const active of island.constraints) {
    const { pair } = active.constraint
    if (active.evaluateAtEnd(poses[pair.bodyA]!, poses[pair.bodyB]!, free)) chosen = true
  }
  return chosen
}
