/**
 * Explains a normal force: decomposes the row of a = A f − b of one contact into terms by source.
 *
 *   a_i = Σ_j (A_iN,jN f_jN + A_iN,jt f_jt) + Σ joints − b_i                    [Baraff92 eq. 8-1]
 *
 * A is symmetric and sparse: only contacts and joints of the same two bodies have entries in the row. All entries follow from points, normals, poses
 * and masses, which every frame contains. b consists of the effect of the weights and forces on the two bodies alone, and of the effect of their
 * motion (centripetal and gyroscopic terms).
 */

import { transform, transformTransposed, type Mat3 } from '../math/matrix'
import { toMatrix } from '../math/quaternion'
import { cross, dot, scale, sub, type Vec3 } from '../math/vector'
import { BODY_STRIDE } from '../trajectory/frame'
import { centerOf, forceBalance, vectorAt, type ForceSource, type RecordedFrame, type Wrench } from './force-balance'

export interface RowTerm {
  /** `motion`: centripetal and gyroscopic terms. */
  readonly source: ForceSource | { readonly kind: 'motion'; readonly index: 0 }
  /** Side of the equation: `force` belongs to A f, `load` to −b. */
  readonly side: 'force' | 'load'
  /** A_iN,jN, 1/kg: normal acceleration at i for a normal force of 1 N at j; NaN if the source is not a contact. */
  readonly coefficient: number
  /** f_jN, N; NaN if the source is not a contact. */
  readonly normalForce: number
  /** m/s²: contribution of friction at j; NaN if the source is not a contact. */
  readonly friction: number
  /** m/s²: the whole term. */
  readonly acceleration: number
}

export interface ContactRow {
  /** a_N, m/s². */
  readonly acceleration: number
  /** b, m/s². */
  readonly b: number
  /** A_ii, 1/kg. */
  readonly own: number
  /** Largest first; they sum to `acceleration`. */
  readonly terms: readonly RowTerm[]
}

/** The normal row of a contact; null for a separated contact, which is not part of a problem. */
export function contactRow(recorded: RecordedFrame, contact: number): ContactRow | null {
  const { contacts } = recorded
  const acceleration = contacts.normalAcceleration[contact]!
  if (contacts.island[contact]! < 0 || Number.isNaN(acceleration)) return null
  const sides = sidesOf(recorded, contact)
  const found = new Map<string, { source: ForceSource; acceleration: number }>()
  for (const side of sides) {
    for (const entry of forceBalance(recorded, side.body)!.entries) {
      const key = `${entry.kind} ${entry.index}`
      const known = found.get(key) ?? { source: { kind: entry.kind, index: entry.index }, acceleration: 0 }
      known.acceleration += effect(side, entry)
      found.set(key, known)
    }
  }
  const terms: RowTerm[] = [...found.values()].map(({ source, acceleration: total }) => {
    const side = source.kind === 'contact' || source.kind === 'joint' || source.kind === 'drive' ? 'force' : 'load'
    if (source.kind !== 'contact') return { source, side, coefficient: NaN, normalForce: NaN, friction: NaN, acceleration: total }
    const coefficient = normalCoefficient(recorded, sides, source.index)
    const normalForce = contacts.normalForce[source.index]!
    return { source, side, coefficient, normalForce, friction: total - coefficient * normalForce, acceleration: total }
  })
  const sum = (side: RowTerm['side']): number => terms.reduce((total, term) => term.side === side ? total + term.acceleration : total, 0)
  const b = sum('force') - acceleration
  const motion = -b - sum('load')
  terms.push({ source: { kind: 'motion', index: 0 }, side: 'load', coefficient: NaN, normalForce: NaN, friction: NaN, acceleration: motion })
  terms.sort((x, y) => Math.abs(y.acceleration) - Math.abs(x.acceleration))
  return { acceleration, b, own: normalCoefficient(recorded, sides, contact), terms }
}

/** A dynamic body of a contact: the sign of its direction (+n̂ for A, −n̂ for B), and its arm. */
interface Side {
  readonly body: number
  readonly direction: Vec3
  readonly arm: Vec3
  readonly inverseMass: number
  readonly rotation: Mat3
  readonly inverseInertia: Mat3
}

function sidesOf(recorded: RecordedFrame, contact: number): Side[] {
  const { contacts, masses, frame } = recorded
  const normal = vectorAt(contacts.normal, 3 * contact)
  const point = vectorAt(contacts.point, 3 * contact)
  const pair: [number, Vec3][] = [[contacts.bodyA[contact]!, normal], [contacts.bodyB[contact]!, scale(normal, -1)]]
  return pair.filter(([body]) => masses.inverseMass[body]! > 0).map(([body, direction]) => {
    const at = body * BODY_STRIDE + 3
    return {
      body, direction, arm: sub(point, centerOf(recorded, body)), inverseMass: masses.inverseMass[body]!,
      rotation: toMatrix([frame.bodies[at]!, frame.bodies[at + 1]!, frame.bodies[at + 2]!, frame.bodies[at + 3]!]),
      inverseInertia: [...masses.inverseInertia.subarray(9 * body, 9 * body + 9)] as unknown as Mat3,
    }
  })
}

/** J M⁻¹ w: acceleration along the contact's normal due to a wrench on one of its bodies, m/s². */
function effect({ direction, arm, inverseMass, rotation, inverseInertia }: Side, { force, torque }: Wrench): number {
  const spin = transform(rotation, transform(inverseInertia, transformTransposed(rotation, torque)))
  return inverseMass * dot(direction, force) + dot(cross(arm, direction), spin)
}

/** A between the normals of a contact, given by its sides, and of contact j. */
function normalCoefficient(recorded: RecordedFrame, sides: readonly Side[], j: number): number {
  const { contacts } = recorded
  const normal = vectorAt(contacts.normal, 3 * j)
  const point = vectorAt(contacts.point, 3 * j)
  let sum = 0
  for (const side of sides) {
    const sign = contacts.bodyA[j] === side.body ? 1 : contacts.bodyB[j] === side.body ? -1 : 0
    if (sign === 0) continue
    const force = scale(normal, sign)
    sum += effect(side, { force, torque: cross(sub(point, centerOf(recorded, side.body)), force) })
  }
  return sum
}
