/**
 * Constraint rows of one island and the matrices made of them.
 *
 * A row i is a direction of relative motion of two bodies (a gear's, of two pairs): with u = (v_A, ω_A, v_B, ω_B)
 *
 *   velocity        J_i u
 *   acceleration    a_i = J_i u̇ + (J̇ u)_i
 *   wrench          J_iᵀ f_i
 *
 * so that with u̇ = u̇_free + M⁻¹ Jᵀ f, where u̇_free is the motion without multipliers,
 *
 *   a = A f − b,   A = J M⁻¹ Jᵀ,   b = −(J u̇_free + J̇ u)                        [Baraff92 §8.1, PBM01-G app. D]
 *
 * Bodies that are not dynamic have M⁻¹ = 0. Body −1 is the world, at rest.
 */

import { JACOBIAN_WIDTH, type JointConstraint, type JointEquations } from '../dynamics/joints/joint'
import type { Vec3 } from '../math/vector'
import type { Trees } from '../dynamics/trees'
import { dot6, velocityHalf, weighHalf, writePoint } from './half-row'
import type { Snapshot } from './snapshot'

export class Rows {
  count = 0
  bodyA: Int32Array
  bodyB: Int32Array
  /** 12 a row. */
  jacobian: Float64Array
  /** (J̇ u) a row. */
  bias: Float64Array
  /** R a row: compliance of the row, a = A f + R f − b; 0 except for servos. */
  readonly compliance: Float64Array
  /** M⁻¹ Jᵀ, 12 a row; current after `weigh`. Zero for bodies of trees, whose values are in `responses`. */
  readonly inverseMassJacobian: Float64Array
  /** P Jᵀ of rows on bodies of trees, 6 doubles a node of all trees; current after `weigh`. Empty without trees. */
  private responses = new Float64Array(0)
  private trees: Trees | null = null
  /** Entries of gear rows for a second pair of bodies, and that pair; null if there are none. */
  second: Rows | null = null
  readonly owners: number[] = []

  constructor(private readonly capacity: number) {
    this.bodyA = new Int32Array(capacity)
    this.bodyB = new Int32Array(capacity)
    this.jacobian = new Float64Array(capacity * JACOBIAN_WIDTH)
    this.bias = new Float64Array(capacity)
    this.compliance = new Float64Array(capacity)
    this.inverseMassJacobian = new Float64Array(capacity * JACOBIAN_WIDTH)
  }

  clear(): void {
    this.count = 0
    this.compliance.fill(0)
    this.second?.clear()
    this.owners.length = 0
  }

  /** Appends a row along `direction` at the world point `point`. */
  pushPoint(snapshot: Snapshot, bodyA: number, bodyB: number, point: Vec3, direction: Vec3, bias: number): void {
    this.pushAt(snapshot, bodyA, bodyB, point[0], point[1], point[2], direction[0], direction[1], direction[2], bias)
  }

  /** The same by components. */
  pushAt(
    { motions }: Snapshot, bodyA: number, bodyB: number, px: number, py: number, pz: number, dx: number, dy: number, dz: number, bias: number,
  ): void {
    const row = this.count++
    this.bodyA[row] = bodyA
    this.bodyB[row] = bodyB
    this.bias[row] = bias
    writePoint(this.jacobian, row * JACOBIAN_WIDTH, motions[bodyA]!.center, px, py, pz, dx, dy, dz)
    writePoint(this.jacobian, row * JACOBIAN_WIDTH + 6, motions[bodyB]!.center, px, py, pz, -dx, -dy, -dz)
  }

  /** Appends a pure rotation row: relative angular velocity about `direction`. */
  pushRotation(bodyA: number, bodyB: number, direction: Vec3, bias: number): void {
    const row = this.count++
    this.bodyA[row] = bodyA
    this.bodyB[row] = bodyB
    this.bias[row] = bias
    const J = this.jacobian
    const at = row * JACOBIAN_WIDTH
    J.fill(0, at, at + JACOBIAN_WIDTH)
    for (let k = 0; k < 3; k++) {
      J[at + 3 + k] = direction[k]!
      J[at + 9 + k] = -direction[k]!
    }
  }

  /** Appends a given row, times `sign`. */
  pushJacobian(bodyA: number, bodyB: number, source: Float64Array, offset: number, sign: number, bias: number): void {
    const row = this.count++
    this.bodyA[row] = bodyA
    this.bodyB[row] = bodyB
    this.bias[row] = bias
    const at = row * JACOBIAN_WIDTH
    for (let k = 0; k < JACOBIAN_WIDTH; k++) this.jacobian[at + k] = sign * source[offset + k]!
  }

