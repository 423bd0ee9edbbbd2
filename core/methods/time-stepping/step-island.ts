/**
 * Bodies that push each other in one step, and the rows between them: joints, drives, limits, spins of joints, then a normal, two tangents and spins for each
 * contact constraint.
 * Rows are those of the step's start; re-linearisation only changes what they are solved for.
 */

import type { Drive, JointSpin } from '../../contact/constraints'
import { IslandSpin } from '../../contact/island-spin'
import { Rows } from '../../contact/rows'
import type { Snapshot } from '../../contact/snapshot'
import type { JointElement } from '../../contact/world'
import { jointEquations } from '../../dynamics/joints/rows'
import { evaluateJoint, type JointEquations } from '../../dynamics/joints/joint'
import type { BodyMotion } from '../../geometry/motion'
import { ROW_BOX, ROW_EQUALITY, ROW_FRICTION, ROW_SPIN, ROW_UNILATERAL, type FrictionRows } from '../../lcp/problem'
import { slipLength } from '../../lcp/spin'
import { ZERO, type Vec3 } from '../../math/vector'
import type { ActiveConstraint } from './active-constraint'
import type { StepProblem } from './step-problem'

const NO_SLOTS = new Int32Array(0)

export interface StepJoint {
  readonly index: number
  readonly element: JointElement
  firstRow: number
  /** At the start of the step. */
  readonly equations: JointEquations
  /** At the end of the step, as it is foreseen. */
  readonly atEnd: JointEquations
}

/** One side of a joint coordinate's range. `side` +1 is the lower limit, −1 the upper. */
export interface StepLimit {
  readonly joint: number
  readonly element: JointElement
  readonly coordinate: number
  readonly side: 1 | -1
  readonly bound: number
  row: number
  /** side × (position − bound) at the start and at the end, as it is foreseen. */
  start: number
  gap: number
}

export interface StepDrive {
  readonly drive: Drive
  row: number
}

/**
 * `free`: nothing acts but forces; `joints`: joints only, by RATTLE with half kicks; `contact`: everything, with the whole kick at the start.
 */
export type IslandMode = 'free' | 'joints' | 'contact'

export class StepIsland {
  mode: IslandMode = 'free'
  /** s: length of the step that it was solved in. */
  h = 0
  readonly joints: StepJoint[] = []
  readonly limits: StepLimit[] = []
  readonly drives: StepDrive[] = []
  readonly jointSpins: JointSpin[] = []
  /** Of joints and contacts, filled with the rows. */
  spins: IslandSpin[] = []
  readonly constraints: ActiveConstraint[] = []
  readonly bodies: number[] = []
  problem: StepProblem | null = null
  /** J u_free of each row, m/s and rad/s. */
  free: Float64Array = new Float64Array(0)
  /** Of the joint rows at the end of the step, by RATTLE's second half. */
  endImpulse: Float64Array = new Float64Array(0)
  endRows: Rows | null = null
  /** Share of the materials' restitution that its impacts keep: less than 1 where they would gain energy. */
  restitutionScale = 1
  residual = 0
  solver = ''
  /** Sweeps or pivots of the last solve, and residuals after each sweep of the one with the most, m/s. */
  sweeps = 0
  history: Float64Array = new Float64Array(0)

