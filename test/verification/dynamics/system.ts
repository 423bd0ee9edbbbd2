/**
 * Bodies, joints and forces without contact, advanced by the simplest correct assembly of the equations of motion: multipliers from the dense
 * J M⁻¹ Jᵀ λ = −(J u̇_free + J̇ u) at every stage [PBM01-F §3], and both projections after every step. It stands beside the simulator's own
 * assembly as a second opinion.
 */

import { angularMomentumOf, kineticEnergy, worldInverseInertia, type RigidBody } from '../../../core/dynamics/body'
import type { ForceElement } from '../../../core/dynamics/forces'
import { dormandPrince, initialStep } from '../../../core/dynamics/integrators'
import { jointEquations, WORLD_MOTION, type JointConstraint } from '../../../core/dynamics/joints'
import { OFFSET_CENTER, OFFSET_MOMENTUM, OFFSET_ORIENTATION, OFFSET_VELOCITY } from '../../../core/dynamics/state'
import { initialState, readMotions, renormalize, stateLayout, writeKinematics, writeScales } from '../../../core/dynamics/state-layout'
import type { BodyMotion } from '../../../core/geometry/motion'
import { semidefiniteLeastNorm } from '../../../core/math/factor'
import { transform } from '../../../core/math/matrix'
import { multiplyQuaternions, type Quat } from '../../../core/math/quaternion'
import { add, cross, sub, type Vec3 } from '../../../core/math/vector'

interface Rows {
  readonly n: number
  /** n × 6 bodies. */
  readonly J: Float64Array
  /** M⁻¹ Jᵀ, 6 bodies × n stored by row of J. */
  readonly W: Float64Array
  readonly error: Float64Array
  readonly bias: Float64Array
}

/** Relative to the largest diagonal element of A: redundant rows leave rounding there. */
const RANK_TOLERANCE = 1e-11

export class System {
  time = 0
  steps = 0
  state: Float64Array
  private readonly layout
  private readonly scales: Float64Array
  private readonly integrator
  private readonly exists: boolean[]
  private step = 0

  constructor(
    readonly bodies: readonly RigidBody[], readonly joints: readonly JointConstraint[], readonly forces: readonly ForceElement[],
    readonly options: { tolerance: number; length: number; speed: number; project?: boolean },
  ) {
    this.layout = stateLayout(bodies)
    this.state = initialState(this.layout)
    this.scales = new Float64Array(this.layout.length)
    writeScales(this.layout, options.length, options.speed, this.scales)
    this.integrator = dormandPrince(options.tolerance)
    this.exists = bodies.map(() => true)
  }

  get motions(): BodyMotion[] {
    return readMotions(this.layout, this.state, [])
  }

  get energy(): number {
    const { motions } = this
    return this.bodies.reduce((sum, body, i) => sum + kineticEnergy(body, motions[i]!), 0)
      + this.forces.reduce((sum, force) => sum + force.potential(motions), 0)
  }

  /** Worst joint error, m or rad. */
  get jointError(): number {
    return Math.max(0, ...this.rows(this.motions).error.map(Math.abs))
  }

  coordinate(joint: number, index = 0, near = 0): number {
    const { motions } = this
    const constraint = this.joints[joint]!
    return constraint.coordinate(index, this.of(motions, constraint.bodyA), this.of(motions, constraint.bodyB), near).position
  }

  /** Multipliers now, by row. */
  multipliers(): Float64Array {
    const { motions } = this
    const rows = this.rows(motions)
    return this.solve(rows, this.free(this.time, motions))
  }

  advance(to: number): this {
    if (this.step === 0) this.step = initialStep(this.rates, this.time, this.state, this.scales, this.options.tolerance, 5)
    const out = new Float64Array(this.state.length)
    while (this.time < to) {
      const left = to - this.time
      const h = Math.min(this.step, left)
      const result = this.integrator.step(this.rates, this.time, this.state, h, this.scales, out)
      this.step = result.nextStep
      if (!(h > 1e-13 * Math.max(1, this.time))) throw new Error(`step ${h} s at ${this.time} s`)
      if (!result.accepted) continue
      this.steps++
      this.time = h === left ? to : this.time + h
      this.state.set(out)
      renormalize(this.layout, this.state)
      if (this.options.project !== false && this.joints.length > 0) this.project()
    }
    return this
  }

  private readonly rates = (t: number, y: Float64Array, out: Float64Array): void => this.derivative(t, y, out)

  private of(motions: readonly BodyMotion[], body: number): BodyMotion {
    return body < 0 ? WORLD_MOTION : motions[body]!
  }

  private derivative(t: number, y: Float64Array, out: Float64Array): void {
    const motions = readMotions(this.layout, y, [])
    const rows = this.rows(motions)
    const wrench = this.wrench(t, motions)
    const lambda = this.solve(rows, this.free(t, motions))
    const width = 6 * this.bodies.length
    for (let i = 0; i < rows.n; i++) for (let k = 0; k < width; k++) wrench[k]! += rows.J[i * width + k]! * lambda[i]!
    writeKinematics(this.layout, y, motions, this.exists, out)
    this.bodies.forEach((body, i) => {
      const o = this.layout.offsets[i]!
      if (body.type !== 'dynamic') return
      for (let k = 0; k < 3; k++) {
        out[o + OFFSET_VELOCITY + k] = wrench[6 * i + k]! * body.inverseMass
        out[o + OFFSET_MOMENTUM + k] = wrench[6 * i + 3 + k]!
      }
    })
  }

