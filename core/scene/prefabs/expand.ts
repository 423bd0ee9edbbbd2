/**
 * Expands instances of prefabs into elements of the scene: each at its pose, with its own ids, cached as long as the instance and the prefab are
 * unchanged.
 */
import { IDENTITY_ROTATION, normalizeQuaternion } from '../../math/quaternion'
import type { Pose } from '../../math/pose'
import { ZERO } from '../../math/vector'
import { collections, elementsOf, type ElementOf } from '../ids'
import { problem, type Problem } from '../problem'
import { withReferencesOf } from '../references'
import type { Collection } from '../schema/field'
import { limits } from '../schema/scene'
import { withNamesChanged } from '../script-names'
import type { Instance, MaterialPair, Scene } from '../types'
import type { PrefabContent } from './content'
import { ownersIn, ownScene } from './owner'
import { overridden, type Overridable } from './override'
import { PlacementFault, placedBody, placedDeformable, placedForce, placedJoint, placedSensor } from './placed'
import { sharedMaterials } from './shared'
import { standInFor } from './stand-in'

/** Returns the contents of a file, or the reason why it cannot be placed. */
export type ContentOf = (file: string) => PrefabContent | readonly Problem[]

type Elements = { [C in Collection]?: readonly ElementOf[C][] } & { materialPairs?: readonly MaterialPair[] }

/** Materials, their pairs and meshes are added once per prefab; everything else once per instance. */
interface Assets {
  readonly elements: Elements
  readonly renamed: (collection: Collection, id: string) => string
}

type Result = { readonly ok: true; readonly scene: Scene } | { readonly ok: false; readonly problems: readonly Problem[] }

/**
 * The scene with the contents of its prefabs, replacing the previous ones; itself if unchanged.
 *
 * @param mayStandIn whether stand-ins replace the prefab of a file that cannot be placed; otherwise that is a problem
 */
export function withInstances(scene: Scene, contentOf: ContentOf, mayStandIn: (file: string) => boolean = () => false): Result {
  const owners = ownersIn(scene)
  if (owners.size === 0) return { ok: true, scene }
  const own = ownScene(scene)
  const problems: Problem[] = []
  const found: Elements[] = []
  const assets = new Map<string, { content: PrefabContent; assets: Assets }>()
  for (const [k, prefab] of (own.prefabs ?? []).entries()) {
    if (!own.instances?.some(one => one.prefab === prefab.id)) continue
    const given = contentOf(prefab.file)
    if (!('scene' in given) && !mayStandIn(prefab.file)) {
      problems.push(...given.map(one => ({ ...one, path: `prefabs[${k}].file`, ids: [prefab.id] })))
      continue
    }
    const content = 'scene' in given ? given : standInFor(own, prefab, given)
    const made = assetsOf(content, prefab.id, sharedMaterials(own, content.scene))
    assets.set(prefab.id, { content, assets: made })
    found.push(made.elements)
  }
  const counts = new Map(collections.map(collection => [collection, elementsOf(own, collection).length]))
  for (const [k, instance] of (own.instances ?? []).entries()) {
    const of = assets.get(instance.prefab)
    if (!of) continue
    const tooMany = collections.find(collection => {
      const count = counts.get(collection)! + elementsOf(of.content.scene, collection).length
      counts.set(collection, count)
      return count > (collection === 'bodies' ? limits.bodies : limits.elements)
    })
    if (tooMany !== undefined) {
      const most = tooMany === 'bodies' ? limits.bodies : limits.elements
      problems.push(problem('TooMany', ['instances', k], `With "${instance.id}" the scene has ${counts.get(tooMany)} ${tooMany}`, {
        allowed: `at most ${most}`, ids: [instance.id],
      }))
      break
    }
    try {
      found.push(placedAt(instance, of.content, of.assets))
    } catch (error) {
      if (!(error instanceof PlacementFault)) throw error
      problems.push(problem('InvalidPrefab', ['instances', k, error.key], `${error.message}, in "${instance.id}"`, {
        value: instance[error.key], allowed: error.allowed, ids: [instance.id],
      }))
    }
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, scene: joined(scene, own, found) }
}

