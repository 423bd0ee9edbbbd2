/**
 * The parts of which joints consist [PBM01-F §4.3]. Each writes rows of C, J and J̇ u; `a` and `b` are the motions of the two bodies. Vectors fixed
 * in a body are given in its axes, points from its centre of mass.
 */

import type { BodyMotion } from '../../geometry/motion'
import { atan2 } from '../../math/elementary'
import { conjugate, multiplyQuaternions, type Quat } from '../../math/quaternion'
import { rotationVector } from '../../math/rotation'
import { addScaled, cross, dot, scale, sub, UNIT_X, UNIT_Y, UNIT_Z, type Vec3 } from '../../math/vector'
import { arcRatio, inverseJacobianFactor } from './angle-series'
import { composeJet, directionJet, dotJets, pointJet, subJets, type ScalarJet, type VectorJet } from './jet'
import { JACOBIAN_WIDTH, type JointEquations } from './joint'
import { alongRow, angularRow, writeRow, type RelativeRow } from './rows'

/**
 * Two points coincide: C = p_A − p_B = 0, in world axes, m. Three rows.
 *
 *   J = [1, −[r_A]×, −1, [r_B]×],   J̇ u = ω_A × (ω_A × r_A) − ω_B × (ω_B × r_B)
 */
export function writeCoincidence(a: BodyMotion, b: BodyMotion, pointA: Vec3, pointB: Vec3, out: JointEquations, at: number): void {
  const { error, bias, jacobian } = out
  const [cA, cB] = [a.center, b.center]
  writeDirection(a, pointA, FIRST)
  writeDirection(b, pointB, SECOND)
  for (let k = 0; k < 3; k++) {
    const p = cA[k]! + FIRST[k]!
    const q = cB[k]! + SECOND[k]!
    ARMS[k] = p - cA[k]!
    ARMS[3 + k] = q - cB[k]!
    error[at + k] = p - q
    bias[at + k] = FIRST[6 + k]! - SECOND[6 + k]!
  }
  for (let k = 0; k < 3; k++) {
    const o = JACOBIAN_WIDTH * (at + k)
    const [next, last] = [(k + 1) % 3, (k + 2) % 3]
    jacobian.fill(0, o, o + JACOBIAN_WIDTH)
    jacobian[o + k] = 1
    jacobian[o + 6 + k] = -1
    // r × e_k for A, and e_k × r for B.
    jacobian[o + 3 + next] = ARMS[last]!
    jacobian[o + 3 + last] = -ARMS[next]!
    jacobian[o + 9 + next] = -ARMS[3 + last]!
    jacobian[o + 9 + last] = ARMS[3 + next]!
  }
}

/** C = n·(p_A − p_B), m, for a direction n fixed in B: the displacement of A's point from B's along it. */
export function displacement(
  a: BodyMotion, b: BodyMotion, pointA: Vec3, pointB: Vec3, directionB: Vec3,
): { jet: ScalarJet; row: RelativeRow } {
  const p = pointJet(a, pointA)
  const n = directionJet(b, directionB)
  return { jet: dotJets(n, subJets(p, pointJet(b, pointB))), row: alongRow(a, b, p.x, n.x) }
}

/** No displacement along a direction of B: one row. */
export function writeNoDisplacement(
  a: BodyMotion, b: BodyMotion, pointA: Vec3, pointB: Vec3, directionB: Vec3, out: JointEquations, at: number,
): void {
  const { jet, row } = displacement(a, b, pointA, pointB, directionB)
  writeRow(out, at, row, jet.x, jet.a)
}

/**
 * An axis z_A of A is parallel to b₃ of B, two rows: the components about b₁ and b₂ of the smallest rotation that takes b₃ to z_A, rad.
 *
 *   C = g (−b₂·z_A, b₁·z_A),   g = φ/sin φ,   cos φ = b₃·z_A,   d(bᵢ·z_A)/dt = (ω_A − ω_B)·(z_A × bᵢ)
 *
 * g makes C the angle itself, so it grows all the way to φ = π; the bare components would vanish there again.
 */
