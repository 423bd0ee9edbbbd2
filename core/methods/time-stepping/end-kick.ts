/**
 * The second half of the kick of a leapfrog step in which forces changed suddenly, as when a slip ends, a contact begins to push, or a motor reaches its
 * velocity: the forces at the end of the step cannot be extrapolated, and are solved for.
 *
 * With the velocity v̄ of the middle of the step, forces f and rows at its end,
 *
 *   v = v̄ + m⁻¹ (h/2 f + p)
 *
 * such that contacts that pushed do not approach, with friction, joints keep their rates, and drives act by their second half (`step-drive.ts`).
 */

import { applyImpulsiveWrench } from '../../contact/impact'
import type { EquationsOfMotion } from '../../contact/equations'
import { IslandSpin } from '../../contact/island-spin'
import type { Snapshot } from '../../contact/snapshot'
import { evaluateJoint } from '../../dynamics/joints/joint'
import { ROW_FRICTION, ROW_SPIN, ROW_UNILATERAL, type FrictionRows } from '../../lcp/problem'
import type { Pose } from '../../math/pose'
import { addScaled, cross, dot, normalize, ZERO, type Vec3 } from '../../math/vector'
import type { ActiveConstraint } from './active-constraint'
import type { EliminatedRows } from './elimination'
import { HalfKick } from './half-kick'
import { fillJointRows } from './joint-rows'
import { workOnKinematic } from './kinematic-work'
import { ProblemWorkspace } from './problem-workspace'
import { drivenOver } from './step-drive'
import type { EndKick, StepIsland } from './step-island'

/**
 * Applies the second half to the velocities in `end`, with which the snapshot of the equations agrees.
 *
 * @param velocities of all bodies there, v̄, six doubles a body
 * @param external forces, six doubles a body
 * @param h s, of the whole step
 * @returns null if there is no solution; nothing is changed then
 */
export function kickToEnd(
  equations: EquationsOfMotion, island: StepIsland, end: Float64Array, velocities: Float64Array, external: Float64Array, h: number,
): EndKick | null {
  const { snapshot, world } = equations
  const { bodies, drives, limits } = island
  const { rows, spins, rowsInStep, ...filled } = rowsAtEnd(island, equations)
  rows.weigh(snapshot)
  for (const entry of drives) {
    const { drive: { joint, coordinate, element: { constraint } } } = entry
    const near = equations.jointPositions[joint]![coordinate]!
    entry.end = constraint.coordinate(coordinate, snapshot.motionOf(constraint.bodyA), snapshot.motionOf(constraint.bodyB), near).position
    drivenOver(entry, rows, 'second half', h, h / 2)
  }
  const wrench = new Float64Array(external.length)
  for (const body of bodies) for (let k = 6 * body; k < 6 * body + 6; k++) wrench[k] = h / 2 * external[k]!
  const after = kicked(snapshot, bodies, wrench, velocities)
  const missing = Float64Array.from({ length: rows.count }, (_, row) => -rows.along(row, after))
  for (const { row, rate } of drives) missing[row]! += rate
  const open = limits.filter(({ row }) => row >= 0 && !(island.problem!.p[row]! > 0))
  const kick = new HalfKick({ ...filled, rows, spin: spins.map(spin => spin.rows) }, new Set(open.map(({ row }) => row)))
  const impulse = new Float64Array(rows.count)
  if (kick.solve(missing, impulse) !== null) return null
  rows.addWrench(impulse, wrench)
  rows.addMotion(impulse, after)
  applyImpulsiveWrench(bodies, snapshot, wrench, end)
  const work = (row: number): number => impulse[row]! * (rows.along(row, velocities) + rows.along(row, after)) / 2
  const sum = (own: readonly number[]): number => own.reduce((total, row) => total + work(row), 0)
  const spinsOf = (ofJoint: boolean): number[] => spins.filter(({ of: { joint } }) => (joint !== undefined) === ofJoint).flatMap(spin => spin.rows.rows)
  const p = new Float64Array(island.problem!.p.length)
  const rates = new Float64Array(p.length)
  rowsInStep.forEach((row, k) => {
    p[row] = impulse[k]!
    rates[row] = rows.along(k, after)
  })
  return {
    impulses: Float64Array.from(bodies.flatMap(body => [...wrench.subarray(6 * body, 6 * body + 6)])), p, rates,
    normal: sum(limits.flatMap(({ row }) => row < 0 ? [] : [row])), friction: sum(spinsOf(false)),
    joints: sum(drives.map(({ row }) => row)) + sum(spinsOf(true)),
    kinematic: -workOnKinematic(world, rows, impulse, velocities)
      - (rows.second === null ? 0 : workOnKinematic(world, rows.second, rows.owned(impulse), velocities)),
  }
}

/** Velocities of all bodies, six doubles each, after impulses on some. */
function kicked({ inverseMass, inverseInertia }: Snapshot, bodies: readonly number[], wrench: Float64Array, velocities: Float64Array): Float64Array {
  const after = velocities.slice()
  for (const body of bodies) {
    if (inverseMass[body] === 0) continue
    for (let k = 0; k < 3; k++) {
      after[6 * body + k]! += inverseMass[body]! * wrench[6 * body + k]!
      for (let j = 0; j < 3; j++) after[6 * body + 3 + k]! += inverseInertia[9 * body + 3 * k + j]! * wrench[6 * body + 3 + j]!
    }
  }
  return after
}

interface RowsAtEnd extends Omit<EliminatedRows, 'spin'> {
  readonly spins: readonly IslandSpin[]
  /** Of each row, the same row in the island's problem. */
  readonly rowsInStep: readonly number[]
}

/** Rows of joints, drives, limits and joint friction, and of the contacts that pushed in the step, at its end. */
function rowsAtEnd(island: StepIsland, { snapshot, jointPositions }: EquationsOfMotion): RowsAtEnd {
  for (const { element: { constraint }, atEnd } of island.joints) evaluateJoint(constraint, body => snapshot.motionOf(body), atEnd)
  const pushing = island.constraints.filter(({ row }) => island.problem!.p[row]! > 0)
  const size = island.rowCount
  const workspace = new ProblemWorkspace(size)
  const filled = fillJointRows(island, snapshot, jointPositions, island.h / 2, true, workspace, size)
  const { rows, kind, spins } = filled
  const friction: FrictionRows[] = []
  const rowsInStep = Array.from({ length: rows.count }, (_, row) => row)
  for (const active of pushing) {
    const { constraint: { pair: { bodyA, bodyB } } } = active
    const { point, normal, tangents } = placeAtEnd(active, snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose)
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

/** The active features of a contact at the given poses, with tangents near those of the step. */
function placeAtEnd(
  { constraint: { candidates }, choice, tangent1 }: ActiveConstraint, a: Pose, b: Pose,
): { readonly point: Vec3, readonly normal: Vec3, readonly tangents: readonly [Vec3, Vec3] } {
  const { point, normal } = candidates[choice]!.locate(a, b)
  const first = normalize(addScaled(tangent1, normal, -dot(normal, tangent1)))
  return { point, normal, tangents: [first, cross(normal, first)] }
}
