/** Edits of the document that several panels offer; each is one undo entry. */

import {
  addElements as insertAtEnd, bodiesOfForce, editScene, freshId, freshIds, isCarriedBy, mappedDeformable, ownerOf, ownersIn, removeElements, renameId,
  withReferencesOf, type Body, type Collection, type Deformable, type Force, type Group, type Instance, type Joint, type Prefab, type Material,
  type MeshAsset, type Scene, type Script, type Texture,
} from '../../core/scene'
import type { Vec3 } from '../../core/math/vector'
import { useDocument } from './document'
import { contentsOf } from './groups'
import { freeNames } from './free-names'
import { settled } from './instances'
import { bodiesOf, groupsOf, jointsOf, positionOf, titleOf } from './scene-access'
import { movedCurve } from '../joints/curves'
import { idAfterRename } from './id-from-name'
import { useSelection } from './selection'
import { setAt } from './set-at'

export type Element = Material | Body | Deformable | Joint | Force | Script | Group | MeshAsset | Texture | Prefab | Instance

/** Adds elements and selects them, unless the selection is to be kept. Ids must be unused. */
export function addElements(label: string, collection: Collection, elements: readonly Element[], options: { select?: boolean } = {}): boolean {
  const done = useDocument().transact(label, scene => insertAtEnd(scene, collection, elements as never))
  if (done && options.select !== false) useSelection().select(elements.map(element => element.id))
  return done
}

/** Deletes the elements with these ids and those that depend on them: joints and forces of deleted bodies, pairs of deleted materials. */
export function deleteElements(ids: readonly string[]): boolean {
  return useDocument().transact(`delete ${nameOf(ids)}`, scene => removeElements(scene, ids))
}

/** Changes the id of an element and all references to it. */
export function changeId(from: string, to: string): boolean {
  const selection = useSelection()
  const chosen = selection.ids
  const done = useDocument().transact('change id', scene => renameId(scene, from, to))
  if (done && chosen.includes(from)) selection.select(chosen.map(id => id === from ? to : id))
  return done
}

/** Renames an element, and changes its id too unless the user chose that. One undo entry. Returns the current id. */
export function renameElement(id: string, name: string): string {
  const document = useDocument()
  const place = document.place(id)
  if (!place) return id
  const next = idAfterRename(document.scene, id, name)
  const selection = useSelection()
  const chosen = selection.ids
  const done = document.transact('rename', scene => {
    const renamed = editScene(scene, draft => setAt(draft[place.collection]![place.index]!, ['name'], name === '' ? undefined : name))
    return renamed.ok && next !== id ? renameId(renamed.scene, id, next) : renamed
  })
  if (!done) return id
  if (chosen.includes(id)) selection.select(chosen.map(one => one === id ? next : one))
  return next
}

/** Content of the clipboard. */
export interface Clip {
  readonly format: 'cairn-clip'
  readonly materials: readonly Material[]
  readonly bodies: readonly Body[]
  readonly joints: readonly Joint[]
  readonly forces: readonly Force[]
  readonly scripts: readonly Script[]
  readonly groups: readonly Group[]
  /** Selected deformables, and those that only copied bodies hold; absent without any. */
  readonly deformables?: readonly Deformable[]
  /** Meshes that the bodies' visuals use; absent without any. */
  readonly meshes?: readonly MeshAsset[]
  /** Textures that they use; absent without any. */
  readonly textures?: readonly Texture[]
  /** Instances with the prefabs that they use; absent without any. */
  readonly instances?: readonly Instance[]
  readonly prefabs?: readonly Prefab[]
}

/**
 * The selected elements, and the joints, gears, springs and other forces that refer to selected elements only.
 * The copy of a selected joint keeps ends that are not selected.
 */
