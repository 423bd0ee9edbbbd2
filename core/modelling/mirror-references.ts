/**
 * Mirrors objects attached to mirrored bodies: forces and sensors on them, and deformables that only they hold. A force on named bodies belongs to
 * them and is mirrored too; one without a list belongs to the environment, like gravity, and is unchanged.
 */

import { bodiesOfDeformable, listedTargets, type Deformable, type Force, type ForceOf, type Scene, type Sensor } from '../scene'
import type { Vec3 } from '../math/vector'
import { ModellingError } from './fault'
import type { MirrorImage } from './mirror-image'

/** Ids of mirrored bodies, and of deformables that are mirrored with them. */
type Mirrored = ReadonlySet<string>

interface Named {
  readonly id: string
  readonly name?: string
}

const titled = ({ id, name }: Named): string => `"${name ?? id}"`
const refused = (why: string) => new ModellingError('invalid', null, why)
const differ = (a: Vec3, b: Vec3): boolean => a.some((x, k) => x !== b[k])

function withoutFormulas<T extends Named & { readonly expressions?: readonly unknown[] }>(what: string, element: T): T {
  if (element.expressions?.length) throw refused(`${what} ${titled(element)} follows formulas, which are not mirrored: those with numbers can be`)
  return element
}

/**
 * Deformables held by mirrored bodies, and possibly by the world.
 * @throws ModellingError if another body holds one too
 */
export function heldDeformables(scene: Scene, bodies: ReadonlySet<string>): Deformable[] {
  return (scene.deformables ?? []).filter(deformable => {
    const holders = bodiesOfDeformable(deformable)
    if (!holders.some(id => bodies.has(id))) return false
    const other = holders.find(id => !bodies.has(id))
    if (other === undefined) return true
    throw refused(`${titled(deformable)} is held by ${titled(scene.bodies?.find(({ id }) => id === other) ?? { id: other })} as well: select it too`)
  })
}

/** Triangles keep the order of their vertices, on which weights and rest coordinates depend; both sides of a sheet are equivalent. */
export function mirroredDeformable(deformable: Deformable, { point, polar }: MirrorImage): Deformable {
  withoutFormulas('Deformable', deformable)
  const attachments = deformable.attachments?.map(one => one.point ? { ...one, point: one.body === null ? point(one.point) : polar(one.point) } : one)
  const held = attachments ? { attachments } : {}
  switch (deformable.type) {
    case 'particles': return {
      ...deformable, ...held,
      particles: deformable.particles.map(one => ({ ...one, position: point(one.position), ...one.velocity ? { velocity: polar(one.velocity) } : {} })),
    }
    case 'rope': return { ...deformable, ...held, points: deformable.points.map(point), ...deformable.velocity ? { velocity: polar(deformable.velocity) } : {} }
    case 'hair': return { ...deformable, ...held, strands: deformable.strands.map(strand => ({ ...strand, points: strand.points.map(point) })) }
    case 'cloth': return { ...deformable, ...held, vertices: deformable.vertices.map(point), ...deformable.velocity ? { velocity: polar(deformable.velocity) } : {} }
  }
}

/** @throws ModellingError for a force that also acts on others, with another mirror image, or for a script that refers to a mirrored body */
export function mirroredForce(force: Force, scene: Scene, mirrored: Mirrored, image: MirrorImage): Force {
  const changed = imageOf(force, scene, mirrored, image)
  if (changed !== force) withoutFormulas('Force', force)
  return changed
}

