/** Rows of an island's joints, drives, limits and joint friction, and bounds on their impulses. */

import type { JointSpin } from '../../contact/constraints'
import { IslandSpin } from '../../contact/island-spin'
import type { Rows } from '../../contact/rows'
import type { Snapshot } from '../../contact/snapshot'
import type { JointElement } from '../../contact/world'
import { jointEquations } from '../../dynamics/joints/rows'
import { evaluateJoint, type JointEquations } from '../../dynamics/joints/joint'
import type { BodyMotion } from '../../geometry/motion'
import { ROW_BOX, ROW_EQUALITY, ROW_SPIN, ROW_UNILATERAL } from '../../lcp/problem'
import { ZERO } from '../../math/vector'
import type { EliminatedRows } from './elimination'
import type { ProblemWorkspace } from './problem-workspace'
import type { StepDrive } from './step-drive'

export interface StepJoint {
  readonly index: number
  readonly element: JointElement
  firstRow: number
  /** At the start of the step. */
  readonly equations: JointEquations
  /** At the predicted end of the step. */
  readonly atEnd: JointEquations
  /** Γ of its rows, 12 a row; null if they are solved with those of the start. */
  gradient: Float64Array | null
}

/** One side of a joint coordinate's range. `side` +1 is the lower limit, −1 the upper. */
export interface StepLimit {
  readonly joint: number
  readonly element: JointElement
  readonly coordinate: number
  readonly side: 1 | -1
  /** rad or m */
  readonly bound: number
  row: number
  /** side × (position − bound) at the start and at the predicted end. */
  start: number
  gap: number
  /** J of the coordinate at the predicted end, 12 doubles, and Γ of the row; null if it is solved with that of the start. */
  atEnd: Float64Array
  gradient: Float64Array | null
  /** Whether it is reached in this step; without contacts only such limits have a row. */
  engaged: boolean
}

/** `free`: forces only; `joints`: joints by RATTLE with half kicks; `contact`: contacts and joints, with the whole kick at the start. */
export type IslandMode = 'free' | 'joints' | 'contact'

/** What an island holds besides contacts. */
export interface JointContents {
  readonly mode: IslandMode
  /** Whether forces changed suddenly in its step. */
  readonly sudden: boolean
  readonly joints: readonly StepJoint[]
  readonly drives: readonly StepDrive[]
  readonly limits: readonly StepLimit[]
  readonly jointSpins: readonly JointSpin[]
}

/** A joint with its equations at the start of the step. */
export function stepJoint(index: number, element: JointElement, motionOf: (body: number) => BodyMotion): StepJoint {
  const { constraint } = element
  const equations = jointEquations(constraint)
  evaluateJoint(constraint, motionOf, equations)
  return { index, element, firstRow: -1, equations, atEnd: jointEquations(constraint), gradient: null }
}

/** Number of rows of an island's joints, drives, spins and limits. */
export function jointRowCount(island: JointContents): number {
  let size = island.drives.length + 3 * island.jointSpins.length
  for (const { element } of island.joints) size += element.constraint.rows
  for (const limit of island.limits) if (hasRow(island, limit)) size++
  return size
}

function hasRow({ mode }: JointContents, { engaged }: StepLimit): boolean {
  return engaged || mode === 'contact'
}

/** Which rows an island has besides those of contacts: all, all without friction of joints, or those of joints only. */
export type JointRows = 'all' | 'without friction' | 'joints'

/**
 * The rows of everything but contacts, with bounds on their impulses.
 *
 * @param time s, over which drives act
 * @param end whether at the end of the step, with the equations of joints there
 * @param size total number of rows
 */
export function fillJointRows(
  island: JointContents, snapshot: Snapshot, positions: readonly Float64Array[], time: number,
  { end, which }: { readonly end: boolean, readonly which: JointRows }, workspace: ProblemWorkspace, size: number,
): Omit<EliminatedRows, 'friction' | 'spin'> & { readonly spins: IslandSpin[] } {
  const { rows } = workspace
  const kind = workspace.kind.subarray(0, size)
  const lower = workspace.lower.subarray(0, size).fill(-Infinity)
  const upper = workspace.upper.subarray(0, size).fill(Infinity)
  for (const joint of island.joints) {
    const { constraint } = joint.element
    joint.firstRow = rows.count
    kind.fill(ROW_EQUALITY, rows.count, rows.count + constraint.rows)
    for (let r = 0; r < constraint.rows; r++) rows.pushJoint(constraint, end ? joint.atEnd : joint.equations, r)
  }
  if (which === 'joints') return { rows, kind, lower, upper, spins: [] }
  for (const entry of island.drives) {
    const row = entry.row = rows.count
    kind[row] = ROW_BOX
    lower[row] = -entry.drive.maxForce * time
    upper[row] = entry.drive.maxForce * time
    pushCoordinate(rows, snapshot, entry.drive, positions, 1)
  }
  for (const limit of island.limits) {
    limit.row = hasRow(island, limit) ? rows.count : -1
    if (limit.row < 0) continue
    kind[limit.row] = ROW_UNILATERAL
    pushCoordinate(rows, snapshot, limit, positions, limit.side)
  }
  const spins = which === 'without friction' ? [] : island.jointSpins.map(joint => {
    const spin = new IslandSpin({ ...joint.spin, limit: joint.spin.limit * time }, { joint }, joint.element.constraint, -1, rows.count)
    kind.fill(ROW_SPIN, spin.row, spin.row + spin.rows.rows.length)
    spin.fill(snapshot, rows, ZERO, ZERO, 0)
    return spin
  })
  return { rows, kind, lower, upper, spins }
}

function pushCoordinate(
  rows: Rows, snapshot: Snapshot, at: { joint: number; element: JointElement; coordinate: number }, near: readonly Float64Array[], sign: number,
): void {
  const { constraint } = at.element
  const { jacobian } = constraint.coordinate(
    at.coordinate, snapshot.motionOf(constraint.bodyA), snapshot.motionOf(constraint.bodyB), near[at.joint]![at.coordinate]!)
  rows.pushJacobian(constraint.bodyA, constraint.bodyB, jacobian, 0, sign, 0)
}
