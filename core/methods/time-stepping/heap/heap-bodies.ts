/**
 * The bodies of heaps in columns, indexed by their number in the scene, and their motion within one substep. The equations are those of
 * `body-motions.ts`:
 *
 *   v̄ = v + m⁻¹ (kick + push),   L̄ = L + (kick + push),   c⁺ = c + h v̄,   R⁺ by `rotation.ts`
 */

import { Placements } from '../../../collision/manifolds'
import type { RigidBody } from '../../../dynamics/body'
import { OFFSET_CENTER, OFFSET_MOMENTUM, OFFSET_ORIENTATION, OFFSET_VELOCITY } from '../../../dynamics/state'
import type { StateLayout } from '../../../dynamics/state-layout'
import { rotationQuaternion, rotationVector } from '../../../math/rotation'
import { length, ZERO, type Vec3 } from '../../../math/vector'
import { midpointTurn } from '../rotation'

export class HeapBodies {
  /** At the start and at the end of the substep. */
  start: Placements
  end: Placements
  /** v, ω at the start of the substep, and v̄, ω̄; m/s and rad/s, six doubles a body. */
  readonly before: Float64Array
  readonly velocity: Float64Array
  /** N s and N m s, six doubles a body: the impulses of applied forces (kick) and of contacts (push). */
  readonly kick: Float64Array
  readonly push: Float64Array
  /** kg m²/s, three doubles a body: the angular momentum L; for kinematic bodies ω. */
  readonly momentum: Float64Array
  readonly inverseMass: Float64Array
  /** World axes at the start, nine doubles a body, row-major; zero if the inverse mass is zero. */
  readonly inverseInertia: Float64Array
  /** rad: the accumulated rotation angle of each body. */
  readonly turned: Float64Array
  /** m: bounds on the path of any point of a body within the substep, and on the part of it that is due to rotation. */
  readonly path: Float64Array
  readonly swing: Float64Array
  readonly bodies: readonly RigidBody[]
  private readonly offsets: Int32Array

  constructor({ bodies, offsets }: StateLayout) {
    const n = bodies.length
    this.bodies = bodies
    this.offsets = offsets
    this.start = new Placements(n)
    this.end = new Placements(n)
    this.before = new Float64Array(6 * n)
    this.velocity = new Float64Array(6 * n)
    this.kick = new Float64Array(6 * n)
    this.push = new Float64Array(6 * n)
    this.momentum = new Float64Array(3 * n)
    this.inverseMass = new Float64Array(n)
    this.inverseInertia = new Float64Array(9 * n)
    this.turned = new Float64Array(n)
    this.path = new Float64Array(n)
    this.swing = new Float64Array(n)
    for (const { index, initial: { center, pose: { orientation } }, centerOfMass } of bodies) {
      for (const placements of [this.start, this.end]) {
        placements.center.set(center, 3 * index)
        placements.orientation.set(orientation, 4 * index)
        placements.place(index, centerOfMass)
      }
    }
  }

  /** Loads a body's state at the start of a step. If the state differs from the stored one, the rotation between them is added to `turned`. */
  load(i: number, state: Float64Array): void {
    const { start, before, momentum, turned, inverseMass } = this
    const body = this.bodies[i]!
    const o = this.offsets[i]!
    const { center, orientation } = start
    inverseMass[i] = body.type === 'dynamic' ? body.inverseMass : 0
    let square = 0
    for (let k = 0; k < 4; k++) square += state[o + OFFSET_ORIENTATION + k]! * state[o + OFFSET_ORIENTATION + k]!
    const scale = 1 / Math.sqrt(square)
    // A quaternion changes by half the rotation angle. A sign flip counts as a rotation, which is conservative.
    let change = 0
    for (let k = 0; k < 4; k++) {
      const now = scale * state[o + OFFSET_ORIENTATION + k]!
      change += (now - orientation[4 * i + k]!) * (now - orientation[4 * i + k]!)
      orientation[4 * i + k] = now
    }
    turned[i] = turned[i]! + 2 * Math.sqrt(change)
    for (let k = 0; k < 3; k++) {
      center[3 * i + k] = state[o + OFFSET_CENTER + k]!
      before[6 * i + k] = state[o + OFFSET_VELOCITY + k]!
      momentum[3 * i + k] = state[o + OFFSET_MOMENTUM + k]!
    }
    start.place(i, body.centerOfMass)
    this.refresh(i)
  }