  private wrench(t: number, motions: readonly BodyMotion[]): Float64Array {
    const sum = new Float64Array(6 * this.bodies.length)
    const put = (at: number, v: Vec3) => v.forEach((value, k) => { sum[at + k]! += value })
    const sink = {
      force: (i: number, f: Vec3, point: Vec3) => {
        put(6 * i, f)
        put(6 * i + 3, cross(sub(point, motions[i]!.center), f))
      },
      torque: (i: number, torque: Vec3) => put(6 * i + 3, torque),
    }
    for (const force of this.forces) force.apply(t, motions, this.exists, sink)
    return sum
  }

  private free(t: number, motions: readonly BodyMotion[]): Float64Array {
    const wrench = this.wrench(t, motions)
    this.bodies.forEach((body, i) => {
      const motion = motions[i]!
      const torque = sub([wrench[6 * i + 3]!, wrench[6 * i + 4]!, wrench[6 * i + 5]!], cross(motion.angularVelocity, angularMomentumOf(body, motion)))
      const spin = transform(worldInverseInertia(body, motion.rotation), torque)
      for (let k = 0; k < 3; k++) {
        wrench[6 * i + k]! *= body.inverseMass
        wrench[6 * i + 3 + k] = spin[k]!
      }
    })
    return wrench
  }

  private rows(motions: readonly BodyMotion[]): Rows {
    const n = this.joints.reduce((sum, joint) => sum + joint.rows, 0)
    const width = 6 * this.bodies.length
    const rows: Rows = {
      n, J: new Float64Array(n * width), W: new Float64Array(n * width), error: new Float64Array(n), bias: new Float64Array(n),
    }
    let first = 0
    for (const joint of this.joints) {
      const out = jointEquations(joint.rows)
      joint.evaluate(this.of(motions, joint.bodyA), this.of(motions, joint.bodyB), out)
      rows.error.set(out.error, first)
      rows.bias.set(out.bias, first)
      for (let r = 0; r < joint.rows; r++) {
        for (const [side, body] of [joint.bodyA, joint.bodyB].entries()) {
          if (body >= 0) rows.J.set(out.jacobian.subarray(12 * r + 6 * side, 12 * r + 6 * side + 6), (first + r) * width + 6 * body)
        }
      }
      first += joint.rows
    }
    this.bodies.forEach((body, b) => {
      const inverse = worldInverseInertia(body, motions[b]!.rotation)
      for (let i = 0; i < n; i++) {
        const at = i * width + 6 * b
        const spin = transform(inverse, [rows.J[at + 3]!, rows.J[at + 4]!, rows.J[at + 5]!])
        for (let k = 0; k < 3; k++) {
          rows.W[at + k] = rows.J[at + k]! * body.inverseMass
          rows.W[at + 3 + k] = spin[k]!
        }
      }
    })
    return rows
  }

  /** λ with J M⁻¹ Jᵀ λ = −(J u̇_free + bias). */
  private solve({ n, J, W, bias }: Rows, free: Float64Array, target: Float64Array = bias): Float64Array {
    if (n === 0) return new Float64Array(0)
    const width = free.length
    const A = new Float64Array(n * n)
    const b = new Float64Array(n)
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = 0
        for (let k = 0; k < width; k++) sum += J[i * width + k]! * W[j * width + k]!
        A[i * n + j] = sum
        A[j * n + i] = sum
      }
      let sum = target[i]!
      for (let k = 0; k < width; k++) sum += J[i * width + k]! * free[k]!
      b[i] = -sum
    }
    return semidefiniteLeastNorm(A, n, b, RANK_TOLERANCE).x
  }

  private project(): void {
    const width = 6 * this.bodies.length
    const still = new Float64Array(width)
    for (let pass = 0; pass < 2; pass++) {
      const rows = this.rows(this.motions)
      this.shift(rows, this.solve(rows, still, rows.error))
    }
    const { motions } = this
    const rows = this.rows(motions)
    const u = new Float64Array(width)
    motions.forEach((motion, i) => {
      u.set(motion.velocity, 6 * i)
      u.set(motion.angularVelocity, 6 * i + 3)
    })
    const impulse = this.solve(rows, u, new Float64Array(rows.n))
    this.bodies.forEach((body, b) => {
      const o = this.layout.offsets[b]!
      if (body.type !== 'dynamic') return
      for (let i = 0; i < rows.n; i++) {
        for (let k = 0; k < 3; k++) {
          this.state[o + OFFSET_VELOCITY + k]! += rows.W[i * width + 6 * b + k]! * impulse[i]!
          this.state[o + OFFSET_MOMENTUM + k]! += rows.J[i * width + 6 * b + 3 + k]! * impulse[i]!
        }
      }
    })
  }

  private shift(rows: Rows, correction: Float64Array): void {
    const width = 6 * this.bodies.length
    const { motions } = this
    this.bodies.forEach((body, b) => {
      const o = this.layout.offsets[b]!
      if (body.type !== 'dynamic') return
      const move = (at: number): Vec3 => [0, 1, 2].map(k => {
        let sum = 0
        for (let i = 0; i < rows.n; i++) sum += rows.W[i * width + 6 * b + at + k]! * correction[i]!
        return sum
      }) as unknown as Vec3
      const { center, pose } = motions[b]!
      this.state.set(add(center, move(0)), o + OFFSET_CENTER)
      const [x, y, z] = move(3)
      const turned = multiplyQuaternions([x / 2, y / 2, z / 2, 1], pose.orientation)
      const norm = Math.hypot(...turned)
      this.state.set(turned.map(v => v / norm) as unknown as Quat, o + OFFSET_ORIENTATION)
    })
  }
}
