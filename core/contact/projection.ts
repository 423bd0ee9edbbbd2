/**
 * Projects a state onto its holding constraints, to rounding: velocities (J u = 0), and positions by Newton's method (C = 0), both by the smallest
 * correction in the mass metric. It removes the local error of the integrator in each step, so that no drift accumulates.
 */

import {
  BASIS_CLAMPED, BASIS_CONE, BASIS_FREE, BASIS_LIMITED, ROW_FRICTION, ROW_SPIN,
} from '../lcp/problem'
import { length } from '../math/vector'
import { multiplyQuaternions, normalizeQuaternion, type Quat } from '../math/quaternion'
import { OFFSET_CENTER, OFFSET_ORIENTATION } from '../dynamics/state'
import { keepInPlane } from '../dynamics/state-layout'
import type { EquationsOfMotion } from './equations'
import { FrozenSystem } from './frozen'
import { applyImpulse } from './impact'
import type { Island, ProjectionSystems } from './island'
import type { Snapshot } from './snapshot'
import type { World } from './world'

/** × the speeds of an island: rounding error of the relative velocity of two of its points, a sum of a dozen products. */
const ROUNDING = 16 * Number.EPSILON
/** Newton iterations for C = 0; with quadratic convergence two are usual. */
const MAX_NEWTON = 6

/**
 * Projects positions, then velocities, of the islands' holding constraints, in place.
 *
 * @param accuracy m or rad; smaller position errors are not corrected
 * @returns the largest position error before the projection, m or rad
 */
export function project(equations: EquationsOfMotion, state: Float64Array, accuracy: number): number {
  const { snapshot } = equations
  let worst = 0
  snapshot.update(state)
  for (const island of equations.islands) {
    if (island.equilibrium !== null) continue
    island.fillRows(snapshot)
    for (let i = 0; i < MAX_NEWTON; i++) {
      const error = positionErrors(island)
      const size = largest(error)
      if (i === 0) worst = Math.max(worst, size)
      if (size <= accuracy) break
      const correction = systemsOf(island, snapshot).position.solve(snapshot, error, undefined, accuracy)
      shift(equations, island, correction, state)
      snapshot.update(state, island.bodies)
      island.fillRows(snapshot)
    }
    projectVelocities(equations, island, state)
  }
  if (equations.world.planar) {
    keepInPlane(equations.layout, state)
    snapshot.update(state)
  }
  return worst
}

/** Removes the remaining relative velocities of clamped and sticking rows; snapshot and rows must be current. */
function projectVelocities(equations: EquationsOfMotion, island: Island, state: Float64Array): void {
  const { snapshot, world } = equations
  const speedAccuracy = ROUNDING * Math.max(world.scales.speed, fastest(island, snapshot, world))
  const b = new Float64Array(island.problem.size)
  for (let row = 0; row < b.length; row++) b[row] = -island.rows.velocity(row, snapshot)
  // Joints with feedback keep their error.
  if (island.feedback !== null) for (const { firstRow, equations: { error } } of island.joints) b.fill(0, firstRow, firstRow + error.length)
  island.drives.forEach((drive, i) => { b[island.driveRow[i]!] = b[island.driveRow[i]!]! + drive.targetVelocity })
  const { velocity, velocityBasis: basis } = systemsOf(island, snapshot)
  if (b.every((value, row) => basis[row] !== BASIS_CLAMPED || Math.abs(value) <= speedAccuracy)) return
  const impulse = velocity.solve(snapshot, b, undefined, speedAccuracy)
  applyImpulse(island, snapshot, impulse, state)
}

/**
 * Removes the approach velocity of touching points without forces, in place: approaches too slow for an impact would close their gaps again and
 * again, by less than rounding each time. Uses the smallest correction that also preserves the holding constraints; like an inelastic impact, it only
 * dissipates energy.
 *
 * @returns whether anything approached
 */
export function removeApproachVelocities(equations: EquationsOfMotion, state: Float64Array): boolean {
  const { snapshot, world } = equations
  let any = false
  snapshot.update(state)
  for (const island of equations.islands) {
    if (island.equilibrium !== null) continue
    const { basis, rows, pointRow } = island
    const approaching = (i: number): boolean => island.points[i]!.normal === 'idle' && basis![pointRow[i]!] !== BASIS_CLAMPED
    if (!island.points.some((_, i) => approaching(i))) continue
    island.fillRows(snapshot)
    const accuracy = ROUNDING * Math.max(world.scales.speed, fastest(island, snapshot, world))
    const halted = pointRow.filter((row, i) => approaching(i) && rows.velocity(row, snapshot) < -accuracy)
    if (halted.length === 0) continue
    const held = velocityBasis(island)
    for (const row of halted) held[row] = BASIS_CLAMPED
    const b = Float64Array.from(held, (place, row) => place === BASIS_CLAMPED ? -rows.velocity(row, snapshot) : 0)
    island.drives.forEach((drive, i) => { b[island.driveRow[i]!] = b[island.driveRow[i]!]! + drive.targetVelocity })
    applyImpulse(island, snapshot, new FrozenSystem(island, snapshot, held).solve(snapshot, b, undefined, accuracy), state)
    any = true
  }
  return any
}