  /** Writes a body's state at the end of the last substep into a state vector. */
  store(i: number, state: Float64Array): void {
    const { end: { center, orientation }, velocity, momentum } = this
    const o = this.offsets[i]!
    for (let k = 0; k < 3; k++) {
      state[o + OFFSET_CENTER + k] = center[3 * i + k]!
      state[o + OFFSET_VELOCITY + k] = velocity[6 * i + k]!
      state[o + OFFSET_MOMENTUM + k] = momentum[3 * i + k]!
    }
    for (let k = 0; k < 4; k++) state[o + OFFSET_ORIENTATION + k] = orientation[4 * i + k]!
  }

  /** Makes the end of this substep the start of the next. */
  advance(moving: readonly number[]): void {
    const { start, before, velocity } = this
    this.start = this.end
    this.end = start
    for (let k = 0; k < moving.length; k++) {
      const i = moving[k]!
      for (let j = 0; j < 3; j++) before[6 * i + j] = velocity[6 * i + j]!
      this.refresh(i)
    }
  }

  /** Updates the world inertia and the angular velocity ω = R I_b⁻¹ Rᵀ L. */
  private refresh(i: number): void {
    const { before, momentum, inverseInertia: W, start: { rotation: R } } = this
    const w = 9 * i
    const p = 3 * i
    const v = 6 * i + 3
    if (this.inverseMass[i] === 0) {
      for (let k = 0; k < 9; k++) W[w + k] = 0
      for (let k = 0; k < 3; k++) before[v + k] = momentum[p + k]!
      return
    }
    const { inverseInertia: I } = this.bodies[i]!
    for (let j = 0; j < 3; j++) {
      const a = R[w + 3 * j]!
      const b = R[w + 3 * j + 1]!
      const c = R[w + 3 * j + 2]!
      const x = a * I[0] + b * I[3] + c * I[6]
      const y = a * I[1] + b * I[4] + c * I[7]
      const z = a * I[2] + b * I[5] + c * I[8]
      for (let k = 0; k < 3; k++) W[w + 3 * j + k] = x * R[w + 3 * k]! + y * R[w + 3 * k + 1]! + z * R[w + 3 * k + 2]!
    }
    for (let k = 0; k < 3; k++) before[v + k] = W[w + 3 * k]! * momentum[p]! + W[w + 3 * k + 1]! * momentum[p + 1]! + W[w + 3 * k + 2]! * momentum[p + 2]!
  }

  /** Sets the impulse of the applied forces over `time` seconds, and clears the contact impulse. */
  kickBody(i: number, external: Float64Array, time: number): void {
    const moves = this.inverseMass[i] !== 0
    for (let k = 6 * i; k < 6 * i + 6; k++) {
      this.push[k] = 0
      this.kick[k] = moves ? time * external[k]! : 0
    }
    this.accelerate(i)
  }

  /** m/s: velocity of a point of the body at the start of the substep. */
  velocityAt(i: number, [x, y, z]: Vec3): Vec3 {
    const { before: v, start: { center: c } } = this
    const at = 6 * i
    const rx = x - c[3 * i]!
    const ry = y - c[3 * i + 1]!
    const rz = z - c[3 * i + 2]!
    return [
      v[at]! + v[at + 4]! * rz - v[at + 5]! * ry, v[at + 1]! + v[at + 5]! * rx - v[at + 3]! * rz, v[at + 2]! + v[at + 3]! * ry - v[at + 4]! * rx,
    ]
  }

  /** Computes v̄ and ω̄ from both impulses. */
  accelerate(i: number): void {
    const { kick, push, before, velocity, inverseInertia: W } = this
    const m = this.inverseMass[i]!
    const at = 6 * i
    const w = 9 * i
    const x = kick[at + 3]! + push[at + 3]!
    const y = kick[at + 4]! + push[at + 4]!
    const z = kick[at + 5]! + push[at + 5]!
    for (let k = 0; k < 3; k++) {
      velocity[at + k] = before[at + k]! + m * (kick[at + k]! + push[at + k]!)
      velocity[at + 3 + k] = before[at + 3 + k]! + W[w + 3 * k]! * x + W[w + 3 * k + 1]! * y + W[w + 3 * k + 2]! * z
    }
  }