export function writeAlignment(
  a: BodyMotion, b: BodyMotion, axisA: Vec3, basisB: readonly [Vec3, Vec3, Vec3], out: JointEquations, at: number,
): void {
  writeDirection(a, axisA, FIRST)
  for (let k = 0; k < 3; k++) {
    writeDirection(b, basisB[k]!, SECOND)
    const g = 3 * k
    const [x, y, z] = [SECOND[0]!, SECOND[1]!, SECOND[2]!]
    SCALARS[g] = dot3(SECOND, 0, FIRST, 0)
    SCALARS[g + 1] = dot3(SECOND, 3, FIRST, 0) + dot3(SECOND, 0, FIRST, 3)
    SCALARS[g + 2] = dot3(SECOND, 6, FIRST, 0) + 2 * dot3(SECOND, 3, FIRST, 3) + dot3(SECOND, 0, FIRST, 6)
    GRADIENTS[g] = FIRST[1]! * z - FIRST[2]! * y
    GRADIENTS[g + 1] = FIRST[2]! * x - FIRST[0]! * z
    GRADIENTS[g + 2] = FIRST[0]! * y - FIRST[1]! * x
  }
  const { value, first, second } = arcRatio(SCALARS[6]!, SCALARS[0]! * SCALARS[0]! + SCALARS[3]! * SCALARS[3]!)
  const rate = first * SCALARS[7]!
  const change = second * SCALARS[7]! * SCALARS[7]! + first * SCALARS[8]!
  const { error, bias, jacobian } = out
  for (let k = 0; k < 2; k++) {
    const sign = k === 0 ? -1 : 1
    const g = k === 0 ? 3 : 0
    const x = SCALARS[g]!
    error[at + k] = sign * (value * x)
    bias[at + k] = sign * (change * x + 2 * rate * SCALARS[g + 1]! + value * SCALARS[g + 2]!)
    const o = JACOBIAN_WIDTH * (at + k)
    for (let j = 0; j < 3; j++) {
      const w = (GRADIENTS[g + j]! * value + GRADIENTS[6 + j]! * (first * x)) * sign
      jacobian[o + j] = 0
      jacobian[o + 3 + j] = w
      jacobian[o + 6 + j] = 0
      jacobian[o + 9 + j] = -w
    }
  }
}

/** Scratch of the two functions above: jets of two directions, x, v and a in turn; arms; and the values, rates and gradients of three components. */
const FIRST = new Float64Array(9)
const SECOND = new Float64Array(9)
const ARMS = new Float64Array(6)
const SCALARS = new Float64Array(9)
const GRADIENTS = new Float64Array(9)

/** `directionJet` into `out`. */
function writeDirection({ rotation: R, angularVelocity: w }: BodyMotion, [x, y, z]: Vec3, out: Float64Array): void {
  for (let k = 0; k < 3; k++) out[k] = R[3 * k]! * x + R[3 * k + 1]! * y + R[3 * k + 2]! * z
  for (let o = 0; o < 6; o += 3) {
    out[o + 3] = w[1] * out[o + 2]! - w[2] * out[o + 1]!
    out[o + 4] = w[2] * out[o]! - w[0] * out[o + 2]!
    out[o + 5] = w[0] * out[o + 1]! - w[1] * out[o]!
  }
}

function dot3(x: Float64Array, i: number, y: Float64Array, j: number): number {
  return x[i]! * y[j]! + x[i + 1]! * y[j + 1]! + x[i + 2]! * y[j + 2]!
}

/**
 * No relative rotation, three rows: the rotation vector ψ of F_Bᵀ F_A, in the axes of B's joint frame, rad, where F are the two joint
 * frames, equal at the initial pose. With ω′ = F_Bᵀ(ω_A − ω_B) and κ = (1 − ½ψ cot ½ψ)/ψ² [Bullo and Murray 1995],
 *
 *   ψ̇ = M ω′,   M = 1 − ½[ψ]× + κ[ψ]×²,   J̇ u = Ṁ ω′ − M F_Bᵀ(ω_B × ω_A)
 */