export function clipOf(whole: Scene, ids: ReadonlySet<string>): Clip {
  const instances = (whole.instances ?? []).filter(({ id }) => ids.has(id))
  const scene = withoutParts(whole, new Set(instances.map(({ id }) => id)))
  const among = (id: string | null | undefined) => id == null || ids.has(id)
  const bodies = bodiesOf(scene).filter(body => ids.has(body.id))
  const isCopied = (id: string) => ids.has(id) || instances.some(instance => ownerOf(new Set([instance.id]), id) !== null)
  const deformables = (scene.deformables ?? []).filter(one => ids.has(one.id) || isCarriedBy(one, isCopied))
  const used = new Set([...bodies.flatMap(body => (body.shapes ?? []).map(shape => shape.material)), ...deformables.map(({ material }) => material)])
  const owners = ownersIn(whole)
  for (const instance of instances) withReferencesOf('instances', instance, (collection, id) => {
    if (collection === 'materials' && ownerOf(owners, id) === null) used.add(id)
    return id
  })
  const shown = new Set(bodies.flatMap(body => (body.visuals ?? []).flatMap(visual => visual.type === 'mesh' ? visual.mesh : [])))
  const meshes = (scene.meshes ?? []).filter(mesh => shown.has(mesh.id))
  const pictured = new Set(bodies.flatMap(body => (body.visuals ?? []).flatMap(visual => visual.type === 'mesh' ? visual.texture ?? [] : [])))
  const textures = (scene.textures ?? []).filter(texture => pictured.has(texture.id))
  const some = bodies.length > 0 || instances.length > 0
  const joints = jointsOf(scene).filter(joint => 'bodyA' in joint && (ids.has(joint.id)
    || some && among(joint.bodyA) && among(joint.bodyB) && (ids.has(joint.bodyA ?? '') || ids.has(joint.bodyB ?? ''))))
  const joined = new Set(joints.map(joint => joint.id))
  return {
    format: 'cairn-clip',
    materials: (scene.materials ?? []).filter(material => ids.has(material.id) || used.has(material.id)),
    bodies,
    joints: [...joints, ...jointsOf(scene).filter(joint => joint.type === 'gear' && joined.has(joint.jointA) && joined.has(joint.jointB))],
    forces: (scene.forces ?? []).filter(force => ids.has(force.id) || isAmong(force, ids)),
    scripts: (scene.scripts ?? []).filter(script => ids.has(script.id)),
    groups: groupsOf(scene).filter(group => ids.has(group.id)),
    ...(deformables.length > 0 ? { deformables } : {}),
    ...(meshes.length > 0 ? { meshes } : {}),
    ...(textures.length > 0 ? { textures } : {}),
    ...(instances.length > 0 ? { instances, prefabs: whole.prefabs!.filter(({ id }) => instances.some(({ prefab }) => prefab === id)) } : {}),
  }
}

/** The scene without the parts of these instances; copies of the instances create them again. */
function withoutParts(scene: Scene, instances: ReadonlySet<string>): Scene {
  if (instances.size === 0) return scene
  const own = <T extends { id: string }>(elements: readonly T[] | undefined) => (elements ?? []).filter(({ id }) => ownerOf(instances, id) === null)
  return {
    ...scene, bodies: own(scene.bodies), deformables: own(scene.deformables), joints: own(scene.joints), forces: own(scene.forces), scripts: own(scene.scripts),
    groups: own(scene.groups),
  }
}

/** Whether a force acts on these bodies only: a spring between two of them or to the world, or a load on one. */
function isAmong(force: Force, ids: ReadonlySet<string>): boolean {
  const own = bodiesOfForce(force)
  return own.length > 0 && own.every(id => ids.has(id))
}

