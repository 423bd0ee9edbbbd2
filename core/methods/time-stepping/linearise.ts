/**
 * Solves one island until its true end of step is right. Each pass solves the linear problem, moves the bodies, looks at gaps, limits and joints where they
 * came to, and corrects what the rows are solved for; the rows themselves stay those of the start, so that impulses always act along G(q_n)ᵀ.
 */

import { readMotion } from '../../dynamics/state-layout'
import type { BodyMotion } from '../../geometry/motion'
import { WORLD_MOTION } from '../../dynamics/joints/frame'
import { evaluateJoint } from '../../dynamics/joints/joint'
import type { ActiveConstraint } from './active-constraint'
import type { BodyMotions } from './body-motions'
import type { StepContext } from './context'
import { EqualityRows } from './equality'
import type { ImpulseMemory } from './memory'
import type { Passages } from './passage'
import { BOUNCE, GAP_ROUNDING, GAP_TARGET, ITERATIVE_GAP } from './settings'
import type { StepIsland } from './step-island'
import type { StepSolver } from './step-problem'

/** Passes before a step is given up as too long. */
const MAX_PASSES = 12
/** Passes in which constraints may still choose another candidate [physics.md §7]: with more they cycle. */
const FREE_CHOICES = 2
/** Share of all work of contacts that their sum may gain by rounding and by keeping gaps. */
const ENERGY_SLACK = 0.1
/** A row that need not hold may go this many times as far as it has. */
const RELEASE = 4
/** × gap target: up to that much more is asked of a contact that is missed again and again. */
const LITTLE = 100
/** m and rad: joint errors at the end of a step. */
const JOINT_ERROR = 1e-12
/** What is left of a joint error where passes ran out and the step is kept all the same. */
const JOINT_ALLOWED = 1e-9
/** m/s ÷ (gap target ÷ step): velocities found this well leave a tenth of the gap target. */
const ACCURACY = 0.1
/** × the fastest approach of the island's contacts: the same for the first passes, whose linearisation is no better; × what is asked in the end, at most. */
const LOOSE = 1e-3
const LOOSEST = 100
const LOOSE_PASSES = 2

/** Passes after which contacts that push may stay lifted: bodies that turn about a contact end a step above it, and would fall back onto it without a push. */
const LOWERINGS = 4
/** The same, of all contacts, where nothing collides, or few bodies do. */
const ALL_LOWERED = 2
/** × scene size: gaps above this are lifted. */
const LIFTED = 1e-8
/** Rows of the islands in which this is mended; in larger ones it is lost among the collisions of a pile. */
const LOWERED_ROWS = 36

export interface StepArrays {
  readonly h: number
  readonly end: Float64Array
  readonly motions: BodyMotions
  readonly passages: Passages
  readonly memory: ImpulseMemory
  readonly slots: Int32Array
  /** m/s */
  readonly stickSpeed: number
  /** Whether the scene has many bodies: then velocities are not found better than the linearisation that they come from. */
  readonly crowd: boolean
}

/** Brings the island's end of step onto its joints, by RATTLE's first half: half a kick, positions satisfied. @returns why not, or null */
export function foreseeJoints(context: StepContext, island: StepIsland, step: StepArrays): string | null {
  const { h, motions } = step
  const problem = island.assemble(motions.snapshot, context.equations.jointPositions, step.slots, step.h)
  const { rows, p, b } = problem
  const factor = new EqualityRows(rows)
  const change = new Float64Array(rows.count)
  move(context, island, step)
  let before = Infinity
  for (let pass = 0; pass < 4 * MAX_PASSES; pass++) {
    const error = jointErrors(island, step)
    if (error <= JOINT_ERROR * context.world.scales.size || (error <= JOINT_ALLOWED * context.world.scales.size && error >= 0.5 * before)) return null
    if (!(error < Infinity)) break
    before = error
    for (const joint of island.joints) joint.atEnd.error.forEach((value, r) => { b[joint.firstRow + r] = -value / h })
    factor.solve(b, change)
    for (let i = 0; i < rows.count; i++) p[i]! += change[i]!
    move(context, island, step)
  }
  return 'joints could not be met at the end of the step'
}

