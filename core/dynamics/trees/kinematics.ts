/**
 * Computes poses and velocities of a body of a tree from the motion of its parent and the joint's coordinates, and coordinates from poses.
 *
 * aₖ are the axes of slides and turns in the world at the present pose, p is the anchor on A, r_A and r_B lead to it from the centres of mass, and s and t are
 * the rates:
 *
 *   ω_A = ω_B + Σ aₖ tₖ,   v_A + ω_A × r_A = v_B + ω_B × r_B + Σ aₖ sₖ
 */

import type { BodyMotion } from '../../geometry/motion'
import { atan2, cos, sin } from '../../math/elementary'
import { transform, transformTransposed } from '../../math/matrix'
import { conjugate, multiplyQuaternions, normalizeQuaternion, toMatrix, type Quat } from '../../math/quaternion'
import { add, addScaled, cross, dot, lengthSquared, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import { alongCount, type Mobility } from '../joints/mobility'
import type { Link } from './forest'

/** An axis of a joint in the world, and whether it turns with A. */
export interface Axis {
  /** Unit vector; S′ for a wire. */
  readonly direction: Vec3
  /** S″ of a wire; absent otherwise. */
  readonly curvature?: Vec3
  readonly withA: boolean
}

/** Axes of slides or of the wire, then of turns, at the poses of A and B. */
export function axesOf(mobility: Mobility, a: BodyMotion, b: BodyMotion): Axis[] {
  const { slides, wire, turns } = mobility
  const axes: Axis[] = []
  if (wire !== null) {
    const { first, second } = wire.at(wire.closest(onWire(mobility, a, b)))
    axes.push({ direction: transform(b.rotation, first), curvature: transform(b.rotation, second), withA: false })
  }
  for (const { local } of slides) axes.push({ direction: transform(b.rotation, local), withA: false })
  for (const { local, fixedIn } of turns) axes.push({ direction: transform((fixedIn === 'A' ? a : b).rotation, local), withA: fixedIn === 'A' })
  return axes
}

/** A's anchor relative to B's, in the axes of B. */
function onWire({ pointA, pointB }: Mobility, a: BodyMotion, b: BodyMotion): Vec3 {
  return sub(transformTransposed(b.rotation, sub(add(a.center, transform(a.rotation, pointA)), b.center)), pointB)
}

/** Writes the velocities of the coordinates to `out` from `at` on, for a motion that the joint allows. */
export function ratesOf(
  { mobility }: Link, a: BodyMotion, b: BodyMotion, out: Float64Array, at: number, axes: readonly Axis[] = axesOf(mobility, a, b),
): void {
  const turning = sub(a.angularVelocity, b.angularVelocity)
  const p = add(a.center, transform(a.rotation, mobility.pointA))
  const sliding = sub(
    add(a.velocity, cross(a.angularVelocity, sub(p, a.center))), add(b.velocity, cross(b.angularVelocity, sub(p, b.center))))
  const along = alongCount(mobility)
  axes.forEach(({ direction, curvature }, k) => {
    const rate = dot(direction, k < along ? sliding : turning)
    out[at + k] = curvature === undefined ? rate : rate / lengthSquared(direction)
  })
}

/** Writes the positions of the coordinates, angles within ±π rad, to `out` from `at` on: those of the nearest poses that the joint allows. */
export function positionsOf({ mobility }: Link, a: BodyMotion, b: BodyMotion, out: Float64Array, at: number): void {
  const { slides, wire, turns, free, pointA, pointB, frameA, frameB } = mobility
  const inB = multiplyQuaternions(b.pose.orientation, frameB)
  const apart = sub(add(a.center, transform(a.rotation, pointA)), add(b.center, transform(b.rotation, pointB)))
  slides.forEach(({ local }, k) => { out[at + k] = dot(transform(b.rotation, local), apart) })
  if (wire !== null) out[at] = wire.closest(onWire(mobility, a, b))
  const turn = multiplyQuaternions(conjugate(inB), multiplyQuaternions(a.pose.orientation, frameA))
  const first = at + alongCount(mobility)
  if (free) {
    out.set(normalizeQuaternion(turn), first)
    return
  }
  if (turns.length === 0) return
  const vector: Vec3 = [turn[0], turn[1], turn[2]]
  const w = turn[3]
  const x = dot(vector, turns[0]!.axis)
  if (turns.length === 1) {
    out[first] = 2 * atan2(x, w)
    return
  }
  // (cos ½θ₁ + e₁ sin ½θ₁)(cos ½θ₂ + e₂ sin ½θ₂) = w + x e₁ + y e₂ + z e₁ × e₂
  const y = dot(vector, turns[1]!.axis)
  const z = dot(vector, cross(turns[0]!.axis, turns[1]!.axis))
  out[first] = atan2(2 * (w * x + y * z), w * w + y * y - x * x - z * z)
  out[first + 1] = atan2(2 * (w * y + x * z), w * w + x * x - y * y - z * z)
}

/** The motion of the body attached to `parent`; `centerOfMass` is in the body frame, m. */
export function motionFrom(link: Link, parent: BodyMotion, centerOfMass: Vec3, positions: Float64Array, velocities: Float64Array): BodyMotion {
  const { mobility, isA, position, velocity } = link
  const { slides, wire, turns, pointA, pointB, frameA, frameB } = mobility
  const turn = turnOf(mobility, positions, position + alongCount(mobility))
  const inParent = multiplyQuaternions(parent.pose.orientation, isA ? frameB : frameA)
  const inChild = multiplyQuaternions(inParent, isA ? turn : conjugate(turn))
  const orientation = normalizeQuaternion(multiplyQuaternions(inChild, conjugate(isA ? frameA : frameB)))
  const rotation = toMatrix(orientation)
  const rotationB = isA ? parent.rotation : rotation
  let along = ZERO
  let sliding = ZERO
  slides.forEach(({ local }, k) => {
    const direction = transform(rotationB, local)
    along = addScaled(along, direction, positions[position + k]!)
    sliding = addScaled(sliding, direction, velocities[velocity + k]!)
  })
  if (wire !== null) {
    const { position: point, first } = wire.at(positions[position]!)
    along = transform(rotationB, point)
    sliding = transform(rotationB, scale(first, velocities[velocity]!))
  }
  let turning = ZERO
  const rate = velocity + alongCount(mobility)
  turns.forEach(({ local, fixedIn }, k) => {
    turning = addScaled(turning, transform(fixedIn === 'A' === isA ? rotation : parent.rotation, local), velocities[rate + k]!)
  })
  const onParent = transform(parent.rotation, isA ? pointB : pointA)
  const onChild = transform(rotation, isA ? pointA : pointB)
  const sign = isA ? 1 : -1
  const center = sub(addScaled(add(parent.center, onParent), along, sign), onChild)
  const angularVelocity = addScaled(parent.angularVelocity, turning, sign)
  const p = isA ? add(center, onChild) : add(parent.center, onParent)
  const velocityThere = addScaled(add(parent.velocity, cross(parent.angularVelocity, sub(p, parent.center))), sliding, sign)
  return {
    pose: { position: sub(center, transform(rotation, centerOfMass)), orientation }, rotation, center,
    velocity: sub(velocityThere, cross(angularVelocity, sub(p, center))), angularVelocity,
  }
}

function turnOf({ turns, free }: Mobility, positions: Float64Array, at: number): Quat {
  if (free) return normalizeQuaternion([positions[at]!, positions[at + 1]!, positions[at + 2]!, positions[at + 3]!])
  let turn: Quat = [0, 0, 0, 1]
  turns.forEach(({ axis }, k) => {
    const half = positions[at + k]! / 2
    const s = sin(half)
    turn = multiplyQuaternions(turn, [axis[0] * s, axis[1] * s, axis[2] * s, cos(half)])
  })
  return turn
}

/**
 * Writes the rates of the positions to `out` from `at` on, from the velocities; that of a quaternion is ½ t q, with t in
 * the axes of B.
 */
export function positionRates(
  { mobility, position, velocity }: Link, positions: Float64Array, velocities: Float64Array, out: Float64Array, at: number,
): void {
  const { turns, free } = mobility
  const along = alongCount(mobility)
  const simple = along + (free ? 0 : turns.length)
  for (let k = 0; k < simple; k++) out[at + k] = velocities[velocity + k]!
  if (!free) return
  const t = velocity + along
  const q = position + along
  const rate = multiplyQuaternions(
    [velocities[t]!, velocities[t + 1]!, velocities[t + 2]!, 0], [positions[q]!, positions[q + 1]!, positions[q + 2]!, positions[q + 3]!])
  for (let k = 0; k < 4; k++) out[at + simple + k] = rate[k]! / 2
}

/**
 * Acceleration of the child if its parent and its coordinates do not accelerate: linear and angular, m/s² and rad/s², six doubles of `out`.
 *
 *   α_A − α_B = Σ (ω × aₖ) tₖ,   ω that of the body in which the axis is fixed
 *   p̈: v̇_A + α_A × r_A + ω_A × (ω_A × r_A) = v̇_B + α_B × r_B + ω_B × (ω_B × r_B) + 2 ω_B × Σ aₖ sₖ + S″ u̇²
 */
export function writeBias(link: Link, axes: readonly Axis[], a: BodyMotion, b: BodyMotion, velocities: Float64Array, out: Float64Array, at: number): void {
  const { mobility, isA, velocity } = link
  const { pointA } = mobility
  const along = alongCount(mobility)
  const rA = transform(a.rotation, pointA)
  const rB = sub(add(a.center, rA), b.center)
  let sliding = ZERO
  let bending = ZERO
  let angular = ZERO
  axes.forEach(({ direction, curvature, withA }, k) => {
    const rate = velocities[velocity + k]!
    if (curvature !== undefined) bending = scale(curvature, rate * rate)
    if (k < along) sliding = addScaled(sliding, direction, rate)
    else angular = addScaled(angular, cross(withA ? a.angularVelocity : b.angularVelocity, direction), rate)
  })
  const wA = a.angularVelocity
  const wB = b.angularVelocity
  const linear = sub(
    add(addScaled(cross(wB, cross(wB, rB)), cross(wB, sliding), 2), bending), cross(wA, cross(wA, rA)))
  const own = isA ? sub(linear, cross(angular, rA)) : sub(cross(angular, rB), linear)
  const sign = isA ? 1 : -1
  for (let k = 0; k < 3; k++) {
    out[at + k] = own[k]!
    out[at + 3 + k] = sign * angular[k]!
  }
}

/** Motion of the child for a unit rate of coordinate k: linear and angular, six doubles of `out`. */
export function writeColumn(
  { mobility, isA }: Link, k: number, { direction }: Axis, a: BodyMotion, b: BodyMotion, out: Float64Array, at: number,
): void {
  const { pointA } = mobility
  if (k < alongCount(mobility)) {
    for (let i = 0; i < 3; i++) {
      out[at + i] = isA ? direction[i]! : -direction[i]!
      out[at + 3 + i] = 0
    }
    return
  }
  const r = isA ? transform(a.rotation, pointA) : sub(add(a.center, transform(a.rotation, pointA)), b.center)
  // v + ω × r = 0 at the anchor.
  const linear = isA ? cross(r, direction) : cross(direction, r)
  for (let i = 0; i < 3; i++) {
    out[at + i] = linear[i]!
    out[at + 3 + i] = isA ? direction[i]! : -direction[i]!
  }
}
