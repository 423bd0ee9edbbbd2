/**
 * The motion of a kinematic body through poses at times: positions by monotone cubics, orientations by Hermite quaternion curves [Kim, Kim and Shin
 * 1995, eq. 8]
 *
 *   q(s) = q₀ exp(β₁ w₁) exp(β₂ w₂) exp(β₃ w₃),   β₁ = 1 − (1 − s)³,  β₂ = 3s² − 2s³,  β₃ = s³
 *   w₁ = h ω₀/3,   w₃ = h ω₁/3,   exp(w₂) = exp(w₁)⁻¹ q₀⁻¹ q₁ exp(w₃)⁻¹
 *
 * where ω₀, ω₁ are angular velocities at the keys in body axes. Velocities are those of the poses exactly, and continuous; the body rests at both ends.
 * Between neighbouring keys it turns the shorter way.
 */

import { conjugate, multiplyQuaternions, normalizeQuaternion, rotate, rotateInverse, type Quat } from '../math/quaternion'
import { monotoneCurve, monotoneSlope, pieceOf } from '../math/monotone-curve'
import { rotationQuaternion, rotationVector } from '../math/rotation'
import { add, cross, scale, ZERO, type Vec3 } from '../math/vector'

export interface PathKey {
  /** s */
  readonly time: number
  /** m, of the body frame. */
  readonly position: Vec3
  readonly orientation: Quat
}

/** World frame; m, rad and seconds. */
export interface PathPoint {
  readonly position: Vec3
  readonly orientation: Quat
  readonly velocity: Vec3
  readonly angularVelocity: Vec3
  readonly acceleration: Vec3
  readonly angularAcceleration: Vec3
}

export interface BodyPath {
  /** s: of the keys, at which accelerations jump. */
  readonly times: readonly number[]
  at(time: number): PathPoint
}

/** @param keys at increasing times, the first where the body begins */
export function bodyPath(keys: readonly PathKey[]): BodyPath {
  const times = keys.map(({ time }) => time)
  const along = [0, 1, 2].map(k => monotoneCurve(times, keys.map(({ position }) => position[k]!)))
  const turns = keys.slice(1).map(({ orientation }, i) => rotationVector(multiplyQuaternions(conjugate(keys[i]!.orientation), orientation)))
  const rates = keys.map((_, i): Vec3 => {
    if (i === 0 || i === keys.length - 1) return ZERO
    const [h0, h1] = [times[i]! - times[i - 1]!, times[i + 1]! - times[i]!]
    const slope = (k: number): number => monotoneSlope(h0, h1, turns[i - 1]![k]! / h0, turns[i]![k]! / h1)
    return [slope(0), slope(1), slope(2)]
  })
  return {
    times,
    at(time) {
      const jets = along.map(curve => curve(time))
      const part = (n: 0 | 1 | 2): Vec3 => [jets[0]![n], jets[1]![n], jets[2]![n]]
      return { position: part(0), velocity: part(1), acceleration: part(2), ...turnAt(keys, turns, rates, time) }
    },
  }
}

type Turn = Pick<PathPoint, 'orientation' | 'angularVelocity' | 'angularAcceleration'>

function turnAt(keys: readonly PathKey[], turns: readonly Vec3[], rates: readonly Vec3[], time: number): Turn {
  const end = keys.at(-1)!
  if (time < keys[0]!.time) return { orientation: keys[0]!.orientation, angularVelocity: ZERO, angularAcceleration: ZERO }
  if (time >= end.time) return { orientation: end.orientation, angularVelocity: ZERO, angularAcceleration: ZERO }
  const i = pieceOf(keys.map(key => key.time), time)
  const from = keys[i]!
  const h = keys[i + 1]!.time - from.time
  const s = (time - from.time) / h
  const w1 = scale(rates[i]!, h / 3)
  const w3 = scale(rates[i + 1]!, h / 3)
  const [e1, e3] = [rotationQuaternion(w1), rotationQuaternion(w3)]
  const w2 = rotationVector(multiplyQuaternions(multiplyQuaternions(conjugate(e1), rotationQuaternion(turns[i]!)), conjugate(e3)))
  const late = 1 - s
  const factors = [
    { w: w1, beta: 1 - late * late * late, first: 3 * late * late / h, second: -6 * late / (h * h) },
    { w: w2, beta: s * s * (3 - 2 * s), first: 6 * s * late / h, second: (6 - 12 * s) / (h * h) },
    { w: w3, beta: s * s * s, first: 3 * s * s / h, second: 6 * s / (h * h) },
  ]
  let orientation = from.orientation
  // In the axes of the product so far: ω ← E⁻¹ ω E + β̇ w,  α ← E⁻¹ α E + (E⁻¹ ω E) × β̇ w + β̈ w.
  let omega: Vec3 = ZERO
  let alpha: Vec3 = ZERO
  for (const { w, beta, first, second } of factors) {
    const E = rotationQuaternion(scale(w, beta))
    const own = scale(w, first)
    orientation = multiplyQuaternions(orientation, E)
    omega = rotateInverse(E, omega)
    alpha = add(add(rotateInverse(E, alpha), cross(omega, own)), scale(w, second))
    omega = add(omega, own)
  }
  orientation = normalizeQuaternion(orientation)
  return { orientation, angularVelocity: rotate(orientation, omega), angularAcceleration: rotate(orientation, alpha) }
}
