/**
 * Energies made of conditions, E = Σ ½ k C², with damping −d Ċ ∂C/∂x [PBM01-C eq. 2]. Springs, stretch, shear and bending of cloth, ropes, hair and
 * behaviours are all of this form; only C differs.
 *
 * Within an implicit stage of length a, Ċ is the difference quotient (C − C*) / a, with C* from the same integration formula as x*. It has the
 * method's order of accuracy, vanishes for rigid motion (damping gives neither net force nor net torque), and turns damping into a second spring d/a
 * towards C*, so that the system stays symmetric.
 */

import type { Stencils } from '../sparse'
import { checkVertices, DeformableError, type Condition, type StageSums } from './condition'

export interface Energy {
  readonly condition: Condition
  /** k: rows a element; energy in J for C in its unit. */
  readonly stiffness: Float64Array
  /** d: rows a element. */
  readonly damping: Float64Array
}

/** Above this stiffness the rounding of positions alone causes forces comparable to weights, and its square leaves the range that solvers support. */
const STIFFEST = 1e20

/** @throws DeformableError if an element refers to a missing particle, or k or d is negative or too large */
export function energyOf(condition: Condition, stiffness: Float64Array, damping: Float64Array, particles: number): Energy {
  checkVertices(condition, particles)
  const numbers = condition.count * condition.rows
  for (const [path, values] of [['stiffness', stiffness], ['damping', damping]] as const) {
    if (values.length !== numbers) throw new DeformableError(`${path}.length`, values.length, `${numbers}, one for each component of C`)
    const bad = values.findIndex(value => !(value >= 0 && value <= STIFFEST))
    if (bad >= 0) throw new DeformableError(`${path}[${bad}]`, values[bad]!, `0 to ${STIFFEST}`)
  }
  return { condition, stiffness, damping }
}

/** Workspace for one element of any of these conditions. */
export interface ElementWorkspace {
  readonly C: Float64Array
  readonly J: Float64Array
  readonly H: Float64Array
  readonly w: Float64Array
}

export function elementWorkspace(conditions: readonly Condition[]): ElementWorkspace {
  const rows = conditions.reduce((most, { rows }) => Math.max(most, rows), 1)
  const width = conditions.reduce((most, { arity }) => Math.max(most, 3 * arity), 3)
  return { C: new Float64Array(rows), J: new Float64Array(rows * width), H: new Float64Array(width * width), w: new Float64Array(rows) }
}

/** Σ ½ k C², J. */
export function storedEnergy({ condition, stiffness }: Energy, x: Float64Array, { C, J }: ElementWorkspace): number {
  const { count, rows } = condition
  let sum = 0
  for (let e = 0; e < count; e++) {
    if (condition.values) condition.values(e, x, C)
    else condition.evaluate(e, x, C, J)
    for (let r = 0; r < rows; r++) sum += 0.5 * stiffness[e * rows + r]! * C[r]! * C[r]!
  }
  return sum
}

/** C of all elements, in sequence. */
export function conditionValues(condition: Condition, x: Float64Array, out: Float64Array, { C, J }: ElementWorkspace): void {
  const { count, rows } = condition
  for (let e = 0; e < count; e++) {
    if (condition.values) condition.values(e, x, C)
    else condition.evaluate(e, x, C, J)
    for (let r = 0; r < rows; r++) out[e * rows + r] = C[r]!
  }
}

/** Ċ = (∂C/∂x) v of all elements. */
export function conditionRates(condition: Condition, x: Float64Array, v: Float64Array, out: Float64Array, { C, J }: ElementWorkspace): void {
  const { count, rows, arity, vertices } = condition
  for (let e = 0; e < count; e++) {
    condition.evaluate(e, x, C, J)
    for (let r = 0; r < rows; r++) {
      let rate = 0
      for (let a = 0; a < arity; a++) {
        const i = 3 * vertices[e * arity + a]!
        const at = 3 * (r * arity + a)
        rate += J[at]! * v[i]! + J[at + 1]! * v[i + 1]! + J[at + 2]! * v[i + 2]!
      }
      out[e * rows + r] = rate
    }
  }
}

/**
 * Adds the forces −(k C + d Ċ) ∂C/∂x to `f`, N, with Ċ = J v: for explicit integration.
 *
 * @returns power of the damping, W (≤ 0)
 */
