/**
 * Bodies that interact in one step, and the rows between them: joints, drives, limits, spins of joints, then a normal, two tangents and spins for
 * each contact constraint. Rows are those of the step's start; repeated linearisation only changes their targets.
 */

import type { JointSpin } from '../../contact/constraints'
import type { IslandSpin } from '../../contact/island-spin'
import type { Rows } from '../../contact/rows'
import type { Snapshot } from '../../contact/snapshot'
import { evaluateJoint, JACOBIAN_WIDTH } from '../../dynamics/joints/joint'
import { ROW_FRICTION, ROW_SPIN, ROW_UNILATERAL, ROW_WATCHED, type Alternatives, type FrictionRows } from '../../lcp/problem'
import { slipLength } from '../../lcp/spin'
import { ZERO, type Vec3 } from '../../math/vector'
import type { SolvedContact } from '../method'
import type { ActiveConstraint, OtherCandidate } from './active-constraint'
import type { EliminatedRows } from './elimination'
import { fillJointRows, jointRowCount, type IslandMode, type StepJoint, type StepLimit } from './joint-rows'
import type { DivisionPoint } from './division-point'
import { ProblemWorkspace, type ProblemWorkspaces } from './problem-workspace'
import type { RecordedWorks } from './recorded-works'
import { drivenOver, type StepDrive } from './step-drive'
import type { StepProblem } from './step-problem'

const NO_SLOTS = new Int32Array(0)
const NO_OTHERS: readonly OtherCandidate[] = []
const NOTHING = new Float64Array(0)

/** Data for filling an island's rows. */
export interface Assembly {
  /** By body: scratch, its index among its island's bodies. */
  readonly slots: Int32Array
  readonly workspaces: ProblemWorkspaces
  /** s: length of the step. */
  readonly h: number
  readonly interrupt?: () => void
}

/**
 * The rows of a problem after its first pass. Its joints have no rates yet: this is the motion by the laws at the start of the step, and further passes
 * correct it for the rotation of bodies in the step.
 */
export interface FirstPass {
  /** N s and N m s, of each row. */
  readonly p: Float64Array
  /** m/s and rad/s: rate of each row. */
  readonly rates: Float64Array
}

/** Impulses of the second half of a kick, and their works, J (`end-kick.ts`). */
export interface EndKick {
  /** N s and N m s, six a body of the island: of forces and rows. */
  readonly impulses: Float64Array
  /** N s and N m s: of the rows of the island's problem. */
  readonly p: Float64Array
  /** m/s and rad/s: rates of these rows at the end of the step. */
  readonly rates: Float64Array
  /** Of limits. */
  readonly normal: number
  /** Of torsional and rolling friction. */
  readonly friction: number
  /** Of drives and friction of joints. */
  readonly joints: number
  readonly kinematic: number
}

/** Contacts whose velocities were projected with those of joints at the end of a step (`rattle.ts`). */
export interface EndContacts {
  /** N s and N m s: impulses of the rows of the island's problem. */
  readonly p: Float64Array
  /** J: works of normal impulses, and of friction. */
  readonly normal: number
  readonly friction: number
}

export class StepIsland {
  mode: IslandMode = 'free'
  /** Whether it is part of a pile: velocities are then only as accurate as the linearisation. */
  pile = false
  /** Whether some of its bodies have no room for the usual gaps: it then has a smaller gap target. */
  narrow = false
  /** Whether it contains bodies of trees, with joint coordinates. */
  inTrees = false
  /** m/s: slower slip counts as sticking. */
  stickSpeed = 0
  /** Whether its solver selects the separating candidates of its constraints: then all of them have rows. */
  slack = false
  /** s: length of the step in which it was solved. */
  h = 0
  /** Whether its contacts may persist in a step of second order, and whether they do. */
  mayLeap = false
  leapfrog = false
  /** Whether forces changed suddenly in its step of second order, and then the second half of its kick. */
  sudden = false
  endKick: EndKick | null = null
  /** Part of the impulses of `problem` that the velocity at the start of the step contains already, N s and N m s. */
  led: Float64Array = NOTHING
  /** Forces of the rows of `problem` in the last step, N and N m. */
  last: Float64Array = NOTHING
  /** Length of its step ÷ that of the last one if forces at its end are extrapolated from both, otherwise 0. */
  further = 0
  /** Its first impact, at which its step is to be divided; null if there is none. */
  divisionPoint: DivisionPoint | null = null
  /** s: time over which forces, and the impulses of `problem`, act. */
  kickTime = 0
  readonly joints: StepJoint[] = []
  readonly limits: StepLimit[] = []
  readonly drives: StepDrive[] = []
  readonly jointSpins: JointSpin[] = []
  /** Of joints and contacts, filled with the rows. */
  spins: IslandSpin[] = []
  readonly constraints: ActiveConstraint[] = []
  readonly bodies: number[] = []
  problem: StepProblem | null = null
  /** Of `problem`, if the island has joints and contacts. */
  firstPass: FirstPass | null = null
  /** Buffers of `problem`. */
  private workspace: ProblemWorkspace | null = null
  /** J u_free of each row, m/s and rad/s. */
  free: Float64Array = NOTHING
  /** Impulses of RATTLE's second half, with the rows of the end of the step; works, J, of those that `problem` has in the same place. */
  endImpulse: Float64Array = NOTHING
  endWork: Float64Array = NOTHING
  endContacts: EndContacts | null = null
  endRows: Rows | null = null
  /** Share of the materials' restitution used for its impacts: less than 1 where they would gain energy. */
  restitutionScale = 1
  /** Work of contacts if recorded during the solve; null: to be computed. */
  recordedWorks: RecordedWorks | null = null
  residual = 0
  solver = ''
  /** Whether its step ended where it began, with the impulses of the previous step, bit for bit. */
  settled = false
  /** Its contacts for frames, cached while it rests. */
  recorded: readonly SolvedContact[] | null = null
  /** Sweeps or pivots of the last solve, and residuals after each sweep of the one with the most, m/s. */
  sweeps = 0
  history: Float64Array = NOTHING

