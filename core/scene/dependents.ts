import type { Collection } from './schema/field'
import type { Body, Deformable, Force, Joint, OtherPlace, Scene, Sensor } from './types'

/** Bodies that a joint connects; none for a gear. */
export function bodiesOfJoint(joint: Joint): readonly string[] {
  return joint.type === 'gear' ? [] : [joint.bodyA, joint.bodyB].filter(id => id !== null)
}

/** Bodies and deformables that a force requires; those that it only lists may be removed. */
export function bodiesOfForce(force: Force): readonly string[] {
  switch (force.type) {
    case 'point':
    case 'torque':
    case 'keyframed': return [force.body]
    case 'guide': return [...new Set(force.keys.flatMap(({ body, deformable, on }) => [body, deformable, on].flatMap(id => id ?? [])))]
    case 'spring': return [force.bodyA, force.bodyB].filter(id => id !== null)
    case 'attractor': return force.body == null ? [] : [force.body]
    case 'uniform':
    case 'drag':
    case 'wind':
    case 'pair':
    case 'lennard-jones':
    case 'script': return []
  }
}

/** Bodies and deformables that a force lists, if it lists any. */
export function listedTargets(force: Force): readonly string[] | null {
  const bodies = 'bodies' in force ? force.bodies : undefined
  const deformables = 'deformables' in force ? force.deformables : undefined
  return bodies === undefined && deformables === undefined ? null : [...bodies ?? [], ...deformables ?? []]
}

/** Bodies on which a deformable is held, or to a point of which it is joined. */
export function bodiesOfDeformable(deformable: Deformable): readonly string[] {
  const roots = deformable.type === 'hair' ? deformable.strands.map(({ body }) => body ?? null) : []
  const joined = otherPlaces(deformable).flatMap(place => place.type === 'bodyPoint' ? [place.body] : [])
  return [...(deformable.attachments ?? []).map(({ body }) => body), ...roots, ...joined].filter(id => id !== null)
}

/** Other deformables whose vertices take part in its conditions. */
export function deformablesJoinedTo(deformable: Deformable): readonly string[] {
  return otherPlaces(deformable).flatMap(place => place.type === 'vertex' && place.deformable !== deformable.id ? [place.deformable] : [])
}

function otherPlaces({ behaviours = [], constraints = [] }: Deformable): readonly OtherPlace[] {
  return [...behaviours, ...constraints].flatMap(({ condition }) => condition.type === 'point' ? [] : condition.others ?? [])
}

/** Whether a deformable is held by the world, at pins or points, or moved along paths in it. */
export function isHeldByWorld(deformable: Deformable): boolean {
  return (deformable.pins?.length ?? 0) > 0 || (deformable.controlled?.length ?? 0) > 0 || deformable.attachments?.some(({ body }) => body === null) === true
    || (deformable.type === 'hair' && deformable.strands.some(({ body }) => (body ?? null) === null))
    || otherPlaces(deformable).some(place => place.type === 'bodyPoint' && place.body === null)
}

/** Whether a deformable goes along when bodies are moved: they hold it, and nothing else does. */
export function isCarriedBy(deformable: Deformable, isMoved: (body: string) => boolean): boolean {
  const holders = bodiesOfDeformable(deformable)
  return holders.length > 0 && holders.every(isMoved) && !isHeldByWorld(deformable)
}

/** Whether a body shows one of these meshes or textures. @param assets their ids */
export function showsAny({ visuals }: Body, assets: ReadonlySet<string>): boolean {
  return visuals?.some(visual => visual.type === 'mesh' && (assets.has(visual.mesh) || assets.has(visual.texture ?? ''))) === true
}

/** Object measured by a sensor: a body or a joint; null for the world. */
export function usedBySensor(sensor: Sensor): readonly string[] {
  if (sensor.type === 'joint') return [sensor.joint]
  return sensor.body === null ? [] : [sensor.body]
}

/** Everything to be removed or changed together with some ids. */
export interface Dependents {
  /** Ids of joints and forces that are meaningless without them; the given ids are not among them. */
  readonly elements: ReadonlyMap<string, Collection>
  /** Indices of material pairs. */
  readonly pairs: readonly number[]
  /** Forces that list both removed and other objects: only their list is shortened. */
  readonly lists: readonly string[]
  /** Deformables held on removed bodies, or joined to removed deformables: they are released there. */
  readonly loosened: readonly string[]
  /** Bodies that show a removed mesh or texture: their visual is removed, or stays without the texture. */
  readonly showing: readonly string[]
  /** Bodies that except a removed one from contact. */
  readonly excepting: readonly string[]
  /** Bodies, by their shapes, and deformables with a removed material. */
  readonly madeOf: readonly string[]
}

/** Everything that refers to the ids, and everything that refers to that in turn. */
export function dependentsOf(scene: Scene, ids: Iterable<string>): Dependents {
  const gone = new Set(ids)
  const elements = new Map<string, Collection>()
  const lists: string[] = []
  const take = (id: string, collection: Collection) => {
    if (gone.has(id)) return
    gone.add(id)
    elements.set(id, collection)
  }
  for (const joint of scene.joints ?? []) if (bodiesOfJoint(joint).some(id => gone.has(id))) take(joint.id, 'joints')
  for (const joint of scene.joints ?? []) if (joint.type === 'gear' && (gone.has(joint.jointA) || gone.has(joint.jointB))) take(joint.id, 'joints')
  for (const force of scene.forces ?? []) {
    const listed = listedTargets(force)
    if (bodiesOfForce(force).some(id => gone.has(id)) || (force.type === 'script' && gone.has(force.script))) take(force.id, 'forces')
    else if (listed?.every(id => gone.has(id))) take(force.id, 'forces')
    else if (listed?.some(id => gone.has(id)) && !gone.has(force.id)) lists.push(force.id)
  }
  for (const sensor of scene.sensors ?? []) if (usedBySensor(sensor).some(id => gone.has(id))) take(sensor.id, 'sensors')
  const pairs = (scene.materialPairs ?? []).flatMap((pair, i) => (pair.materials.some(id => gone.has(id)) ? [i] : []))
  const staying = (scene.deformables ?? []).filter(({ id }) => !gone.has(id))
  const loosened = staying.filter(one => [...bodiesOfDeformable(one), ...deformablesJoinedTo(one)].some(id => gone.has(id))).map(({ id }) => id)
  const showing = (scene.bodies ?? []).filter(body => !gone.has(body.id) && showsAny(body, gone)).map(({ id }) => id)
  const excepting = (scene.bodies ?? []).filter(body => !gone.has(body.id) && body.collision?.except?.some(id => gone.has(id))).map(({ id }) => id)
  const madeOf = [
    ...(scene.bodies ?? []).filter(body => !gone.has(body.id) && body.shapes?.some(shape => gone.has(shape.material))),
    ...staying.filter(({ material }) => gone.has(material)),
  ].map(({ id }) => id)
  return { elements, pairs, lists, loosened, showing, excepting, madeOf }
}