  /** Appends row `r` of a joint's equations, for all its bodies. */
  pushJoint({ bodyA, bodyB, second }: JointConstraint, equations: JointEquations, r: number): void {
    this.pushJacobian(bodyA, bodyB, equations.jacobian, r * JACOBIAN_WIDTH, 1, equations.bias[r]!)
    if (second === undefined) return
    this.second ??= new Rows(this.capacity)
    this.second.pushJacobian(second.bodyA, second.bodyB, equations.second!.jacobian, r * JACOBIAN_WIDTH, 1, 0)
    this.owners.push(this.count - 1)
  }

  /** M⁻¹ Jᵀ of every row; needed before `delassus`, `diagonal` and `addMotion`. */
  weigh(snapshot: Snapshot): void {
    for (let row = 0; row < this.count; row++) {
      const at = row * JACOBIAN_WIDTH
      weighHalf(snapshot, this.bodyA[row]!, this.jacobian, at, this.inverseMassJacobian, at)
      weighHalf(snapshot, this.bodyB[row]!, this.jacobian, at + 6, this.inverseMassJacobian, at + 6)
    }
    this.respond(snapshot)
    this.second?.weigh(snapshot)
  }

  private respond({ trees }: Snapshot): void {
    this.trees = trees
    if (trees === null) return
    const width = 6 * trees.forest.nodes.length
    if (this.responses.length < this.count * width) this.responses = new Float64Array(this.capacity * width)
    const part = new Float64Array(width)
    for (let row = 0; row < this.count; row++) {
      const at = row * width
      this.responses.fill(0, at, at + width)
      for (const [side, body] of [this.bodyA[row]!, this.bodyB[row]!].entries()) {
        const node = trees.nodeOf(body)
        if (node < 0) continue
        const half = row * JACOBIAN_WIDTH + 6 * side
        this.inverseMassJacobian.fill(0, half, half + 6)
        trees.respond(node, this.jacobian, half, part, 0)
        const [first, end] = trees.range(node)
        for (let k = 6 * first; k < 6 * end; k++) this.responses[at + k] = this.responses[at + k]! + part[k]!
      }
    }
  }

  /** J P Jᵀ of a row on bodies of trees, and row j of `others`. */
  productInTrees(i: number, others: Rows, j: number): number {
    if (this.trees === null) return 0
    const width = 6 * this.trees.forest.nodes.length
    const a = this.trees.nodeOf(this.bodyA[i]!)
    const b = this.trees.nodeOf(this.bodyB[i]!)
    const at = i * JACOBIAN_WIDTH
    return (a < 0 ? 0 : dot6(this.jacobian, at, others.responses, j * width + 6 * a))
      + (b < 0 ? 0 : dot6(this.jacobian, at + 6, others.responses, j * width + 6 * b))
  }

