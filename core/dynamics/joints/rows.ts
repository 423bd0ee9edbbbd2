import type { BodyMotion } from '../../geometry/motion'
import { dot, negate, sub, cross, type Vec3, ZERO } from '../../math/vector'
import type { ScalarJet } from './jet'
import { JACOBIAN_WIDTH, type JointConstraint, type JointCoordinate, type JointEquations } from './joint'

/** Storage for the equations of a joint. */
export function jointEquations({ rows, second }: Pick<JointConstraint, 'rows' | 'second'>): JointEquations {
  const own = { error: new Float64Array(rows), jacobian: new Float64Array(rows * JACOBIAN_WIDTH), bias: new Float64Array(rows) }
  return second === undefined ? own : { ...own, second: jointEquations({ rows }) }
}

/**
 * One row of a quantity that depends on the relative motion of two bodies only, so that its rate is n·(v_A − v_B) + α·ω_A + β·ω_B.
 */
export interface RelativeRow {
  /** n */
  readonly linear: Vec3
  /** α */
  readonly angularA: Vec3
  /** β */
  readonly angularB: Vec3
}

/** The rate w·(ω_A − ω_B). */
export function angularRow(w: Vec3): RelativeRow {
  return { linear: ZERO, angularA: w, angularB: negate(w) }
}

/**
 * The rate of n·(p_A − p_B) for n fixed in B (or for constant n if p_A = p_B): α = (p_A − c_A) × n, β = −(p_A − c_B) × n, because n rotates with B about
 * p_B.
 */
export function alongRow(a: BodyMotion, b: BodyMotion, pointA: Vec3, n: Vec3): RelativeRow {
  return { linear: n, angularA: cross(sub(pointA, a.center), n), angularB: cross(n, sub(pointA, b.center)) }
}

/** Writes the row of J from index `at`: linear and angular part of A, then of B. */
export function writeJacobian(row: RelativeRow, out: Float64Array, at: number): void {
  const { linear, angularA, angularB } = row
  for (let k = 0; k < 3; k++) {
    out[at + k] = linear[k]!
    out[at + 3 + k] = angularA[k]!
    out[at + 6 + k] = -linear[k]!
    out[at + 9 + k] = angularB[k]!
  }
}

/** Writes row `index` of `out`: C, J and J̇ u. */
export function writeRow(out: JointEquations, index: number, row: RelativeRow, error: number, bias: number): void {
  out.error[index] = error
  out.bias[index] = bias
  writeJacobian(row, out.jacobian, index * JACOBIAN_WIDTH)
}

/** A joint coordinate from its value and derivatives and the row of its rate. */
export function coordinateOf(jet: ScalarJet, row: RelativeRow): JointCoordinate {
  const jacobian = new Float64Array(JACOBIAN_WIDTH)
  writeJacobian(row, jacobian, 0)
  return { position: jet.x, velocity: jet.v, jacobian, bias: jet.a }
}

/** The rate that a row gives to two motions. */
export function rateOf(row: RelativeRow, a: BodyMotion, b: BodyMotion): number {
  return dot(row.linear, sub(a.velocity, b.velocity)) + dot(row.angularA, a.angularVelocity) + dot(row.angularB, b.angularVelocity)
}
