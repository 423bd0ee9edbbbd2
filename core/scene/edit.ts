import { create, type Draft } from 'mutative'
import type { Collection } from './schema/field'
import { bodiesOfForce, dependentsOf, listedTargets } from './dependents'
import { collections, elementById, elementsOf, indexOfIds, placeOf, type ElementOf } from './ids'
import { formatPath, type Path } from './path'
import { loosen, stopShowing, withoutExceptions } from './loosen'
import { keepIds, withElements, withoutElements, type PlacedElement, type ScenePatches } from './placed-elements'
import { followFormulas, renameParameter, usesParameters } from './parameters'
import { renamedParts, withParts } from './prefabs/edits'
import { withIds } from './prefabs/renamed'
import { problem, ProblemList, type Problem } from './problem'
import { takenId } from './rules/document'
import { withNamesChanged } from './script-names'
import type { OtherPlace, Scene } from './types'
import { touchedBy, validateTouched, type Touched } from './validate-edit'

/** A new scene (the same object if nothing changed), or the reason why the edit is not possible; the given scene is never changed. */
export type EditResult =
  | {
    readonly ok: true
    readonly scene: Scene
    readonly warnings: readonly Problem[]
  }
  | { readonly ok: false, readonly problems: readonly Problem[] }

const refuse = (...problems: Problem[]): EditResult => ({ ok: false, problems })
const unchanged = (scene: Scene): EditResult => ({ ok: true, scene, warnings: [] })

/** Accepts an edit if the parts that it changed are valid. */
function accept(before: Scene, after: Scene, touched: Touched): EditResult {
  const list = new ProblemList()
  validateTouched(before, after, touched, list)
  if (list.failed) return { ok: false, problems: list.finish() }
  return { ok: true, scene: after, warnings: list.finish() }
}

/**
 * Any edit: the recipe changes a draft in place. Only changed parts are validated: elements by their schema and rules, and references to removed or renamed
 * elements. Deleting from the middle of a large collection is faster with `removeElements`.
 */
export function editScene(scene: Scene, recipe: (draft: Draft<Scene>) => void): EditResult {
  const problems: Problem[] = []
  const [after, patches] = create(scene, draft => {
    recipe(draft)
    if (usesParameters(draft) || usesParameters(scene)) problems.push(...followFormulas(scene, draft))
  }, {
    enablePatches: { pathAsArray: true, arrayLengthAssignment: true },
  })
  if (problems.length > 0) return refuse(...problems)
  if (patches.length === 0) return unchanged(scene)
  keepIds(scene, after, patches as ScenePatches)
  return accept(scene, after, touchedBy(patches as ScenePatches))
}

/** Sets the value at a path; undefined removes the key, so that its default applies. Missing objects along the path are created. */
export function setValue(scene: Scene, path: Path, value: unknown): EditResult {
  const last = path.at(-1)
  if (last === undefined) return refuse(problem('InvalidValue', [], 'The whole scene cannot be set as one value'))
  let missing: Problem | null = null
  const result = editScene(scene, draft => {
    let target = draft as unknown as Record<string | number, unknown>
    for (const [i, part] of path.slice(0, -1).entries()) {
      const next = Object.hasOwn(target, part) ? target[part] : undefined
      if (next === undefined && typeof part === 'string' && typeof path[i + 1] === 'string') target[part] = {}
      else if (typeof next !== 'object' || next === null) {
        missing = problem('MissingKey', path.slice(0, i + 1), `There is nothing at ${formatPath(path.slice(0, i + 1))}`)
        return
      }
      target = target[part] as Record<string | number, unknown>
    }
    if (value !== undefined) target[last] = value
    else if (Array.isArray(target)) target.splice(Number(last), 1)
    else delete target[last]
  })
  return missing ? refuse(missing) : result
}

/** Replaces the element with this id; renaming is a separate edit. */
export function replaceElement<C extends Collection>(scene: Scene, collection: C, id: string, element: ElementOf[C]): EditResult {
  const index = indexOfIds(elementsOf(scene, collection)).get(id)
  if (index === undefined) return refuse(unknownId(id))
  return setValue(scene, [collection, index], element)
}

/** Adds elements, one after another, at an index or at the end. */
export function addElements<C extends Collection>(scene: Scene, collection: C, elements: readonly ElementOf[C][], at?: number): EditResult {
  if (elements.length === 0) return unchanged(scene)
  const length = elementsOf(scene, collection).length
  const start = Math.max(0, Math.min(at ?? length, length))
  return insertElements(scene, elements.map((element, i) => ({ collection, index: start + i, element })))
}

/** Adds elements of several collections at once, e.g. pasted bodies with their joints. Indices are those after the insertion. */
export function insertElements(scene: Scene, elements: readonly PlacedElement[]): EditResult {
  return accept(scene, withElements(scene, elements), { places: elements, keys: [], rearranged: true })
}

