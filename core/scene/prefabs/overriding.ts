/** Overrides created by an edit of an instance's contents: the differences from the prefab, in the frame of its file. */
import { IDENTITY_POSE, relativePose, type Pose } from '../../math/pose'
import { normalizeQuaternion } from '../../math/quaternion'
import { equalJson } from '../equal'
import { elementById, elementsOf, indexOfIds } from '../ids'
import { formatPath, valueAt, type Path } from '../path'
import type { Collection } from '../schema/field'
import type { Body, Deformable, Force, Instance, Joint, Override, Scene, Sensor } from '../types'
import { withInstances, type ContentOf } from './expand'
import { overriddenPath, type Overridable } from './override'
import { ownerOf } from './owner'
import { placedBody, placedDeformable, placedForce, placedJoint, placedSensor } from './placed'

const OVERRIDABLE = ['bodies', 'deformables', 'joints', 'forces', 'sensors'] as const

/** Whether a changed key of an object of an instance is one of its properties, and not part of the prefab's structure. */
export function mayOverride(collection: Collection, was: object, is: object): boolean {
  return (OVERRIDABLE as readonly string[]).includes(collection) && differences(was, is).every(path => overriddenPath({ field: formatPath(path) }) !== null)
}

/** The scene whose instances have an override for each property of their contents that differs from the prefab. */
export function withOverrides(before: Scene, after: Scene, contentOf: ContentOf): Scene {
  if (!after.instances?.length) return after
  const owners = new Set(after.instances.map(({ id }) => id))
  // Users of a removed or renamed material are rebuilt; only overrides that named it follow the edit.
  const onlyKnown = elementsOf(before, 'materials').some(({ id }) => !elementById(after, 'materials', id))
  let result = after
  for (const collection of OVERRIDABLE) {
    const [was, is] = [elementsOf(before, collection), elementsOf(after, collection)]
    if (was === is) continue
    const places = indexOfIds(was)
    for (const element of is) {
      const old = was[places.get(element.id) ?? -1]
      const owner = old === undefined || old === element ? null : ownerOf(owners, element.id)
      if (owner !== null) result = withOverridesOf(result, before, { owner, collection, was: old!, is: element, onlyKnown }, contentOf)
    }
  }
  return result
}

interface Change {
  readonly owner: string
  readonly collection: Overridable
  readonly was: object
  readonly is: { readonly id: string }
  readonly onlyKnown: boolean
}

function withOverridesOf(scene: Scene, before: Scene, { owner, collection, was, is, onlyKnown }: Change, contentOf: ContentOf): Scene {
  const instance = elementById(scene, 'instances', owner)!
  const of = is.id.slice(owner.length + 1)
  const base = inherited(before, owner, collection, is.id, contentOf)
  if (base === null) return scene
  const isOf = (one: Override) => one.collection === collection && one.of === of
  const known = new Map((instance.overrides ?? []).filter(isOf).map(one => [one.field, one]))
  const inner = placers[collection](inverseOf(instance), is as never)
  const made = differences(base, is).flatMap((path): Override[] => {
    const field = formatPath(path)
    const former = known.get(field)
    const value: unknown = valueAt(is, path)
    if (former && equalJson(value, valueAt(was, path))) return [former]
    if (onlyKnown && !former) return []
    return [{ collection, of, field, ...value === undefined ? {} : { value: valueAt(inner, path) } }]
  })
  return withInstance(scene, instance, [...(instance.overrides ?? []).filter(one => !isOf(one)), ...made])
}

function withInstance(scene: Scene, instance: Instance, overrides: readonly Override[]): Scene {
  const { overrides: _, ...rest } = instance
  const next: Instance = overrides.length > 0 ? { ...rest, overrides: [...overrides] } : rest
  return { ...scene, instances: scene.instances!.map(one => one.id === instance.id ? next : one) }
}

/** The scene without some overrides of an instance; its contents are those of the prefab again once it is placed. */
export function withoutOverrides(scene: Scene, id: string, isReverted: (one: Override) => boolean): Scene {
  const instance = elementById(scene, 'instances', id)
  if (!instance?.overrides?.some(isReverted)) return scene
  return withInstance(scene, instance, instance.overrides.filter(one => !isReverted(one)))
}

const bare = new WeakMap<Instance, Instance>()

/** An object of an instance as in the prefab, at the instance's pose; null if the prefab does not contain it. */
export function inherited(scene: Scene, owner: string, collection: Overridable, id: string, contentOf: ContentOf): object | null {
  const instance = elementById(scene, 'instances', owner)
  if (!instance) return null
  if (!instance.overrides?.length) return elementById(scene, collection, id) ?? null
  let without = bare.get(instance)
  if (!without) {
    const { overrides: _, ...rest } = instance
    bare.set(instance, without = rest)
  }
  const placed = withInstances({ ...scene, instances: scene.instances!.map(one => one === instance ? without : one) }, contentOf, () => true)
  return placed.ok ? elementById(placed.scene, collection, id) ?? null : null
}

const placers: { readonly [C in Overridable]: (pose: Pose, element: never) => object } = {
  bodies: (pose, element: Body) => placedBody(pose, element), deformables: (pose, element: Deformable) => placedDeformable(pose, element),
  joints: (pose, element: Joint) => placedJoint(pose, element), forces: (pose, element: Force) => placedForce(pose, element),
  sensors: (pose, element: Sensor) => placedSensor(pose, element),
}

function inverseOf({ position = IDENTITY_POSE.position, orientation = IDENTITY_POSE.orientation }: Instance): Pose {
  return relativePose({ position, orientation: normalizeQuaternion(orientation) }, IDENTITY_POSE)
}

/** The smallest properties that differ; lists of another length, and objects of another type, differ as a whole. */
function differences(from: unknown, to: unknown, path: Path = []): Path[] {
  if (equalJson(from, to)) return []
  if (typeof from !== 'object' || typeof to !== 'object' || from === null || to === null || Array.isArray(from) !== Array.isArray(to)) return [path]
  if (Array.isArray(from)) {
    const other = to as readonly unknown[]
    const isTable = from.length === other.length && from.every(one => typeof one === 'object' && one !== null && !Array.isArray(one))
    return isTable ? from.flatMap((one, k) => differences(one, other[k], [...path, k])) : [path]
  }
  const [a, b] = [from as Record<string, unknown>, to as Record<string, unknown>]
  if (path.length > 0 && a.type !== b.type) return [path]
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap(key => differences(a[key], b[key], [...path, key]))
}
