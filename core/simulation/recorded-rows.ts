/** Rows of a recorded frame: directions from its poses, multipliers from its reactions, limits and drives. Only the sign of accelerations matters. */

import type { RecordedFrame } from '../analysis/force-balance'
import { Rows } from '../contact/rows'
import type { Snapshot } from '../contact/snapshot'
import type { World } from '../contact/world'
import { evaluateJoint, JACOBIAN_WIDTH, jointEquations, type JointCoordinate } from '../dynamics/joints'
import { ROW_BOX, ROW_EQUALITY, ROW_SPIN, ROW_UNILATERAL, type SpinRows } from '../lcp/problem'
import { leastNormSolve } from '../math/orthogonal'
import { PIVOT_ZERO } from '../math/tolerances'
import { add, cross, dot, length, scale, sub, type Vec3 } from '../math/vector'
import { WRENCH_SOURCES } from '../trajectory/frame'

export type RecordedForces = Pick<RecordedFrame, 'frame' | 'contacts' | 'joints' | 'forces'>

/** Relative tolerance for a torque at its bound. */
export const AT_BOUND = 1e-9
/** m or rad, × (1 + |bound|): tolerance for a coordinate at its bound. */
const AT_LIMIT = 1e-6

export class RecordedRows {
  readonly rows: Rows
  readonly kind: number[] = []
  readonly f: number[] = []
  /** 0 if a row holds; otherwise only its sign matters. */
  readonly a: number[] = []
  readonly lower: number[] = []
  readonly upper: number[] = []
  readonly spin: SpinRows[] = []

  constructor(capacity: number) {
    this.rows = new Rows(capacity)
  }

  /** Adds the values of the last or next row. @param bound of box rows */
  note(kind: number, f: number, a = 0, bound = 0): number {
    this.f.push(f)
    this.a.push(a)
    this.lower.push(-bound)
    this.upper.push(bound)
    return this.kind.push(kind) - 1
  }
}

/** Maximum number of rows of a joint. */
export function capacityOf({ constraint }: World['joints'][number]): number {
  return constraint.rows + 2 * constraint.coordinates + 3
}

/** Appends a joint's rows with those of its limit and of its holding drives. @returns the reason of a failure, or null */
export function pushRecordedJoint(own: RecordedRows, world: World, snapshot: Snapshot, recorded: RecordedForces, joint: number): string | null {
  const { constraint } = world.joints[joint]!
  const { bodyA, bodyB } = constraint
  const coordinates = Array.from({ length: constraint.coordinates }, (_, c) =>
    constraint.coordinate(c, snapshot.motionOf(bodyA), snapshot.motionOf(bodyB), c === 0 ? recorded.joints.position[joint]! : 0))
  const limit = limitOf(world, recorded, joint, coordinates)
  if (typeof limit === 'string') return limit
  pushReactions(own, world, snapshot, recorded, joint, limit)
  if (limit !== null) {
    own.rows.pushJacobian(bodyA, bodyB, limit.jacobian, 0, 1, 0)
    own.note(ROW_UNILATERAL, limit.force)
  }
  return pushDrives(own, world, snapshot, recorded, joint, coordinates)
}

/** Its row pushes away from the bound. */
interface RecordedLimit {
  readonly force: number
  readonly jacobian: Float64Array
}

/** The pushing limit, null if there is none, or the reason why it is unknown. */
function limitOf(world: World, { joints }: RecordedForces, joint: number, coordinates: readonly JointCoordinate[]): RecordedLimit | null | string {
  const force = joints.limitForce[joint]!
  if (force === 0) return null
  const { constraint: { id }, coordinates: elements } = world.joints[joint]!
  const side = force > 0 ? 1 : -1
  const touched = coordinates.filter(({ position }, c) => {
    const limits = elements[c]?.limits ?? null
    if (limits === null) return false
    const bound = side === 1 ? limits.lower : limits.upper
    return Math.abs(position - bound) <= AT_LIMIT * (1 + Math.abs(bound))
  })
  if (touched.length !== 1) return `joint "${id}" is at a limit, and the frame does not record which`
  return { force: Math.abs(force), jacobian: touched[0]!.jacobian.map(value => side * value) }
}