export function writeRotationLock(a: BodyMotion, b: BodyMotion, frameA: Quat, frameB: Quat, out: JointEquations, at: number): void {
  const fB = multiplyQuaternions(b.pose.orientation, frameB)
  const psi = rotationVector(multiplyQuaternions(conjugate(fB), multiplyQuaternions(a.pose.orientation, frameA)))
  const angle2 = dot(psi, psi)
  const { kappa, slope } = inverseJacobianFactor(angle2)
  const apply = (w: Vec3) => {
    const once = cross(psi, w)
    return addScaled(addScaled(w, once, -0.5), cross(psi, once), kappa)
  }
  const axes = [UNIT_X, UNIT_Y, UNIT_Z].map(e => rotateBy(fB, e)) as [Vec3, Vec3, Vec3]
  const inFrame = (w: Vec3): Vec3 => [dot(axes[0], w), dot(axes[1], w), dot(axes[2], w)]
  const omega = inFrame(sub(a.angularVelocity, b.angularVelocity))
  const rate = apply(omega)
  const once = cross(psi, omega)
  const change = addScaled(
    addScaled(scale(cross(rate, omega), -0.5), cross(psi, once), slope * dot(psi, rate)),
    addScaled(cross(rate, once), cross(psi, cross(rate, omega)), 1), kappa)
  const bias = sub(change, apply(inFrame(cross(b.angularVelocity, a.angularVelocity))))
  // Columns of M in world axes: M applied to each axis of B's joint frame; row k collects their k-th components.
  const columns = [apply(UNIT_X), apply(UNIT_Y), apply(UNIT_Z)]
  for (let k = 0; k < 3; k++) {
    const w = addScaled(addScaled(scale(axes[0], columns[0]![k]!), axes[1], columns[1]![k]!), axes[2], columns[2]![k]!)
    writeRow(out, at + k, angularRow(w), psi[k]!, bias[k]!)
  }
}

function rotateBy(q: Quat, v: Vec3): Vec3 {
  const u: Vec3 = [q[0], q[1], q[2]]
  const t = scale(cross(u, v), 2)
  return addScaled(addScaled(v, t, q[3]), cross(u, t), 1)
}

/**
 * Directions p of A and q of B are perpendicular, one row: C = asin(p·q), rad.
 *
 *   Ċ = (ω_A − ω_B)·(p × q)/|p × q|
 */
export function writePerpendicular(
  a: BodyMotion, b: BodyMotion, directionA: Vec3, directionB: Vec3, out: JointEquations, at: number,
): void {
  const p = directionJet(a, directionA)
  const q = directionJet(b, directionB)
  const s = dotJets(p, q)
  const normal = cross(p.x, q.x)
  const cosine = Math.sqrt(dot(normal, normal))
  const jet = composeJet(s, atan2(s.x, cosine), 1 / cosine, s.x / (cosine * cosine * cosine))
  writeRow(out, at, angularRow(scale(normal, 1 / cosine)), jet.x, jet.a)
}

/** A pair of directions, one fixed in A, the other in B, each in its body's axes. */
export interface DirectionPair {
  readonly inA: Vec3
  readonly inB: Vec3
}

const TURN = 2 * Math.PI

/**
 * θ = atan2(Y, X) with X, Y the scalar products of two pairs of directions, rad, in the turn nearest to `near`.
 *
 *   θ̇ = (X Ẏ − Y Ẋ)/(X² + Y²),   d(p_A·q_B)/dt = (ω_A − ω_B)·(p_A × q_B)
 */
export function relativeAngle(
  a: BodyMotion, b: BodyMotion, cosinePair: DirectionPair, sinePair: DirectionPair, near: number,
): { jet: ScalarJet; row: RelativeRow } {
  const pair = ({ inA, inB }: DirectionPair) => {
    const p: VectorJet = directionJet(a, inA)
    const q = directionJet(b, inB)
    return { jet: dotJets(p, q), gradient: cross(p.x, q.x) }
  }
  const { jet: X, gradient: dX } = pair(cosinePair)
  const { jet: Y, gradient: dY } = pair(sinePair)
  const d = X.x * X.x + Y.x * Y.x
  const v = (X.x * Y.v - Y.x * X.v) / d
  const acceleration = (X.x * Y.a - Y.x * X.a - 2 * v * (X.x * X.v + Y.x * Y.v)) / d
  const principal = atan2(Y.x, X.x)
  const position = principal + TURN * Math.round((near - principal) / TURN)
  return {
    jet: { x: position, v, a: acceleration },
    row: angularRow(scale(addScaled(scale(dY, X.x), dX, -Y.x), 1 / d)),
  }
}
