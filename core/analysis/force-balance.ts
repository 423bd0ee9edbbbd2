/**
 * The force balance of a body in one recorded frame: all loads by source, and their total.
 *
 * Σ F = m a,   Σ τ = L̇                                                     about the centre of mass
 *
 * Nothing is recomputed. Weights come from the header, contact forces and joint reactions from their columns with their opposites on the other body, all other
 * loads from the column of wrenches; the right-hand sides are recorded values of the integrator.
 */

import { rotate } from '../math/quaternion'
import { add, addScaled, cross, negate, scale, sub, ZERO, type Vec3 } from '../math/vector'
import {
  BODY_STRIDE, WRENCH_SOURCES, type ContactFrame, type ForceFrame, type Frame, type JointFrame, type TrajectoryHeader,
} from '../trajectory/frame'
import { GRAVITY_CHANGE } from '../trajectory/owner'
import type { BodyMasses } from './body-masses'

/** One recorded frame with all its data. */
export interface RecordedFrame {
  readonly header: TrajectoryHeader
  readonly masses: BodyMasses
  readonly frame: Frame
  readonly contacts: ContactFrame
  readonly joints: JointFrame
  readonly forces: ForceFrame
}

/** `index` refers to the force in the header, the contact in its frame, or the joint. */
export interface ForceSource {
  /**
   * `joint`: its reaction, limits included. `element`: its springs, damping, and motors or friction at their limit. `drive`: its holding motor or friction.
   */
  readonly kind: 'gravity' | 'force' | 'contact' | 'joint' | 'element' | 'drive'
  readonly index: number
}

export interface Wrench {
  /** N */
  readonly force: Vec3
  /** N m, about the centre of mass. */
  readonly torque: Vec3
}

export interface ForceBalance {
  readonly entries: readonly (ForceSource & Wrench)[]
  readonly sum: Wrench
  /** m a and L̇; null for a body whose motion is prescribed. */
  readonly rate: Wrench | null
}

/** All loads on a body; null while it does not exist. */
export function forceBalance(recorded: RecordedFrame, body: number): ForceBalance | null {
  const { masses, frame } = recorded
  if (Number.isNaN(frame.bodies[body * BODY_STRIDE]!)) return null
  const dynamic = masses.inverseMass[body]! > 0
  const entries: (ForceSource & Wrench)[] = []
  const weight = weightOf(recorded, body)
  if (dynamic && weight.some(x => x !== 0)) entries.push({ kind: 'gravity', index: 0, force: weight, torque: ZERO })
  entries.push(...applied(recorded, body), ...ofContacts(recorded, body), ...ofJoints(recorded, body))
  const sum = entries.reduce<Wrench>((total, { force, torque }) => ({ force: add(total.force, force), torque: add(total.torque, torque) }), NOTHING)
  return { entries, sum, rate: dynamic ? rateOf(recorded.forces, body) ?? { force: weight, torque: ZERO } : null }
}

/** N: gravity's force on a body in this frame. */
function weightOf({ header, forces }: RecordedFrame, body: number): Vec3 {
  const change = header.forceIds.indexOf(GRAVITY_CHANGE)
  const k = change < 0 ? -1 : forces.source.findIndex((source, i) => source === change && forces.sourceBody[i] === body && WRENCH_SOURCES[forces.sourceKind[i]!] === 'force')
  const first = vectorAt(header.weights, 3 * body)
  return k < 0 ? first : add(first, vectorAt(forces.wrench, 6 * k))
}

/** The centre of mass in the world, m. */
export function centerOf({ masses, frame }: Pick<RecordedFrame, 'masses' | 'frame'>, body: number): Vec3 {
  const at = body * BODY_STRIDE
  const { bodies } = frame
  const orientation = [bodies[at + 3]!, bodies[at + 4]!, bodies[at + 5]!, bodies[at + 6]!] as const
  return add(vectorAt(bodies, at), rotate(orientation, vectorAt(masses.centers, 3 * body)))
}

export function vectorAt(column: Float64Array, at: number): Vec3 {
  return [column[at]!, column[at + 1]!, column[at + 2]!]
}

/** Force on A of contact k, N, and its friction torque, N m. */
function contactWrench(contacts: ContactFrame, k: number): { readonly force: Vec3; readonly couple: Vec3 } {
  const force = addScaled(vectorAt(contacts.frictionForce, 3 * k), vectorAt(contacts.normal, 3 * k), contacts.normalForce[k]!)
  return { force, couple: vectorAt(contacts.frictionTorque, 3 * k) }
}

const NOTHING: Wrench = { force: ZERO, torque: ZERO }

function rateOf({ body: bodies, rate }: ForceFrame, body: number): Wrench | null {
  const k = bodies.indexOf(body)
  return k < 0 ? null : { force: vectorAt(rate, 6 * k), torque: vectorAt(rate, 6 * k + 3) }
}

/** Forces of the scene, and loads along the coordinates of joints. */
function applied({ header, forces }: RecordedFrame, body: number): (ForceSource & Wrench)[] {
  const entries: (ForceSource & Wrench)[] = []
  forces.sourceBody.forEach((other, k) => {
    const kind = WRENCH_SOURCES[forces.sourceKind[k]!]!
    if (other !== body || kind === 'reaction' || (kind === 'force' && header.forceIds[forces.source[k]!] === GRAVITY_CHANGE)) return
    entries.push({ kind, index: forces.source[k]!, force: vectorAt(forces.wrench, 6 * k), torque: vectorAt(forces.wrench, 6 * k + 3) })
  })
  return entries
}

function ofContacts(recorded: RecordedFrame, body: number): (ForceSource & Wrench)[] {
  const { contacts } = recorded
  const entries: (ForceSource & Wrench)[] = []
  for (let k = 0; k < contacts.count; k++) {
    const onA = contacts.bodyA[k] === body
    if (!onA && contacts.bodyB[k] !== body) continue
    // The contact loads of a deformable are included in its total load.
    if (Math.max(contacts.bodyA[k]!, contacts.bodyB[k]!) >= recorded.header.bodyIds.length) continue
    const { force, couple } = contactWrench(contacts, k)
    const arm = sub(vectorAt(contacts.point, 3 * k), centerOf(recorded, body))
    const torque = add(cross(arm, force), couple)
    entries.push({ kind: 'contact', index: k, force: onA ? force : negate(force), torque: onA ? torque : negate(torque) })
  }
  return entries
}

function ofJoints(recorded: RecordedFrame, body: number): (ForceSource & Wrench)[] {
  const { header, joints, forces } = recorded
  const entries: (ForceSource & Wrench)[] = []
  for (let j = 0; j < header.jointIds.length; j++) {
    const side = header.jointBodyA[j] === body ? 1 : header.jointBodyB[j] === body ? -1 : 0
    const arm = sub(vectorAt(joints.anchor, 3 * j), centerOf(recorded, body))
    const reaction = vectorAt(joints.force, 3 * j)
    let force = scale(reaction, side)
    let torque = scale(add(vectorAt(joints.torque, 3 * j), cross(arm, reaction)), side)
    let acts = side !== 0
    forces.source.forEach((source, k) => {
      if (source !== j || forces.sourceBody[k] !== body || WRENCH_SOURCES[forces.sourceKind[k]!] !== 'reaction') return
      force = add(force, vectorAt(forces.wrench, 6 * k))
      torque = add(torque, vectorAt(forces.wrench, 6 * k + 3))
      acts = true
    })
    if (acts) entries.push({ kind: 'joint', index: j, force, torque })
  }
  return entries
}
