/** The rows of an island's joints, and of the contacts that pushed in the step, at the end of the step. */

import type { EquationsOfMotion } from '../../contact/equations'
import { IslandSpin } from '../../contact/island-spin'
import { evaluateJoint } from '../../dynamics/joints/joint'
import { ROW_FRICTION, ROW_SPIN, ROW_UNILATERAL, type FrictionRows } from '../../lcp/problem'
import type { Pose } from '../../math/pose'
import { addScaled, cross, dot, normalize, ZERO, type Vec3 } from '../../math/vector'
import type { ActiveConstraint } from './active-constraint'
import type { EliminatedRows } from './elimination'
import { fillJointRows } from './joint-rows'
import { ProblemWorkspace } from './problem-workspace'
import type { StepIsland } from './step-island'

export interface RowsAtEnd extends Omit<EliminatedRows, 'spin'> {
  readonly spins: readonly IslandSpin[]
  /** Of each row, the same row in the island's problem. */
  readonly rowsInStep: readonly number[]
}

/** Of joints, drives and limits, and of contacts that pushed in the step; after a sudden change of forces of friction in joints, too. */
export function rowsAtEnd(island: StepIsland, { snapshot, jointPositions }: EquationsOfMotion): RowsAtEnd {
  for (const { element: { constraint }, atEnd } of island.joints) evaluateJoint(constraint, body => snapshot.motionOf(body), atEnd)
  const pushing = island.constraints.filter(({ row }) => island.problem!.p[row]! > 0)
  const size = island.rowCount
  const workspace = new ProblemWorkspace(size)
  const which = island.sudden ? 'all' : 'without friction'
  const filled = fillJointRows(island, snapshot, jointPositions, island.h / 2, { end: true, which }, workspace, size)
  const { rows, kind, spins } = filled
  const friction: FrictionRows[] = []
  const rowsInStep = Array.from({ length: rows.count }, (_, row) => row)
  for (const active of pushing) {
    const { constraint: { pair: { bodyA, bodyB } } } = active
    const { point, normal, tangents } = placeAtEnd(active, snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose, island.sudden)
    const row = rows.count
    kind[row] = ROW_UNILATERAL
    rows.pushPoint(snapshot, bodyA, bodyB, point, normal, 0)
    if (active.friction > 0) {
      kind[row + 1] = kind[row + 2] = ROW_FRICTION
      for (const tangent of tangents) rows.pushPoint(snapshot, bodyA, bodyB, point, tangent, 0)
      friction.push(workspace.frictionRows(friction.length, row, active.friction))
    }
    for (const of of active.spins) {
      const spin = new IslandSpin(of, {}, { bodyA, bodyB }, row, rows.count)
      kind.fill(ROW_SPIN, spin.row, spin.row + spin.rows.rows.length)
      spin.fill(snapshot, rows, normal, ZERO, 0)
      spins.push(spin)
    }
    for (let k = row; k < rows.count; k++) rowsInStep.push(active.row + k - row)
  }
  return { ...filled, friction, spins, rowsInStep }
}

/**
 * Where the active features of a contact meet at the given poses. The directions are those of its impulses in the step, so that the sum of both is a force
 * on its cone; after a sudden change they have those of the end, with tangents near the step's.
 */
function placeAtEnd(
  { constraint: { candidates }, choice, at: { normal: start }, tangent1, tangent2 }: ActiveConstraint, a: Pose, b: Pose, sudden: boolean,
): { readonly point: Vec3, readonly normal: Vec3, readonly tangents: readonly [Vec3, Vec3] } {
  const { point, normal } = candidates[choice]!.locate(a, b)
  if (!sudden) return { point, normal: start, tangents: [tangent1, tangent2] }
  const first = normalize(addScaled(tangent1, normal, -dot(normal, tangent1)))
  return { point, normal, tangents: [first, cross(normal, first)] }
}
