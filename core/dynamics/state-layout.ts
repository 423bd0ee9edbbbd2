/** Place of each body's slice in the state vector, and conversion between that vector and motions. */

import type { BodyMotion } from '../geometry/motion'
import { rotate, toMatrix, type Quat } from '../math/quaternion'
import { sub, type Vec3 } from '../math/vector'
import { angularMomentumOf, angularVelocityOf, type RigidBody } from './body'
import { BODY_STATE, OFFSET_CENTER, OFFSET_MOMENTUM, OFFSET_ORIENTATION, OFFSET_VELOCITY } from './state'

export interface StateLayout {
  readonly bodies: readonly RigidBody[]
  /** Start of body i's slice; −1 for fixed and other omitted bodies. */
  readonly offsets: Int32Array
  /** Doubles that bodies take; further states begin here. */
  readonly bodyLength: number
  /** Doubles of the whole state. */
  readonly length: number
}

/**
 * @param further states behind the bodies, such as works of the energy audit
 * @param own the moving bodies that have a slice; all, when absent
 */
export function stateLayout(bodies: readonly RigidBody[], further = 0, own?: ReadonlySet<number>): StateLayout {
  const offsets = new Int32Array(bodies.length)
  let next = 0
  for (let i = 0; i < bodies.length; i++) {
    const moves = bodies[i]!.type !== 'fixed' && own?.has(i) !== false
    offsets[i] = moves ? next : -1
    if (moves) next += BODY_STATE
  }
  return { bodies, offsets, bodyLength: next, length: next + further }
}

/** Every body at its initial motion, further states 0. */
export function initialState(layout: StateLayout): Float64Array {
  const state = new Float64Array(layout.length)
  layout.bodies.forEach((body, i) => writeMotion(layout, i, body.initial, state))
  return state
}

/** Writes body i's slice, if it has one. */
export function writeMotion(layout: StateLayout, i: number, motion: BodyMotion, state: Float64Array): void {
  const o = layout.offsets[i]!
  if (o < 0) return
  const body = layout.bodies[i]!
  state.set(motion.center, o + OFFSET_CENTER)
  state.set(motion.pose.orientation, o + OFFSET_ORIENTATION)
  state.set(motion.velocity, o + OFFSET_VELOCITY)
  state.set(body.type === 'kinematic' ? motion.angularVelocity : angularMomentumOf(body, motion), o + OFFSET_MOMENTUM)
}

/** Body i's motion, with the orientation normalised: stages of an integrator leave it slightly off unit length. */
export function readMotion(layout: StateLayout, i: number, state: Float64Array): BodyMotion {
  const body = layout.bodies[i]!
  const o = layout.offsets[i]!
  if (o < 0) return body.initial
  const center = vectorAt(state, o + OFFSET_CENTER)
  const orientation = orientationAt(state, o + OFFSET_ORIENTATION)
  const rotation = toMatrix(orientation)
  const last = vectorAt(state, o + OFFSET_MOMENTUM)
  return {
    pose: { position: sub(center, rotate(orientation, body.centerOfMass)), orientation },
    rotation,
    center,
    velocity: vectorAt(state, o + OFFSET_VELOCITY),
    angularVelocity: body.type === 'kinematic' ? last : angularVelocityOf(body, rotation, last),
  }
}

/** Motions of all bodies into `out`, index by index. */
export function readMotions(layout: StateLayout, state: Float64Array, out: BodyMotion[]): BodyMotion[] {
  for (let i = 0; i < layout.bodies.length; i++) out[i] = readMotion(layout, i, state)
  return out
}

/** Normalises every orientation. */
export function renormalize(layout: StateLayout, state: Float64Array): void {
  for (const o of layout.offsets) {
    if (o >= 0) state.set(orientationAt(state, o + OFFSET_ORIENTATION), o + OFFSET_ORIENTATION)
  }
}

/**
 * The kinematic half of the derivative: ċ = v and q̇ = ½ ω q. v̇ = 0 and L̇ = 0 are written too: this is complete for kinematic bodies, and the
 * method adds forces for dynamic ones. A body that does not exist yet does not move.
 */
export function writeKinematics(
  layout: StateLayout, state: Float64Array, motions: readonly BodyMotion[], exists: readonly boolean[], out: Float64Array,
): void {
  for (let i = 0; i < layout.bodies.length; i++) {
    const o = layout.offsets[i]!
    if (o < 0) continue
    for (let k = o; k < o + BODY_STATE; k++) out[k] = 0
    if (!exists[i]) continue
    const { velocity, angularVelocity } = motions[i]!
    const wx = angularVelocity[0]
    const wy = angularVelocity[1]
    const wz = angularVelocity[2]
    out[o + OFFSET_CENTER] = velocity[0]
    out[o + OFFSET_CENTER + 1] = velocity[1]
    out[o + OFFSET_CENTER + 2] = velocity[2]
    const q = o + OFFSET_ORIENTATION
    const x = state[q]!
    const y = state[q + 1]!
    const z = state[q + 2]!
    const w = state[q + 3]!
    out[q] = 0.5 * (wx * w + wy * z - wz * y)
    out[q + 1] = 0.5 * (wy * w + wz * x - wx * z)
    out[q + 2] = 0.5 * (wz * w + wx * y - wy * x)
    out[q + 3] = -0.5 * (wx * x + wy * y + wz * z)
  }
}

/**
 * Sizes against which errors are measured: lengths of `length` (m), speeds of `speed` (m/s), orientations of 1, and angular
 * momenta of each body's largest moment of inertia at angular velocity `speed / length`. Further states are left as they are.
 */
export function writeScales(layout: StateLayout, length: number, speed: number, out: Float64Array): void {
  for (let i = 0; i < layout.bodies.length; i++) {
    const o = layout.offsets[i]!
    if (o < 0) continue
    const { type, inertia } = layout.bodies[i]!
    const spin = speed / length
    out.fill(length, o + OFFSET_CENTER, o + OFFSET_ORIENTATION)
    out.fill(1, o + OFFSET_ORIENTATION, o + OFFSET_VELOCITY)
    out.fill(speed, o + OFFSET_VELOCITY, o + OFFSET_MOMENTUM)
    out.fill(type === 'dynamic' ? Math.max(inertia[0], inertia[4], inertia[8]) * spin : spin, o + OFFSET_MOMENTUM, o + BODY_STATE)
  }
}

function vectorAt(state: Float64Array, o: number): Vec3 {
  return [state[o]!, state[o + 1]!, state[o + 2]!]
}

function orientationAt(state: Float64Array, o: number): Quat {
  const x = state[o]!
  const y = state[o + 1]!
  const z = state[o + 2]!
  const w = state[o + 3]!
  const s = 1 / Math.sqrt(x * x + y * y + z * z + w * w)
  return [x * s, y * s, z * s, w * s]
}

/** In two dimensions, motion out of the plane y = 0 is rounding and set to zero. */
export function keepInPlane(layout: StateLayout, state: Float64Array): void {
  for (const o of layout.offsets) {
    if (o < 0) continue
    state[o + OFFSET_CENTER + 1] = state[o + OFFSET_VELOCITY + 1] = 0
    state[o + OFFSET_ORIENTATION] = state[o + OFFSET_ORIENTATION + 2] = 0
    state[o + OFFSET_MOMENTUM] = state[o + OFFSET_MOMENTUM + 2] = 0
  }
}
