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
import type { Snapshot } from '../../contact/snapshot'
import { HalfKick } from './half-kick'
import { workOnKinematic } from './kinematic-work'
import { rowsAtEnd } from './rows-at-end'
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
