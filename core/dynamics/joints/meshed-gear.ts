/**
 * Gear of two wheels on a moving frame: sun and planet, planet and ring of a planetary train. Both hinges turn about parallel axes on the
 * same moving body, the carrier, so that the line from one wheel's anchor to the other's turns with it, and the wheels' positions relative
 * to the carrier are read off that line:
 *
 *   r = p_Y − p_X,   ψ_X = ∠ of r about e in the axes of X, 0 at the initial pose
 *   C = θ_A − ratio θ_B = 0 (1 row, rad),   θ = −ψ where the wheel is body A of its hinge, ψ where it is body B
 *
 * A row so couples the two wheels only, as teeth do: the carrier feels them through its hinges, which do no work in what they add.
 */

import { atan2 } from '../../math/elementary'
import type { BodyMotion } from '../../geometry/motion'
import { addScaled, cross, dot, length, normalize, scale, sub, type Vec3 } from '../../math/vector'
import { attachDirection, attachPoint, pointOf } from './frame'
import { directionJet, dotJets, pointJet, subJets, type VectorJet } from './jet'
import { JACOBIAN_WIDTH, noCoordinate, type JointConstraint } from './joint'

/** A wheel with its hinge, in the world frame at the initial pose. */
export interface MeshedWheel {
  readonly body: number
  readonly initial: BodyMotion
  readonly anchor: Vec3
  /** Of its hinge, unit. */
  readonly axis: Vec3
  /** +1 where the wheel is body B of its hinge, −1 where it is body A. */
  readonly sign: 1 | -1
}

export interface MeshedGearSpec {
  readonly id: string
  readonly wheelA: MeshedWheel
  readonly wheelB: MeshedWheel
  /** position of A = ratio × position of B; not 0. */
  readonly ratio: number
}

/** Largest sine of the angle between axes that are still parallel: typed digits, not rounding. */
const PARALLEL = 1e-6

/**
 * Keeps the last angles, near which they are unwrapped, as `gearJoint` does.
 *
 * @throws RangeError naming the gear where the axes are not parallel, or coincide
 */
export function meshedGear({ id, wheelA, wheelB, ratio }: MeshedGearSpec): JointConstraint {
  const between = sub(wheelB.anchor, wheelA.anchor)
  const across = addScaled(between, wheelA.axis, -dot(between, wheelA.axis))
  if (length(cross(wheelA.axis, wheelB.axis)) > PARALLEL) throw new RangeError(`gear "${id}": on a frame that moves, its two axes have to be parallel`)
  if (!(length(across) > PARALLEL * length(between))) throw new RangeError(`gear "${id}": on a frame that moves, its two axes must not coincide`)
  const wheels = [wheelA, wheelB].map(({ initial, anchor, axis, sign }, k) => ({
    point: attachPoint(initial, anchor), cosine: attachDirection(initial, normalize(across)),
    sine: attachDirection(initial, normalize(cross(axis, across))), weight: sign * (k === 0 ? 1 : -ratio),
  }))
  const last = [0, 0]
  return {
    id, type: 'gear', bodyA: wheelA.body, bodyB: wheelB.body, rows: 1, coordinates: 0,
    evaluate(a, b, out) {
      out.jacobian.fill(0, 0, JACOBIAN_WIDTH)
      const line = subJets(pointJet(b, wheels[1]!.point), pointJet(a, wheels[0]!.point))
      let error = 0
      let bias = 0
      wheels.forEach(({ cosine, sine, weight }, k) => {
        const angle = lineAngle(line, directionJet(k === 0 ? a : b, cosine), directionJet(k === 0 ? a : b, sine), last[k]!)
        last[k] = angle.position
        error += weight * angle.position
        bias += weight * angle.bias
        const g = scale(angle.gradient, weight)
        addLine(out.jacobian, a, b, pointOf(a, wheels[0]!.point), pointOf(b, wheels[1]!.point), g)
        addTurn(out.jacobian, 6 * k + 3, scale(cross(line.x, g), -1))
      })
      out.error[0] = error
      out.bias[0] = bias
    },
    coordinate: noCoordinate(id),
    anchor: a => pointOf(a, wheels[0]!.point),
  }
}

/** Angle of a line towards a body's directions, near `near`, with its gradient in the line and its second derivative along the motion. */
function lineAngle(line: VectorJet, cosine: VectorJet, sine: VectorJet, near: number): { position: number; gradient: Vec3; bias: number } {
  const c = dotJets(cosine, line)
  const s = dotJets(sine, line)
  const square = c.x * c.x + s.x * s.x
  const angle = atan2(s.x, c.x)
  const turns = Math.round((near - angle) / (2 * Math.PI))
  const rate = (c.x * s.v - s.x * c.v) / square
  return {
    position: angle + 2 * Math.PI * turns,
    gradient: scale(addScaled(scale(sine.x, c.x), cosine.x, -s.x), 1 / square),
    bias: (c.x * s.a - s.x * c.a) / square - 2 * rate * (c.x * c.v + s.x * s.v) / square,
  }
}

/** g · (velocity of b's point − velocity of a's). */
function addLine(out: Float64Array, a: BodyMotion, b: BodyMotion, onA: Vec3, onB: Vec3, g: Vec3): void {
  for (let k = 0; k < 3; k++) {
    out[k] = out[k]! - g[k]!
    out[6 + k] = out[6 + k]! + g[k]!
  }
  addTurn(out, 3, scale(cross(sub(onA, a.center), g), -1))
  addTurn(out, 9, cross(sub(onB, b.center), g))
}

function addTurn(out: Float64Array, at: number, v: Vec3): void {
  for (let k = 0; k < 3; k++) out[at + k] = out[at + k]! + v[k]!
}
