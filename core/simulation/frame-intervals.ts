/**
 * Force intervals of one recorded frame, on demand: the range of each normal force compatible with the same motion, in islands of
 * up to `MAX_INTERVAL_CONTACTS` contacts, including moving ones. The contact states and joint loads are read from the frame; only the directions of
 * the rows are computed, from its poses.
 */

import { BodyGroups } from '../contact/body-groups'
import { Snapshot } from '../contact/snapshot'
import type { World } from '../contact/world'
import { motionAt, worldInverseInertia } from '../dynamics/body'
import { bodiesOfJoint } from '../dynamics/joints'
import { stateLayout } from '../dynamics/state-layout'
import { forceIntervals, MAX_INTERVAL_CONTACTS } from '../lcp/intervals'
import { decoupledProblem } from '../lcp/static-approximations'
import { ROW_FRICTION, ROW_SPIN, ROW_UNILATERAL, type ContactProblem, type FrictionRows, type SpinRows } from '../lcp/problem'
import { addScaled, cross, dot, length, perpendicular, scale, sub, type Vec3 } from '../math/vector'
import type { ResolvedScene } from '../scene'
import { BODY_STRIDE } from '../trajectory/frame'
import { CONTACT_MODES } from '../vocabulary'
import { compile } from './compile'
import { methodName } from './method'
import { AT_BOUND, capacityOf, pushRecordedJoint, RecordedRows, type RecordedForces } from './recorded-rows'

/** Smallest and largest normal force, N; null if unknown. */
export type FrameInterval = readonly [number, number] | null

export interface FrameIntervals {
  /** By contact of the frame. */
  readonly intervals: readonly FrameInterval[]
  /** Reasons for null intervals; empty if only separated contacts have none. */
  readonly reasons: readonly string[]
}

type StaticFriction = ResolvedScene['simulation']['eventDriven']['staticFriction']
type Frame = RecordedForces

export function frameIntervals(scene: ResolvedScene, recorded: Frame): FrameIntervals {
  const world = compile(scene, null)
  const snapshot = snapshotOf(world, recorded)
  const { contacts } = recorded
  const groups = new BodyGroups(snapshot)
  for (const { constraint } of world.joints) groups.join(...bodiesOfJoint(constraint))
  const touching = Array.from({ length: contacts.count }, (_, k) => k).filter(k => contacts.island[k]! >= 0)
  for (const k of touching) groups.join(contacts.bodyA[k]!, contacts.bodyB[k]!)
  const law = methodName(scene) === 'event-driven' ? scene.simulation.eventDriven.staticFriction : 'exact'
  const islands = new Map<number, number[]>()
  for (const k of touching) {
    const home = groups.homeOf(contacts.bodyA[k]!, contacts.bodyB[k]!)
    islands.set(home, [...islands.get(home) ?? [], k])
  }
  const intervals = new Array<FrameInterval>(contacts.count).fill(null)
  const reasons = new Set<string>()
  for (const [home, points] of islands) {
    const joints = world.joints.map((_, joint) => joint).filter(joint => {
      const { constraint } = world.joints[joint]!
      return groups.homeOf(...bodiesOfJoint(constraint)) === home
    })
    const found = points.length > MAX_INTERVAL_CONTACTS ? `an island has ${points.length} contacts, more than ${MAX_INTERVAL_CONTACTS}`
      : law === 'lotstedt' ? 'friction is bounded by forces of the previous step, which are not recorded'
        : islandIntervals(world, snapshot, recorded, points, joints, law)
    if (typeof found === 'string') reasons.add(found)
    else points.forEach((point, i) => { intervals[point] = found[i]! })
  }
  return { intervals, reasons: [...reasons] }
}

function snapshotOf(world: World, { frame: { bodies } }: Frame): Snapshot {
  const snapshot = new Snapshot(stateLayout(world.bodies))
  world.bodies.forEach((body, i) => {
    const at = (k: number): Vec3 => [bodies[BODY_STRIDE * i + k]!, bodies[BODY_STRIDE * i + k + 1]!, bodies[BODY_STRIDE * i + k + 2]!]
    snapshot.exists[i] = !Number.isNaN(bodies[BODY_STRIDE * i]!)
    if (!snapshot.exists[i]) return
    const motion = motionAt(body.centerOfMass, at(0), [...at(3), bodies[BODY_STRIDE * i + 6]!], at(7), at(10))
    snapshot.motions[i] = motion
    if (body.type !== 'dynamic') return
    snapshot.inverseMass[i] = body.inverseMass
    snapshot.inverseInertia.set(worldInverseInertia(body, motion.rotation), 9 * i)
  })
  return snapshot
}

