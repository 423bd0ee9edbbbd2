/**
 * A bead on a wire [PBM01-F §4.3]: a point of A stays on a curve S(u) fixed in B.
 *
 *   C = (N₁·e, N₂·e) = 0 (2 rows, m),   e = p − S(u),   (p − S)·S′ = 0
 *
 * p: the point in B's axes; u: the closest parameter, so e is normal to the curve; N₁, N₂: unit normals of the curve, functions of u. With
 * D = |S′|² − e·S″,
 *
 *   u̇ = S′·ṗ/D,   ü = (S′·p̈ − S′·S″ u̇² + 2 ė·S″ u̇ + e·S‴ u̇²)/D,   Ċᵢ = (Nᵢ + (Nᵢ′·e) S′/D)·ṗ
 *
 * The coordinate is the arc length from the initial point, m, along the curve.
 */

import type { BodyMotion } from '../../geometry/motion'
import { transform } from '../../math/matrix'
import { addScaled, cross, dot, length, normalize, scale, sub, UNIT_X, UNIT_Y, UNIT_Z, ZERO, type Vec3 } from '../../math/vector'
import { curveOf, type CurveSpec } from './curve'
import { attachDirection, attachPoint, pointOf, type Joined } from './frame'
import { composeJet, crossJets, directionJet, dotJets, pointJet, subJets, unitJet, type VectorJet } from './jet'
import { DegenerateJointError, type JointConstraint } from './joint'
import { mobilityOf } from './mobility'
import { arcLength, closestOfAll, closestParameter, mapCurve, type CurvePoint } from './parametric-curve'
import { alongRow, coordinateOf, writeRow } from './rows'

export interface PointOnCurveSpec extends Joined {
  readonly type: 'pointOnCurve'
  /** The point of A, world frame, initial pose, m. */
  readonly anchor: Vec3
  /** World frame, initial pose; moves with B. */
  readonly curve: CurveSpec
}

interface Bead {
  readonly u: number
  readonly rate: number
  readonly acceleration: number
  readonly curve: CurvePoint
  /** p and e in B's axes. */
  readonly e: Vec3
  readonly jet: VectorJet
  readonly D: number
  readonly pointA: Vec3
}

/**
 * Stores the last parameter, at which the next closest-point search starts. So the bead stays on its branch of a helix, or of a curve that comes close to
 * itself. The reference axis of the normals is stored too.
 *
 * @throws RangeError if the curve is degenerate
 */
export function pointOnCurveJoint(joint: PointOnCurveSpec): JointConstraint {
  const { id, bodyA, bodyB, initialA, initialB, anchor, curve: spec } = joint
  const local = attachPoint(initialA, anchor)
  const curve = mapCurve(curveOf(spec), p => attachPoint(initialB, p), d => attachDirection(initialB, d))
  const start = closestOfAll(curve, attachPoint(initialB, anchor))
  let last = start
  let across: Vec3 | null = null

  const beadOf = (a: BodyMotion, b: BodyMotion): Bead => {
    const world = pointJet(a, local)
    const jet = inAxesOf(b, subJets(world, pointJet(b, ZERO)))
    const u = closestParameter(curve, jet.x, last)
    const point = curve.at(u)
    const e = sub(jet.x, point.position)
    const { first, second, third } = point
    const D = dot(first, first) - dot(e, second)
    if (Number.isNaN(D)) throw new DegenerateJointError(id, `its point has left the curve, whose formulas have no value at u = ${u}`)
    if (!(D > 0)) throw new DegenerateJointError(id, 'its point has left the curve beyond the centre of curvature, so no closest point is defined')
    last = u
    const rate = dot(first, jet.v) / D
    const eRate = addScaled(jet.v, first, -rate)
    const acceleration = (
      dot(first, jet.a) + 2 * dot(eRate, second) * rate + (dot(e, third) - dot(first, second)) * rate * rate
    ) / D
    return { u, rate, acceleration, curve: point, e, jet, D, pointA: world.x }
  }
  const row = (a: BodyMotion, b: BodyMotion, bead: Bead, gradient: Vec3) => alongRow(a, b, bead.pointA, transform(b.rotation, gradient))

  return {
    id, type: 'pointOnCurve', bodyA, bodyB, rows: 2, coordinates: 1,
    evaluate(a, b, out) {
      const bead = beadOf(a, b)
      const { e, jet, rate, acceleration, D, curve: { first, second, third } } = bead
      const eJet: VectorJet = {
        x: e,
        v: addScaled(jet.v, first, -rate),
        a: sub(jet.a, addScaled(scale(second, rate * rate), first, acceleration)),
      }
      across = referenceFor(first, across)
      normals({ x: first, v: second, a: third }, across).forEach((N, i) => {
        const inTime: VectorJet = {
          x: N.x, v: scale(N.v, rate), a: addScaled(scale(N.a, rate * rate), N.v, acceleration),
        }
        const C = dotJets(inTime, eJet)
        writeRow(out, i, row(a, b, bead, addScaled(N.x, first, dot(N.v, e) / D)), C.x, C.a)
      })
    },
    coordinate(_index, a, b) {
      const bead = beadOf(a, b)
      const { u, rate, acceleration, D, curve: { first, second } } = bead
      const speed = length(first)
      const jet = composeJet({ x: u, v: rate, a: acceleration }, arcLength(curve, start, u), speed, dot(first, second) / speed)
      return coordinateOf(jet, row(a, b, bead, scale(first, speed / D)))
    },
    mobility: {
      ...mobilityOf(joint, anchor, [], 'free'), pointB: ZERO,
      wire: { at: u => curve.at(u), speed: length(curve.at(start).first), closest: point => last = closestParameter(curve, point, last) },
    },
    anchor: a => pointOf(a, local),
  }
}

/** Derivatives of a world vector in the axes of a rotating body. */
function inAxesOf(motion: BodyMotion, world: VectorJet): VectorJet {
  const [x, y, z] = [UNIT_X, UNIT_Y, UNIT_Z].map(axis => dotJets(directionJet(motion, axis), world)) as [Scalar, Scalar, Scalar]
  return { x: [x.x, y.x, z.x], v: [x.v, y.v, z.v], a: [x.a, y.a, z.a] }
}

type Scalar = ReturnType<typeof dotJets>

/** |cos| of the angle between tangent and reference at which the reference is changed: near 1, so that the normals seldom jump. */
const REFERENCE_LIMIT = 0.9

/** The axis most perpendicular to the tangent, or the present one as long as its angle to the tangent is large enough. */
function referenceFor(tangent: Vec3, sofar: Vec3 | null): Vec3 {
  const t = normalize(tangent)
  if (sofar !== null && Math.abs(dot(t, sofar)) < REFERENCE_LIMIT) return sofar
  const [x, y, z] = t.map(Math.abs) as [number, number, number]
  return x <= y && x <= z ? UNIT_X : y <= z ? UNIT_Y : UNIT_Z
}

/** Two unit normals of the curve with their derivatives in u, from S′, S″, S‴. */
function normals(tangent: VectorJet, across: Vec3): readonly [VectorJet, VectorJet] {
  const t = unitJet(tangent)
  const n1 = unitJet({ x: cross(t.x, across), v: cross(t.v, across), a: cross(t.a, across) })
  return [n1, crossJets(t, n1)]
}