  /**
   * Fills the rows at the snapshot of the step's start.
   *
   * @param jointPositions of each coordinate, m and rad
   * @param kickTime s: over which its impulses act
   */
  assemble(snapshot: Snapshot, jointPositions: readonly Float64Array[], { slots, workspaces, h, interrupt }: Assembly, kickTime: number): StepProblem {
    this.h = h
    this.kickTime = kickTime
    const constraints = this.mode === 'contact' ? this.constraints : []
    const size = this.rowCount
    this.led = this.leapfrog ? new Float64Array(size) : NOTHING
    this.leave(workspaces)
    const workspace = this.workspace = workspaces.take(size)
    const friction: FrictionRows[] = []
    const alternatives: Alternatives[] = []
    const { rows, kind, lower, upper, spins } = fillJointRows(this, snapshot, jointPositions, kickTime, { end: false, which: 'all' }, workspace, size)
    this.spins = spins
    const pushSpin = (spin: IslandSpin, normal: Vec3): void => {
      this.spins.push(spin)
      kind.fill(ROW_SPIN, spin.row, spin.row + spin.rows.rows.length)
      spin.fill(snapshot, rows, normal, ZERO, 0)
    }
    for (const active of constraints) {
      const { constraint: { pair: { bodyA, bodyB } }, at: { point, normal } } = active
      const row = active.row = rows.count
      kind[row] = ROW_UNILATERAL
      rows.pushPoint(snapshot, bodyA, bodyB, point, normal, 0)
      if (active.friction > 0) {
        kind[row + 1] = kind[row + 2] = ROW_FRICTION
        rows.pushPoint(snapshot, bodyA, bodyB, point, active.tangent1, 0)
        rows.pushPoint(snapshot, bodyA, bodyB, point, active.tangent2, 0)
        friction.push(workspace.frictionRows(friction.length, row, active.friction))
      }
      for (const spin of active.spins) pushSpin(active.turning(spin, rows.count), normal)
      active.others = this.slack ? active.otherCandidates(snapshot) : NO_OTHERS
      for (const other of active.others) {
        other.row = rows.count
        kind[other.row] = ROW_WATCHED
        rows.pushPoint(snapshot, bodyA, bodyB, other.at.point, other.at.normal, 0)
      }
      if (active.others.length > 0) alternatives.push({ normal: row, rows: active.others.map(other => other.row) })
    }
    rows.weigh(snapshot)
    this.bodies.forEach((body, slot) => { slots[body] = slot })
    const slotOf = (body: number): number => body >= 0 && snapshot.inverseMass[body]! > 0 ? slots[body]! : -1
    const spin = this.spins.map(entry => entry.rows)
    const slotA = workspace.slotA.subarray(0, size)
    const slotB = workspace.slotB.subarray(0, size)
    for (let i = 0; i < size; i++) {
      slotA[i] = slotOf(rows.bodyA[i]!)
      slotB[i] = slotOf(rows.bodyB[i]!)
    }
    this.free = workspace.free.subarray(0, size)
    this.problem = {
      rows, gradient: rows.jacobian, kind, lower, upper, friction, spin, alternatives,
      b: workspace.b.subarray(0, size), p: workspace.p.subarray(0, size).fill(0),
      basis: workspace.basis.subarray(0, size).fill(0), slip: new Float64Array(slipLength({ friction, spin })), warm: false, pivotingFailed: false,
      eliminated: { value: null }, ...(interrupt && { interrupt }),
      bodyCount: this.bodies.length, slotA, slotB,
      secondSlotA: rows.second?.bodyA.map(slotOf) ?? NO_SLOTS, secondSlotB: rows.second?.bodyB.map(slotOf) ?? NO_SLOTS,
    }
    return this.problem
  }