function islandIntervals(
  world: World, snapshot: Snapshot, recorded: Frame, points: readonly number[], joints: readonly number[], law: StaticFriction,
): FrameInterval[] | string {
  const own = new RecordedRows(6 * points.length + joints.reduce((sum, joint) => sum + capacityOf(world.joints[joint]!), 0))
  for (const joint of joints) {
    const why = pushRecordedJoint(own, world, snapshot, recorded, joint)
    if (why !== null) return why
  }
  const friction: FrictionRows[] = []
  const { spin } = own
  const normals = points.map(k => pushContact(own, snapshot, recorded, k, friction, spin, law === 'crawl'))
  const { rows } = own
  const size = rows.count
  const A = new Float64Array(size * size)
  rows.weigh(snapshot)
  rows.delassus(A)
  const [f, a] = [Float64Array.from(own.f), Float64Array.from(own.a)]
  const b = Float64Array.from({ length: size }, (_, i) => -a[i]!)
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) b[i] = b[i]! + A[i * size + j]! * f[j]!
  const problem: ContactProblem = {
    size, A, b, kind: Uint8Array.from(own.kind), lower: Float64Array.from(own.lower), upper: Float64Array.from(own.upper), friction, spin, level: 'acceleration',
  }
  const none = new Float64Array(0)
  const found = forceIntervals(law === 'sign-guess' ? decoupledProblem(problem) : problem, {
    f, a, status: 'solved', pivots: 0, residual: 0, basis: new Uint8Array(size), slip: none, ray: none, history: none, basisHit: false,
  })
  if (typeof found === 'string') return found
  const place = new Map([...found.rows].map((row, k) => [row, k]))
  return normals.map(row => [found.least[place.get(row)!]!, found.greatest[place.get(row)!]!])
}

/** @returns index of the normal's row */
function pushContact(
  own: RecordedRows, snapshot: Snapshot, { contacts }: Frame, k: number, friction: FrictionRows[], spin: SpinRows[], crawls: boolean,
): number {
  const at = (column: Float64Array): Vec3 => [column[3 * k]!, column[3 * k + 1]!, column[3 * k + 2]!]
  const [bodyA, bodyB] = [contacts.bodyA[k]!, contacts.bodyB[k]!]
  const [point, n, v, ft, torque] = [contacts.point, contacts.normal, contacts.relativeVelocity, contacts.frictionForce, contacts.frictionTorque].map(at)
  const mode = CONTACT_MODES[contacts.mode[k]!]!
  own.rows.pushPoint(snapshot, bodyA, bodyB, point!, n!, 0)
  // A separating contact has a positive acceleration; its value does not matter.
  const normal = own.note(ROW_UNILATERAL, contacts.normalForce[k]!, contacts.normalForce[k]! > 0 || contacts.indexSet[k] === 0 ? 0 : 1)
  const tangents = [perpendicular(n!)]
  tangents.push(cross(n!, tangents[0]!))
  if (contacts.staticFriction[k]! > 0) {
    const sliding = mode === 'sliding' || crawls
    // At the onset of slip the velocity is zero; friction opposes the imminent slip.
    const slip = sliding ? directionOf(addScaled(v!, n!, -dot(v!, n!)), scale(ft!, -1)) : n!
    const rows = tangents.map(tangent => {
      own.rows.pushPoint(snapshot, bodyA, bodyB, point!, tangent, 0)
      return own.note(ROW_FRICTION, dot(ft!, tangent))
    })
    // Creeping contacts have friction proportional to their speed.
    const share = crawls ? contacts.coneUsage[k]! : 1
    friction.push({
      normal, tangent1: rows[0]!, tangent2: rows[1]!, staticFriction: contacts.staticFriction[k]!, dynamicFriction: share * contacts.dynamicFriction[k]!,
      state: sliding ? 'sliding' : 'static', slip1: sliding ? dot(slip, tangents[0]!) : 0, slip2: sliding ? dot(slip, tangents[1]!) : 0,
    })
  }
  const omega = sub(snapshot.motionOf(bodyA).angularVelocity, snapshot.motionOf(bodyB).angularVelocity)
  for (const [limit, axes] of [[contacts.torsionalFriction[k]!, [n!]], [contacts.rollingFriction[k]!, tangents]] as const) {
    if (limit === 0) continue
    const torques = axes.map(axis => dot(torque!, axis))
    const size = Math.sqrt(torques.reduce((sum, value) => sum + value * value, 0))
    const sliding = size >= (1 - AT_BOUND) * limit * contacts.normalForce[k]! && axes.some(axis => dot(omega, axis) !== 0) && size > 0
    const rows = axes.map((axis, i) => {
      own.rows.pushRotation(bodyA, bodyB, axis, 0)
      return own.note(ROW_SPIN, torques[i]!)
    })
    spin.push({ normal, rows, limit, state: sliding ? 'sliding' : 'static', slip: torques.map(value => sliding ? -value / size : 0) })
  }
  return normal
}

function directionOf(v: Vec3, otherwise: Vec3): Vec3 {
  const chosen = length(v) > 0 ? v : otherwise
  const size = length(chosen)
  return size > 0 ? scale(chosen, 1 / size) : chosen
}
