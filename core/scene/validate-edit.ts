import { bodiesOfDeformable, bodiesOfForce, bodiesOfJoint, deformablesJoinedTo, dependentsOf, listedTargets, showsAny, usedBySensor } from './dependents'
import type { ScenePatches } from './placed-elements'
import { collections, elementsOf, placeOf, type ElementOf } from './ids'
import { reportIssues } from './issues'
import { plainDataProblem } from './plain-data'
import type { ProblemList } from './problem'
import type { Collection } from './schema/field'
import { elementSchemas } from './schema/elements'
import { sceneSchema } from './schema/scene'
import { checkCounts, checkElement, checkGravityKeys, checkIdsUnique } from './rules/document'
import { checkPair, checkPairsUnique } from './rules/material'
import { checkPixels } from './rules/visual'
import type { Scene } from './types'

/** Parts changed by an edit. */
export interface Touched {
  /** Elements, by their index after the edit. */
  readonly places: readonly { readonly collection: Collection | 'materialPairs', readonly index: number }[]
  /** Other top-level keys. */
  readonly keys: readonly string[]
  /** Whether elements were added or removed, or changed their id. */
  readonly rearranged: boolean
}

const isCollection = (key: unknown): key is Collection | 'materialPairs' => typeof key === 'string' && Object.hasOwn(elementSchemas, key)

/** Parts changed by patches. A collection replaced or truncated as a whole counts as a key. */
export function touchedBy(patches: ScenePatches): Touched {
  const places = new Map<string, { collection: Collection | 'materialPairs', index: number }>()
  const keys = new Set<string>()
  let rearranged = false
  for (const { path } of patches) {
    const [key, index, field] = path
    if (isCollection(key) && typeof index === 'number') {
      places.set(`${key} ${index}`, { collection: key, index })
      if (field === undefined || field === 'id') rearranged = true
    } else {
      keys.add(String(key))
      if (isCollection(key)) rearranged = true
    }
  }
  return { places: [...places.values()], keys: [...keys], rearranged }
}

/** Reports problems of the parts changed by an edit, and of references to them. */
export function validateTouched(before: Scene, after: Scene, touched: Touched, list: ProblemList): void {
  const record = after as unknown as Record<string, unknown>
  for (const key of touched.keys) validateKey(after, key, record[key], list)
  const places = touched.places.filter(({ collection, index }) => index < (after[collection]?.length ?? 0))
  for (const { collection, index } of places) validateForm(collection, index, after[collection]![index], list)
  // The rules require the form of the schema.
  if (list.failed) return
  if (touched.rearranged) {
    checkCounts({ scene: after, list })
    checkIdsUnique({ scene: after, list })
    checkDangling(before, after, list)
  }
  const whole = touched.keys.filter(isCollection)
  const all = [...places, ...whole.flatMap(collection => (after[collection] ?? []).map((_, index) => ({ collection, index })))]
  for (const { collection, index } of all) checkRules(after, collection, index, list)
  if (all.some(({ collection }) => collection === 'materialPairs')) checkPairsUnique({ scene: after, list })
  if (touched.keys.includes('gravityKeys')) checkGravityKeys({ scene: after, list })
  checkReferring(after, all, list)
}

function validateForm(collection: Collection | 'materialPairs', index: number, element: unknown, list: ProblemList): void {
  const path = [collection, index]
  const plain = plainDataProblem(element)
  if (plain) {
    list.add({ ...plain, path: `${collection}[${index}]${plain.path === '' || plain.path.startsWith('[') ? '' : '.'}${plain.path}` })
    return
  }
  const schema = elementSchemas[collection]
  const result = schema.safeParse(element)
  if (!result.success) reportIssues(result.error.issues, schema, element, path, list)
}

function validateKey(scene: Scene, key: string, value: unknown, list: ProblemList): void {
  const plain = plainDataProblem(value)
  if (plain) {
    list.add({ ...plain, path: `${key}${plain.path === '' || plain.path.startsWith('[') ? '' : '.'}${plain.path}` })
    return
  }
  const partial = { format: scene.format, version: scene.version, [key]: value }
  const result = sceneSchema.safeParse(partial)
  if (!result.success) reportIssues(result.error.issues, sceneSchema, partial, [], list)
}

