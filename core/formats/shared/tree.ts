/**
 * Tree formats: links connected to their parents by joints with coordinates. A link's pose in its parent is that of the reference configuration, in
 * which all coordinates are 0. Its joints then move it in their order, as defined by MuJoCo and URDF.
 */

import type { BodyMass } from '../../geometry/mass'
import { IDENTITY_POSE, composePoses, toOuter, type Pose } from '../../math/pose'
import { multiplyQuaternions, rotate, type Quat } from '../../math/quaternion'
import { add, addScaled, cross, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import type { Shape, Visual } from '../../scene'
import { aboutAxis } from './rotations'

export interface TreeFreedom {
  /** Bounds of the coordinate, rad or m. */
  readonly lower?: number
  readonly upper?: number
  /** N m s/rad or N s/m */
  readonly damping: number
  /** N m or N */
  readonly friction: number
  /** N m/rad or N/m */
  readonly stiffness: number
  /** Coordinate of the relaxed spring. */
  readonly rest: number
  readonly motor?: { readonly targetVelocity: number; readonly maxForce: number }
  /** Holds a coordinate: force = stiffness (target − position) − damping × velocity, at most maxForce. */
  readonly servo?: { readonly target: number; readonly stiffness: number; readonly damping: number; readonly maxForce?: number }
}

export const FREE: TreeFreedom = { damping: 0, friction: 0, stiffness: 0, rest: 0 }

export interface TreeJoint {
  readonly name: string | undefined
  /** Element and line of the file. */
  readonly where: string
  readonly type: 'free' | 'ball' | 'hinge' | 'slide'
  /** In the link's frame, m. */
  readonly anchor: Vec3
  /** In the link's frame; any non-zero length. */
  readonly axis: Vec3
  freedom: TreeFreedom
}

export interface TreeLink {
  readonly name: string | undefined
  readonly where: string
  /** Index of the parent, less than the link's own; −1 for the world. */
  readonly parent: number
  readonly pose: Pose
  readonly joints: readonly TreeJoint[]
  /** For a link without joints: its named fixed joint, with the anchor in the link's frame. */
  readonly weld?: { readonly name: string; readonly anchor: Vec3 }
  /** In the link's frame; null if not specified. */
  mass: BodyMass | null
  readonly shapes: Shape[]
  /** Visuals in the link's frame; null if it shows its shapes. */
  visuals: readonly Visual[] | null
  /** Moves as prescribed, unaffected by contacts. */
  readonly kinematic: boolean
}

/** Coordinates of one joint: free [x, y, z, w x y z of the quaternion], ball the quaternion [w, x, y, z], otherwise one number. */
export interface TreeState {
  readonly positions: readonly (readonly (readonly number[])[])[]
  /** Free: velocity of the link's origin in the world, then angular velocity in the link's frame; ball: only the latter. */
  readonly velocities: readonly (readonly (readonly number[])[])[]
}

export interface PlacedJoint {
  /** World frame, before the joint's own rotation. */
  readonly anchor: Vec3
  readonly axis: Vec3
  readonly position: readonly number[]
  readonly velocity: readonly number[]
}

export interface PlacedLink {
  readonly pose: Pose
  /** Of the link's origin, world frame. */
  readonly velocity: Vec3
  readonly angularVelocity: Vec3
  readonly joints: readonly PlacedJoint[]
  /** Poses before the first joint, and after each. */
  readonly stages: readonly Pose[]
}

export function referenceState(links: readonly TreeLink[]): TreeState {
  const positions = links.map(link => link.joints.map(({ type }) => {
    if (type === 'ball') return [1, 0, 0, 0]
    if (type !== 'free') return [0]
    const { position, orientation: [x, y, z, w] } = link.pose
    return [...position, w, x, y, z]
  }))
  const sizes = { free: 6, ball: 3, hinge: 1, slide: 1 }
  return { positions, velocities: links.map(link => link.joints.map(({ type }) => new Array<number>(sizes[type]).fill(0))) }
}

const quaternionOf = ([w, x, y, z]: readonly number[]): Quat => [x!, y!, z!, w!]

/** Pose and velocity of every link. */
export function placeLinks(links: readonly TreeLink[], state: TreeState): PlacedLink[] {
  const placed: PlacedLink[] = []
  links.forEach((link, i) => {
    const parent = link.parent < 0 ? null : placed[link.parent]!
    let pose = composePoses(parent?.pose ?? IDENTITY_POSE, link.pose)
    const stages = [pose]
    const joints = link.joints.map((joint, j): PlacedJoint => {
      const position = state.positions[i]![j]!
      const anchor = toOuter(pose, joint.anchor)
      const axis = rotate(pose.orientation, joint.axis)
      pose = moved(pose, joint, anchor, axis, position)
      stages.push(pose)
      return { anchor, axis, position, velocity: state.velocities[i]![j]! }
    })
    let angularVelocity = parent?.angularVelocity ?? ZERO
    let velocity = parent === null ? ZERO : add(parent.velocity, cross(parent.angularVelocity, sub(pose.position, parent.pose.position)))
    joints.forEach(({ anchor, axis, velocity: rate }, j) => {
      const { type } = link.joints[j]!
      if (type === 'slide') {
        velocity = addScaled(velocity, axis, rate[0]!)
      } else if (type === 'free') {
        velocity = [rate[0]!, rate[1]!, rate[2]!]
        angularVelocity = rotate(pose.orientation, [rate[3]!, rate[4]!, rate[5]!])
      } else {
        const turn = type === 'hinge' ? scale(axis, rate[0]!) : rotate(pose.orientation, [rate[0]!, rate[1]!, rate[2]!])
        angularVelocity = add(angularVelocity, turn)
        velocity = add(velocity, cross(turn, sub(pose.position, anchor)))
      }
    })
    placed.push({ pose, velocity, angularVelocity, joints, stages })
  })
  return placed
}

function moved(pose: Pose, joint: TreeJoint, anchor: Vec3, axis: Vec3, position: readonly number[]): Pose {
  switch (joint.type) {
    case 'free':
      return { position: [position[0]!, position[1]!, position[2]!], orientation: quaternionOf(position.slice(3)) }
    case 'slide':
      return { position: addScaled(pose.position, axis, position[0]!), orientation: pose.orientation }
    default: {
      if (joint.type === 'hinge' && position[0] === 0) return pose
      const turn = joint.type === 'ball' ? quaternionOf(position) : aboutAxis(joint.axis, position[0]!)
      const orientation = multiplyQuaternions(pose.orientation, turn)
      return { position: sub(anchor, rotate(orientation, joint.anchor)), orientation }
    }
  }
}