/** Solves everything that acts on the island, with the whole kick at the start of the step. @returns why it could not, or null */
export function solveContacts(context: StepContext, island: StepIsland, step: StepArrays, solver: StepSolver): string | null {
  const { motions, h } = step
  const { counts, world: { scales } } = context
  const aim = solver.exact ? GAP_TARGET : Math.max(GAP_TARGET, ITERATIVE_GAP * scales.size)
  for (const active of island.constraints) active.place(motions.snapshot, step.stickSpeed, aim)
  let problem = prepare(context, island, step)
  const tight = ACCURACY * aim / h
  const loose = solver.exact || !step.crowd ? tight : Math.min(Math.max(tight, LOOSE * fastest(island)), LOOSEST * tight)
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const accuracy = pass < LOOSE_PASSES ? loose : tight
    const solution = solver.solve(problem, accuracy)
    counts.solverCalls++
    context.solves.set(solution.solver, (context.solves.get(solution.solver) ?? 0) + 1)
    counts.pivots += solution.iterations
    if (solution.basisHit) counts.basisHits++
    counts.maxContacts = Math.max(counts.maxContacts, island.constraints.length)
    if (!solution.solved) return `${solution.solver} left a residual of ${solution.residual}`
    island.residual = solution.residual
    island.solver = solution.solver
    island.sweeps = solution.iterations
    if (solution.history.length >= island.history.length) island.history = solution.history
    move(context, island, step)
    const chosen = foresee(island, motions, pass < FREE_CHOICES)
    const open = foreseeLimits(context, island, step)
    const jointError = jointErrors(island, step)
    if (chosen) {
      for (const active of island.constraints) active.place(motions.snapshot, step.stickSpeed, aim)
      problem = prepare(context, island, step)
      continue
    }
    const apart = spare(island, step, -GAP_ROUNDING * scales.size)
    const low = solver.exact && pass < LOWERINGS && problem.rows.count <= LOWERED_ROWS
    if (apart && open && jointError <= (pass < MAX_PASSES / 2 ? JOINT_ERROR : JOINT_ALLOWED) * scales.size
      && !(low && lifted(island, LIFTED * scales.size))) {
      if (accuracy > tight && solution.residual > tight) {
        pass = Math.max(pass, LOOSE_PASSES - 1)
        continue
      }
      for (const active of island.constraints) {
        active.given = active.impulse(island.problem!.p)
        active.asked = problem.b[active.row]! + island.free[active.row]!
        active.givenTurn = active.angularImpulse(island.problem!.p)
      }
      return gainsEnergy(island, step) ? 'contacts would add energy' : null
    }
    retarget(island, step, aim, pass, low || (loose === tight && pass < ALL_LOWERED))
  }
  return `${island.constraints.length} contacts still overlapped after ${MAX_PASSES} linearisations`
}

/** Rows, what they are first solved for, and the guess. */
function prepare(context: StepContext, island: StepIsland, step: StepArrays): NonNullable<StepIsland['problem']> {
  const { motions, h } = step
  for (const body of island.bodies) motions.kickBody(body, context.equations.external, h)
  const problem = island.assemble(motions.snapshot, context.equations.jointPositions, step.slots, step.h)
  const { rows, b, lower, upper } = problem
  step.memory.recall(island)
  for (const active of island.constraints) active.resume(problem.p)
  for (const body of island.bodies) {
    motions.push.fill(0, 6 * body, 6 * body + 6)
    motions.accelerate(body)
  }
  island.free = new Float64Array(rows.count)
  for (let i = 0; i < rows.count; i++) b[i] = -(island.free[i] = rows.along(i, motions.velocity))
  for (const joint of island.joints) joint.equations.error.forEach((value, r) => { b[joint.firstRow + r]! -= value / h })
  for (const { drive, row } of island.drives) {
    b[row]! += drive.targetVelocity
    lower[row] = -drive.maxForce * h
    upper[row] = drive.maxForce * h
  }
  for (const limit of island.limits) b[limit.row]! -= limit.start / h
  for (const active of island.constraints) {
    active.hold = 'yes'
    active.bounce = bounceSpeed(context, active, motions, island.free[active.row]!, h)
    // Solved before in this step, it begins with what was asked of it last.
    if (active.given === null) b[active.row]! += Math.max((active.aim - active.at.gap) / h, active.bounce)
    else b[active.row] = active.asked - island.free[active.row]!
  }
  return problem
}

