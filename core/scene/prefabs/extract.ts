/** Turns a part of a scene into a prefab: a scene of its own, and an instance of it in its place. */
import type { Pose } from '../../math/pose'
import { IDENTITY_ROTATION } from '../../math/quaternion'
import { negate, ZERO } from '../../math/vector'
import { bodiesOfDeformable, bodiesOfForce, bodiesOfJoint, deformablesJoinedTo, usedBySensor } from '../dependents'
import { collections, elementsOf, freshId } from '../ids'
import { withReferencesOf } from '../references'
import type { Collection } from '../schema/field'
import { sceneVersion } from '../schema/scene'
import type { Group, Instance, Prefab, Scene } from '../types'
import { fileFrom, folderOf } from './files'
import { ownScene } from './owner'
import { placedBody, placedDeformable, placedForce, placedJoint, placedSensor } from './placed'
import { withIds } from './renamed'

export interface Extracted {
  /** The prefab's scene: its origin is that of the first body. */
  readonly prefab: Scene
  /** The scene with an instance instead of the part; without the contents of the instance. */
  readonly scene: Scene
  readonly instance: string
}

/**
 * Bodies and deformables with the groups and instances among them, and with the joints, forces and sensors that refer to them only. Other references stay, and
 * refer to the contents of the instance.
 * @param file from the scene's folder
 */
export function extracted(scene: Scene, ids: ReadonlySet<string>, name: string, file: string): Extracted | null {
  const own = ownScene(scene)
  const members = membersOf(own, ids)
  const first = own.bodies?.find(({ id }) => members.has(id)) ?? own.instances?.find(({ id }) => members.has(id))
  if (!first && !own.deformables?.some(({ id }) => members.has(id))) return null
  const position = first?.position ?? ZERO
  const others = without(own, members)
  const placed = others.prefabs?.find(one => one.file === file)
  const prefab: Prefab = placed ?? { id: freshId(others, name), file }
  const root = wholeGroup(own, members)
  const inside = new Set([...members].filter(id => id !== root?.id))
  const prefabs = placed ? others.prefabs! : [...others.prefabs ?? [], prefab]
  const instance: Instance = {
    id: freshId({ ...others, prefabs }, `${name}-1`), ...root?.name === undefined ? {} : { name: root.name }, prefab: prefab.id, position: [...position] as never,
  }
  const around = groupAround(own, first?.group, members)
  const rest = withIds(withExceptions(others, own, members), new Map([...members].map(id => [id, `${instance.id}.${id}`])))
  return {
    prefab: prefabOf(own, inside, { position: negate(position), orientation: IDENTITY_ROTATION }, name, file),
    scene: { ...rest, prefabs, instances: [...rest.instances ?? [], around === undefined ? instance : { ...instance, group: around }] }, instance: instance.id,
  }
}

/** The group that contains the whole part: the instance replaces it. */
function wholeGroup(scene: Scene, members: ReadonlySet<string>): Group | null {
  const placed = (['bodies', 'groups', 'instances'] as const).flatMap((collection): readonly { id: string; group?: string }[] => elementsOf(scene, collection))
  const outer = placed.filter(({ id, group }) => members.has(id) && (group === undefined || !members.has(group)))
  const [only] = outer
  return outer.length === 1 && !scene.deformables?.some(({ id }) => members.has(id)) ? scene.groups?.find(({ id }) => id === only!.id) ?? null : null
}

/** The nearest group outside the part. */
function groupAround(scene: Scene, group: string | undefined, members: ReadonlySet<string>): string | undefined {
  let around = group
  while (around !== undefined && members.has(around)) around = scene.groups?.find(({ id }) => id === around)?.group
  return around
}

function membersOf(scene: Scene, ids: ReadonlySet<string>): ReadonlySet<string> {
  const members = new Set<string>()
  for (const collection of ['bodies', 'deformables', 'groups', 'instances'] as const) {
    for (const { id } of elementsOf(scene, collection)) if (ids.has(id)) members.add(id)
  }
  // A group with remaining members is kept.
  const inGroups = (['bodies', 'groups', 'instances'] as const).flatMap((collection): readonly { id: string; group?: string }[] => elementsOf(scene, collection))
  for (let before = -1; before !== members.size;) {
    before = members.size
    for (const { id, group } of inGroups) if (group !== undefined && !members.has(id)) members.delete(group)
  }
  const all = (used: readonly string[]) => used.length > 0 && used.every(id => members.has(id) || isInside(members, id))
  // A deformable held on a remaining body, or joined to a remaining deformable, is not part of the prefab.
  for (let before = -1; before !== members.size;) {
    before = members.size
    for (const one of scene.deformables ?? []) if ([...bodiesOfDeformable(one), ...deformablesJoinedTo(one)].some(id => !all([id]))) members.delete(one.id)
  }
  for (const joint of scene.joints ?? []) if (joint.type !== 'gear' && all(bodiesOfJoint(joint))) members.add(joint.id)
  for (const joint of scene.joints ?? []) if (joint.type === 'gear' && all([joint.jointA, joint.jointB])) members.add(joint.id)
  for (const force of scene.forces ?? []) {
    const listed = [...'bodies' in force ? force.bodies ?? [] : [], ...'deformables' in force ? force.deformables ?? [] : []]
    if (all([...bodiesOfForce(force), ...listed]) || (force.type === 'script' && ids.has(force.id))) members.add(force.id)
  }
  for (const sensor of scene.sensors ?? []) if (all(usedBySensor(sensor))) members.add(sensor.id)
  return members
}

