/** Joints of glTF nodes: limits and drives of the connected node's frame relative to the joint's frame [KHR_physics_rigid_bodies: joints]. */

import type { Pose } from '../../math/pose'
import { distance } from '../../math/vector'
import type { SceneDraft } from '../shared/draft'
import { driven, withDrive } from '../shared/drives'
import { FREE, jointOfFreedoms, LOCKED, type Coordinate, type Lose, type SixFreedoms } from '../shared/six-freedoms'
import type { GltfLimit } from './json'
import type { NodeJoint } from './physics'

export interface JointEnds {
  readonly name: string | undefined
  /** Displayed name, if different. */
  readonly shown: string | undefined
  /** Name of the node in losses. */
  readonly where: string
  readonly bodyA: string | null
  readonly bodyB: string | null
  readonly frameA: Pose
  readonly frameB: Pose
}

/** Axes of a frame in glTF, y up, by those in the scene: [axis, sign]. */
const IN_SCENE = [0, 2, 1] as const

/** Adds the joint to the draft, or records a loss. */
export function addJoint(joint: NodeJoint, { name, shown = name, where, bodyA, bodyB, frameA, frameB }: JointEnds, draft: SceneDraft): void {
  const lose: Lose = (message, instead) => draft.losses.add(where, message, instead)
  if (bodyA === bodyB) {
    lose(bodyA === null ? 'it joins the world to itself' : `it joins "${bodyA}" to itself`, 'nothing')
    return
  }
  const base = { bodyA, bodyB, ...joint.collide ? { collide: true } : {} }
  const rod = joint.limits.find(limit => limit.linearAxes?.length === 3 && (limit.max ?? 0) > 0)
  if (rod !== undefined) {
    const { min = 0, max = 0 } = rod
    if (joint.limits.length > 1 || joint.drives.length > 0 || Math.abs(max - min) > 1e-9 * max) {
      lose(`it keeps a distance from ${min} m to ${max} m, and Cairn's distance joint has only one distance`, 'nothing: the bodies are not joined')
      return
    }
    const apart = distance(frameA.position, frameB.position)
    if (Math.abs(apart - max) > 1e-6 * max) lose(`its points are ${apart.toPrecision(6)} m apart at the start`, `a rod of ${max} m; the bodies have to be placed at that distance before a run`)
    draft.joint(name, { ...base, type: 'distance', anchor: frameA.position, anchorB: frameB.position, length: max }, shown)
    return
  }
  const found = jointOfFreedoms(base, frameA, frameB, freedomsOf(joint, lose))
  for (const [message, instead] of found.losses) lose(message, instead)
  if (found.joint !== null) draft.joint(name, found.joint, shown)
}

function freedomsOf({ limits, drives }: NodeJoint, lose: Lose): SixFreedoms {
  const linear: Coordinate[] = [FREE, FREE, FREE]
  const angular: Coordinate[] = [FREE, FREE, FREE]
  for (const limit of limits) {
    if (limit.stiffness !== undefined) lose('a soft limit', 'a hard limit')
    bound(limit.linearAxes ?? [], linear, limit, 'translation', lose)
    bound(limit.angularAxes ?? [], angular, limit, 'rotation', lose)
  }
  for (const drive of drives) {
    const list = drive.type === 'angular' ? angular : linear
    const sign = drive.axis === 2 ? -1 : 1
    const at = IN_SCENE[drive.axis]
    if (at === undefined || list[at] === undefined || list[at].locked) continue
    if (drive.mode === 'acceleration') lose('a drive whose stiffness and damping give accelerations', 'a drive whose stiffness and damping have these values and give forces')
    const { stiffness = 0, damping = 0, velocityTarget = 0, positionTarget = 0, maxForce = Infinity } = drive
    const made = driven({ stiffness, damping, targetVelocity: sign * velocityTarget, maxForce, rest: sign * positionTarget }, `the ${drive.type} drive`, lose)
    list[at] = withDrive(list[at], made)
  }
  return { linear: linear as unknown as SixFreedoms['linear'], angular: angular as unknown as SixFreedoms['angular'] }
}

function bound(axes: readonly number[], list: Coordinate[], { min, max }: GltfLimit, what: string, lose: Lose): void {
  const held = max !== undefined && (axes.length === 1 ? min === max : max === 0)
  if (!held && axes.length > 1) lose(`a common limit of the ${what} in ${axes.length} directions`, 'none')
  for (const axis of axes) {
    const at = IN_SCENE[axis]
    if (at === undefined) continue
    if (held) {
      if (max !== 0) lose(`${what} ${'xyz'[axis]} is held at ${max}`, 'a coordinate that is held at its initial value')
      list[at] = LOCKED
    } else if (axes.length === 1) {
      const [low, high] = axis === 2 ? [max === undefined ? undefined : -max, min === undefined ? undefined : -min] : [min, max]
      list[at] = { ...list[at]!, locked: false, ...low === undefined ? {} : { lower: low }, ...high === undefined ? {} : { upper: high } }
    }
  }
}

