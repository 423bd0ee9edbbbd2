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
import { composeJet, directionJet, dotJets, multiplyJets, pointJet, subJets, type ScalarJet, type VectorJet } from './jet'
import type { JointEquations } from './joint'
import { alongRow, angularRow, writeRow, type RelativeRow } from './rows'

/**
 * Two points coincide: C = p_A − p_B = 0, in world axes, m. Three rows.
 *
 *   J = [1, −[r_A]×, −1, [r_B]×],   J̇ u = ω_A × (ω_A × r_A) − ω_B × (ω_B × r_B)
 */
export function writeCoincidence(a: BodyMotion, b: BodyMotion, pointA: Vec3, pointB: Vec3, out: JointEquations, at: number): void {
  const p = pointJet(a, pointA)
  const q = pointJet(b, pointB)
  const rA = sub(p.x, a.center)
  const rB = sub(q.x, b.center)
  const axes = [UNIT_X, UNIT_Y, UNIT_Z]
  for (let k = 0; k < 3; k++) {
    const n = axes[k]!
    const row = { linear: n, angularA: cross(rA, n), angularB: cross(n, rB) }
    writeRow(out, at + k, row, p.x[k]! - q.x[k]!, p.a[k]! - q.a[k]!)
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
  const z = directionJet(a, axisA)
  const parts = basisB.map(local => {
    const direction = directionJet(b, local)
    return { jet: dotJets(direction, z), gradient: cross(z.x, direction.x) }
  }) as [Component, Component, Component]
  const [x, y, c] = parts
  const { value, first, second } = arcRatio(c.jet.x, x.jet.x * x.jet.x + y.jet.x * y.jet.x)
  const g = composeJet(c.jet, value, first, second)
  const signs = [-1, 1]
  ;[y, x].forEach((component, k) => {
    const sign = signs[k]!
    const jet = multiplyJets(g, component.jet)
    const gradient = addScaled(scale(component.gradient, value), c.gradient, first * component.jet.x)
    writeRow(out, at + k, angularRow(scale(gradient, sign)), sign * jet.x, sign * jet.a)
  })
}

interface Component {
  readonly jet: ScalarJet
  readonly gradient: Vec3
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
