/** A scene as glTF 2.0 with KHR_physics_rigid_bodies and KHR_implicit_shapes: one node for each body, y up. */

import { bodyMass, partsOf } from '../../analysis/solids'
import type { Pose } from '../../math/pose'
import { rotateInverse } from '../../math/quaternion'
import { length, type Vec3 } from '../../math/vector'
import type { ResolvedBody, ResolvedScene } from '../../scene'
import type { ExportResult, FormatOption, OptionValues } from '../format'
import { collisionClasses, type CollisionClasses } from '../shared/collision-classes'
import { principalInertia } from '../shared/inertia'
import { Losses } from '../shared/losses'
import { reportUnsupported } from '../shared/unsupported'
import { sizesToYUp, toYUp, turnToYUp } from './axes'
import { GltfBuilder } from './build'
import { IMPLICIT_SHAPES, RIGID_BODIES, type GltfNode, type GltfPhysicsJoint } from './json'
import { addJointNodes } from './write-joints'
import { meshesOf, picturesOf } from '../shared/visuals'
import { placing, shapeNodes, visualNodes } from './write-shapes'

export const exportOptions: readonly FormatOption[] = [
  { id: 'text', label: 'As text', help: 'A .gltf with its data in a .bin beside it, instead of one .glb.', kind: 'flag', default: false },
]

export function exportGltf(scene: ResolvedScene, name: string, options: OptionValues): ExportResult {
  const losses = new Losses()
  const builder = new GltfBuilder()
  builder.uses(RIGID_BODIES)
  reportUnsupported(scene, { target: 'glTF', kinematic: true, dynamicFriction: true, torsionalFriction: false, sensors: false, servos: true, breaking: false }, losses)
  tellCombination(scene, losses)
  const shapes = new Indexed()
  const joints = new Indexed()
  const extent = extentOf(scene)
  const materials = new Map(scene.materials.map((material, i) => [material.id, { ...material, index: i }]))
  const assets = { meshes: meshesOf(scene), pictures: picturesOf(scene) }
  const classes = collisionClasses(scene, true)
  const bodyNodes = new Map<string, number>()
  const roots: number[] = []
  scene.bodies.forEach((body, i) => {
    const children = body.shapes.flatMap((shape, k) => shapeNodes(shape, {
      builder, name: `${body.id}:${k}`, where: `bodies[${i}].shapes[${k}]`, extent, losses, shown: body.visuals === undefined,
      collisionFilter: classes === null ? null : classes.of[i]!,
      material: builder.material(shape.material, materials.get(shape.material)!.color), physicsMaterial: materials.get(shape.material)!.index,
      implicit: one => {
        builder.uses(IMPLICIT_SHAPES)
        return shapes.index(one)
      },
    }))
    const node = builder.node(bodyNode(body, scene, [...children, ...visualNodes(body, i, assets, builder, losses)]))
    bodyNodes.set(body.id, node)
    roots.push(node)
  })
  const bodies = new Map(scene.bodies.map(body => [body.id, body]))
  const attach = (body: string | null, node: number): void => {
    if (body === null) {
      roots.push(node)
      return
    }
    const owner = builder.json.nodes[bodyNodes.get(body)!]!
    owner.children = [...owner.children ?? [], node]
  }
  scene.joints.forEach((joint, i) => addJointNodes(joint, { builder, where: `joints[${i}]`, bodies, attach, losses, describe: (one: GltfPhysicsJoint) => joints.index(one) }))
  builder.json.scenes = [{ ...scene.name === undefined ? {} : { name: scene.name }, nodes: roots, extras: { cairn: { gravity: toYUp(scene.gravity) } } }]
  builder.json.extensions = {
    [RIGID_BODIES]: {
      ...scene.materials.length > 0 ? { physicsMaterials: scene.materials.map(physicsMaterial) } : {},
      ...joints.list.length > 0 ? { physicsJoints: joints.list } : {},
      ...classes === null ? {} : { collisionFilters: collisionFilters(classes) },
    },
    ...shapes.list.length > 0 ? { [IMPLICIT_SHAPES]: { shapes: shapes.list } } : {},
  }
  return { files: builder.files(name, options.text !== true), losses: losses.list }
}

/** One collision system for each class of bodies, with the systems that it touches. */
function collisionFilters({ touch }: CollisionClasses): object[] {
  const systemOf = (one: number): string => `kind-${one + 1}`
  return touch.map((row, k) => ({ collisionSystems: [systemOf(k)], collideWithSystems: row.flatMap((touches, other) => touches ? [systemOf(other)] : []) }))
}

/** Deduplicated items of a kind. */
class Indexed {
  readonly list: object[] = []
  private readonly known = new Map<string, number>()

  index(one: object): number {
    const key = JSON.stringify(one)
    let index = this.known.get(key)
    if (index === undefined) {
      index = this.list.push(one) - 1
      this.known.set(key, index)
    }
    return index
  }
}

/** Half the side of the square that represents a half-space, m: it covers the whole scene. */
export function extentOf(scene: ResolvedScene): number {
  return scene.bodies.reduce((most, body) => Math.max(most, 2 * length(body.position)), 10)
}

function physicsMaterial({ id, friction, restitution, density, color }: ResolvedScene['materials'][number]): object {
  return {
    name: id, staticFriction: friction.static, dynamicFriction: friction.dynamic, restitution, frictionCombine: 'average', restitutionCombine: 'maximum',
    // Material of colliders that are not visible.
    extras: { cairn: { id, density, color } },
  }
}

function tellCombination(scene: ResolvedScene, losses: Losses): void {
  const coefficients = new Set(scene.materials.map(({ friction }) => `${friction.static} ${friction.dynamic}`))
  if (coefficients.size > 1) losses.add('materials', 'glTF has no geometric mean of two materials\' friction', 'their average')
}

function bodyNode(body: ResolvedBody, scene: ResolvedScene, children: readonly number[]): GltfNode {
  const kept = { ...body.type === 'fixed' ? { body: 'fixed' } : {}, ...body.name === undefined ? {} : { name: body.name } }
  return {
    name: body.id, ...placing(body as Pose), ...children.length > 0 ? { children: [...children] } : {},
    ...body.type === 'fixed' ? {} : { extensions: { [RIGID_BODIES]: { motion: motionOf(body, scene) } } },
    ...Object.keys(kept).length > 0 ? { extras: { cairn: kept } } : {},
  }
}

function motionOf(body: ResolvedBody, scene: ResolvedScene): object {
  const local = (v: Vec3): Vec3 => toYUp(rotateInverse(body.orientation, v))
  const moving = (v: Vec3): boolean => v.some(x => x !== 0)
  const velocities = {
    ...moving(body.linearVelocity) ? { linearVelocity: local(body.linearVelocity) } : {},
    ...moving(body.angularVelocity) ? { angularVelocity: local(body.angularVelocity) } : {},
  }
  if (body.type === 'kinematic') return { isKinematic: true, ...velocities }
  const { mass, centerOfMass, inertia } = bodyMass(body, partsOf(body, scene))
  const { moments, axes } = principalInertia(inertia)
  return {
    mass, centerOfMass: toYUp(centerOfMass), inertiaDiagonal: sizesToYUp(moments), inertiaOrientation: turnToYUp(axes), ...velocities,
  }
}