  /** Fills A, row-major, of all rows or some, with their compliance on its diagonal. */
  delassus(A: Float64Array, chosen: Int32Array = Int32Array.from({ length: this.count }, (_, row) => row)): void {
    const n = chosen.length
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        const sum = productOf(this, chosen[i]!, this, chosen[j]!)
        A[i * n + j] = sum
        A[j * n + i] = sum
      }
      A[i * n + i]! += this.compliance[chosen[i]!]!
    }
    const places = this.owners.map(row => chosen.indexOf(row))
    places.forEach((i, k) => {
      if (i < 0) return
      for (let j = 0; j < n; j++) {
        const sum = productOf(this.second!, k, this, chosen[j]!)
        A[i * n + j] = A[i * n + j]! + sum
        A[j * n + i] = A[j * n + i]! + sum
      }
      places.forEach((j, l) => {
        if (j >= 0) A[i * n + j] = A[i * n + j]! + productOf(this.second!, k, this.second!, l)
      })
    })
  }

  /** b = −(J u̇_free + J̇ u); `free` holds linear and angular free accelerations, 6 doubles a body. */
  accelerationBias(free: Float64Array, b: Float64Array): void {
    for (let row = 0; row < this.count; row++) b[row] = -(this.along(row, free) + this.bias[row]!)
  }

  /** J_i x for a vector x of 6 doubles a body (velocities, accelerations). */
  along(row: number, x: Float64Array): number {
    const at = row * JACOBIAN_WIDTH
    const a = this.bodyA[row]!
    const b = this.bodyB[row]!
    const sum = (a >= 0 ? dot6(this.jacobian, at, x, 6 * a) : 0) + (b >= 0 ? dot6(this.jacobian, at + 6, x, 6 * b) : 0)
    const k = this.owners.length === 0 ? -1 : this.owners.indexOf(row)
    return k < 0 ? sum : sum + this.second!.along(k, x)
  }

  /** A_ii without compliance; `weigh` must be current. */
  diagonal(row: number): number {
    const k = this.owners.indexOf(row)
    const own = productOf(this, row, this, row)
    return k < 0 ? own : own + 2 * productOf(this.second!, k, this, row) + productOf(this.second!, k, this.second!, k)
  }

  /** J_i u at the snapshot, m/s or rad/s. */
  velocity(row: number, snapshot: Snapshot): number {
    const at = row * JACOBIAN_WIDTH
    const sum = velocityHalf(snapshot, this.bodyA[row]!, this.jacobian, at) + velocityHalf(snapshot, this.bodyB[row]!, this.jacobian, at + 6)
    const k = this.owners.length === 0 ? -1 : this.owners.indexOf(row)
    return k < 0 ? sum : sum + this.second!.velocity(k, snapshot)
  }

  /** Adds Σ J_iᵀ f_i to `wrench`, 6 doubles a body. */
  addWrench(f: Float64Array, wrench: Float64Array): void {
    this.addColumns(this.jacobian, f, wrench)
    this.second?.addColumns(this.second.jacobian, this.owned(f), wrench)
  }

  /** Adds Σ M⁻¹ J_iᵀ f_i to `motion`, 6 doubles a body; `weigh` must be current. */
  addMotion(f: Float64Array, motion: Float64Array): void {
    this.addColumns(this.inverseMassJacobian, f, motion)
    this.addResponses(f, motion)
    this.second?.addColumns(this.second.inverseMassJacobian, this.owned(f), motion)
    this.second?.addResponses(this.owned(f), motion)
  }

  /** Selects, from one value a row, those of the rows of `second`. */
  owned(f: Float64Array): Float64Array {
    return Float64Array.from(this.owners, row => f[row]!)
  }

  private addResponses(f: Float64Array, out: Float64Array): void {
    if (this.trees === null) return
    const { nodes } = this.trees.forest
    for (let row = 0; row < this.count; row++) {
      const value = f[row]!
      if (value === 0) continue
      const at = row * 6 * nodes.length
      nodes.forEach(({ body }, n) => {
        for (let k = 0; k < 6; k++) out[6 * body + k] = out[6 * body + k]! + this.responses[at + 6 * n + k]! * value
      })
    }
  }

  private addColumns(columns: Float64Array, f: Float64Array, out: Float64Array): void {
    for (let row = 0; row < this.count; row++) {
      const value = f[row]!
      if (value === 0) continue
      const at = row * JACOBIAN_WIDTH
      const a = this.bodyA[row]!
      const b = this.bodyB[row]!
      for (let k = 0; k < 6; k++) {
        if (a >= 0) out[6 * a + k] = out[6 * a + k]! + columns[at + k]! * value
        if (b >= 0) out[6 * b + k] = out[6 * b + k]! + columns[at + 6 + k]! * value
      }
    }
  }
}

/** J_i M⁻¹ J_jᵀ of two rows, each with its own two bodies. */
function productOf(rows: Rows, i: number, others: Rows, j: number): number {
  const { jacobian: J } = rows
  const { inverseMassJacobian: W } = others
  const ai = rows.bodyA[i]!
  const bi = rows.bodyB[i]!
  const aj = others.bodyA[j]!
  const bj = others.bodyB[j]!
  const at = i * JACOBIAN_WIDTH
  const bt = j * JACOBIAN_WIDTH
  let sum = 0
  if (ai >= 0) {
    if (ai === aj) sum += dot6(J, at, W, bt)
    if (ai === bj) sum += dot6(J, at, W, bt + 6)
  }
  if (bi >= 0) {
    if (bi === aj) sum += dot6(J, at + 6, W, bt)
    if (bi === bj) sum += dot6(J, at + 6, W, bt + 6)
  }
  return sum + rows.productInTrees(i, others, j)
}

/** J M⁻¹ Jᵀ of one row as if no joints were coordinates. */
export function looseDiagonal(rows: Rows, row: number, snapshot: Snapshot): number {
  const weighed = new Float64Array(6)
  let sum = 0
  for (const [side, body] of [rows.bodyA[row]!, rows.bodyB[row]!].entries()) {
    const at = row * JACOBIAN_WIDTH + 6 * side
    weighHalf(snapshot, body, rows.jacobian, at, weighed, 0)
    sum += dot6(rows.jacobian, at, weighed, 0)
  }
  const second = rows.owners.indexOf(row)
  return second < 0 ? sum : sum + looseDiagonal(rows.second!, second, snapshot)
}