/** The multipliers of a joint's equations are those whose wrench on one of its bodies equals the recorded reaction minus that of the limit. */
function pushReactions(own: RecordedRows, world: World, snapshot: Snapshot, { joints }: RecordedForces, joint: number, limit: RecordedLimit | null): void {
  const { constraint } = world.joints[joint]!
  const { bodyA, bodyB, rows } = constraint
  const out = jointEquations(constraint)
  evaluateJoint(constraint, body => snapshot.motionOf(body), out)
  const [side, sign] = bodyA >= 0 ? [0, 1] : [6, -1]
  const at = (column: Float64Array): Vec3 => [column[3 * joint]!, column[3 * joint + 1]!, column[3 * joint + 2]!]
  const force = scale(at(joints.force), sign)
  const { center } = snapshot.motionOf(bodyA >= 0 ? bodyA : bodyB)
  const torque = add(scale(at(joints.torque), sign), cross(sub(at(joints.anchor), center), force))
  const wrench = Float64Array.of(...force, ...torque)
  if (limit !== null) for (let k = 0; k < 6; k++) wrench[k] = wrench[k]! - limit.force * limit.jacobian[side + k]!
  const x = multipliersOf(Array.from({ length: rows }, (_, r) => out.jacobian.subarray(r * JACOBIAN_WIDTH + side, r * JACOBIAN_WIDTH + side + 6)), wrench)
  for (let r = 0; r < rows; r++) {
    own.rows.pushJoint(constraint, out, r)
    own.note(ROW_EQUALITY, x[r]!)
  }
}

/** Motors and friction that hold their velocity apply a force within their bounds; those at their bounds apply given forces and have no rows. */
function pushDrives(
  own: RecordedRows, world: World, snapshot: Snapshot, { forces }: RecordedForces, joint: number, coordinates: readonly JointCoordinate[],
): string | null {
  const { constraint: { id, bodyA, bodyB }, coordinates: elements, spinFriction } = world.joints[joint]!
  const entry = [...forces.source.keys()].find(k => forces.source[k] === joint && WRENCH_SOURCES[forces.sourceKind[k]!] === 'drive')
  if (entry === undefined) return null
  const side = forces.sourceBody[entry] === bodyA ? 0 : 6
  const wrench = forces.wrench.slice(6 * entry, 6 * entry + 6)
  if (spinFriction > 0) {
    const torque = scale([wrench[3]!, wrench[4]!, wrench[5]!], side === 0 ? 1 : -1)
    pushBallFriction(own, snapshot, bodyA, bodyB, torque, spinFriction)
    return null
  }
  const driven = elements.map((element, c) => ({ ...element, c })).filter(({ motor, friction }) => motor !== null || friction > 0)
  if (driven.some(({ motor, friction }) => motor !== null && friction > 0)) return `motor and friction of joint "${id}" act together`
  const x = multipliersOf(driven.map(({ c }) => coordinates[c]!.jacobian.subarray(side, side + 6)), wrench)
  driven.forEach(({ motor, friction, c }, k) => {
    const bound = motor?.maxForce ?? friction
    own.rows.pushJacobian(bodyA, bodyB, coordinates[c]!.jacobian, 0, 1, 0)
    own.note(ROW_BOX, Math.min(Math.max(x[k]!, -bound), bound), 0, bound)
  })
  return null
}

function pushBallFriction(own: RecordedRows, snapshot: Snapshot, bodyA: number, bodyB: number, torque: Vec3, limit: number): void {
  const axes: readonly Vec3[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
  const omega = sub(snapshot.motionOf(bodyA).angularVelocity, snapshot.motionOf(bodyB).angularVelocity)
  const size = length(torque)
  const sliding = size >= (1 - AT_BOUND) * limit && length(omega) > 0
  const rows = axes.map(axis => {
    own.rows.pushRotation(bodyA, bodyB, axis, 0)
    return own.note(ROW_SPIN, dot(torque, axis))
  })
  own.spin.push({ normal: -1, rows, limit, state: sliding ? 'sliding' : 'static', slip: torque.map(value => sliding ? -value / size : 0) })
}

/** x of least norm with Σ columns x = wrench, in the least-squares sense. */
function multipliersOf(columns: readonly Float64Array[], wrench: Float64Array): Float64Array {
  const packed = new Float64Array(6 * columns.length)
  columns.forEach((column, r) => packed.set(column, 6 * r))
  return leastNormSolve(packed, 6, columns.length, wrench, PIVOT_ZERO).x
}