/**
 * The least normal velocity after this step of a contact that meets and approaches fast enough to bounce: Newton's e v⁻, corrected for the normal
 * acceleration a during the step, so that the energy of the bounce is that of one at the surface, ψ below:
 *
 *   (v⁺)² − 2 a (ψ + h v⁺) = e² ((v⁻)² − 2 a ψ)                                          (v⁺ = −e v⁻ where a = 0)
 *
 * Impacts by another law than the simultaneous one are over when the step begins.
 */
function bounceSpeed(context: StepContext, active: ActiveConstraint, motions: BodyMotions, free: number, h: number): number {
  const { constraint: { pair }, normalVelocity: approach, at: { gap } } = active
  const e = pair.material.restitution
  if (e === 0 || context.settings.impact !== 'simultaneous' || approach >= 0 || gap + h * free > 0) return -Infinity
  const threshold = Math.max(context.settings.restingSpeed,
    BOUNCE * Math.max(Math.abs(kickAlong(motions, pair.bodyA, active)), Math.abs(kickAlong(motions, pair.bodyB, active))))
  if (-approach <= threshold) return -Infinity
  const change = free - approach
  const a = change / h
  const square = change * change + 2 * a * gap + e * e * (approach * approach - 2 * a * gap)
  return square > 0 ? Math.max(change + Math.sqrt(square), -gap / h) : -Infinity
}

/** Velocity along a contact's normal that this step's forces give a body's centre of mass, m/s. */
function kickAlong({ kick, snapshot }: BodyMotions, body: number, { at: { normal } }: ActiveConstraint): number {
  return snapshot.inverseMass[body]! * (kick[6 * body]! * normal[0] + kick[6 * body + 1]! * normal[1] + kick[6 * body + 2]! * normal[2])
}

/** m/s: the fastest approach or parting of an island's contacts at the start of the step. */
function fastest({ constraints }: StepIsland): number {
  return constraints.reduce((most, { normalVelocity }) => Math.max(most, Math.abs(normalVelocity)), 0)
}

/**
 * Solves for the true errors at the end next time: velocities as they are, plus what is missing.
 *
 * @param lowering contacts that stand open are drawn back to the gap target too. In a pile that closes one and opens its neighbours, pass after pass, while
 *   what still stands open by micrometres closes in the next step
 */
function retarget(island: StepIsland, { motions, h }: StepArrays, aim: number, pass: number, lowering: boolean): void {
  const problem = island.problem!
  const { rows, b } = problem
  const correct = (row: number, missing: number, least = -Infinity): void => {
    b[row] = Math.max(rows.along(row, motions.velocity) + missing / h, least) - island.free[row]!
  }
  for (const joint of island.joints) joint.atEnd.error.forEach((value, r) => correct(joint.firstRow + r, -value))
  for (const limit of island.limits) correct(limit.row, -limit.gap)
  for (const active of island.constraints) {
    // Features that are flush with an end of the face lie beyond it by rounding only: that lets nothing go.
    const flush = active.gap >= 0 && active.gap <= aim
    if (active.spared && active.hold !== 'for good' && (active.rowGap < 0 && !flush || active.hold === 'released')) {
      // What keeps the features apart leaves room for as much again; taken back once, the row stays, or passes could go on for ever.
      active.hold = 'released'
      correct(active.row, -RELEASE * Math.max(Math.abs(active.rowGap), active.gap))
      continue
    }
    if (active.hold === 'released') active.hold = 'for good'
    if (!lowering && active.gap >= 0 && active.rowGap >= 0 && problem.p[active.row]! > 0) {
      correct(active.row, 0, active.bounce)
      continue
    }
    // What is missed by little is asked for the more the oftener it was missed; what is missed by much has turned away, and a push would throw it.
    const lift = active.gap < 0 && pass > 1 ? Math.min(-active.gap * (pass - 1), Math.max(-active.gap, LITTLE * active.aim)) : 0
    correct(active.row, aim + lift - active.rowGap, active.bounce)
  }
}

