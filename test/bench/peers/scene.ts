/** Converts the neutral scenes of the harness (`rigid-scene/1`, described beside them) to Cairn scenes. */

import type { Quat } from '../../../core/math/quaternion'
import { scale, type Vec3 } from '../../../core/math/vector'
import type { Body, Joint, Scene, Shape, Simulation } from '../../../core/scene'

export type NeutralShape =
  | { readonly type: 'box', readonly halfExtents: Vec3 }
  | { readonly type: 'sphere', readonly radius: number }
  | { readonly type: 'hull', readonly vertices: Vec3[], readonly faces: number[][] }

export interface NeutralBody {
  readonly id: string
  readonly type: 'static' | 'dynamic'
  readonly shape: NeutralShape
  readonly position: Vec3
  /** `[x, y, z, w]` */
  readonly quaternion: Quat
  readonly linearVelocity?: Vec3
  readonly angularVelocity?: Vec3
  readonly mass?: number
  /** Diagonal of the inertia tensor about the centre of mass, which is the frame's origin. */
  readonly inertia?: Vec3
  readonly spawnTime?: number
}

export interface NeutralJoint {
  readonly id: string
  readonly type: 'hinge' | 'ball'
  readonly a: string | null
  readonly b: string
  readonly anchor: Vec3
  readonly axis?: Vec3
}

export interface NeutralScene {
  readonly format: string
  readonly id: string
  readonly title: string
  readonly gravity: Vec3
  /** s */
  readonly dt: number
  readonly duration: number
  readonly material: { readonly friction: number, readonly restitution: number }
  readonly bodies: readonly NeutralBody[]
  readonly joints: readonly NeutralJoint[]
  readonly analysis: { readonly type: string }
}

/** Settings of a profile for `simulation` in the scene file, besides times. */
export type SimulationSettings = Simulation

const MATERIAL = 'all'
/** Ids of neutral scenes may contain characters that Cairn's may not; removing these leaves all ids distinct. */
const idOf = (id: string): string => id.replace(/[^A-Za-z0-9_.-]/g, sign => sign === '+' ? 'plus' : '_')

/**
 * The same scene in Cairn's format, recorded at every nominal step.
 *
 * The ideal of a cradle is that of impacts one after another, a law that a scene has to ask for; every other setting is the profile's.
 */
export function toCairn(scene: NeutralScene, dt: number, simulation: SimulationSettings): Scene {
  if (scene.format !== 'rigid-scene/1') throw new Error(`${scene.id}: unknown format ${scene.format}`)
  const { friction, restitution } = scene.material
  const steps = Math.round(scene.duration / dt)
  return {
    format: 'cairn-scene', version: 1, name: scene.title, gravity: scene.gravity,
    materials: [{ id: MATERIAL, density: 1000, friction: { static: friction, dynamic: friction }, restitution }],
    bodies: scene.bodies.map(toBody),
    joints: scene.joints.map(({ id, type, a, b, anchor, axis }) => (
      { id: idOf(id), type, bodyA: a === null ? null : idOf(a), bodyB: idOf(b), anchor, ...(type === 'hinge' ? { axis: axis! } : {}) } as Joint)),
    simulation: {
      duration: steps * dt, outputRate: 1 / dt, ...simulation,
      ...(scene.analysis.type === 'cradle' ? { eventDriven: { ...simulation.eventDriven, impact: 'sequential' } } : {}),
    },
  }
}

function toBody(body: NeutralBody): Body {
  const { id, position, quaternion: orientation, shape } = body
  const common = { id: idOf(id), position, orientation, spawnTime: body.spawnTime ?? 0, shapes: [toShape(shape)] }
  if (body.type === 'static') return { ...common, type: 'fixed' }
  const [xx, yy, zz] = body.inertia!
  return {
    ...common, type: 'dynamic', linearVelocity: body.linearVelocity!, angularVelocity: body.angularVelocity!,
    mass: { mass: body.mass!, centerOfMass: [0, 0, 0], inertia: [xx, yy, zz, 0, 0, 0] },
  }
}

function toShape(shape: NeutralShape): Shape {
  switch (shape.type) {
    case 'box':
      return { type: 'box', size: scale(shape.halfExtents, 2), material: MATERIAL }
    case 'sphere':
      return { type: 'sphere', radius: shape.radius, material: MATERIAL }
    case 'hull':
      return { type: 'polyhedron', vertices: shape.vertices, faces: shape.faces, material: MATERIAL }
  }
}
