/**
 * Joints of the scene as limits and drives between two nodes: the joint's node on B, and the connected node on A [KHR_physics_rigid_bodies: joints].
 */

import { IDENTITY_POSE, relativePose, type Pose } from '../../math/pose'
import type { ResolvedBody, ResolvedJoint } from '../../scene'
import { drivesOf } from '../shared/drives'
import type { Losses } from '../shared/losses'
import { coordinatePath, framedJoint, type Coordinate } from '../shared/six-freedoms'
import type { GltfBuilder } from './build'
import { RIGID_BODIES, type GltfDrive, type GltfLimit, type GltfPhysicsJoint } from './json'
import { placing } from './write-shapes'

/** The scene's axes x, y, z of a frame in glTF: index and sign. */
const IN_GLTF = [[0, 1], [2, -1], [1, 1]] as const

export interface JointContext {
  readonly builder: GltfBuilder
  /** JSON path of the joint. */
  readonly where: string
  readonly bodies: ReadonlyMap<string, ResolvedBody>
  /** Adds a node below that of a body, or at the top level for the world. */
  readonly attach: (body: string | null, node: number) => void
  /** The index of a joint description. */
  readonly describe: (joint: GltfPhysicsJoint) => number
  readonly losses: Losses
}

export function addJointNodes(joint: ResolvedJoint, context: JointContext): void {
  const { where, losses } = context
  if (joint.type === 'gear') {
    losses.add(where, 'glTF has no gear', 'nothing: the two joints turn independently')
    return
  }
  if (joint.type === 'distance') {
    const upright = (position: Pose['position']): Pose => ({ position, orientation: [0, 0, 0, 1] })
    const limits: GltfLimit[] = [{ linearAxes: [0, 1, 2], min: joint.length, max: joint.length }]
    addNodes(joint, upright(joint.anchor), upright(joint.anchorB), { limits }, context)
    return
  }
  const framed = framedJoint(joint)
  if (framed === null) {
    losses.add(where, `glTF has no point on a ${joint.type === 'pointOnCurve' ? joint.curve.type : 'curve'}`, 'nothing: the bodies are not joined')
    return
  }
  const { linear, angular } = framed.freedoms
  const limits = [...limitsOf(linear, 'linearAxes'), ...limitsOf(angular, 'angularAxes')]
  const drives = (['linear', 'angular'] as const).flatMap(kind => framed.freedoms[kind].flatMap((coordinate, k) => {
    const path = `${where}${coordinatePath(joint, kind, k)}`
    if ((coordinate.friction ?? 0) > 0) losses.add(`${path}.friction`, 'glTF has no friction in joints', 'none')
    if (coordinate.motor !== undefined) losses.add(`${path}.motor`, 'a drive approaches its velocity by damping', 'a drive that reaches its force limit at 1 % velocity error')
    return drivesOn(coordinate, kind, k)
  }))
  addNodes(joint, framed.frame, framed.frame, { limits, ...drives.length > 0 ? { drives } : {} }, context)
}

function limitsOf(coordinates: readonly Coordinate[], key: 'linearAxes' | 'angularAxes'): GltfLimit[] {
  const locked = coordinates.flatMap(({ locked: held }, k) => held ? [IN_GLTF[k]![0]] : []).sort((a, b) => a - b)
  const bounded = coordinates.flatMap(({ locked: held, lower, upper }, k): GltfLimit[] => {
    if (held || (lower === undefined && upper === undefined)) return []
    const [axis, sign] = IN_GLTF[k]!
    const [min, max] = sign > 0 ? [lower, upper] : [upper === undefined ? undefined : -upper, lower === undefined ? undefined : -lower]
    return [{ [key]: [axis], ...min === undefined ? {} : { min }, ...max === undefined ? {} : { max } }]
  })
  return [...locked.length > 0 ? [{ [key]: locked, min: 0, max: 0 }] : [], ...bounded]
}

function drivesOn(coordinate: Coordinate, type: 'linear' | 'angular', k: number): GltfDrive[] {
  const [axis, sign] = IN_GLTF[k]!
  return drivesOf(coordinate).map(({ stiffness, damping, rest, targetVelocity, maxForce }) => ({
    type, mode: 'force', axis, ...stiffness > 0 ? { stiffness, positionTarget: sign * rest } : {}, damping,
    ...targetVelocity === 0 ? {} : { velocityTarget: sign * targetVelocity }, ...Number.isFinite(maxForce) ? { maxForce } : {},
  }))
}

function addNodes(joint: Exclude<ResolvedJoint, { type: 'gear' }>, frameA: Pose, frameB: Pose, description: GltfPhysicsJoint, context: JointContext): void {
  const { builder, bodies, attach, describe } = context
  const local = (id: string | null, frame: Pose): Pose => relativePose(id === null ? IDENTITY_POSE : bodies.get(id)!, frame)
  const connectedNode = builder.node({ name: `${joint.id}:A`, ...placing(local(joint.bodyA, frameA)) })
  attach(joint.bodyA, connectedNode)
  attach(joint.bodyB, builder.node({
    name: joint.id, ...placing(local(joint.bodyB, frameB)), ...joint.name === undefined ? {} : { extras: { cairn: { name: joint.name } } },
    extensions: { [RIGID_BODIES]: { joint: { connectedNode, joint: describe(description), ...joint.collide ? { enableCollision: true } : {} } } },
  }))
}
