/**
 * Impacts: impulses after which no touching point approaches.
 *
 * At every touching point of an island, including those with zero approach speed [Baraff92 §9.4; CS248B]
 *
 *   v⁺ + ε v⁻ ≥ 0  ⟂  j ≥ 0,      v⁺ = v⁻ + A j
 *
 * with frictional impulses in the same problem. Newton's hypothesis with friction can gain energy; in that case every ε of the impact is scaled by
 * the largest s ∈ [0, 1] with ΔE ≤ 0 (s = 0 always dissipates).
 */

import { leastNorm } from '../lcp/least-norm'
import type { ContactProblem, ContactSolution, ContactSolver, SolveOptions } from '../lcp/problem'
import { transform } from '../math/matrix'
import { dot, length } from '../math/vector'
import { worldInertia } from '../dynamics/body'
import { OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../dynamics/state'
import { guess } from './guess'
import type { Island } from './island'
import { tangential } from './slip'
import type { Snapshot } from './snapshot'

export interface ImpactSettings {
  readonly solver: ContactSolver
  /** Approach speeds below this are inelastic, m/s. */
  readonly restingSpeed: number
  /** m/s: slip below this counts as sticking, with μ_s. */
  readonly stickSpeed: number
  /** m/s: slower approaches do not count. */
  readonly approachSpeed: number
}

export interface PointImpulse {
  /** Index in `island.points`. */
  readonly point: number
  /** N s, along the normal and the two tangents. */
  readonly normal: number
  readonly tangent1: number
  readonly tangent2: number
  /** Normal relative velocities, m/s. */
  readonly before: number
  readonly after: number
}

export interface ImpactResult {
  /** Impulses of all rows, N s. */
  readonly impulse: Float64Array
  readonly points: readonly PointImpulse[]
  /** Work of the impulses in the points' relative motion, J; ≤ 0 up to rounding. */
  readonly work: number
  /** s above; 1 if Newton's hypothesis does not gain energy. */
  readonly restitutionScale: number
  readonly solution: ContactSolution
}

/**
 * Impulses of one simultaneous impact at the velocities of the snapshot that `island` was last assembled at.
 *
 * @param velocities 6 doubles a body
 */
export function simultaneousImpact(island: Island, velocities: Float64Array, settings: ImpactSettings): ImpactResult {
  const n = island.rows.count
  const before = new Float64Array(n)
  for (let row = 0; row < n; row++) before[row] = island.rows.along(row, velocities)
  const restitution = island.points.map((point, i) => {
    const v = before[island.pointRow[i]!]!
    return -v >= settings.restingSpeed ? point.material.restitution : 0
  })
  const start = guess(island)
  const attempt = (scale: number): { solution: ContactSolution; work: number } => {
    const problem = impactProblem(island, before, restitution, scale, settings)
    const solution = impulses(island, problem, start, settings)
    return { solution, work: relativeWork(island, before, solution.f) }
  }
  let scale = 1
  let found = attempt(1)
  const allowed = 1e-12 * kineticScale(island, before, found.solution.f)
  if (found.work > allowed) {
    // ΔE(s) need not be monotonic; bisection preserves the invariant that the lower end dissipates.
    let low = 0
    let high = 1
    found = attempt(0)
    scale = 0
    for (let i = 0; i < 50; i++) {
      const middle = (low + high) / 2
      const tried = attempt(middle)
      if (tried.work <= 0) {
        low = middle
        found = tried
        scale = middle
      } else {
        high = middle
      }
    }
  }
  const f = found.solution.f
  return {
    impulse: f, work: found.work, restitutionScale: scale, solution: found.solution,
    points: island.points.map((_, i) => pointImpulse(island, i, before, f)),
  }
}

/** Residual to reach if the default one leaves points approaching: it is relative to the fastest slip of the island. */
const FINE_RESIDUAL = 1e-13

function impulses(island: Island, problem: ContactProblem, start: SolveOptions['start'], settings: ImpactSettings): ContactSolution {
  const solution = leastNorm(problem, settings.solver.solve(problem, { start }))
  if (island.pointRow.every(row => solution.a[row]! >= -settings.approachSpeed)) return solution
  const finer = leastNorm(problem, settings.solver.solve(problem, { start, tolerance: FINE_RESIDUAL }))
  return finer.status === 'solved' ? finer : solution
}

function impactProblem(
  island: Island, before: Float64Array, restitution: readonly number[], scale: number, settings: ImpactSettings,
): ContactProblem {
  const { problem } = island
  const b = new Float64Array(problem.size)
  for (let row = 0; row < b.length; row++) b[row] = -before[row]!
  island.points.forEach((_, i) => {
    const row = island.pointRow[i]!
    const v = before[row]!
    if (v < 0) b[row] = -(1 + scale * restitution[i]!) * v
  })
  const lower = new Float64Array(problem.size).fill(-Infinity)
  const upper = new Float64Array(problem.size).fill(Infinity)
  // Drives take no part: a bounded force gives no impulse in zero time.
  island.drives.forEach((drive, i) => { b[island.driveRow[i]!] = drive.targetVelocity - before[island.driveRow[i]!]! })
  const friction = problem.friction.map((rows, index) => {
    const i = island.frictionIndex.indexOf(index)
    const { relativeVelocity, location } = island.geometry[i]!
    const slides = length(tangential(relativeVelocity, location.normal)) > settings.stickSpeed
    const mu = slides ? rows.dynamicFriction : rows.staticFriction
    return { ...rows, state: 'static' as const, staticFriction: mu, dynamicFriction: mu, slip1: 0, slip2: 0 }
  })
  const spin = island.spins.map(({ rows }) => ({ ...rows, state: 'static' as const }))
  return { ...problem, b, lower, upper, friction, spin, level: 'velocity' }
}

/** ½ jᵀ (v⁻ + v⁺), J. */
function relativeWork(island: Island, before: Float64Array, j: Float64Array): number {
  const { A, size } = island.problem
  let work = 0
  for (let i = 0; i < size; i++) {
    let change = 0
    for (let k = 0; k < size; k++) change += A[i * size + k]! * j[k]!
    work += j[i]! * (before[i]! + 0.5 * change)
  }
  return work
}

function kineticScale(island: Island, before: Float64Array, j: Float64Array): number {
  let sum = 0
  for (let i = 0; i < island.problem.size; i++) sum += Math.abs(j[i]! * before[i]!)
  return sum
}

function pointImpulse(island: Island, i: number, before: Float64Array, j: Float64Array): PointImpulse {
  const row = island.pointRow[i]!
  const { A, size } = island.problem
  let after = before[row]!
  for (let k = 0; k < size; k++) after += A[row * size + k]! * j[k]!
  const frictional = island.frictionIndex[i]! >= 0
  return {
    point: i, normal: j[row]!, tangent1: frictional ? j[row + 1]! : 0, tangent2: frictional ? j[row + 2]! : 0,
    before: before[row]!, after,
  }
}

/** Adds impulses to the velocities and momenta of a state vector. */
export function applyImpulse(island: Island, snapshot: Snapshot, impulse: Float64Array, state: Float64Array): void {
  const wrench = new Float64Array(6 * snapshot.motions.length)
  island.rows.addWrench(impulse, wrench)
  applyImpulsiveWrench(island.bodies, snapshot, wrench, state)
}

/** Applies impulses and their moments, 6 doubles a body, to the velocities and momenta of a state vector; trees respond as a whole. */
export function applyImpulsiveWrench(bodies: readonly number[], snapshot: Snapshot, wrench: Float64Array, state: Float64Array): void {
  const { trees } = snapshot
  const moved = trees?.respondAll(wrench)
  for (const body of bodies) {
    const m = snapshot.inverseMass[body]!
    if (m === 0) continue
    const node = trees?.nodeOf(body) ?? -1
    if (node >= 0) {
      addVelocity(snapshot, body, moved!, 6 * node, state)
      continue
    }
    const at = snapshot.layout.offsets[body]!
    for (let k = 0; k < 3; k++) {
      state[at + OFFSET_VELOCITY + k] = state[at + OFFSET_VELOCITY + k]! + m * wrench[6 * body + k]!
      state[at + OFFSET_MOMENTUM + k] = state[at + OFFSET_MOMENTUM + k]! + wrench[6 * body + 3 + k]!
    }
  }
}

/** Adds a change of velocity, six doubles from `at` on, to a body's velocity and momentum in a state vector. */
export function addVelocity(snapshot: Snapshot, body: number, change: Float64Array, at: number, state: Float64Array): void {
  const o = snapshot.layout.offsets[body]!
  const spin = transform(worldInertia(snapshot.bodies[body]!, snapshot.motions[body]!.rotation), [change[at + 3]!, change[at + 4]!, change[at + 5]!])
  for (let k = 0; k < 3; k++) {
    state[o + OFFSET_VELOCITY + k] = state[o + OFFSET_VELOCITY + k]! + change[at + k]!
    state[o + OFFSET_MOMENTUM + k] = state[o + OFFSET_MOMENTUM + k]! + spin[k]!
  }
}

/** Largest approach speed of the island's points, m/s, and its point; −1 if none approaches. */
export function fastestApproach(island: Island): { point: number; speed: number } {
  let point = -1
  let speed = 0
  island.geometry.forEach(({ location, relativeVelocity }, i) => {
    const approach = -dot(location.normal, relativeVelocity)
    if (approach > speed) {
      speed = approach
      point = i
    }
  })
  return { point, speed }
}
