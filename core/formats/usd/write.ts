/** A scene as OpenUSD with UsdPhysics, in usda: metres, kilograms, z up, degrees. */

import { bodyMass, partsOf } from '../../analysis/solids'
import type { Pose } from '../../math/pose'
import { length, scale } from '../../math/vector'
import type { ResolvedBody, ResolvedMaterial, ResolvedScene } from '../../scene'
import type { ExportResult, FormatFile } from '../format'
import { collisionClasses, type CollisionClasses } from '../shared/collision-classes'
import { linearOf } from '../shared/colors'
import { principalInertia } from '../shared/inertia'
import { Losses } from '../shared/losses'
import { Names } from '../shared/names'
import { reportUnsupported } from '../shared/unsupported'
import { meshesOf, picturesOf, shapeOfVisual } from '../shared/visuals'
import { Looks } from './write-looks'
import { DEGREE } from './transform'
import { identifier, path, property, quoted, tuple, writeUsda, type UsdaPrim, type UsdaProperty } from './usda-write'
import { jointPrim } from './write-joints'
import { placing, quaternion, shapePrims } from './write-shapes'

export const WORLD = '/World'
/** Scope of materials with pictures. */
export const LOOKS = 'Looks'

export function exportUsd(scene: ResolvedScene, name: string): ExportResult {
  const { metadata, world, pictures, losses } = worldOf(scene, name)
  return { files: [{ name: `${name}.usda`, content: writeUsda(metadata, [world]) }, ...pictures], losses }
}

export interface WrittenWorld {
  /** Of the layer. */
  readonly metadata: readonly string[]
  readonly world: UsdaPrim
  /** Names of the bodies' prims, in document order. */
  readonly bodyNames: readonly string[]
  /** Names of the prims of deformables in an animation. */
  readonly deformableNames: readonly string[]
  /** Files of textures. */
  readonly pictures: readonly FormatFile[]
  readonly losses: ExportResult['losses']
}

/** The scene as one root prim. @param name of the main file, for the folder of textures */
export function worldOf(scene: ResolvedScene, name: string): WrittenWorld {
  const losses = new Losses()
  const names = new Names()
  const named = (id: string): string => names.fresh(identifier(id), 'prim').replaceAll(/[.-]/g, '_')
  names.fresh('PhysicsScene', '')
  names.fresh('Materials', '')
  names.fresh(LOOKS, '')
  const materialNames = new Map(scene.materials.map(({ id }) => [id, named(id)]))
  const bodyNames = new Map(scene.bodies.map(({ id }) => [id, named(id)]))
  reportUnsupported(scene, { target: 'UsdPhysics', kinematic: false, dynamicFriction: true, torsionalFriction: false, sensors: false, servos: true, breaking: true }, losses)
  const materials = new Map(scene.materials.map(material => [material.id, material]))
  const shapes = (body: ResolvedBody, index: number): UsdaPrim[] => body.shapes.flatMap((shape, k) => shapePrims(shape, {
    name: `shape_${k}`, where: `bodies[${index}].shapes[${k}]`, losses, shown: body.visuals === undefined,
    material: { path: `${WORLD}/Materials/${materialNames.get(shape.material)!}`, color: materials.get(shape.material)!.color },
  }))
  const meshes = meshesOf(scene)
  const looks = new Looks(WORLD, LOOKS, `${name}_textures`, picturesOf(scene), named)
  const visuals = (body: ResolvedBody, index: number): UsdaPrim[] => (body.visuals ?? []).flatMap((visual, k) => {
    const where = `bodies[${index}].visuals[${k}]`
    const mesh = visual.type === 'mesh' ? meshes.get(visual.mesh)! : null
    const material = looks.material(visual)
    if (material !== null && mesh?.colors !== undefined) losses.add(where, 'USD\'s preview surface does not multiply a picture with colours of vertices', 'the picture alone')
    return shapePrims(shapeOfVisual(visual, meshes), {
      name: `visual_${k}`, where, losses, shown: true, material: { path: null, color: visual.color }, ...mesh === null ? {} : { look: { seen: mesh, material } },
    })
  })
  const bodies = scene.bodies.map((body, index) => bodyPrim(body, bodyNames, scene, [...shapes(body, index), ...visuals(body, index)]))
  const byId = new Map(scene.bodies.map(body => [body.id, body]))
  const joints = scene.joints.flatMap((joint, index) => {
    const name = named(joint.id)
    const prim = jointPrim(joint, {
      name, where: `joints[${index}]`, bodies: byId, losses, primOf: id => `${WORLD}/${bodyNames.get(id)!}`, metadata: idMetadata(joint, name),
    })
    return prim === null ? [] : [prim]
  })
  const world: UsdaPrim = {
    type: 'Xform', name: 'World', properties: [],
    children: [
      { type: 'PhysicsScene', name: 'PhysicsScene', properties: gravity(scene) },
      { type: 'Scope', name: 'Materials', properties: [], children: scene.materials.map(material => materialPrim(material, materialNames.get(material.id)!)) },
      ...looks.scopes(), ...bodies, ...joints, ...groupPrims(collisionClasses(scene, false), scene.bodies.map(({ id }) => bodyNames.get(id)!), named),
    ],
  }
  const deformableNames = scene.deformables.map(({ id }) => named(id))
  const title = scene.name === undefined ? [] : [`doc = ${quoted(scene.name)}`]
  const metadata = [...title, 'defaultPrim = "World"', 'kilogramsPerUnit = 1', 'metersPerUnit = 1', 'upAxis = "Z"']
  return { metadata, world, bodyNames: scene.bodies.map(({ id }) => bodyNames.get(id)!), deformableNames, pictures: looks.files, losses: losses.list }
}