function checkRules(scene: Scene, collection: Collection | 'materialPairs', index: number, list: ProblemList): void {
  const path = [collection, index]
  if (collection === 'materialPairs') checkPair({ scene, list }, scene.materialPairs![index]!, path)
  else checkElement({ scene, list }, collection, scene[collection]![index]! as ElementOf[typeof collection], path)
}

/**
 * A pair depends on its materials' coefficients, a texture on the coordinates of its mesh, a gear on the type of its joints, a contact sensor on the
 * shapes of its body, a condition on the vertices of other deformables.
 */
function checkReferring(scene: Scene, places: Touched['places'], list: ProblemList): void {
  const materials = new Set(places.filter(place => place.collection === 'materials').map(({ index }) => scene.materials![index]!.id))
  const joints = new Set(places.filter(place => place.collection === 'joints').map(({ index }) => scene.joints![index]!.id))
  if (materials.size > 0) {
    scene.materialPairs?.forEach((pair, i) => {
      if (pair.materials.some(id => materials.has(id))) checkPair({ scene, list }, pair, ['materialPairs', i])
    })
  }
  const meshes = new Set(places.filter(place => place.collection === 'meshes').map(({ index }) => scene.meshes![index]!.id))
  if (meshes.size > 0) {
    scene.bodies?.forEach((body, i) => {
      if (showsAny(body, meshes)) checkElement({ scene, list }, 'bodies', body, ['bodies', i])
    })
  }
  if (places.some(({ collection }) => collection === 'textures')) checkPixels({ scene, list })
  const bodies = new Set(places.filter(place => place.collection === 'bodies').map(({ index }) => scene.bodies![index]!.id))
  scene.sensors?.forEach((sensor, i) => {
    if (sensor.type === 'contact' && bodies.has(sensor.body)) checkElement({ scene, list }, 'sensors', sensor, ['sensors', i])
  })
  const deformables = new Set(places.filter(place => place.collection === 'deformables').map(({ index }) => scene.deformables![index]!.id))
  if (deformables.size > 0) {
    scene.deformables?.forEach((deformable, i) => {
      const referring = !deformables.has(deformable.id) && deformablesJoinedTo(deformable).some(id => deformables.has(id))
      if (referring) checkElement({ scene, list }, 'deformables', deformable, ['deformables', i])
    })
  }
  if (joints.size > 0) {
    scene.joints?.forEach((joint, i) => {
      const referring = joint.type === 'gear' && (joints.has(joint.jointA) || joints.has(joint.jointB)) && !joints.has(joint.id)
      if (referring) checkElement({ scene, list }, 'joints', joint, ['joints', i])
    })
  }
}

/** Reports references to ids that no longer exist. */
function checkDangling(before: Scene, after: Scene, list: ProblemList): void {
  const gone = collections.flatMap(collection => (before[collection] === after[collection] ? [] : elementsOf(before, collection)))
    .map(element => element.id)
    .filter(id => !placeOf(after, id))
  if (gone.length === 0) return
  const lost = new Set(gone)
  const { pairs, madeOf, showing, excepting } = dependentsOf(after, gone)
  for (const index of pairs) checkRules(after, 'materialPairs', index, list)
  const users = new Set([...madeOf, ...showing, ...excepting])
  after.bodies?.forEach((body, i) => {
    if (users.has(body.id)) checkRules(after, 'bodies', i, list)
  })
  after.deformables?.forEach((deformable, i) => {
    const used = [...bodiesOfDeformable(deformable), ...deformablesJoinedTo(deformable)]
    if (users.has(deformable.id) || used.some(id => lost.has(id))) checkRules(after, 'deformables', i, list)
  })
  for (const collection of ['bodies', 'groups', 'instances'] as const) {
    after[collection]?.forEach(({ group }, i) => {
      if (group !== undefined && lost.has(group)) checkRules(after, collection, i, list)
    })
  }
  after.joints?.forEach((joint, i) => {
    const used = joint.type === 'gear' ? [joint.jointA, joint.jointB] : bodiesOfJoint(joint)
    if (used.some(id => lost.has(id))) checkRules(after, 'joints', i, list)
  })
  after.sensors?.forEach((sensor, i) => {
    if (usedBySensor(sensor).some(id => lost.has(id))) checkRules(after, 'sensors', i, list)
  })
  after.forces?.forEach((force, i) => {
    const used = [...bodiesOfForce(force), ...(listedTargets(force) ?? []), ...(force.type === 'script' ? [force.script] : [])]
    if (used.some(id => lost.has(id))) checkRules(after, 'forces', i, list)
  })
}
