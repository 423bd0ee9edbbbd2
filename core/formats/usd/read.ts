/** OpenUSD with UsdPhysics to a scene: bodies, colliders, materials, joints and gravity of a stage in any encoding. */

import { splitAffine } from '../shared/affine'
import { rotate } from '../../math/quaternion'
import { length, scale, type Vec3 } from '../../math/vector'
import type { FormatFile, FormatOption, ImportResult, OptionValues, Resolve } from '../format'
import { SceneDraft } from '../shared/draft'
import { FormatError } from '../shared/error'
import { MeshFiles } from '../shared/meshes'
import { addFilteredPairs, addGroups } from './groups'
import { composeStage } from './compose'
import { openLayer } from './open'
import { numberOf, tupleOf, valueOf, type UsdLayer } from './layer'
import { BodyReader } from './read-bodies'
import { nameOf } from './names'
import { addJoint, isJoint } from './read-joints'
import { hasColors, withPicturesFrom } from './read-looks'
import { GPRIMS } from './read-shapes'
import { bodyOf, hasSchema, placePrims, type PlacedPrim, type StageUnits } from './stage'
import { booleanOf } from './layer'

export const importOptions: readonly FormatOption[] = [
  {
    id: 'unit', label: 'Metres per unit', help: 'Replaces the value in the file.', kind: 'number', default: 0, unit: 'm', least: 0, most: 1e6, zero: 'as the file says',
  },
  {
    id: 'up', label: 'Up axis', kind: 'choice', default: 'file',
    choices: [{ id: 'file', label: 'As the file says' }, { id: 'Y', label: 'Y' }, { id: 'Z', label: 'Z' }],
  },
  {
    id: 'friction', label: 'Default friction', help: 'Of colliders without a physics material.', kind: 'number', default: 0.5, least: 0, most: 100,
  },
]

/** m/s², default gravity [UsdPhysicsScene]. */
const EARTH = 9.81
/** m, default unit [UsdGeom: metersPerUnit]. */
const CENTIMETRE = 0.01
/** Schemas that are read, or that do not affect the motion. */
const KNOWN = /^(Physics(RigidBody|Mass|Collision|MeshCollision|Material|ArticulationRoot|Drive|Limit|FilteredPairs)API|MaterialBindingAPI|CollectionAPI|SemanticsAPI|ShapingAPI|ShadowAPI|GeomModelAPI|SkelBindingAPI|TensorPhysicsArticulationRootAPI)(:|$)/
const PHYSICAL = /^(Physics|Physx|Newton|Mjc)/

export function importUsd(main: FormatFile, resolve: Resolve, options: OptionValues): ImportResult {
  const draft = new SceneDraft()
  const opened = openLayer(main)
  const load = (path: string): UsdLayer | null => {
    const inside = opened.inside(path) ?? resolve(path)
    return inside === null ? null : withPicturesFrom(openLayer(inside).layer, path)
  }
  const stage = composeStage(opened.layer, load, name => draft.missing(name), draft.losses)
  const units = unitsOf(stage, options)
  draft.note('Metres per unit', String(units.length))
  draft.note('Up axis', units.up)
  const placed = placePrims(stage, units)
  const prims = new Map(placed.map(one => [one.prim.path, one]))
  const reader = new BodyReader(prims, units, draft, new MeshFiles(path => opened.inside(path) ?? resolve(path)), { friction: Number(options.friction) })
  const ids = addBodies(placed, reader, draft)
  const bodyId = (path: string): string | null => {
    for (let at = prims.get(path) ?? null; at !== null; at = at.parent) {
      const id = ids.get(at)
      if (id !== undefined) return id
    }
    return null
  }
  for (const one of placed) {
    if (isJoint(one.prim)) addJoint(one, prims, bodyId, units, draft)
    tellUnread(one, draft)
  }
  addGroups(placed, bodyId, draft)
  addFilteredPairs(placed, bodyId, draft)
  const title = stage.metadata.get('doc') ?? stage.metadata.get('defaultPrim')
  if (draft.bodies.length === 0) throw new FormatError('MissingValue', main.name, 'The stage has no rigid bodies and no colliders.', { allowed: 'prims with PhysicsRigidBodyAPI or PhysicsCollisionAPI' })
  return draft.finish(typeof title === 'string' ? title : undefined, gravityOf(placed, units, draft))
}

function unitsOf(stage: UsdLayer, options: OptionValues): StageUnits {
  const number = (key: string, absent: number): number => {
    const value = stage.metadata.get(key)
    if (value === undefined) return absent
    if (typeof value === 'number' && value > 0 && Number.isFinite(value)) return value
    throw new FormatError('InvalidValue', key, `"${String(value)}" is not a valid ${key}.`, { value, allowed: 'a finite number > 0' })
  }
  const unit = Number(options.unit)
  const up = options.up === 'file' ? stage.metadata.get('upAxis') === 'Z' ? 'Z' : 'Y' : options.up as 'Y' | 'Z'
  return { length: unit > 0 ? unit : number('metersPerUnit', CENTIMETRE), mass: number('kilogramsPerUnit', 1), up }
}