/** Collision groups with their filters; bodies by their paths [UsdPhysicsCollisionGroup]. */
function groupPrims(classes: CollisionClasses | null, bodies: readonly string[], named: (id: string) => string): UsdaPrim[] {
  if (classes === null) return []
  const names = classes.touch.map((_, k) => named(`Group_${k + 1}`))
  return classes.touch.map((row, k): UsdaPrim => ({
    type: 'PhysicsCollisionGroup', name: names[k]!, metadata: ['prepend apiSchemas = ["CollectionAPI:colliders"]'],
    properties: [
      property('rel collection:colliders:includes', bodies.filter((_, i) => classes.of[i] === k).map(name => path(`${WORLD}/${name}`))),
      property('rel physics:filteredGroups', row.flatMap((touches, other) => touches ? [] : [path(`${WORLD}/${names[other]!}`)])),
    ],
  }))
}

function gravity({ gravity: g }: ResolvedScene): UsdaProperty[] {
  const size = length(g)
  // A zero direction would mean downwards in USD.
  return [
    property('vector3f physics:gravityDirection', tuple(...size > 0 ? scale(g, 1 / size) : [0, 0, -1])), property('float physics:gravityMagnitude', size),
  ]
}

function materialPrim({ id, name, density, friction, restitution, color }: ResolvedMaterial, prim: string): UsdaPrim {
  return {
    type: 'Material', name: prim, metadata: ['prepend apiSchemas = ["PhysicsMaterialAPI"]', ...idMetadata({ id, ...name === undefined ? {} : { name } }, prim)],
    properties: [
      property('float physics:density', density), property('float physics:staticFriction', friction.static),
      property('float physics:dynamicFriction', friction.dynamic), property('float physics:restitution', restitution),
      property('custom color3f cairn:color', tuple(...linearOf(color))),
    ],
  }
}

/** The scene's id and name, if the prim's name differs from the id. */
function idMetadata({ id, name }: { id: string; name?: string | undefined }, prim: string): string[] {
  const entries = [...id === prim ? [] : [`string id = ${quoted(id)}`], ...name === undefined ? [] : [`string name = ${quoted(name)}`]]
  return [
    ...name === undefined ? [] : [`displayName = ${quoted(name)}`], ...entries.length === 0 ? [] : [`customData = { dictionary cairn = { ${entries.join('; ')} } }`],
  ]
}

function bodyPrim(body: ResolvedBody, names: ReadonlyMap<string, string>, scene: ResolvedScene, children: readonly UsdaPrim[]): UsdaPrim {
  const prim = names.get(body.id)!
  const except = body.collision?.except ?? []
  const dynamic = body.type === 'dynamic'
  const schemas = ['PhysicsRigidBodyAPI', ...dynamic ? ['PhysicsMassAPI'] : [], ...except.length > 0 ? ['PhysicsFilteredPairsAPI'] : []]
  return {
    type: 'Xform', name: prim,
    metadata: [`prepend apiSchemas = [${schemas.map(schema => `"${schema}"`).join(', ')}]`, ...idMetadata(body, prim)],
    properties: [
      ...placing(body as Pose), ...body.type === 'fixed' ? [property('bool physics:rigidBodyEnabled', false)] : [],
      ...body.type === 'kinematic' ? [property('bool physics:kinematicEnabled', true)] : [], ...body.type === 'fixed' ? [] : velocities(body),
      ...dynamic ? mass(body, scene) : [],
      ...except.length > 0 ? [property('rel physics:filteredPairs', except.map(id => path(`${WORLD}/${names.get(id)!}`)))] : [],
    ],
    children,
  }
}

function velocities({ linearVelocity, angularVelocity }: ResolvedBody): UsdaProperty[] {
  const moving = (v: readonly number[]): boolean => v.some(x => x !== 0)
  return [
    ...moving(linearVelocity) ? [property('vector3f physics:velocity', tuple(...linearVelocity))] : [],
    ...moving(angularVelocity) ? [property('vector3f physics:angularVelocity', tuple(...scale(angularVelocity, 1 / DEGREE)))] : [],
  ]
}

function mass(body: ResolvedBody, scene: ResolvedScene): UsdaProperty[] {
  const { mass: kg, centerOfMass, inertia } = bodyMass(body, partsOf(body, scene))
  const { moments, axes } = principalInertia(inertia)
  return [
    property('float physics:mass', kg), property('point3f physics:centerOfMass', tuple(...centerOfMass)),
    property('float3 physics:diagonalInertia', tuple(...moments)), property('quatf physics:principalAxes', quaternion(axes)),
  ]
}
