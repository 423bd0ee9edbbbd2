/**
 * Constrained motion by the two methods of the notes: accelerations with feedback, for any integrator of ordinary differential equations [PBM01-F
 * §3.2], and steps that project positions and velocities onto the constraints, which limits drift to the tolerance.
 */

import type { ParticleState } from '../system'
import type { Multipliers, MultiplierSolver, SolveReport } from './multipliers'

/** C̈ = −k_s C − k_d Ċ; 1/s² and 1/s. */
export interface Feedback {
  readonly stiffness: number
  readonly damping: number
}

/**
 * Adds the constraint forces at a state to `forces`, 3n, N: J W Jᵀ λ = −J̇ q̇ − J W Q − k_s C − k_d Ċ.
 *
 * @param lambda multipliers, by row
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
  /** Largest remaining |C|, in the constraints' own units. */
  readonly drift: number
  readonly converged: boolean
}

/** Most iterations of a projection: quadratic convergence needs four or five from any nearby start. */
const PROJECTIONS = 30

/** Projects positions onto C = 0 by the least change in the mass metric: x ← x − W Jᵀ (J W Jᵀ)⁻¹ C, until the largest |C| is below `tolerance`. */
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

/** Projects velocities onto Ċ = 0. Returns the largest |Ċ| before the projection. */
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
  /** Number of parts of the step: more than one if rods rotate too far for the whole step to converge. */
  readonly parts: number
  /** Multipliers of the step, N (for lengths: tension is −λ), by row. */
  readonly lambda: Float64Array
  readonly positions: ProjectionReport
  readonly solve: SolveReport
}

/** Most halvings of a step. */
const HALVINGS = 12

/**
 * One step of RATTLE [Andersen 83]: second order, symplectic, time-reversible; at its end C = 0 and Ċ = 0 to the tolerance. If the positions do not
 * converge, the step is halved repeatedly. The report is that of the last part. If the halves fail too, `positions.converged` is false and the state
 * is unchanged.
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

/** Leaves the state unchanged if it does not converge. */
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
  // Half a kick, then a projection of positions along the constraint directions at the old positions, as a symplectic method requires.
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