/** All bodies by their prims: rigid bodies with the colliders below them, then each remaining collider as a fixed body. */
function addBodies(placed: readonly PlacedPrim[], reader: BodyReader, draft: SceneDraft): Map<PlacedPrim, string> {
  const colliders = new Map<PlacedPrim, PlacedPrim[]>()
  const order: PlacedPrim[] = []
  const own = (owner: PlacedPrim): PlacedPrim[] => {
    let list = colliders.get(owner)
    if (list === undefined) {
      list = []
      colliders.set(owner, list)
      order.push(owner)
    }
    return list
  }
  for (const one of placed) {
    if (hasSchema(one, 'PhysicsRigidBodyAPI')) own(one)
    const collider = colliderOver(one)
    if (collider === null || !booleanOf(collider.prim, 'physics:collisionEnabled', true)) continue
    own(bodyOf(one) ?? one).push(one)
  }
  const seen = seenPrims(placed, reader)
  const ids = new Map<PlacedPrim, string>()
  for (const owner of order) {
    const id = reader.body(owner, colliders.get(owner)!, seen.get(owner) ?? [])
    if (id !== null) ids.set(owner, id)
    else if (hasSchema(owner, 'PhysicsRigidBodyAPI')) draft.losses.add(owner.prim.path, 'a body without colliders that does not move', 'nothing')
  }
  return ids
}

/** By body: its visible prims, if some of them are not colliders, or have a texture or several colours. */
function seenPrims(placed: readonly PlacedPrim[], reader: BodyReader): Map<PlacedPrim, PlacedPrim[]> {
  const seen = new Map<PlacedPrim, PlacedPrim[]>()
  const apart = new Set<PlacedPrim>()
  for (const one of placed) {
    if (!GPRIMS.includes(one.prim.type) || !isShown(one)) continue
    const owner = bodyOf(one) ?? (colliderOver(one) === null ? null : one)
    if (owner === null) continue
    if (colliderOver(one) === null || (one.prim.type === 'Mesh' && (hasColors(one.prim) || reader.isPictured(one)))) apart.add(owner)
    const list = seen.get(owner)
    if (list === undefined) seen.set(owner, [one])
    else list.push(one)
  }
  for (const owner of seen.keys()) if (!apart.has(owner)) seen.delete(owner)
  return seen
}

/** Guides and invisible prims are hidden by default [UsdGeomImageable]. */
function isShown(placed: PlacedPrim): boolean {
  for (let at: PlacedPrim | null = placed; at !== null; at = at.parent) {
    if (valueOf(at.prim, 'visibility') === 'invisible' || valueOf(at.prim, 'purpose') === 'guide') return false
  }
  return true
}

/** The prim that makes this one a collider: itself, or an enclosing group with the collision schema. */
function colliderOver(placed: PlacedPrim): PlacedPrim | null {
  if (hasSchema(placed, 'PhysicsCollisionAPI') && GPRIMS.includes(placed.prim.type)) return placed
  if (!GPRIMS.includes(placed.prim.type)) return null
  for (let at = placed.parent; at !== null; at = at.parent) {
    if (hasSchema(at, 'PhysicsCollisionAPI') && !GPRIMS.includes(at.prim.type)) return at
  }
  return null
}

function gravityOf(placed: readonly PlacedPrim[], units: StageUnits, draft: SceneDraft): Vec3 {
  const scenes = placed.filter(({ prim }) => prim.type === 'PhysicsScene')
  const scene = scenes[0]
  if (scenes.length > 1) draft.losses.add(scenes[1]!.prim.path, 'a second physics scene', 'the gravity of the first')
  if (scene === undefined) {
    draft.note('Gravity', `${EARTH} m/s² downwards, as the stage has no physics scene`)
    return [0, 0, -EARTH]
  }
  const magnitude = numberOf(scene.prim, 'physics:gravityMagnitude', -Infinity)
  const direction = tupleOf(valueOf(scene.prim, 'physics:gravityDirection'), 3) as Vec3 | null
  const size = magnitude >= 0 && Number.isFinite(magnitude) ? magnitude * units.length : EARTH
  if (size === 0) return [0, 0, 0]
  const along = direction === null ? 0 : length(direction)
  if (direction === null || !(along > 0)) return [0, 0, -size]
  const outer = scene.parent === null ? splitAffine({ m: units.up === 'Z' ? [1, 0, 0, 0, 1, 0, 0, 0, 1] : [1, 0, 0, 0, 0, -1, 0, 1, 0], t: [0, 0, 0] }).pose.orientation : scene.parent.split.pose.orientation
  return rotate(outer, scale(direction, size / along))
}

/** Reports physics of the stage that Cairn does not support. */
function tellUnread(placed: PlacedPrim, draft: SceneDraft): void {
  const { prim, schemas } = placed
  for (const schema of schemas) {
    if (PHYSICAL.test(schema) && !KNOWN.test(schema)) draft.losses.add(prim.path, `what ${schema} says`, 'nothing')
  }
  if (PHYSICAL.test(prim.type) && !isJoint(prim) && !['PhysicsScene', 'PhysicsCollisionGroup'].includes(prim.type)) draft.losses.add(prim.path, `a ${prim.type}`, 'nothing')
  if (GPRIMS.includes(prim.type) && colliderOver(placed) === null && bodyOf(placed) === null && isShown(placed)) {
    draft.losses.add(prim.path, 'visual geometry that does not belong to a body', 'nothing')
  }
  if (prim.attributes.get('xformOp:translate')?.samples.length) draft.losses.add(prim.path, `"${nameOf(prim)}" is animated`, 'its pose without animation')
}
