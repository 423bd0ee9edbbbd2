/**
 * Motion of the bodies within one step as a function of impulses, in flat arrays, six doubles a body:
 *
 *   v̄ = v + m⁻¹ (kick + push),   L̄ = L + (kick + push),   c⁺ = c + h v̄,   R⁺ by `rotation.ts`
 *
 * `kick` are the impulses of all forces, `push` those of multipliers, both at the configuration of the step's start. Rows act on the velocity (v̄,
 * I⁻¹ L̄) with the inertia of the start, so that it is linear in the impulses.
 */

import type { RigidBody } from '../../dynamics/body'
import { rotationQuaternion, rotationVector } from '../../math/rotation'
import { BODY_STATE, OFFSET_CENTER, OFFSET_MOMENTUM, OFFSET_ORIENTATION, OFFSET_VELOCITY } from '../../dynamics/state'
import type { Snapshot } from '../../contact/snapshot'
import { transformTransposed } from '../../math/matrix'
import type { Pose } from '../../math/pose'
import { conjugate, multiplyQuaternions, normalizeQuaternion, rotate, type Quat } from '../../math/quaternion'
import type { BodyMotion } from '../../geometry/motion'
import { add, addScaled, length, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import { midpointTurn } from './rotation'
import type { TreeBodies } from './tree-bodies'

export class BodyMotions {
  /** N s and N m s. */
  readonly kick: Float64Array
  readonly push: Float64Array
  /** s, by body: time over which forces act. */
  readonly kickTime: Float64Array
  /** m⁻¹ ℓ, I⁻¹ ℓ: velocity by which the start leads the middle of the last step (`leapfrog.ts`); m/s and rad/s. */
  readonly leading: Float64Array
  /** Bodies with joint coordinates; null if there are none. */
  trees: TreeBodies | null = null
  /** v, ω at the start, and v̄, ω̄; m/s and rad/s. */
  readonly before: Float64Array
  readonly velocity: Float64Array
  /** v̄, ω̄ without multipliers, of solved islands. */
  readonly unpushed: Float64Array
  /** At the end of the step. */
  readonly poses: Pose[]
  /** Every body. */
  readonly all: readonly number[]
  /** m: a bound on the path of any point of the body. */
  readonly path: Float64Array
  /** m: the part of that bound due to rotation. */
  readonly swing: Float64Array
  /** rad, in body axes. */
  readonly turns: Vec3[]
  /** s: length of the last step that moved bodies. */
  h = 0
  /** rad: accumulated rotation angle of each body, measured at the starts of steps. */
  readonly turned: Float64Array
  /** Orientations at the start of the last step. */
  private readonly orientations: Quat[]

  /** m: position correction of its centre at the end. */
  private readonly corrections: (Vec3 | null)[]

  constructor(readonly snapshot: Snapshot) {
    const n = snapshot.bodies.length
    this.kick = new Float64Array(6 * n)
    this.push = new Float64Array(6 * n)
    this.kickTime = new Float64Array(n)
    this.leading = new Float64Array(6 * n)
    this.before = new Float64Array(6 * n)
    this.velocity = new Float64Array(6 * n)
    this.unpushed = new Float64Array(6 * n)
    this.poses = snapshot.bodies.map(body => body.initial.pose)
    this.all = snapshot.bodies.map(body => body.index)
    this.path = new Float64Array(n)
    this.swing = new Float64Array(n)
    this.turns = snapshot.bodies.map(() => ZERO)
    this.turned = new Float64Array(n)
    this.orientations = this.poses.map(({ orientation }) => orientation)
    this.corrections = snapshot.bodies.map(() => null)
  }

  /** Starts a step at the snapshot. */
  begin(): void {
    const { snapshot: { motions }, turned, orientations } = this
    this.snapshot.velocities(this.before)
    for (let i = 0; i < motions.length; i++) {
      const now = motions[i]!.pose.orientation
      const then = orientations[i]!
      if (now === then) continue
      // A quaternion changes by half the rotation angle. A sign flip counts as a rotation, which is conservative.
      const [x, y, z, w] = [now[0] - then[0], now[1] - then[1], now[2] - then[2], now[3] - then[3]]
      turned[i]! += 2 * Math.sqrt(x * x + y * y + z * z + w * w)
      orientations[i] = now
    }
  }

  /**
   * Takes over the end state of a body that was not moved with a single velocity.
   *
   * @param h s
   * @param velocity at the end, six doubles a body
   * @param path m: a bound on the path of its points, and the part of it due to rotation
   */
  arrive(i: number, h: number, velocity: Float64Array, pose: Pose, path: number, swing: number, end: Float64Array): void {
    const { center, pose: { orientation } } = this.snapshot.motions[i]!
    this.h = h
    this.velocity.set(velocity.subarray(6 * i, 6 * i + 6), 6 * i)
    this.poses[i] = pose
    this.path[i] = path
    this.swing[i] = swing
    this.turns[i] = rotationVector(multiplyQuaternions(conjugate(orientation), pose.orientation))
    const now = this.centerAt(i, end)
    this.corrections[i] = [0, 1, 2].map(k => now[k]! - center[k]! - h * this.velocity[6 * i + k]!) as unknown as Vec3
  }

  /** m: bound on the approach of two bodies at any time within the step that moved them. */
  closing(a: number, b: number): number {
    const { velocity: v, swing, corrections, h } = this
    const x = v[6 * a]! - v[6 * b]!
    const y = v[6 * a + 1]! - v[6 * b + 1]!
    const z = v[6 * a + 2]! - v[6 * b + 2]!
    return h * Math.sqrt(x * x + y * y + z * z) + swing[a]! + swing[b]! + length(corrections[a] ?? ZERO) + length(corrections[b] ?? ZERO)
  }

  /** Resets some bodies to free motion: their only impulses are those of `kick`. */
  release(bodies: readonly number[], kick: (body: number) => void): void {
    for (const i of bodies) {
      this.push.fill(0, 6 * i, 6 * i + 6)
      kick(i)
    }
    this.accelerateAll(bodies)
  }

  /** @param leads N s and N m s, six doubles a body: subtracted from its kick */
  kickBody(i: number, external: Float64Array, time: number, leads: Float64Array | null = null): void {
    const { snapshot: { inverseMass, inverseInertia: I }, kick, kickTime, leading } = this
    const m = inverseMass[i]!
    const at = 6 * i
    kickTime[i] = time
    for (let k = at; k < at + 6; k++) kick[k] = m === 0 ? 0 : time * external[k]!
    leading.fill(0, at, at + 6)
    if (m === 0 || leads === null) return
    for (let k = 0; k < 6; k++) kick[at + k]! -= leads[at + k]!
    for (let k = 0; k < 3; k++) {
      leading[at + k] = m * leads[at + k]!
      for (let j = 0; j < 3; j++) leading[at + 3 + k]! += I[9 * i + 3 * k + j]! * leads[at + 3 + j]!
    }
  }

  /** v̄ and ω̄ of some bodies from kick and impulses; for trees all connected bodies. */
  accelerateAll(bodies: readonly number[]): void {
    for (const body of bodies) this.accelerate(body)
    this.trees?.accelerate(bodies)
  }

  /** Moves some bodies from `state` to `end`, after `accelerateAll`. */
  driftAll(bodies: readonly number[], h: number, state: Float64Array, end: Float64Array): void {
    for (const body of bodies) if (this.trees?.has(body) !== true) this.drift(body, h, state, end)
    this.trees?.drift(bodies, h, state, end)
  }

  /** Takes over the end state of a body of a tree, h seconds after its start. */
  takeEnd(i: number, h: number, { pose, velocity: last, center }: BodyMotion, end: Float64Array): void {
    const { before, velocity: v, snapshot: { motions } } = this
    const from = motions[i]!
    this.h = h
    this.turns[i] = rotationVector(multiplyQuaternions(conjugate(from.pose.orientation), pose.orientation))
    this.corrections[i] = [0, 1, 2].map(k => center[k]! - from.center[k]! - h * v[6 * i + k]!) as unknown as Vec3
    const fastest = Math.max(length(last), length([before[6 * i]!, before[6 * i + 1]!, before[6 * i + 2]!]), length([v[6 * i]!, v[6 * i + 1]!, v[6 * i + 2]!]))
    this.comeTo(this.snapshot.bodies[i]!, pose.orientation, h * fastest + length(this.corrections[i]!), end)
  }

  /** v̄ and ω̄ of a body of no tree, from kick and push. */
  accelerate(i: number): void {
    const { snapshot: { inverseMass, inverseInertia: I }, kick, push, before, velocity } = this
    const m = inverseMass[i]!
    const at = 6 * i
    const w = 9 * i
    if (m === 0) {
      for (let k = at; k < at + 6; k++) velocity[k] = before[k]!
      return
    }
    const x = kick[at + 3]! + push[at + 3]!
    const y = kick[at + 4]! + push[at + 4]!
    const z = kick[at + 5]! + push[at + 5]!
    for (let k = 0; k < 3; k++) {
      velocity[at + k] = before[at + k]! + m * (kick[at + k]! + push[at + k]!)
      velocity[at + 3 + k] = before[at + 3 + k]! + I[w + 3 * k]! * x + I[w + 3 * k + 1]! * y + I[w + 3 * k + 2]! * z
    }
  }

  /**
   * Moves body i from its slice of `state` into that of `end`.
   *
   * @param turning N m s: its angular impulse, if it is not kick plus push
   */
  drift(i: number, h: number, state: Float64Array, end: Float64Array, turning?: Vec3): void {
    const body = this.snapshot.bodies[i]!
    const o = this.snapshot.layout.offsets[i]!
    this.h = h
    if (o < 0) return
    if (!this.snapshot.exists[i]) {
      for (let k = o; k < o + BODY_STATE; k++) end[k] = state[k]!
      return
    }
    const v = this.velocity
    const at = 6 * i
    for (let k = 0; k < 3; k++) {
      end[o + OFFSET_CENTER + k] = state[o + OFFSET_CENTER + k]! + h * v[at + k]!
      end[o + OFFSET_VELOCITY + k] = v[at + k]!
      end[o + OFFSET_MOMENTUM + k] = body.type === 'dynamic'

        ? state[o + OFFSET_MOMENTUM + k]! + (turning?.[k] ?? this.kick[at + 3 + k]!) + (turning === undefined ? this.push[at + 3 + k]! : 0)
        : state[o + OFFSET_MOMENTUM + k]!
    }
    this.corrections[i] = null
    const orientation = this.turn(body, h, end, o)
    const speed = Math.sqrt(v[at]! * v[at]! + v[at + 1]! * v[at + 1]! + v[at + 2]! * v[at + 2]!)
    this.comeTo(body, orientation, h * speed, end)
  }

  /** Centre of mass at the end of the step. */
  centerAt(i: number, end: Float64Array): Vec3 {
    const c = this.snapshot.layout.offsets[i]! + OFFSET_CENTER
    return [end[c]!, end[c + 1]!, end[c + 2]!]
  }

  /** Corrects the end position of a body, m and rad in world axes, without changing its velocity. */
  correct(i: number, shift: Vec3, turn: Vec3, end: Float64Array): void {
    const body = this.snapshot.bodies[i]!
    const { pose, center } = this.snapshot.motions[i]!
    const c = this.snapshot.layout.offsets[i]! + OFFSET_CENTER
    for (let k = 0; k < 3; k++) end[c + k] = end[c + k]! + shift[k]!
    this.corrections[i] = add(this.corrections[i] ?? ZERO, shift)
    const orientation = normalizeQuaternion(multiplyQuaternions(rotationQuaternion(turn), this.poses[i]!.orientation))
    this.turns[i] = rotationVector(multiplyQuaternions(conjugate(pose.orientation), orientation))
    this.comeTo(body, orientation, length(sub(this.centerAt(i, end), center)), end)
  }

  /** m/s: the velocity of its centre of mass at the end of its motion. */
  meanVelocity(i: number, h: number): Vec3 {
    const { velocity, corrections } = this
    const own: Vec3 = [velocity[6 * i]!, velocity[6 * i + 1]!, velocity[6 * i + 2]!]
    const correction = corrections[i]!
    return correction === null ? own : addScaled(own, correction, 1 / h)
  }

  private comeTo({ index, centerOfMass, boundingRadius }: RigidBody, orientation: Quat, way: number, end: Float64Array): void {
    const o = this.snapshot.layout.offsets[index]!
    for (let k = 0; k < 4; k++) end[o + OFFSET_ORIENTATION + k] = orientation[k]!
    const center = this.centerAt(index, end)
    const centered = centerOfMass[0] === 0 && centerOfMass[1] === 0 && centerOfMass[2] === 0
    this.poses[index] = { position: centered ? center : sub(center, rotate(orientation, centerOfMass)), orientation }
    const angle = length(this.turns[index]!)
    this.swing[index] = angle === 0 ? 0 : angle * boundingRadius
    this.path[index] = way + this.swing[index]!
  }

  private turn(body: RigidBody, h: number, end: Float64Array, o: number): Quat {
    const i = body.index
    const { pose: { orientation }, rotation, angularVelocity } = this.snapshot.motions[i]!
    const L: Vec3 = [end[o + OFFSET_MOMENTUM]!, end[o + OFFSET_MOMENTUM + 1]!, end[o + OFFSET_MOMENTUM + 2]!]
    // A kinematic body's last three are its angular velocity.
    const theta = body.type !== 'dynamic' ? scale(transformTransposed(rotation, angularVelocity), h)
      : L[0] === 0 && L[1] === 0 && L[2] === 0 ? ZERO : midpointTurn(body.inertia, body.inverseInertia, transformTransposed(rotation, L), h)
    this.turns[i] = theta
    if (theta[0] === 0 && theta[1] === 0 && theta[2] === 0) return orientation
    return normalizeQuaternion(multiplyQuaternions(orientation, rotationQuaternion(theta)))
  }
}
