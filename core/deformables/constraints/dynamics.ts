/**
 * Motion under constraints, in the two ways of the notes: accelerations with feedback, for any integrator of ordinary differential equations [PBM01-F §3.2],
 * and
 * steps that project positions and velocities back onto the constraints, whose drift is then the tolerance.
 */

import type { ParticleState } from '../system'
import type { Multipliers, MultiplierSolver, SolveReport } from './multipliers'

/** C̈ = −k_s C − k_d Ċ; 1/s² and 1/s. */
export interface Feedback {
  readonly stiffness: number
  readonly damping: number
}

/**
 * Adds to `forces`, 3n, N, those of the constraints at a state: J W Jᵀ λ = −J̇ q̇ − J W Q − k_s C − k_d Ċ.
 *
 * @param lambda multipliers, by row; what the constraints pull with
 */
export function addConstraintForces(
  constraints: Multipliers, { positions, velocities }: ParticleState, forces: Float64Array, feedback: Feedback, solver: MultiplierSolver, lambda: Float64Array,
): SolveReport {
  constraints.evaluate(positions, velocities)
  const { rows, values, rates, curvatures } = constraints
  const b = new Float64Array(rows)
  constraints.addResponse(forces, -1, b)
  for (let r = 0; r < rows; r++) b[r]! -= curvatures[r]! + feedback.stiffness * values[r]! + feedback.damping * rates[r]!
  const report = constraints.solve(b, lambda, solver)
  constraints.addForces(lambda, 1, forces)
  return report
}

export interface ProjectionReport {
  readonly iterations: number
  /** Largest |C| left, in the constraints' own units. */
  readonly drift: number
  readonly converged: boolean
}

/** Iterations of a projection: quadratic convergence needs four or five from any start that is near. */
const PROJECTIONS = 30

/** Moves positions onto C = 0 by the least change in the sense of the masses: x ← x − W Jᵀ (J W Jᵀ)⁻¹ C, until the largest |C| is below `tolerance`. */
export function projectPositions(
  constraints: Multipliers, { positions, velocities }: ParticleState, inverseMasses: Float64Array, tolerance: number, solver: MultiplierSolver,
): ProjectionReport {
  const mu = new Float64Array(constraints.rows)
  const push = new Float64Array(positions.length)
  for (let iterations = 0; ; iterations++) {
    constraints.evaluate(positions, velocities)
    const drift = constraints.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    if (drift <= tolerance || iterations === PROJECTIONS) return { iterations, drift, converged: drift <= tolerance }
    constraints.solve(constraints.values, mu, solver)
    push.fill(0)
    constraints.addForces(mu, -1, push)
    for (let k = 0; k < positions.length; k++) positions[k]! += inverseMasses[Math.floor(k / 3)]! * push[k]!
  }
}

/** Takes from the velocities what breaks the constraints: Ċ = 0 afterwards. Returns the largest |Ċ| that there was. */
export function projectVelocities(
  constraints: Multipliers, { positions, velocities }: ParticleState, inverseMasses: Float64Array, solver: MultiplierSolver,
): number {
  constraints.evaluate(positions, velocities)
  const drift = constraints.rates.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const mu = new Float64Array(constraints.rows)
  const push = new Float64Array(positions.length)
  constraints.solve(constraints.rates, mu, solver)
  constraints.addForces(mu, -1, push)
  for (let k = 0; k < velocities.length; k++) velocities[k]! += inverseMasses[Math.floor(k / 3)]! * push[k]!
  return drift
}

export interface RattleStep {
  /** Parts in which the step was taken: more than one where rods turn so far in it that the whole has no solution near. */
  readonly parts: number
  /** Multipliers of the step, N (for lengths: tension is −λ), by row. */
  readonly lambda: Float64Array
  readonly positions: ProjectionReport
  readonly solve: SolveReport
}

/** A step is cut in halves at most so many times. */
const HALVINGS = 12

/**
 * One step of RATTLE [Andersen 83]: of second order, symplectic, time-reversible; C = 0 and Ċ = 0 at its end to the tolerance. Where its positions do not
 * converge, it is taken in halves, and so on; the report is that of the last part, and where that failed too, `positions.converged` is false and the state is
 * what it was.
 *
 * @param addForces adds all other forces at a state to its last argument
 */
export function rattle(
  constraints: Multipliers, state: ParticleState, inverseMasses: Float64Array, t: number, h: number, tolerance: number, solver: MultiplierSolver,
  addForces: (t: number, x: Float64Array, v: Float64Array, f: Float64Array) => void, halvings = HALVINGS,
): RattleStep {
  const whole = wholeStep(constraints, state, inverseMasses, t, h, tolerance, solver, addForces)
  if (whole.positions.converged || halvings === 0) return whole
  const old = { positions: state.positions.slice(), velocities: state.velocities.slice() }
  const half = (from: number): RattleStep => rattle(constraints, state, inverseMasses, from, h / 2, tolerance, solver, addForces, halvings - 1)
  const first = half(t)
  if (!first.positions.converged) return first
  const second = half(t + h / 2)
  if (!second.positions.converged) {
    state.positions.set(old.positions)
    state.velocities.set(old.velocities)
  }
  return { ...second, parts: first.parts + second.parts }
}

/** Leaves the state as it was where it does not converge. */
function wholeStep(
  constraints: Multipliers, state: ParticleState, inverseMasses: Float64Array, t: number, h: number, tolerance: number, solver: MultiplierSolver,
  addForces: (t: number, x: Float64Array, v: Float64Array, f: Float64Array) => void,
): RattleStep {
  const { positions, velocities } = state
  const { rows } = constraints
  const n3 = positions.length
  const f = new Float64Array(n3)
  const push = new Float64Array(n3)
  const mu = new Float64Array(rows)
  const lambda = new Float64Array(rows)
  addForces(t, positions, velocities, f)
  const old = positions.slice()
  const oldVelocities = velocities.slice()
  // Half a kick, then positions on the constraints by multipliers whose directions are those at the old positions, as symplecticity asks.
  for (let k = 0; k < n3; k++) velocities[k]! += (h / 2) * inverseMasses[Math.floor(k / 3)]! * f[k]!
  for (let k = 0; k < n3; k++) positions[k] = old[k]! + h * velocities[k]!
  let report: ProjectionReport | null = null
  let solve: SolveReport = { solver, iterations: 0, residual: 0 }
  for (let iterations = 0; !report; iterations++) {
    constraints.evaluate(positions, velocities)
    const drift = constraints.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    if (drift <= tolerance || iterations === PROJECTIONS) {
      report = { iterations, drift, converged: drift <= tolerance }
      break
    }
    const target = constraints.values.slice()
    constraints.evaluate(old, velocities)
    solve = constraints.solve(target, mu, solver)
    push.fill(0)
    constraints.addForces(mu, -1, push)
    for (let k = 0; k < n3; k++) {
      const change = inverseMasses[Math.floor(k / 3)]! * push[k]!
      positions[k]! += change
      velocities[k]! += change / h
    }
    for (let r = 0; r < rows; r++) lambda[r]! -= (2 * mu[r]!) / (h * h)
  }
  if (!report.converged) {
    positions.set(old)
    velocities.set(oldVelocities)
    return { lambda, positions: report, solve, parts: 1 }
  }
  f.fill(0)
  addForces(t + h, positions, velocities, f)
  for (let k = 0; k < n3; k++) velocities[k]! += (h / 2) * inverseMasses[Math.floor(k / 3)]! * f[k]!
  projectVelocities(constraints, state, inverseMasses, solver)
  return { lambda, positions: report, solve, parts: 1 }
}