export function addForces({ condition, stiffness, damping }: Energy, x: Float64Array, v: Float64Array, f: Float64Array, { C, J }: ElementWorkspace): number {
  const { count, rows, arity, vertices } = condition
  let power = 0
  for (let e = 0; e < count; e++) {
    condition.evaluate(e, x, C, J)
    for (let r = 0; r < rows; r++) {
      let rate = 0
      for (let a = 0; a < arity; a++) {
        const i = 3 * vertices[e * arity + a]!
        const at = 3 * (r * arity + a)
        rate += J[at]! * v[i]! + J[at + 1]! * v[i + 1]! + J[at + 2]! * v[i + 2]!
      }
      const d = damping[e * rows + r]!
      power -= d * rate * rate
      spread(condition, e, r, -(stiffness[e * rows + r]! * C[r]! + d * rate), J, f)
    }
  }
  return power
}

/**
 * Adds the forces −(k C + d (C − C*) / a) ∂C/∂x of an implicit stage of length `a` to `f`, and to `sums` their potential ½ k C² + ½ (d/a) (C − C*)², J.
 * Raises `sums.largest` to the largest force of one row at one vertex, N, which sets the scale of rounding errors.
 */
export function addStageForces(
  { condition, stiffness, damping }: Energy, x: Float64Array, before: Float64Array, a: number, f: Float64Array, { C, J }: ElementWorkspace, sums: StageSums,
): void {
  const { count, rows, arity } = condition
  let { largest, potential } = sums
  for (let e = 0; e < count; e++) {
    condition.evaluate(e, x, C, J)
    for (let r = 0; r < rows; r++) {
      const at = e * rows + r
      const change = C[r]! - before[at]!
      const drag = (damping[at]! * change) / a
      const w = stiffness[at]! * C[r]! + drag
      if (w === 0) continue
      potential += 0.5 * (stiffness[at]! * C[r]! * C[r]! + drag * change)
      let longest = 0
      for (let c = 3 * r * arity; c < 3 * (r + 1) * arity; c++) longest = Math.max(longest, Math.abs(J[c]!))
      largest = Math.max(largest, Math.abs(w) * longest)
      spread(condition, e, r, -w, J, f)
    }
  }
  sums.largest = largest
  sums.potential = potential
}

/** Adds s ∂C_r/∂x of element e to `f`. */
export function spread({ arity, vertices }: Stencils, e: number, r: number, s: number, J: Float64Array, f: Float64Array): void {
  for (let a = 0; a < arity; a++) {
    const i = 3 * vertices[e * arity + a]!
    const at = 3 * (r * arity + a)
    f[i]! += s * J[at]!
    f[i + 1]! += s * J[at + 1]!
    f[i + 2]! += s * J[at + 2]!
  }
}

/**
 * The matrix of one element in an implicit stage: H = Σ (k + d/a) ∇C ∇Cᵀ + w ∇²C, w = k C + d (C − C*) / a.
 *
 * @param semidefinite whether to make H positive semidefinite. Convex rows (lengths, stretches) use |w| for w: it keeps steps across a compressed thread
 *   short, where 0 would let them overshoot [Chen et al. 24, absolute eigenvalues]. Other rows drop ∇²C.
 */
export function stageHessian(
  { condition, stiffness, damping }: Energy, e: number, x: Float64Array, before: Float64Array, a: number, semidefinite: boolean, workspace: ElementWorkspace,
): void {
  const { C, J, H, w } = workspace
  const { rows, arity, convexRows, curvature } = condition
  const width = 3 * arity
  condition.evaluate(e, x, C, J)
  let curved = false
  for (let r = 0; r < rows; r++) {
    const at = e * rows + r
    const stiff = stiffness[at]! + damping[at]! / a
    const force = stiffness[at]! * C[r]! + (damping[at]! * (C[r]! - before[at]!)) / a
    w[r] = !semidefinite ? force : r < convexRows ? Math.abs(force) : 0
    curved ||= w[r] !== 0
    for (let i = 0; i < width; i++) {
      const s = stiff * J[r * width + i]!
      if (r === 0) for (let j = 0; j <= i; j++) H[i * width + j] = s * J[j]!
      else for (let j = 0; j <= i; j++) H[i * width + j]! += s * J[r * width + j]!
    }
  }
  for (let i = 0; i < width; i++) for (let j = 0; j < i; j++) H[j * width + i] = H[i * width + j]!
  if (curved && curvature) curvature(e, x, w, H)
}
