/**
 * Mirrors objects attached to mirrored bodies: forces and sensors on them, and deformables that only they hold. A force on named bodies belongs to
 * them and is mirrored too; one without a list belongs to the environment, like gravity, and is unchanged.
 */

import { bodiesOfDeformable, listedTargets, mappedDeformable, type Deformable, type Force, type ForceOf, type Scene, type Sensor } from '../scene'
import type { Vec3 } from '../math/vector'
import { ModellingError } from './fault'
import { kindsOfForce, mirroredExpressions, OF_DEFORMABLES, OF_SENSORS, type Kinds } from './mirror-expressions'
import type { MirrorImage } from './mirror-image'

type Expressions = NonNullable<Scene['expressions']>

/** Ids of mirrored bodies, and of deformables that are mirrored with them. */
type Mirrored = ReadonlySet<string>

interface Named {
  readonly id: string
  readonly name?: string
}

const titled = ({ id, name }: Named): string => `"${name ?? id}"`
const refused = (why: string) => new ModellingError('invalid', null, why)
const differ = (a: Vec3, b: Vec3): boolean => a.some((x, k) => x !== b[k])

/** @param element mirrored in everything but its formulas, as it was before */
function withFormulas<T extends Named & { readonly expressions?: Expressions }>(what: string, element: T, kinds: Kinds, image: MirrorImage): T {
  if (!element.expressions?.length) return element
  return { ...element, expressions: mirroredExpressions(element.expressions, kinds, image, field => refused(
    `${what} ${titled(element)} follows a formula in ${field}, which has no mirror image: formulas of points, directions and strengths have one`)) }
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
export function mirroredDeformable(deformable: Deformable, image: MirrorImage): Deformable {
  const { point, polar } = image
  return mappedDeformable(withFormulas('Deformable', deformable, OF_DEFORMABLES, image), { point, direction: polar }, polar)
}

/** @throws ModellingError for a force that also acts on others, with another mirror image */
export function mirroredForce(force: Force, mirrored: Mirrored, image: MirrorImage): Force {
  const changed = imageOf(force, mirrored, image)
  if (!force.expressions?.length) return changed
  const listed = listedTargets(force) ?? []
  if (changed === force && !listed.some(id => mirrored.has(id))) return force
  const { expressions } = withFormulas('Force', force, kindsOfForce(force, mirrored), image)
  const isSame = expressions!.every((one, k) => one === force.expressions![k])
  const other = listed.find(id => !mirrored.has(id))
  if (changed === force && !isSame && other !== undefined) throw alsoOn(force, other)
  return isSame ? changed : { ...changed, expressions: expressions! }
}

function imageOf(force: Force, mirrored: Mirrored, image: MirrorImage): Force {
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
    // Its script is mirrored instead.
    case 'script':
    case 'pair':
    case 'lennard-jones':
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
  if (changes()) throw alsoOn(force, other)
  return false
}

const alsoOn = (force: Force, other: string) =>
  refused(`Force ${titled(force)} also acts on "${other}", which is not mirrored: select it as well, or give each body its own force`)

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
export function mirroredSensor(sensor: Sensor, mirrored: Mirrored, image: MirrorImage): Sensor {
  if (sensor.type === 'joint' || sensor.type === 'contact' || sensor.body === null || !mirrored.has(sensor.body)) return sensor
  const { polar, turned } = image
  const own = withFormulas('Sensor', sensor, OF_SENSORS, image)
  const placed = sensor.position ? { position: polar(sensor.position) } : {}
  if (own.type === 'range') return { ...own, ...placed, direction: polar(own.direction) }
  return { ...own, ...placed, ...'orientation' in own && own.orientation ? { orientation: turned(own.orientation) } : {} }
}