/** Adds a clip's elements under unused ids, displaced; materials already in the document are shared. Returns the new ids. */
export function pasteClip(label: string, clip: Clip, shift: Vec3): string[] {
  const document = useDocument()
  const makeId = freshIds(document.scene)
  const ids = new Map<string, string>()
  const fresh = (id: string) => { ids.set(id, makeId(id)) }
  const materials = clip.materials.filter(material => !document.element('materials', material.id))
  for (const material of materials) makeId(material.id)
  const meshes = (clip.meshes ?? []).filter(mesh => !document.element('meshes', mesh.id))
  for (const mesh of meshes) makeId(mesh.id)
  const textures = (clip.textures ?? []).filter(texture => !document.element('textures', texture.id))
  for (const texture of textures) makeId(texture.id)
  const prefabs = (clip.prefabs ?? []).filter(({ file }) => !document.scene.prefabs?.some(one => one.file === file))
  const placing = [...prefabs, ...clip.instances ?? []]
  const copies = [...placing, ...clip.bodies, ...clip.deformables ?? [], ...clip.joints, ...clip.scripts, ...clip.forces, ...clip.groups]
  for (const element of copies) fresh(element.id)
  const copied = new Set((clip.instances ?? []).map(({ id }) => id))
  /** The corresponding part of the copied instance. */
  const ofCopy = (id: string) => {
    const owner = ownerOf(copied, id)
    return owner === null ? id : `${ids.get(owner)!}${id.slice(owner.length)}`
  }
  const mapped = (id: string | null) => id === null ? null : ids.get(id) ?? ofCopy(id)
  const isCopied = (id: string | null) => id !== null && (ids.has(id) || ownerOf(copied, id) !== null)
  const moved = (v: Vec3): Vec3 => [v[0] + shift[0], v[1] + shift[1], v[2] + shift[2]]

  const titled = <T extends { readonly id: string; readonly name?: string }>(copy: T): T => copy.name ? { ...copy, name: freeName(copy.name) } : copy
  const freeName = freeNames(document.scene)

  /** A copy stays in the group of the original, unless the group is copied too. A group that the scene does not have is dropped. */
  const grouped = <T extends { group?: string }>(copy: T): T => {
    const { group, ...rest } = copy
    if (group === undefined) return copy
    const now = ids.get(group) ?? (document.element('groups', group) ? group : undefined)
    return now === undefined ? rest as T : { ...copy, group: now }
  }
  /**
   * A copy's collision exceptions refer to the copies of the original's exceptions if they are copied too, else to those themselves.
   * Exceptions that the scene does not have are dropped.
   */
  const excepting = ({ collision, ...body }: Body): Body => {
    if (collision?.except === undefined) return collision === undefined ? body : { ...body, collision }
    const except = collision.except.flatMap(id => ids.get(id) ?? (document.element('bodies', id) ? id : []))
    return { ...body, collision: { ...collision, except } }
  }
  const bodies = clip.bodies.map(body => grouped(titled({ ...excepting(structuredClone(body)), id: ids.get(body.id)!, position: moved(positionOf(body)) })))
  // A copy is held by the copies of the bodies that hold the original, if these are copied too.
  const deformables = (clip.deformables ?? []).map(deformable => {
    const copy = withReferencesOf('deformables', mappedDeformable(deformable, { point: moved, direction: v => v }), (collection, id) => collection === 'bodies' ? mapped(id)! : id)
    return titled({ ...copy, id: ids.get(deformable.id)! })
  })
  const groups = clip.groups.map(group => grouped(titled({ ...group, id: ids.get(group.id)! })))
  const prefabOf = (id: string) => {
    const { file } = clip.prefabs!.find(one => one.id === id)!
    return document.scene.prefabs?.find(one => one.file === file)?.id ?? ids.get(id)!
  }
  const instances = (clip.instances ?? []).map(instance => (
    grouped(titled({ ...withReferencesOf('instances', structuredClone(instance), (_, id) => ofCopy(id)), id: ids.get(instance.id)!, prefab: prefabOf(instance.prefab), position: moved(positionOf(instance)) }))
  ))
  // Into another scene, a joint comes only with its bodies.
  const joints = clip.joints.filter(joint => !('bodyA' in joint) || [joint.bodyA, joint.bodyB].every(id => id == null || isCopied(id) || document.element('bodies', id))).map(joint => {
    const copy = titled({ ...structuredClone(joint), id: ids.get(joint.id)! })
    if ('bodyA' in copy) {
      // A second joint of the same bodies, such as another string, begins where the first one is.
      const place = isCopied(copy.bodyA) || isCopied(copy.bodyB) ? moved : (v: Vec3) => v
      if (copy.poseA && isCopied(copy.bodyA)) copy.poseA.position = moved(copy.poseA.position)
      if (copy.poseB && isCopied(copy.bodyB)) copy.poseB.position = moved(copy.poseB.position)
      copy.bodyA = mapped(copy.bodyA)
      copy.bodyB = mapped(copy.bodyB)
      copy.anchor = place(copy.anchor)
      if (copy.type === 'distance') copy.anchorB = place(copy.anchorB)
      if (copy.type === 'pointOnCurve') copy.curve = movedCurve(copy.curve, place)
    } else {
      copy.jointA = ids.get(copy.jointA) ?? copy.jointA
      copy.jointB = ids.get(copy.jointB) ?? copy.jointB
    }
    return copy
  })
  const scripts = clip.scripts.map(script => ({ ...script, id: ids.get(script.id)! }))
  const forces = clip.forces.map(force => {
    const copy = { ...structuredClone(force), id: ids.get(force.id)! } as Force & Record<string, unknown>
    for (const key of ['body', 'bodyA', 'bodyB', 'script'] as const) {
      if (typeof copy[key] === 'string') (copy as Record<string, unknown>)[key] = mapped(copy[key] as string)
    }
    // Ends in the world are displaced with the copy; ends in body frames move with their bodies.
    if (force.type === 'spring') {
      if (force.bodyA === null && force.pointA) copy.pointA = moved(force.pointA)
      if (force.bodyB === null && force.pointB) copy.pointB = moved(force.pointB)
    }
    if (copy.type === 'guide') copy.keys = copy.keys.map(key => ({ ...key, body: mapped(key.body), target: moved(key.target ?? [0, 0, 0]) }))
    if (Array.isArray(copy.bodies)) (copy as { bodies: string[] }).bodies = (copy.bodies as string[]).map(id => mapped(id)!)
    return copy as Force
  })

  const appended = (draft: Scene, collection: Collection, elements: readonly Element[]) => {
    if (elements.length > 0) ((draft[collection] ??= []) as unknown[]).push(...elements)
  }
  document.transact(label, scene => {
    const whole = editScene(scene, draft => {
      appended(draft as Scene, 'materials', materials)
      appended(draft as Scene, 'meshes', meshes)
      appended(draft as Scene, 'textures', textures)
      appended(draft as Scene, 'groups', groups)
      appended(draft as Scene, 'prefabs', prefabs.map(prefab => ({ ...prefab, id: ids.get(prefab.id)! })))
      appended(draft as Scene, 'instances', instances)
    })
    // Joints may refer to parts of the instances.
    const placed = settled(scene, whole)
    return placed.ok ? editScene(placed.scene, draft => {
      appended(draft as Scene, 'bodies', bodies)
      appended(draft as Scene, 'deformables', deformables)
      appended(draft as Scene, 'joints', joints)
      appended(draft as Scene, 'scripts', scripts)
      appended(draft as Scene, 'forces', forces)
    }) : placed
  })
  const added = [...bodies, ...deformables, ...joints, ...scripts, ...forces].map(element => element.id)
  const whole = instances.flatMap(({ id }) => document.has(id) ? contentsOf(document.scene, id) : [])
  useSelection().select(bodies.length > 0 || whole.length > 0 ? [...deformables, ...bodies, ...groups].map(element => element.id).concat(whole) : added)
  return added
}

/** The material of new shapes: the document's first one, created if there is none. */
export function materialForNewShape(draft: Scene): string {
  const first = draft.materials?.[0]
  if (first) return first.id
  const material: Material = { id: freshId(draft, 'wood'), name: 'Wood', density: 700, friction: { static: 0.5, dynamic: 0.4 }, restitution: 0.3, color: '#c39a6b' }
  draft.materials = [material]
  return material.id
}

/** "3 bodies", or the name of the only element. */
export function nameOf(ids: readonly string[]): string {
  const document = useDocument()
  const last = document.element('groups', ids.at(-1) ?? '') ?? document.element('instances', ids.at(-1) ?? '')
  if (last) return titleOf(last)
  if (ids.length !== 1) return `${ids.length} ${ids.every(id => document.place(id)?.collection === 'bodies') ? 'bodies' : 'objects'}`
  const place = document.place(ids[0]!)
  const element = place && document.scene[place.collection]?.[place.index]
  return element ? titleOf(element) : ids[0]!
}