  /**
   * Fills the rows at the snapshot of the step's start.
   *
   * @param slots by body: scratch, its place among the island's bodies
   * @param h s
   */
  assemble(snapshot: Snapshot, jointPositions: readonly Float64Array[], slots: Int32Array, h: number): StepProblem {
    this.h = h
    const contact = this.mode === 'contact'
    const constraints = contact ? this.constraints : []
    const frictional = constraints.filter(active => active.friction > 0).length
    let size = constraints.length + 2 * frictional
    for (const joint of this.joints) size += joint.element.constraint.rows
    if (contact) size += this.drives.length + this.limits.length + 3 * this.jointSpins.length
    for (const { spins } of constraints) for (const { kind: what } of spins) size += what === 'torsional' ? 1 : 2
    const rows = new Rows(size)
    const kind = new Uint8Array(size)
    const lower = new Float64Array(size).fill(-Infinity)
    const upper = new Float64Array(size).fill(Infinity)
    const friction: FrictionRows[] = []
    for (const joint of this.joints) this.pushJoint(joint, rows, kind)
    if (contact) {
      for (const entry of this.drives) {
        const { drive } = entry
        entry.row = rows.count
        kind[rows.count] = ROW_BOX
        pushCoordinate(rows, snapshot, drive, jointPositions, 1)
      }
      for (const limit of this.limits) {
        limit.row = rows.count
        kind[rows.count] = ROW_UNILATERAL
        pushCoordinate(rows, snapshot, limit, jointPositions, limit.side)
      }
    }
    this.spins = []
    const pushSpin = (spin: IslandSpin, normal: Vec3): void => {
      this.spins.push(spin)
      kind.fill(ROW_SPIN, spin.row, spin.row + spin.rows.rows.length)
      spin.fill(snapshot, rows, normal, ZERO, 0)
    }
    if (contact) {
      for (const joint of this.jointSpins) {
        pushSpin(new IslandSpin({ ...joint.spin, limit: joint.spin.limit * h }, { joint }, joint.element.constraint, -1, rows.count), ZERO)
      }
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
        friction.push({
          normal: row, tangent1: row + 1, tangent2: row + 2, staticFriction: active.friction, dynamicFriction: active.friction,
          state: 'static', slip1: 0, slip2: 0,
        })
      }
      for (const spin of active.spins) pushSpin(active.turning(spin, rows.count), normal)
    }
    rows.weigh(snapshot)
    this.bodies.forEach((body, slot) => { slots[body] = slot })
    const slotOf = (body: number): number => body >= 0 && snapshot.inverseMass[body]! > 0 ? slots[body]! : -1
    const spin = this.spins.map(entry => entry.rows)
    this.problem = {
      rows, kind, lower, upper, friction, spin, b: new Float64Array(size), p: new Float64Array(size), basis: new Uint8Array(size),
      slip: new Float64Array(slipLength({ friction, spin })), warm: false, bodyCount: this.bodies.length,
      slotA: rows.bodyA.map(slotOf), slotB: rows.bodyB.map(slotOf),
      secondSlotA: rows.second?.bodyA.map(slotOf) ?? NO_SLOTS, secondSlotB: rows.second?.bodyB.map(slotOf) ?? NO_SLOTS,
    }
    return this.problem
  }

  private pushJoint(joint: StepJoint, rows: Rows, kind: Uint8Array): void {
    const { constraint } = joint.element
    joint.firstRow = rows.count
    kind.fill(ROW_EQUALITY, rows.count, rows.count + constraint.rows)
    for (let r = 0; r < constraint.rows; r++) rows.pushJoint(constraint, joint.equations, r)
  }
}

/** A joint with its equations at the start of the step. */
export function stepJoint(index: number, element: JointElement, motionOf: (body: number) => BodyMotion): StepJoint {
  const { constraint } = element
  const equations = jointEquations(constraint)
  evaluateJoint(constraint, motionOf, equations)
  return { index, element, firstRow: -1, equations, atEnd: jointEquations(constraint) }
}

function pushCoordinate(
  rows: Rows, snapshot: Snapshot, at: { joint: number; element: JointElement; coordinate: number }, near: readonly Float64Array[], sign: number,
): void {
  const { constraint } = at.element
  const { jacobian } = constraint.coordinate(
    at.coordinate, snapshot.motionOf(constraint.bodyA), snapshot.motionOf(constraint.bodyB), near[at.joint]![at.coordinate]!)
  rows.pushJacobian(constraint.bodyA, constraint.bodyB, jacobian, 0, sign, 0)
}