/**
 * Removes elements and everything that requires them: joints and forces on bodies, gears on joints, forces of scripts, pairs of materials; deformables lose
 * their attachments, bodies their visuals of a mesh and their exceptions. A material in use is kept, unless `replacement` gives another one.
 */
export function removeElements(scene: Scene, ids: readonly string[], replacement?: string): EditResult {
  const unknown = ids.find(id => !placeOf(scene, id))
  if (unknown !== undefined) return refuse(unknownId(unknown))
  if (ids.length === 0) return unchanged(scene)
  const whole = withParts(scene, ids)
  if ('message' in whole) return refuse(whole)
  ids = whole
  const dependents = dependentsOf(scene, ids)
  const gone = new Set([...ids, ...dependents.elements.keys()])
  if (dependents.madeOf.length > 0 && (replacement === undefined || gone.has(replacement))) {
    const users = dependents.madeOf
    return refuse(problem('InUse', ['materials'], `${users.length === 1 ? `"${users[0]}" is` : `${users.length} things are`} made of it`, {
      value: [...ids], allowed: 'another material for those first', ids: users,
    }))
  }
  const loosened = editScene(scene, draft => {
    for (const collection of ['bodies', 'groups', 'instances'] as const) {
      scene[collection]?.forEach(({ id, group }, i) => {
        if (group !== undefined && gone.has(group) && !gone.has(id)) moveToGroup(draft[collection]![i]!, remainingGroup(scene, group, gone))
      })
    }
    for (const force of draft.forces ?? []) {
      if (gone.has(force.id) || listedTargets(force)?.some(id => gone.has(id)) !== true) continue
      if ('bodies' in force && force.bodies) force.bodies = force.bodies.filter(id => !gone.has(id))
      if ('deformables' in force && force.deformables) force.deformables = force.deformables.filter(id => !gone.has(id))
      // In the format an empty list of bodies counts as absent; if deformables are listed, both mean the same.
      if ('bodies' in force && force.bodies?.length === 0) delete force.bodies
    }
    for (const id of dependents.loosened) loosen(draft.deformables![indexOfIds(scene.deformables!).get(id)!]!, gone)
    for (const id of dependents.excepting) withoutExceptions(draft.bodies![indexOfIds(scene.bodies!).get(id)!]!, gone)
    for (const id of dependents.showing) stopShowing(draft.bodies![indexOfIds(scene.bodies!).get(id)!]!, gone)
    if (dependents.madeOf.length === 0 || replacement === undefined) return
    for (const id of dependents.madeOf) {
      const { collection, index } = placeOf(scene, id)!
      if (collection === 'deformables') draft.deformables![index]!.material = replacement
      else for (const shape of draft.bodies![index]!.shapes ?? []) if (gone.has(shape.material)) shape.material = replacement
    }
  })
  if (!loosened.ok) return loosened
  const elements: PlacedElement[] = dependents.pairs.map(index => ({
    collection: 'materialPairs', index, element: loosened.scene.materialPairs![index]!,
  }))
  for (const collection of collections) {
    elementsOf(loosened.scene, collection).forEach((element, index) => {
      if (gone.has(element.id)) elements.push({ collection, index, element })
    })
  }
  return { ok: true, scene: withoutElements(loosened.scene, elements), warnings: [] }
}

/** The nearest group around a removed one that stays. */
function remainingGroup(scene: Scene, group: string, gone: ReadonlySet<string>): string | undefined {
  let above: string | undefined = group
  while (above !== undefined && gone.has(above)) above = elementById(scene, 'groups', above)?.group
  return above
}

function moveToGroup(member: { group?: string }, group: string | undefined): void {
  if (group === undefined) delete member.group
  else member.group = group
}

/** Moves an element within its collection; the order of bodies decides which is A in a contact. */
export function moveElement(scene: Scene, collection: Collection, id: string, to: number): EditResult {
  const elements = elementsOf(scene, collection)
  const from = indexOfIds(elements).get(id)
  if (from === undefined) return refuse(unknownId(id))
  const target = Math.max(0, Math.min(to, elements.length - 1))
  if (target === from) return unchanged(scene)
  const moved = [...elements]
  moved.splice(target, 0, ...moved.splice(from, 1))
  return { ok: true, scene: { ...scene, [collection]: moved }, warnings: [] }
}

