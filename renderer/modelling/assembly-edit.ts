/**
 * Dragging a mechanism of the document: poses of bodies and instances (which are rigid), anchors and axes of joints, and values that count
 * from the initial pose.
 */

import {
  Assembly, connectedBodies, gearJoint, jointConstraint, WORLD_MOTION, type AssemblyCoordinate, type Joined, type JointConstraint,
} from '../../core/dynamics/joints'
import type { BodyMotion } from '../../core/geometry/motion'
import type { Mat3 } from '../../core/math/matrix'
import { toOuter } from '../../core/math/pose'
import { toMatrix } from '../../core/math/quaternion'
import { length, sub, ZERO, type Vec3 } from '../../core/math/vector'
import { withRigidInstances } from '../../core/modelling'
import { actingOn, freedomsOf, indexOfIds, resolveScene, type Joint, type ResolvedJoint, type Scene } from '../../core/scene'
import { massesOf } from '../state/body-masses'
import { isAbsent } from '../state/joint-presence'
import { jointsOf } from '../state/scene-access'
import { moveJoint, type RigidMotion } from '../viewport/gizmos/rigid-edit'
import { wholeOf } from './pieces'
import { writePoses } from './poses-edit'

export interface PulledAssembly {
  readonly assembly: Assembly
  /** Index of the dragged body, and the bodies that may move with it; with the ids of the bodies and instances by index. */
  readonly body: number
  readonly moving: readonly number[]
  readonly ids: readonly string[]
  /** m: size of the mechanism. */
  readonly size: number
  readonly joints: readonly ResolvedJoint[]
  readonly coordinates: readonly (AssemblyCoordinate & { readonly id: string })[]
}

/** m */
const MIN_SIZE = 1e-3

const numberAt = (column: Float64Array, at: number): Vec3 => [column[at]!, column[at + 1]!, column[at + 2]!]

/** Null if the body is fixed or has no joints. @throws RangeError if a joint's frames are inconsistent */
export function assemblyAt(document: Scene, id: string): PulledAssembly | null {
  const scene = withRigidInstances(document)
  const resolved = resolveScene(scene)
  const indices = new Map(resolved.bodies.map((body, k) => [body.id, k] as const))
  const pulled = indices.get(wholeOf(document, id)) ?? -1
  const masses = massesOf(scene)
  if (pulled < 0 || !(masses.inverseMass[pulled]! > 0)) return null
  const bodies = resolved.bodies.map(({ position, orientation }, k) => ({
    pose: { position, orientation }, center: numberAt(masses.centers, 3 * k), inverseMass: masses.inverseMass[k]!,
    inverseInertia: Array.from(masses.inverseInertia.subarray(9 * k, 9 * k + 9)) as unknown as Mat3,
  }))
  const motions = bodies.map(({ pose, center }): BodyMotion => (
    { pose, rotation: toMatrix(pose.orientation), center: toOuter(pose, center), velocity: ZERO, angularVelocity: ZERO }
  ))
  const side = (of: string | null) => of === null ? -1 : indices.get(of)!
  const made = new Map<string, JointConstraint>()
  for (const joint of resolved.joints) {
    if (joint.type === 'gear' || isAbsent(joint, 0)) continue
    const [a, b] = [side(joint.bodyA), side(joint.bodyB)]
    const joined: Joined = { id: joint.id, bodyA: a, bodyB: b, initialA: motions[a] ?? WORLD_MOTION, initialB: motions[b] ?? WORLD_MOTION }
    made.set(joint.id, jointConstraint({ ...joint, ...joined } as Parameters<typeof jointConstraint>[0]))
  }
  for (const { id: gear, type, ...joint } of resolved.joints.filter(one => one.type === 'gear')) {
    made.set(gear, gearJoint({ id: gear, type, jointA: made.get(joint.jointA)!, jointB: made.get(joint.jointB)!, ratio: joint.ratio }))
  }
  const moves = (body: number) => bodies[body]!.inverseMass > 0
  const connected = connectedBodies(pulled, [...made.values()], moves)
  const joints = resolved.joints.filter(({ id: joint }) => {
    const constraint = made.get(joint)
    if (constraint === undefined) return false
    const { bodyA, bodyB, second } = constraint
    return [bodyA, bodyB, second?.bodyA ?? -1, second?.bodyB ?? -1].some(body => body >= 0 && moves(body) && connected.has(body))
  })
  if (joints.length === 0) return null
  const coordinates = joints.flatMap(joint => joint.type === 'gear' ? [] : Array.from({ length: made.get(joint.id)!.coordinates }, (_, index) => {
    const freedom = freedomsOf(joint)[index]
    const limits = freedom && actingOn(joint, freedom).limits
    return { id: joint.id, joint: made.get(joint.id)!, index, lower: limits?.lower ?? -Infinity, upper: limits?.upper ?? Infinity }
  }))
  const moving = [...connected].filter(moves)
  const places = [...moving.map(body => motions[body]!.center), ...joints.flatMap(joint => joint.type === 'gear' ? [] : [joint.anchor])]
  const size = Math.max(...places.map(place => length(sub(place, motions[pulled]!.center))), MIN_SIZE)
  return {
    assembly: new Assembly(bodies, joints.map(joint => made.get(joint.id)!), coordinates), body: pulled, moving, size, joints, coordinates,
    ids: resolved.bodies.map(body => body.id),
  }
}