/** A bound on the speed of any point of an island's bodies, m/s. */
function fastest({ bodies }: Island, { motions }: Snapshot, { bodies: all }: World): number {
  let most = 0
  for (const body of bodies) {
    const { velocity, angularVelocity } = motions[body]!
    const { boundingRadius } = all[body]!
    most = Math.max(most, length(velocity) + (Number.isFinite(boundingRadius) ? boundingRadius : 0) * length(angularVelocity))
  }
  return most
}

function systemsOf(island: Island, snapshot: Snapshot): ProjectionSystems {
  if (island.projection !== null) return island.projection
  const basis = velocityBasis(island)
  return island.projection = {
    position: new FrozenSystem(island, snapshot, positionBasis(island)), velocity: new FrozenSystem(island, snapshot, basis), velocityBasis: basis,
  }
}

/** −C of every row with a position: the right-hand side of the correction. */
function positionErrors(island: Island): Float64Array {
  const error = new Float64Array(island.problem.size)
  const { basis } = island
  if (island.feedback === null) for (const joint of island.joints) joint.equations.error.forEach((value, r) => { error[joint.firstRow + r] = -value })
  island.limits.forEach((limit, i) => {
    const row = island.limitRow[i]!
    if (basis![row] === BASIS_CLAMPED) error[row] = -limit.side * (island.limitPosition[i]! - limit.bound)
  })
  island.points.forEach((point, i) => {
    const row = island.pointRow[i]!
    if (basis![row] === BASIS_CLAMPED) error[row] = point.heldGap - island.geometry[i]!.gap
  })
  return error
}

/** Clamps the rows with a position constraint: not friction, not drives. */
function positionBasis(island: Island): Uint8Array {
  const basis = Uint8Array.from(island.basis!)
  for (let row = 0; row < basis.length; row++) {
    const kind = island.exact.kind[row]
    if (kind === ROW_FRICTION || kind === ROW_SPIN || basis[row] !== BASIS_CLAMPED) basis[row] = BASIS_FREE
  }
  for (const row of island.driveRow) basis[row] = BASIS_FREE
  return basis
}

/** Clamps the rows with a velocity constraint; sliding friction has none. */
function velocityBasis(island: Island): Uint8Array {
  return Uint8Array.from(island.basis!, place =>
    place === BASIS_CONE ? BASIS_CLAMPED : place === BASIS_LIMITED ? BASIS_FREE : place === BASIS_CLAMPED ? place : BASIS_FREE)
}

function shift(equations: EquationsOfMotion, island: Island, correction: Float64Array, state: Float64Array): void {
  const { snapshot, layout } = equations
  const wrench = new Float64Array(6 * snapshot.motions.length)
  island.rows.addWrench(correction, wrench)
  const { trees } = snapshot
  const moved = trees?.respondAll(wrench)
  const coordinates = trees === null ? null : equations.coordinates!.moved(state, trees.rates)
  for (const body of island.bodies) {
    const m = snapshot.inverseMass[body]!
    if (m === 0) continue
    const at = layout.offsets[body]!
    const I = snapshot.inverseInertia
    const node = trees?.nodeOf(body) ?? -1
    const turn: number[] = [0, 0, 0]
    for (let k = 0; k < 3; k++) {
      state[at + OFFSET_CENTER + k] = state[at + OFFSET_CENTER + k]! + (node < 0 ? m * wrench[6 * body + k]! : moved![6 * node + k]!)
      if (node >= 0) turn[k] = moved![6 * node + 3 + k]!
      else for (let j = 0; j < 3; j++) turn[k] = turn[k]! + I[9 * body + 3 * k + j]! * wrench[6 * body + 3 + j]!
    }
    const o = at + OFFSET_ORIENTATION
    const q: Quat = [state[o]!, state[o + 1]!, state[o + 2]!, state[o + 3]!]
    const turned = normalizeQuaternion(multiplyQuaternions([turn[0]! / 2, turn[1]! / 2, turn[2]! / 2, 1], q))
    state.set(turned, o)
  }
  // Bodies of trees are placed by their coordinates.
  if (coordinates !== null) equations.coordinates!.place(coordinates, state)
}

function largest(values: Float64Array): number {
  let size = 0
  for (const value of values) size = Math.max(size, Math.abs(value))
  return size
}