/** Gives an element another id, and follows in everything that refers to it. */
export function renameId(scene: Scene, from: string, to: string): EditResult {
  const place = placeOf(scene, from)
  if (!place) return refuse(unknownId(from))
  if (from === to) return unchanged(scene)
  const other = placeOf(scene, to)
  // Of two elements with one id the scene's rules name the second, which may be the renamed one.
  if (other) return refuse(takenId([place.collection, place.index, 'id'], to, other))
  const parts = renamedParts(scene, from, to)
  if (parts) return accept(scene, withIds(scene, parts), { places: [{ ...place }], keys: [], rearranged: true })
  const follow = <T extends string | null | undefined>(id: T): T => (id === from ? to as T : id)
  return editScene(scene, draft => {
    draft[place.collection]![place.index]!.id = to
    for (const step of draft.lesson ?? []) if (step.select?.includes(from)) step.select = step.select.map(follow)
    switch (place.collection) {
      case 'materials':
        for (const [i, body] of (scene.bodies ?? []).entries()) {
          body.shapes?.forEach((shape, k) => {
            if (shape.material === from) draft.bodies![i]!.shapes![k]!.material = to
          })
        }
        for (const deformable of draft.deformables ?? []) deformable.material = follow(deformable.material)
        for (const pair of draft.materialPairs ?? []) pair.materials = [follow(pair.materials[0]), follow(pair.materials[1])]
        break
      case 'bodies':
        renameBody(draft, from, to)
        for (const script of draft.scripts ?? []) script.source = withNamesChanged(script.source, (collection, id) => collection === 'bodies' && id === from ? to : id)
        break
      case 'deformables':
        for (const place of placesOf(draft)) if (place.type === 'vertex') place.deformable = follow(place.deformable)
        for (const force of draft.forces ?? []) {
          if ('deformables' in force && force.deformables?.includes(from)) force.deformables = force.deformables.map(id => follow(id))
          if (force.type === 'guide') for (const key of force.keys) if (key.deformable === from) key.deformable = to
        }
        break
      case 'joints':
        for (const joint of draft.joints ?? []) {
          if (joint.type !== 'gear') continue
          joint.jointA = follow(joint.jointA)
          joint.jointB = follow(joint.jointB)
        }
        for (const sensor of draft.sensors ?? []) if (sensor.type === 'joint') sensor.joint = follow(sensor.joint)
        break
      case 'scripts':
        for (const force of draft.forces ?? []) if (force.type === 'script') force.script = follow(force.script)
        break
      case 'meshes':
        for (const [i, body] of (scene.bodies ?? []).entries()) {
          body.visuals?.forEach((visual, k) => {
            if (visual.type === 'mesh' && visual.mesh === from) (draft.bodies![i]!.visuals![k] as { mesh: string }).mesh = to
          })
        }
        break
      case 'textures':
        for (const [i, body] of (scene.bodies ?? []).entries()) {
          body.visuals?.forEach((visual, k) => {
            if (visual.type === 'mesh' && visual.texture === from) (draft.bodies![i]!.visuals![k] as { texture: string }).texture = to
          })
        }
        break
      case 'parameters':
        renameParameter(draft, from, to)
        break
      case 'groups':
        for (const collection of ['bodies', 'groups', 'instances'] as const) {
          scene[collection]?.forEach(({ group }, i) => { if (group === from) draft[collection]![i]!.group = to })
        }
        break
    }
  })
}

/** The other places of all conditions. */
function placesOf({ deformables = [] }: Draft<Scene>): Draft<OtherPlace>[] {
  return deformables.flatMap(({ behaviours = [], constraints = [] }) =>
    [...behaviours, ...constraints].flatMap(({ condition }) => condition.type === 'point' ? [] : condition.others ?? []))
}

function renameBody(draft: Draft<Scene>, from: string, to: string): void {
  for (const { collision } of draft.bodies ?? []) if (collision?.except?.includes(from)) collision.except = collision.except.map(id => id === from ? to : id)
  for (const deformable of draft.deformables ?? []) {
    for (const attachment of deformable.attachments ?? []) if (attachment.body === from) attachment.body = to
    if (deformable.type === 'hair') for (const strand of deformable.strands) if (strand.body === from) strand.body = to
  }
  for (const place of placesOf(draft)) if (place.type === 'bodyPoint' && place.body === from) place.body = to
  for (const joint of draft.joints ?? []) {
    if (joint.type === 'gear') continue
    if (joint.bodyA === from) joint.bodyA = to
    if (joint.bodyB === from) joint.bodyB = to
  }
  for (const sensor of draft.sensors ?? []) if ('body' in sensor && sensor.body === from) sensor.body = to
  for (const force of draft.forces ?? []) {
    if ('bodies' in force && force.bodies?.includes(from)) force.bodies = force.bodies.map(id => (id === from ? to : id))
    if (!bodiesOfForce(force).includes(from)) continue
    if ('body' in force && force.body === from) force.body = to
    if (force.type === 'guide') {
      for (const key of force.keys) {
        if (key.body === from) key.body = to
        if (key.on === from) key.on = to
      }
    }
    if (force.type !== 'spring') continue
    if (force.bodyA === from) force.bodyA = to
    if (force.bodyB === from) force.bodyB = to
  }
}

const unknownId = (id: string) => problem('UnknownReference', [], `Nothing has the id "${id}"`, { value: id, allowed: 'the id of something in the scene' })