  /**
   * Moves a body from the start to the end of the substep.
   *
   * @param fall share of h · m⁻¹ kick subtracted from the displacement of the centre: ½ for bodies in free fall, c⁺ = c + h (v⁻ + v⁺)/2
   */
  drift(i: number, h: number, fall: number): void {
    const { start, end, velocity: v, kick, push, momentum, path, swing, turned, before } = this
    const body = this.bodies[i]!
    const dynamic = this.inverseMass[i] !== 0
    const at = 6 * i
    const p = 3 * i
    const back = fall * h * this.inverseMass[i]!
    let way = 0
    for (let k = 0; k < 3; k++) {
      const shift = h * v[at + k]! - back * kick[at + k]!
      end.center[p + k] = start.center[p + k]! + shift
      way += shift * shift
      if (dynamic) momentum[p + k] = momentum[p + k]! + kick[at + 3 + k]! + push[at + 3 + k]!
    }
    const R = start.rotation
    const r = 9 * i
    const lx = dynamic ? momentum[p]! : before[at + 3]!
    const ly = dynamic ? momentum[p + 1]! : before[at + 4]!
    const lz = dynamic ? momentum[p + 2]! : before[at + 5]!
    const turn = lx === 0 && ly === 0 && lz === 0 ? ZERO : bodyTurn(body, dynamic, [
      R[r]! * lx + R[r + 3]! * ly + R[r + 6]! * lz, R[r + 1]! * lx + R[r + 4]! * ly + R[r + 7]! * lz, R[r + 2]! * lx + R[r + 5]! * ly + R[r + 8]! * lz,
    ], h)
    const angle = length(turn)
    const q = start.orientation
    const o = 4 * i
    if (angle === 0) for (let k = 0; k < 4; k++) end.orientation[o + k] = q[o + k]!
    else {
      const by = rotationQuaternion(turn)
      writeProduct(q[o]!, q[o + 1]!, q[o + 2]!, q[o + 3]!, by[0], by[1], by[2], by[3], end.orientation, o)
    }
    end.place(i, body.centerOfMass)
    turned[i] = turned[i]! + angle
    swing[i] = angle === 0 ? 0 : angle * body.boundingRadius
    path[i] = Math.sqrt(way) + swing[i]!
  }

  /** Shifts (m) and rotates (rad) the end pose of a body in world axes, without a change of its velocity. */
  correct(i: number, sx: number, sy: number, sz: number, tx: number, ty: number, tz: number): void {
    const { start, end, path, swing, turned } = this
    const body = this.bodies[i]!
    const p = 3 * i
    const o = 4 * i
    end.center[p] = end.center[p]! + sx
    end.center[p + 1] = end.center[p + 1]! + sy
    end.center[p + 2] = end.center[p + 2]! + sz
    const turn: Vec3 = [tx, ty, tz]
    const q = end.orientation
    const by = rotationQuaternion(turn)
    writeProduct(by[0], by[1], by[2], by[3], q[o]!, q[o + 1]!, q[o + 2]!, q[o + 3]!, q, o)
    end.place(i, body.centerOfMass)
    turned[i] = turned[i]! + length(turn)
    const s = start.orientation
    const relative = new Float64Array(4)
    writeProduct(-s[o]!, -s[o + 1]!, -s[o + 2]!, s[o + 3]!, q[o]!, q[o + 1]!, q[o + 2]!, q[o + 3]!, relative, 0)
    const angle = length(rotationVector([relative[0]!, relative[1]!, relative[2]!, relative[3]!]))
    let way = 0
    for (let k = 0; k < 3; k++) way += (end.center[p + k]! - start.center[p + k]!) * (end.center[p + k]! - start.center[p + k]!)
    swing[i] = angle === 0 ? 0 : angle * body.boundingRadius
    path[i] = Math.sqrt(way) + swing[i]!
  }
}

/** @param l angular momentum of a dynamic body, or angular velocity of a kinematic one, in body axes */
function bodyTurn({ inertia, inverseInertia }: RigidBody, dynamic: boolean, l: Vec3, h: number): Vec3 {
  return dynamic ? midpointTurn(inertia, inverseInertia, l, h) : [h * l[0], h * l[1], h * l[2]]
}

/** Writes the normalised product of two quaternions. */
function writeProduct(ax: number, ay: number, az: number, aw: number, bx: number, by: number, bz: number, bw: number, out: Float64Array, at: number): void {
  const x = aw * bx + ax * bw + ay * bz - az * by
  const y = aw * by - ax * bz + ay * bw + az * bx
  const z = aw * bz + ax * by - ay * bx + az * bw
  const w = aw * bw - ax * bx - ay * by - az * bz
  const scale = 1 / Math.sqrt(x * x + y * y + z * z + w * w)
  out[at] = scale * x
  out[at + 1] = scale * y
  out[at + 2] = scale * z
  out[at + 3] = scale * w
}