/** Returns the scene itself if nothing changed. */
function joined(before: Scene, own: Scene, found: readonly Elements[]): Scene {
  const result = { ...own } as Record<string, unknown>
  let same = true
  for (const collection of [...collections, 'materialPairs'] as const) {
    const was = before[collection] as readonly object[] | undefined
    const brought = found.flatMap(one => (one[collection] ?? []) as readonly object[])
    const all = brought.length === 0 ? own[collection] : [...own[collection] ?? [], ...brought]
    if (was !== undefined && all !== undefined && was.length === all.length && was.every((one, i) => one === all[i])) {
      result[collection] = was
      continue
    }
    if (all === was) continue
    same = false
    if (all === undefined) delete result[collection]
    else result[collection] = all
  }
  return same ? before : result as unknown as Scene
}

const known = new WeakMap<PrefabContent, Map<string, Assets>>()

function assetsOf(content: PrefabContent, prefab: string, shared: ReadonlySet<string>): Assets {
  const all = known.get(content) ?? new Map<string, Assets>()
  known.set(content, all)
  const key = [prefab, ...shared].join(' ')
  let assets = all.get(key)
  if (!assets) {
    const { materials = [], materialPairs = [], meshes = [], textures = [] } = content.scene
    const renamed = (collection: Collection, id: string) => collection === 'materials' && shared.has(id) ? id : `${prefab}.${id}`
    const own = materials.filter(({ id }) => !shared.has(id))
    all.set(key, assets = {
      renamed,
      elements: {
        materials: own.map(({ expressions: _, ...material }) => ({ ...material, id: `${prefab}.${material.id}` })),
        materialPairs: materialPairs.filter(({ materials: [a, b] }) => !shared.has(a) || !shared.has(b)).map((pair): MaterialPair => (
          { ...pair, materials: [renamed('materials', pair.materials[0]), renamed('materials', pair.materials[1])] }
        )),
        meshes: meshes.map(mesh => ({ ...mesh, id: `${prefab}.${mesh.id}` })),
        textures: textures.map(texture => ({ ...texture, id: `${prefab}.${texture.id}` })),
      },
    })
  }
  return assets
}

const placements = new WeakMap<Instance, { readonly assets: Assets; readonly elements: Elements }>()

function placedAt(instance: Instance, content: PrefabContent, assets: Assets): Elements {
  const last = placements.get(instance)
  if (last?.assets === assets) return last.elements
  const { id: owner, position = ZERO, orientation = IDENTITY_ROTATION } = instance
  const size = orientation.reduce((sum, x) => sum + x * x, 0)
  const pose: Pose = { position, orientation: size === 1 || !(size > 0) ? orientation : normalizeQuaternion(orientation) }
  const renamed = (collection: Collection, id: string) => {
    const next = collection === 'materials' || collection === 'meshes' || collection === 'textures' ? assets.renamed(collection, id) : `${owner}.${id}`
    if (next.length > MAX_ID_LENGTH) throw new PlacementFault('id', `The id "${next.slice(0, 40)}…" has ${next.length} characters`, `at most ${MAX_ID_LENGTH}`)
    return next
  }
  const named = <T extends { id: string; expressions?: unknown }>(collection: Collection, element: T): T => {
    const { expressions: _, ...rest } = withReferencesOf(collection, element, renamed)
    return { ...rest, id: renamed(collection, element.id) } as T
  }
  const own = <T extends { id: string }>(collection: Overridable, element: T): T => overridden(instance, collection, element.id, named(collection, element))
  const inside = <T extends { group?: string }>(member: T): T => member.group === undefined ? { ...member, group: owner } : member
  const { bodies = [], deformables = [], joints = [], forces = [], sensors = [], scripts = [], groups = [] } = content.scene
  const elements: Elements = {
    bodies: bodies.map(body => inside(placedBody(pose, own('bodies', body)))),
    deformables: deformables.map(one => placedDeformable(pose, own('deformables', one))),
    joints: joints.map(joint => placedJoint(pose, own('joints', joint))),
    forces: forces.map(force => placedForce(pose, own('forces', force))),
    sensors: sensors.map(sensor => placedSensor(pose, own('sensors', sensor))),
    scripts: scripts.map(script => ({ ...script, id: renamed('scripts', script.id), source: withNamesChanged(script.source, renamed) })),
    groups: groups.map(group => inside(named('groups', group))),
  }
  placements.set(instance, { assets, elements })
  return elements
}

/** Characters of an id, as the schema has it. */
const MAX_ID_LENGTH = 128