/** Writes the mechanism's pose into a draft of the document that it was made from. */
export function applyAssembly(draft: Scene, before: Scene, { assembly, moving, ids, joints, coordinates }: PulledAssembly): void {
  const motions = writePoses(draft, before, new Map(moving.map(body => [ids[body]!, assembly.now[body]!])))
  const places = indexOfIds(jointsOf(before))
  const positions = assembly.positions
  for (const joint of joints) {
    if (joint.type === 'gear') continue
    const index = places.get(joint.id)!
    carryJoint(draft.joints![index]!, before.joints![index]!, motions.get(joint.bodyA ?? '') ?? null, motions.get(joint.bodyB ?? '') ?? null)
    coordinates.forEach((coordinate, k) => { if (coordinate.id === joint.id) countFrom(draft.joints![index]!, coordinate.index, positions[k]!) })
  }
}

/** Keys of a joint that are fixed in A; the others are fixed in B. */
const IN_A = ['anchor', 'axisA']
const IN_B = ['anchorB', 'axis', 'axisB', 'normal', 'curve']

/** Anchors and axes move with the body that they are fixed in. */
function carryJoint(target: Joint, from: Joint, a: RigidMotion | null, b: RigidMotion | null): void {
  for (const [motion, keys] of [[a, IN_A], [b, IN_B]] as const) {
    if (!motion) continue
    const moved = structuredClone(from)
    moveJoint(moved, from, motion)
    for (const key of keys) {
      const value = (moved as unknown as Record<string, unknown>)[key]
      if (value !== undefined) (target as unknown as Record<string, unknown>)[key] = value
    }
  }
}

/** rad or m */
const ROUNDING = 1e-9

interface Freedom {
  limits?: { lower?: number; upper?: number }
  servo?: { target?: number; keys?: { target: number }[] }
  spring?: { rest?: number }
}

/** Joint coordinates are 0 at the document's pose, so limits and other values are shifted by the coordinate's change. */
function countFrom(joint: Joint, index: number, position: number): void {
  const places: Readonly<Record<string, readonly string[]>> = { universal: ['rotationA', 'rotationB'], cylindrical: ['rotation', 'translation'] }
  const key = places[joint.type]?.[index]
  const freedom = (key === undefined ? joint : (joint as unknown as Record<string, unknown>)[key]) as Freedom | undefined
  if (!freedom || position === 0) return
  const { limits, servo, spring } = freedom
  // A joint at its limit gets exactly 0, without rounding errors.
  const moved = (bound: number) => Math.abs(bound - position) < ROUNDING ? 0 : bound - position
  if (limits?.lower !== undefined) limits.lower = moved(limits.lower)
  if (limits?.upper !== undefined) limits.upper = moved(limits.upper)
  if (servo) {
    servo.target = (servo.target ?? 0) - position
    for (const one of servo.keys ?? []) one.target -= position
  }
  if (spring) spring.rest = (spring.rest ?? 0) - position
}
