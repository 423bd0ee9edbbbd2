/**
 * Drags a mechanism by a point, without dynamics: of all poses that its joints and their limits allow, finds one near the present poses in which the
 * point is nearest to its target.
 *
 * Each round makes the step δ that minimises δᵀ M δ + |J_p δ − r|²/α with J δ = −C: the rows of joints, of reached limits and of the point in one
 * system, J M⁻¹ Jᵀ with the compliance α on the point's rows. Finally the joints alone are closed by Newton's method to rounding, as in the
 * simulation.
 */

import type { BodyMotion } from '../../geometry/motion'
import { semidefiniteLeastNorm } from '../../math/least-norm'
import { transform, type Mat3 } from '../../math/matrix'
import { toOuter, type Pose } from '../../math/pose'
import { multiplyQuaternions, normalizeQuaternion, rotate, rotateInverse, toMatrix } from '../../math/quaternion'
import { add, cross, length, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import { WORLD_MOTION } from './frame'
import { bodiesOfJoint, evaluateJoint, JACOBIAN_WIDTH, type JointConstraint, type JointEquations } from './joint'
import { jointEquations } from './rows'

export interface AssemblyBody {
  readonly pose: Pose
  /** m, body frame. */
  readonly center: Vec3
  /** 1/kg; 0 for immovable bodies. */
  readonly inverseMass: number
  /** 1/(kg m²), body axes. */
  readonly inverseInertia: Mat3
}

/** One coordinate of a joint, rad or m; its limits are ±∞ if it has none. */
export interface AssemblyCoordinate {
  readonly joint: JointConstraint
  readonly index: number
  readonly lower: number
  readonly upper: number
}

/** Newton rounds; the next mouse position continues from their result. */
const ROUNDS = 24
/** rad and m ÷ size: limit of a step, so that a linkage does not jump to its other configuration. */
const MAX_STEP = 0.5
/** × the point's own response: compliance of the point in directions that the joints do not allow. */
const COMPLIANCE = 1e-3
/** Pivots below this share of the largest belong to dependent rows, which closed loops have. */
const DEPENDENT = 1e-11
/** m or rad: joint errors up to this count as closed. */
const CLOSED = 1e-13

interface Row {
  /** Six numbers a body that it acts on: for its velocity and its angular velocity. */
  readonly parts: readonly { readonly body: number; readonly at: Float64Array }[]
  readonly wanted: number
  readonly compliance: number
}

export class Assembly {
  private readonly poses: Pose[]
  private readonly near: number[]
  private readonly equations: JointEquations[]

  /** @param coordinates with limits, and those queried afterwards */
  constructor(
    private readonly bodies: readonly AssemblyBody[], private readonly joints: readonly JointConstraint[],
    private readonly coordinates: readonly AssemblyCoordinate[],
  ) {
    this.poses = bodies.map(({ pose }) => pose)
    this.near = coordinates.map(() => 0)
    this.equations = joints.map(jointEquations)
  }

  get now(): readonly Pose[] {
    return this.poses
  }

  /** Worst violation of a joint's equations, m or rad. */
  get error(): number {
    return this.rows().reduce((worst, { wanted }) => Math.max(worst, Math.abs(wanted)), 0)
  }

  /** By coordinate: its value, rad or m; 0 at the initial poses. */
  get positions(): readonly number[] {
    this.rows()
    return this.near
  }

  /**
   * @param point m, frame of the body
   * @param target m, world
   * @param size m: of the mechanism, for the length of steps
   * @throws DegenerateJointError if a joint is pulled into a degenerate pose
   */
  pull(body: number, point: Vec3, target: Vec3, size: number): void {
    const before = [...this.poses]
    const distance = () => length(sub(target, toOuter(this.poses[body]!, point)))
    // × the largest step: reduced after a step that increased the distance, as in a fully extended mechanism.
    let trust = 1
    for (let round = 0; round < ROUNDS; round++) {
      const motion = this.motion(body)
      const arm = sub(add(motion.pose.position, rotate(motion.pose.orientation, point)), motion.center)
      const away = sub(target, add(motion.center, arm))
      const reach = length(away)
      const most = trust * MAX_STEP * size
      const drawn = scale(away, reach > most ? most / reach : 1)
      // The same for all three directions, so that the nearest point is nearest in the Euclidean metric.
      const compliance = COMPLIANCE * Math.max(...[0, 1, 2].map(k => this.response(body, arm, unit(k))))
      const pulls = [0, 1, 2].map((k): Row => {
        const axis = unit(k)
        const parts = [{ body, at: Float64Array.of(...axis, ...cross(arm, axis)) }]
        return { parts, wanted: drawn[k]!, compliance }
      })
      const former = [...this.poses]
      const moved = this.step([...this.rows(), ...pulls], size)
      this.step(this.rows(), size)
      const better = distance() < reach
      if (!better) this.poses.splice(0, this.poses.length, ...former)
      trust = better ? Math.min(1, 2 * trust) : trust / 4
      if (moved < 1e-9) break
    }
    // The joints alone are now closed exactly, without the compliant rows of the point.
    for (let round = 0; round < ROUNDS; round++) {
      const rows = this.rows()
      if (rows.every(({ wanted }) => Math.abs(wanted) <= CLOSED * Math.max(1, size))) return
      this.step(rows, size)
    }
    // A mechanism that does not close is rejected: it keeps its last valid pose.
    if (this.error > 1e-9 * Math.max(1, size)) this.poses.splice(0, this.poses.length, ...before)
  }

  private motion(body: number): BodyMotion {
    if (body < 0) return WORLD_MOTION
    const pose = this.poses[body]!
    const center = add(pose.position, rotate(pose.orientation, this.bodies[body]!.center))
    return { pose, rotation: toMatrix(pose.orientation), center, velocity: ZERO, angularVelocity: ZERO }
  }

  /** Rows of all joints, and of the limits that are passed. */
  private rows(): Row[] {
    const rows = this.joints.flatMap((joint, j) => {
      const equations = this.equations[j]!
      evaluateJoint(joint, body => this.motion(body), equations)
      const { second } = joint
      const pairs = [{ ...joint, jacobian: equations.jacobian }, ...second && equations.second ? [{ ...second, jacobian: equations.second.jacobian }] : []]
      return Array.from({ length: joint.rows }, (_, r): Row => ({
        parts: pairs.flatMap(({ bodyA, bodyB, jacobian }) => partsOf(bodyA, bodyB, jacobian.subarray(r * JACOBIAN_WIDTH, (r + 1) * JACOBIAN_WIDTH))),
        wanted: -equations.error[r]!, compliance: 0,
      }))
    })
    this.coordinates.forEach(({ joint, index, lower, upper }, k) => {
      const { position, jacobian } = joint.coordinate(index, this.motion(joint.bodyA), this.motion(joint.bodyB), this.near[k]!)
      this.near[k] = position
      const bound = position < lower ? lower : position > upper ? upper : null
      if (bound !== null) rows.push({ parts: partsOf(joint.bodyA, joint.bodyB, jacobian), wanted: bound - position, compliance: 0 })
    })
    return rows
  }

  /** Displacement of a point of a body by a unit impulse at this point, in the impulse's direction, as if the body were free, 1/kg. */
  private response(body: number, arm: Vec3, axis: Vec3): number {
    const { inverseMass } = this.bodies[body]!
    const turn = cross(arm, axis)
    const spun = this.turned(body, turn)
    return inverseMass + turn[0] * spun[0] + turn[1] * spun[1] + turn[2] * spun[2]
  }

  /** I⁻¹ w in world axes. */
  private turned(body: number, w: Vec3): Vec3 {
    const { orientation: q } = this.poses[body]!
    return rotate(q, transform(this.bodies[body]!.inverseInertia, rotateInverse(q, w)))
  }

  /**
   * One step along the rows, limited to `MAX_STEP`. @returns the largest motion of a body before the limit: displacement ÷
   * size, or rad
   */
  private step(rows: readonly Row[], size: number): number {
    const n = rows.length
    const responses = rows.map(({ parts }) => parts.filter(({ body }) => this.bodies[body]!.inverseMass > 0).map(({ body, at }) => ({
      body, at, moved: Float64Array.of(...[0, 1, 2].map(k => this.bodies[body]!.inverseMass * at[k]!), ...this.turned(body, [at[3]!, at[4]!, at[5]!])),
    })))
    const A = new Float64Array(n * n)
    for (let i = 0; i < n; i++) {
      for (let j = i; j < n; j++) {
        let sum = i === j ? rows[i]!.compliance : 0
        for (const a of responses[i]!) for (const b of responses[j]!) if (a.body === b.body) for (let k = 0; k < 6; k++) sum += a.at[k]! * b.moved[k]!
        A[n * i + j] = A[n * j + i] = sum
      }
    }
    const largest = A.reduce((most, x, k) => k % (n + 1) === 0 ? Math.max(most, x) : most, 0)
    const { x } = semidefiniteLeastNorm(A, n, Float64Array.from(rows, ({ wanted }) => wanted), DEPENDENT * largest)
    const moves = new Map<number, Float64Array>()
    responses.forEach((parts, i) => {
      for (const { body, moved } of parts) {
        const move = moves.get(body) ?? new Float64Array(6)
        for (let k = 0; k < 6; k++) move[k] = move[k]! + x[i]! * moved[k]!
        moves.set(body, move)
      }
    })
    let most = 0
    for (const move of moves.values()) most = Math.max(most, length([move[0]!, move[1]!, move[2]!]) / size, length([move[3]!, move[4]!, move[5]!]))
    const share = most > MAX_STEP ? MAX_STEP / most : 1
    for (const [body, move] of moves) {
      const [x, y, z, u, v, w] = move.map(part => share * part)
      this.move(body, [x!, y!, z!], [u!, v!, w!])
    }
    return most
  }

  /** Shifts the centre of mass and turns about it. */
  private move(body: number, shift: Vec3, turn: Vec3): void {
    const { pose, center } = this.motion(body)
    const half = scale(turn, 0.5)
    const orientation = normalizeQuaternion(multiplyQuaternions([half[0], half[1], half[2], 1], pose.orientation))
    this.poses[body] = { orientation, position: sub(add(center, shift), rotate(orientation, this.bodies[body]!.center)) }
  }
}

const unit = (k: number): Vec3 => [Number(k === 0), Number(k === 1), Number(k === 2)]

function partsOf(bodyA: number, bodyB: number, row: Float64Array): Row['parts'] {
  return [{ body: bodyA, at: row.slice(0, 6) }, { body: bodyB, at: row.slice(6, 12) }].filter(({ body }) => body >= 0)
}

/** The bodies that chains of joints through moving bodies connect to `body`, including itself. */
export function connectedBodies(body: number, joints: readonly JointConstraint[], moves: (body: number) => boolean): ReadonlySet<number> {
  const found = new Set([body])
  for (const one of found) {
    if (!moves(one)) continue
    for (const joint of joints) {
      const joined = bodiesOfJoint(joint)
      if (joined.includes(one)) for (const other of joined) found.add(other)
    }
  }
  return found
}
