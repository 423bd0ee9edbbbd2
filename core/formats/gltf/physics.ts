/** Physics data of a node in terms of KHR_physics_rigid_bodies; the OMI_physics extensions are translated into these. */

import { FormatError } from '../shared/error'
import { arrayOf, IMPLICIT_SHAPES, objectOf, RIGID_BODIES, type Gltf, type GltfDrive, type GltfLimit, type GltfNode } from './json'

export interface Motion {
  readonly type: 'dynamic' | 'kinematic' | 'static'
  readonly mass?: number
  readonly centerOfMass?: readonly number[]
  readonly inertiaDiagonal?: readonly number[]
  readonly inertiaOrientation?: readonly number[]
  readonly linearVelocity?: readonly number[]
  readonly angularVelocity?: readonly number[]
  readonly gravityFactor?: number
}

export interface Collider {
  /** `{ type, box: … }`; null if the collider is a mesh. */
  readonly shape: Readonly<Record<string, unknown>> | null
  readonly mesh: number | null
  /** Node whose mesh is the collider, if it is another one. */
  readonly node: number | null
  readonly convexHull: boolean
  readonly material: number | null
  /** Index of the collision filter. */
  readonly filter: number | null
}

export interface NodeJoint {
  /** The node whose body moves relative to the body of the joint's node. */
  readonly connected: number
  /** The node of the other body, if the joint's node only places the frame. */
  readonly base: number | null
  readonly limits: readonly GltfLimit[]
  readonly drives: readonly GltfDrive[]
  readonly collide: boolean
}

export interface NodePhysics {
  readonly motion: Motion | null
  readonly collider: Collider | null
  readonly trigger: boolean
  readonly joint: NodeJoint | null
}

export function readsPhysics(json: Gltf): boolean {
  return [json.extensionsUsed, json.extensionsRequired].some(list => arrayOf(list).some(name => /^(KHR_physics_rigid_bodies|OMI_physics_(body|shape|joint))$/.test(String(name))))
}

/** @throws FormatError for invalid references */
export function physicsOf(json: Gltf, node: GltfNode, where: string): NodePhysics {
  const khr = objectOf(node.extensions?.[RIGID_BODIES])
  const omi = objectOf(node.extensions?.OMI_physics_body)
  const shapes = arrayOf(objectOf(json.extensions?.[IMPLICIT_SHAPES] ?? json.extensions?.OMI_physics_shape).shapes)
  const own = Object.keys(khr).length > 0 ? khr : omi
  const motion = own.motion === undefined ? null : readMotion(objectOf(own.motion), own === omi)
  return {
    motion, collider: own.collider === undefined ? null : readCollider(objectOf(own.collider), shapes, where),
    trigger: own.trigger !== undefined, joint: readJoint(json, node, where),
  }
}

function readMotion(motion: Readonly<Record<string, unknown>>, omi: boolean): Motion {
  const type = omi ? motion.type === 'static' || motion.type === 'kinematic' ? motion.type : 'dynamic' : motion.isKinematic === true ? 'kinematic' : 'dynamic'
  const numbers = (key: string, count: number): readonly number[] | undefined => {
    const value = motion[key]
    return Array.isArray(value) && value.length === count && value.every(Number.isFinite) ? value as readonly number[] : undefined
  }
  const number = (key: string): number | undefined => typeof motion[key] === 'number' && Number.isFinite(motion[key]) ? motion[key] : undefined
  const stated: Record<string, unknown> = {
    mass: number('mass') ?? (omi && type === 'dynamic' ? 1 : undefined), centerOfMass: numbers('centerOfMass', 3), inertiaDiagonal: numbers('inertiaDiagonal', 3),
    inertiaOrientation: numbers('inertiaOrientation', 4), linearVelocity: numbers('linearVelocity', 3), angularVelocity: numbers('angularVelocity', 3),
    gravityFactor: number('gravityFactor'),
  }
  return { type, ...Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)) }
}

function readCollider(collider: Readonly<Record<string, unknown>>, shapes: readonly unknown[], where: string): Collider {
  const geometry = collider.geometry === undefined ? collider : objectOf(collider.geometry)
  const index = (value: unknown): number | null => typeof value === 'number' && Number.isInteger(value) ? value : null
  const at = index(geometry.shape)
  if (at !== null && shapes[at] === undefined) {
    throw new FormatError('UnknownReference', where, `Its collider refers to shape ${at}, which does not exist.`, { value: at, allowed: `0 to ${shapes.length - 1}` })
  }
  const shape = at === null ? null : objectOf(shapes[at])
  // Earlier drafts list meshes among the shapes.
  const inner = shape?.type === 'mesh' || shape?.type === 'convex' || shape?.type === 'trimesh' ? objectOf(shape.mesh ?? shape[String(shape.type)]) : null
  return {
    shape: inner === null ? shape : null, mesh: index(inner?.mesh ?? geometry.mesh), node: index(geometry.node),
    convexHull: geometry.convexHull === true || shape?.type === 'convex' || objectOf(objectOf(shape?.extensions)[RIGID_BODIES]).convexHull === true,
    material: index(collider.physicsMaterial), filter: index(collider.collisionFilter),
  }
}

function readJoint(json: Gltf, node: GltfNode, where: string): NodeJoint | null {
  const khr = objectOf(objectOf(node.extensions?.[RIGID_BODIES]).joint)
  const omi = objectOf(node.extensions?.OMI_physics_joint)
  const own = Object.keys(khr).length > 0 ? khr : omi
  if (Object.keys(own).length === 0) return null
  const document = objectOf(json.extensions?.[own === khr ? RIGID_BODIES : 'OMI_physics_joint'])
  const unknown = (what: string, value: unknown) => new FormatError('UnknownReference', where, `Its joint refers to ${what} ${String(value)}, which does not exist.`, { value })
  if (Array.isArray(own.constraints)) {
    const constraints = arrayOf(document.constraints ?? document.physicsJoints)
    const limits = own.constraints.map((i): GltfLimit => {
      const { lowerLimit = 0, upperLimit = 0, ...rest } = objectOf(constraints[i as number] ?? (() => { throw unknown('constraint', i) })()) as Record<string, number>
      return { ...rest, min: lowerLimit, max: upperLimit } as GltfLimit
    })
    if (typeof own.nodeA !== 'number' || typeof own.nodeB !== 'number') throw unknown('node', own.nodeA ?? own.nodeB)
    return { connected: own.nodeA, base: own.nodeB, limits, drives: [], collide: false }
  }
  const joint = arrayOf(document.physicsJoints)[own.joint as number]
  if (joint === undefined) throw unknown('joint', own.joint)
  if (typeof own.connectedNode !== 'number' || json.nodes?.[own.connectedNode] === undefined) throw unknown('node', own.connectedNode)
  const { limits, drives } = objectOf(joint)
  return {
    connected: own.connectedNode, base: null, limits: arrayOf(limits) as readonly GltfLimit[], drives: arrayOf(drives) as readonly GltfDrive[],
    collide: own.enableCollision === true,
  }
}