function imageOf(force: Force, scene: Scene, mirrored: Mirrored, image: MirrorImage): Force {
  const { point, polar, axial } = image
  switch (force.type) {
    case 'uniform': return isTheirs(force, mirrored, () => differ(polar(force.force), force.force)) ? { ...force, force: polar(force.force) } : force
    case 'wind': return mirroredWind(force, mirrored, image)
    case 'attractor': {
      const center = force.center ?? [0, 0, 0]
      if (force.body != null) return mirrored.has(force.body) ? { ...force, center: polar(center) } : force
      return isTheirs(force, mirrored, () => differ(point(center), center)) ? { ...force, center: point(center) } : force
    }
    case 'point': return mirrored.has(force.body) ? { ...force, point: polar(force.point), force: polar(force.force) } : force
    case 'torque': return mirrored.has(force.body) ? { ...force, torque: axial(force.torque) } : force
    case 'keyframed': {
      if (!mirrored.has(force.body)) return force
      const keys = force.keys.map(key => ({ ...key, ...key.force ? { force: polar(key.force) } : {}, ...key.torque ? { torque: axial(key.torque) } : {} }))
      return { ...force, ...force.point ? { point: polar(force.point) } : {}, keys }
    }
    case 'spring': return mirroredSpring(force, mirrored, image)
    case 'guide': return mirroredGuide(force, mirrored, image)
    case 'script': {
      const source = scene.scripts?.find(({ id }) => id === force.script)?.source ?? ''
      const spoken = [...mirrored].find(id => ['\'', '"', '`'].some(quote => source.includes(quote + id + quote)))
      if (spoken !== undefined) throw refused(`Force ${titled(force)} is a script that refers to "${spoken}", and scripts are not mirrored: remove it first`)
      return force
    }
    case 'drag': return force
  }
}

/**
 * Whether a force with a list of targets acts only on mirrored bodies. @throws ModellingError if it acts on others too and the reflection would
 * change their load
 */
function isTheirs(force: Force, mirrored: Mirrored, changes: () => boolean): boolean {
  const listed = listedTargets(force) ?? []
  if (!listed.some(id => mirrored.has(id))) return false
  const other = listed.find(id => !mirrored.has(id))
  if (other === undefined) return true
  if (changes()) throw refused(`Force ${titled(force)} also acts on "${other}", which is not mirrored: select it as well, or give each body its own force`)
  return false
}

function mirroredWind(force: ForceOf<'wind'>, mirrored: Mirrored, { axis, point, polar }: MirrorImage): Force {
  const { velocity, box } = force
  const swapped = box && [point(box.min), point(box.max)] as const
  const corner = (low: Vec3, high: Vec3) => low.map((x, k) => k === axis ? high[k]! : x) as unknown as Vec3
  const image = swapped && { min: corner(swapped[0], swapped[1]), max: corner(swapped[1], swapped[0]) }
  const changes = () => differ(polar(velocity), velocity) || (box !== undefined && differ(image!.min, box.min))
  return isTheirs(force, mirrored, changes) ? { ...force, velocity: polar(velocity), ...image ? { box: image } : {} } : force
}

/** An end on the world is mirrored with the other end; one on a body that is not mirrored stays on it. */
function mirroredSpring(force: ForceOf<'spring'>, mirrored: Mirrored, { point, polar }: MirrorImage): Force {
  const { bodyA, bodyB } = force
  if (![bodyA, bodyB].some(id => id !== null && mirrored.has(id))) return force
  const end = (body: string | null, p: Vec3 = [0, 0, 0]) => body === null ? point(p) : mirrored.has(body) ? polar(p) : p
  return { ...force, pointA: end(bodyA, force.pointA), pointB: end(bodyB, force.pointB) }
}

function mirroredGuide(force: ForceOf<'guide'>, mirrored: Mirrored, { point, polar }: MirrorImage): Force {
  const pulls = (key: ForceOf<'guide'>['keys'][number]) => [key.body, key.deformable].some(id => id != null && mirrored.has(id))
  if (!force.keys.some(key => pulls(key) || (key.on !== undefined && mirrored.has(key.on)))) return force
  const keys = force.keys.map(key => {
    const copy = { ...key }
    if (key.body !== null && mirrored.has(key.body) && key.point) copy.point = polar(key.point)
    const target = key.target ?? [0, 0, 0]
    if (key.on === undefined ? pulls(key) : mirrored.has(key.on)) copy.target = key.on === undefined ? point(target) : polar(target)
    return copy
  })
  return { ...force, keys }
}

/** The image of a sensor's data in the frame of a mirrored body. */
export function mirroredSensor(sensor: Sensor, mirrored: Mirrored, { polar, turned }: MirrorImage): Sensor {
  if (sensor.type === 'joint' || sensor.type === 'contact' || sensor.body === null || !mirrored.has(sensor.body)) return sensor
  withoutFormulas('Sensor', sensor)
  const placed = sensor.position ? { position: polar(sensor.position) } : {}
  if (sensor.type === 'range') return { ...sensor, ...placed, direction: polar(sensor.direction) }
  return { ...sensor, ...placed, ...sensor.orientation ? { orientation: turned(sensor.orientation) } : {} }
}