/** Belongs to an instance within the part. */
const isInside = (members: ReadonlySet<string>, id: string) => [...id].some((sign, at) => sign === '.' && members.has(id.slice(0, at)))

function without(scene: Scene, members: ReadonlySet<string>): Scene {
  const result = { ...scene } as Record<string, unknown>
  for (const collection of collections) {
    const kept = elementsOf(scene, collection).filter(({ id }) => !members.has(id))
    if (kept.length === elementsOf(scene, collection).length) continue
    if (kept.length > 0 || collection === 'bodies') result[collection] = kept
    else delete result[collection]
  }
  return result as unknown as Scene
}

function prefabOf(scene: Scene, members: ReadonlySet<string>, pose: Pose, name: string, file: string): Scene {
  const used = new Set<string>()
  const noted = (collection: Collection, id: string) => {
    if (collection === 'materials' || collection === 'meshes' || collection === 'textures' || collection === 'prefabs' || collection === 'scripts') used.add(id)
    return id
  }
  const part = <C extends Collection>(collection: C) => elementsOf(scene, collection).filter(({ id }) => members.has(id)).map(element => {
    withReferencesOf(collection, element, noted)
    return element
  })
  const inside = <T extends { group?: string }>(member: T): T => {
    const { group, ...rest } = member
    return group === undefined || members.has(group) ? member : rest as T
  }
  const bodies = part('bodies').map(body => inside(placedBody(pose, body))).map(body => withoutStrangers(body, members))
  const instances = part('instances').map(inside).map(one => ({ ...one, position: placedBody(pose, { id: one.id, position: one.position ?? ZERO }).position! }))
  const content = {
    bodies, deformables: part('deformables').map(one => placedDeformable(pose, one)), joints: part('joints').map(one => placedJoint(pose, one)),
    forces: part('forces').map(one => placedForce(pose, one)), sensors: part('sensors').map(one => placedSensor(pose, one)), groups: part('groups').map(inside), instances,
  }
  const formulas = Object.values(content).some(elements => elements.some(element => 'expressions' in element && element.expressions !== undefined))
  const all = {
    parameters: formulas ? scene.parameters ?? [] : [],
    materials: elementsOf(scene, 'materials').filter(({ id }) => used.has(id)),
    materialPairs: (scene.materialPairs ?? []).filter(({ materials: [a, b] }) => used.has(a) && used.has(b)),
    ...content,
    scripts: elementsOf(scene, 'scripts').filter(({ id }) => used.has(id)),
    prefabs: elementsOf(scene, 'prefabs').filter(({ id }) => used.has(id)).map(one => ({ ...one, file: pathBetween(folderOf(file), one.file) })),
    meshes: elementsOf(scene, 'meshes').filter(({ id }) => used.has(id)),
    textures: elementsOf(scene, 'textures').filter(({ id }) => used.has(id)),
  }
  return {
    format: 'cairn-scene', version: sceneVersion, name, ...scene.gravity === undefined ? {} : { gravity: scene.gravity },
    ...Object.fromEntries(Object.entries(all).filter(([, elements]) => elements.length > 0)),
  }
}

/** Collision exceptions with the part are listed by the remaining bodies: one of two bodies has to list them. */
function withExceptions(rest: Scene, own: Scene, members: ReadonlySet<string>): Scene {
  const strangers = new Map<string, string[]>()
  for (const { id, collision } of own.bodies ?? []) {
    if (!members.has(id)) continue
    for (const other of collision?.except ?? []) if (!members.has(other)) strangers.set(other, [...strangers.get(other) ?? [], id])
  }
  if (strangers.size === 0) return rest
  const bodies = rest.bodies!.map(body => strangers.has(body.id)
    ? { ...body, collision: { ...body.collision, except: [...body.collision?.except ?? [], ...strangers.get(body.id)!] } } : body)
  return { ...rest, bodies }
}

/** Without collision exceptions for remaining bodies. */
function withoutStrangers<B extends { collision?: { except?: string[] } }>(body: B, members: ReadonlySet<string>): B {
  const except = body.collision?.except
  if (except === undefined || except.every(id => members.has(id))) return body
  return { ...body, collision: { ...body.collision, except: except.filter(id => members.has(id)) } }
}

/** From a folder to a file, both below the root. */
function pathBetween(folder: string, file: string): string {
  const [from, to] = [folder.split('/').filter(part => part !== ''), fileFrom('', file)!.split('/')]
  let common = 0
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common++
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/')
}