/** Velocities and end poses of the island's bodies from its impulses. */
function move(context: StepContext, island: StepIsland, { motions, h, end }: StepArrays): void {
  for (const body of island.bodies) motions.push.fill(0, 6 * body, 6 * body + 6)
  const { rows, p } = island.problem!
  rows.addWrench(p, motions.push)
  for (const body of island.bodies) {
    motions.accelerate(body)
    motions.drift(body, h, context.state, end)
  }
}

function foresee(island: StepIsland, { poses }: BodyMotions, free: boolean): boolean {
  let chosen = false
  for (const active of island.constraints) {
    const { pair } = active.constraint
    if (active.foresee(poses[pair.bodyA]!, poses[pair.bodyB]!, free)) chosen = true
  }
  return chosen
}

/**
 * Marks the constraints that may stay as they are although their row in force is passed: another candidate keeps the features apart, or the solids do not
 * overlap on the way or at its end (the plane of a face was passed beyond the face's end).
 *
 * @returns whether none is left
 */
function spare(island: StepIsland, { passages, h }: StepArrays, least: number): boolean {
  const apart = new Map<string, boolean>()
  let all = true
  for (const active of island.constraints) {
    active.spared = active.gap >= least
    if (active.spared) continue
    const { pair } = active.constraint
    let separate = apart.get(pair.key)
    if (separate === undefined) apart.set(pair.key, separate = passages.staysApart(pair, h, least))
    active.spared = separate
    all &&= separate
  }
  return all
}

/** Whether some contact that pushes, and does not bounce, is farther apart at the end than `most`, m: then 0 ≤ p ⟂ ψ(q⁺) ≥ 0 does not hold yet. */
function lifted({ constraints, problem }: StepIsland, most: number): boolean {
  return constraints.some(({ row, bounce, gap, rowGap, aim }) => problem!.p[row]! > 0 && bounce === -Infinity && Math.min(gap, rowGap) > aim + most)
}

/**
 * Whether the contacts' impulses do more work than rounding explains: Σ p (w_free + w⁺)/2, w the relative velocities at the contacts without and with them, is
 * what contacts take out of the motion, since they neither drive nor throw back faster than what meets them. A row that cannot do what it is solved
 * for, because its features turn away from each other, grows impulses that do. (Constraints of a single candidate always can.)
 */
function gainsEnergy(island: StepIsland, { motions: { velocity } }: StepArrays): boolean {
  if (!island.constraints.some(({ constraint: { candidates } }) => candidates.length > 1)) return false
  const { rows, p } = island.problem!
  let work = 0
  let turnover = 0
  for (const { row, friction } of island.constraints) {
    for (let i = row; i < row + (friction > 0 ? 3 : 1); i++) {
      const [before, after] = [island.free[i]!, rows.along(i, velocity)]
      work += p[i]! * (before + after) / 2
      turnover += Math.abs(p[i]!) * (Math.abs(before) + Math.abs(after)) / 2
    }
  }
  return work > ENERGY_SLACK * turnover
}

/** Limits where the bodies come to. @returns whether none is passed */
export function foreseeLimits(context: StepContext, island: StepIsland, step: StepArrays): boolean {
  let open = true
  for (const limit of island.limits) {
    const { constraint } = limit.element
    const near = context.equations.jointPositions[limit.joint]![limit.coordinate]!
    const { position } = constraint.coordinate(limit.coordinate, endMotion(step, constraint.bodyA), endMotion(step, constraint.bodyB), near)
    limit.gap = limit.side * (position - limit.bound)
    if (limit.gap < 0) open = false
  }
  return open
}

/** C of every joint where the bodies come to. @returns the largest */
function jointErrors(island: StepIsland, step: StepArrays): number {
  let worst = 0
  for (const { element: { constraint }, atEnd } of island.joints) {
    evaluateJoint(constraint, body => endMotion(step, body), atEnd)
    for (const value of atEnd.error) worst = Math.max(worst, Math.abs(value))
  }
  return worst
}

function endMotion({ motions, end }: StepArrays, body: number): BodyMotion {
  return body < 0 ? WORLD_MOTION : readMotion(motions.snapshot.layout, body, end)
}