  /** Number of rows that `assemble` fills. */
  get rowCount(): number {
    const constraints = this.mode === 'contact' ? this.constraints : []
    let size = jointRowCount(this)
    for (const { friction, spins, constraint } of constraints) {
      size += friction > 0 ? 3 : 1
      if (this.slack) size += constraint.candidates.length - 1
      for (const { kind } of spins) size += kind === 'torsional' ? 1 : 2
    }
    return size
  }

  /** Number of rows of joints, which are met whatever the contacts do. */
  get tiedRows(): number {
    return this.joints.reduce((sum, { element }) => sum + element.constraint.rows, 0)
  }

  /** Whether it has joints, as rows or as bounds on their coordinates. */
  get jointed(): boolean {
    return this.joints.length + this.drives.length + this.limits.length + this.jointSpins.length > 0
  }

  /** Uses the gradients at the end for the rows that have them. */
  useGradients(): void {
    const problem = this.problem!
    problem.gradient = problem.rows.jacobian
    const { joints, limits, constraints } = this
    if ([joints, limits, constraints].every(all => all.every(({ gradient }) => gradient === null))) return
    const gradient = problem.gradient = this.workspace!.gradientOf()
    for (const joint of joints) if (joint.gradient !== null) gradient.set(joint.gradient, JACOBIAN_WIDTH * joint.firstRow)
    for (const limit of limits) if (limit.gradient !== null && limit.row >= 0) gradient.set(limit.gradient, JACOBIAN_WIDTH * limit.row)
    for (const active of constraints) if (active.gradient !== null) gradient.set(active.gradient, JACOBIAN_WIDTH * active.row)
  }

  /** Takes over a problem filled and solved elsewhere, with its buffers. */
  adopt(problem: StepProblem, workspace: ProblemWorkspace): void {
    this.problem = problem
    this.workspace = workspace
  }

  /** Releases its buffers: its rows are no longer read. */
  leave(workspaces: ProblemWorkspaces): void {
    if (this.workspace !== null) workspaces.give(this.workspace)
    this.workspace = null
    this.problem = this.firstPass = null
    this.free = NOTHING
  }

  /** Seconds over which the impulses of `problem` and of the end act. */
  get duration(): number {
    return this.kickTime + (this.mode === 'joints' && this.endRows !== null ? this.h / 2 : 0)
  }

  /** Mean force of a row in a step of second order, N or N m; `problem` and `last` have those at the starts of this step and the last one. */
  meanForce(row: number): number {
    const force = this.problem!.p[row]! / this.kickTime
    return force + this.further / 2 * (force - this.last[row]!)
  }

  /** The part of the rows' impulses that leads the velocity at the end of a step of second order, N s and N m s. */
  leads(): Float64Array {
    const { endKick, kickTime, further, h, last, sudden } = this
    const { p } = this.problem!
    if (endKick !== null) return endKick.p
    if (sudden) return new Float64Array(p.length)
    return p.map((impulse, row) => h / 2 * (impulse / kickTime + further * (impulse / kickTime - last[row]!)))
  }

  /** The same rows as `assemble` without contacts, at the snapshot of the step's end; with contacts only those of the joints. */
  atEnd(snapshot: Snapshot, jointPositions: readonly Float64Array[]): EliminatedRows {
    for (const { element: { constraint }, atEnd } of this.joints) evaluateJoint(constraint, body => snapshot.motionOf(body), atEnd)
    const size = jointRowCount(this)
    // With contacts, everything but the joints has had its whole kick by then.
    const which = this.mode === 'contact' && !this.sudden ? 'joints' : 'all'
    const filled = fillJointRows(this, snapshot, jointPositions, this.h / 2, { end: true, which }, new ProblemWorkspace(size), size)
    filled.rows.weigh(snapshot)
    if (this.mode === 'joints') {
      for (const entry of this.drives) {
        const { joint, coordinate, element: { constraint } } = entry.drive
        const near = jointPositions[joint]![coordinate]!
        entry.end = constraint.coordinate(coordinate, snapshot.motionOf(constraint.bodyA), snapshot.motionOf(constraint.bodyB), near).position
        drivenOver(entry, filled.rows, 'second half', this.h, this.h / 2)
      }
    }
    return { ...filled, friction: [], spin: filled.spins.map(spin => spin.rows) }
  }
}
