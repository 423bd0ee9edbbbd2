/** Compares the mechanics of two scenes and returns differences by JSON path in the first. Ids are equal; the order of elements may differ. */

import { bodyMass } from '../../../core/analysis/solids'
import { solidParts } from '../../../core/formats/shared/mesh-solid'
import { fans } from '../../../core/formats/shared/surface'
import { meshesOf, shapeOfVisual } from '../../../core/formats/shared/visuals'
import type { BodyMass } from '../../../core/geometry/mass'
import { turnInertia } from '../../../core/geometry/mass-properties'
import { composePoses, IDENTITY_POSE, toOuter } from '../../../core/math/pose'
import { rotate, toMatrix } from '../../../core/math/quaternion'
import { cross, dot, length, sub, type Vec3 } from '../../../core/math/vector'
import { combineMaterials, mayTouch, pairOf, type ResolvedBody, type ResolvedScene, type ResolvedSensor, type ResolvedShape } from '../../../core/scene'
import type { Loss } from '../../../core/formats'
import { jointValues, touching, upwards } from './joint-values'

export interface Difference {
  readonly path: string
  readonly message: string
}

/** @param tolerance relative to the compared value; absolute for values below 1 */
export function differences(a: ResolvedScene, b: ResolvedScene, tolerance = 1e-9): Difference[] {
  const found: Difference[] = []
  const tell = (path: string, left: unknown, right: unknown): void => {
    found.push({ path, message: `${JSON.stringify(left)} became ${JSON.stringify(right)}` })
  }
  const near = (path: string, left: readonly number[], right: readonly number[] | undefined): void => {
    const size = Math.max(1e-3, ...left.map(Math.abs))
    if (right === undefined || right.length !== left.length || left.some((x, i) => !(Math.abs(x - right[i]!) <= tolerance * Math.max(size, 1)))) tell(path, left, right)
  }
  const relative = (path: string, left: readonly number[], right: readonly number[]): void => {
    const size = Math.max(...left.map(Math.abs))
    if (left.some((x, i) => !(Math.abs(x - right[i]!) <= tolerance * size))) tell(path, left, right)
  }
  near('gravity', a.gravity, b.gravity)
  const bodies = new Map(b.bodies.map(body => [body.id, body]))
  /** For each material used by shapes of the first scene: the material of the same shape in the second. */
  const mates = new Map<string, string>()
  a.bodies.forEach((body, i) => {
    const other = bodies.get(body.id)
    const path = `bodies[${i}]`
    if (other === undefined) return tell(path, body.id, null)
    if (body.type !== other.type) tell(`${path}.type`, body.type, other.type)
    near(`${path}.position`, body.position, other.position)
    near(`${path}.orientation`, toMatrix(body.orientation), toMatrix(other.orientation))
    if (body.type !== 'fixed') {
      near(`${path}.linearVelocity`, body.linearVelocity, other.linearVelocity)
      near(`${path}.angularVelocity`, body.angularVelocity, other.angularVelocity)
    }
    if (body.spawnTime !== other.spawnTime) tell(`${path}.spawnTime`, body.spawnTime, other.spawnTime)
    if (body.type === 'dynamic' && other.type === 'dynamic') {
      const [m, n] = [massOf(body, a), massOf(other, b)]
      relative(`${path}.mass.mass`, [m.mass], [n.mass])
      near(`${path}.mass.centerOfMass`, toOuter(body, m.centerOfMass), toOuter(other, n.centerOfMass))
      relative(`${path}.mass.inertia`, turnInertia(toMatrix(body.orientation), m.inertia), turnInertia(toMatrix(other.orientation), n.inertia))
    }
    a.bodies.slice(i).forEach(mate => {
      const others = bodies.get(mate.id)
      // For bodies with a joint between them, the joint decides.
      const joined = a.joints.some(joint => joint.type !== 'gear' && !joint.collide && [joint.bodyA, joint.bodyB].includes(body.id) && [joint.bodyA, joint.bodyB].includes(mate.id))
      const some = mate.shapes.length > 0 && body.shapes.length > 0 && !(joined && mate !== body)
      if (some && others !== undefined && mayTouch(body, mate) !== mayTouch(other, others)) tell(`${path}.collision`, mayTouch(body, mate), `${mayTouch(other, others)} with ${mate.id}`)
    })
    sameShapes(body, other, i)
    sameVisuals(body, other, i)
  })
  sameDocument()
  if (a.bodies.length !== b.bodies.length) tell('bodies', a.bodies.length, b.bodies.length)

  /** Settings and texts of the scene as a whole. */
  function sameDocument(): void {
    if (a.description !== b.description) tell('description', a.description, b.description)
    const many = (key: 'parameters' | 'groups' | 'scripts' | 'deformables'): void => {
      if (a[key].length !== b[key].length) tell(key, a[key].length, b[key].length)
    }
    for (const key of ['parameters', 'groups', 'scripts', 'deformables'] as const) many(key)
    if (JSON.stringify(a.simulation) !== JSON.stringify(b.simulation)) tell('simulation', a.simulation, b.simulation)
    a.bodies.forEach(({ id, name = id, path }, i) => {
      const other = bodies.get(id)
      if (other !== undefined && (other.name ?? id) !== name) tell(`bodies[${i}].name`, name, other.name)
      if (other !== undefined && JSON.stringify(path) !== JSON.stringify(other.path)) tell(`bodies[${i}].path`, path, other.path)
    })
  }

  function sameShapes(body: ResolvedBody, other: ResolvedBody, i: number): void {
    if (body.shapes.length !== other.shapes.length) return tell(`bodies[${i}].shapes`, body.shapes.map(s => s.type), other.shapes.map(s => s.type))
    body.shapes.forEach((shape, k) => {
      const path = `bodies[${i}].shapes[${k}]`
      const mate = other.shapes[k]!
      const [left, right] = [measures(inWorld(shape, body)), measures(inWorld(mate, other))]
      if (left.kind !== right.kind) tell(path, left.kind, right.kind)
      else near(path, left.values, right.values)
      const j = a.materials.findIndex(({ id }) => id === shape.material)
      const [m, n] = [a.materials[j]!, b.materials.find(({ id }) => id === mate.material)!]
      mates.set(m.id, n.id)
      if (m.color.toLowerCase() !== n.color.toLowerCase()) tell(`materials[${j}].color`, m.color, n.color)
    })
  }

  function sameVisuals(body: ResolvedBody, other: ResolvedBody, i: number): void {
    const [some, others] = [body.visuals ?? [], other.visuals ?? []]
    if (some.length !== others.length) return tell(`bodies[${i}].visuals`, some.map(s => s.type), others.map(s => s.type))
    some.forEach((visual, k) => {
      const path = `bodies[${i}].visuals[${k}]`
      const mate = others[k]!
      const [left, right] = [looks(inWorld(shapeOfVisual(visual, meshesOf(a)), body)), looks(inWorld(shapeOfVisual(mate, meshesOf(b)), other))]
      if (left.kind !== right.kind) tell(path, left.kind, right.kind)
      else near(path, left.values, right.values)
      if (visual.color.toLowerCase() !== mate.color.toLowerCase()) tell(`${path}.color`, visual.color, mate.color)
    })
  }

  a.materials.forEach((m, j) => {
    a.materials.slice(j).forEach((n, k) => {
      const [p, q] = [mates.get(m.id), mates.get(n.id)]
      if (p === undefined || q === undefined) return
      const at = a.materialPairs.indexOf(pairOf(a.materialPairs, m.id, n.id)!)
      const path = at >= 0 ? `materialPairs[${at}]` : `materials[${j}]`
      const law = (scene: ResolvedScene, x: string, y: string) =>
        combineMaterials(scene.materials.find(({ id }) => id === x)!, scene.materials.find(({ id }) => id === y)!, pairOf(scene.materialPairs, x, y))
      const [left, right] = [law(a, m.id, n.id), law(b, p, q)]
      for (const key of ['static', 'dynamic', 'torsional', 'rolling'] as const) {
        // A reported material also changes all its pairs.
        if (Math.abs(left[key] - right[key]) > tolerance && (at >= 0 || k === 0)) tell(`${path}.friction.${key}`, left[key], right[key])
      }
      if (Math.abs(left.restitution - right.restitution) > tolerance) tell(`${path}.restitution`, left.restitution, right.restitution)
    })
  })

  const [touchesA, touchesB] = [touching(a), touching(b)]
  const joints = new Map(b.joints.map(joint => [joint.id, joint]))
  a.joints.forEach((joint, i) => {
    // A gear may come back as a property of its follower, under another name.
    const other = joint.type !== 'gear' ? joints.get(joint.id) : b.joints.find(one => one.type === 'gear'
      && ((one.jointA === joint.jointA && one.jointB === joint.jointB) || (one.jointA === joint.jointB && one.jointB === joint.jointA)))
    const path = `joints[${i}]`
    if (other === undefined || other.type !== joint.type) return tell(path, joint.type, other?.type)
    for (const [key, left, right] of jointValues(joint, other, touchesA, touchesB)) {
      if (typeof left === 'string' || left === null || typeof left === 'boolean') {
        if (left !== right) tell(`${path}.${key}`, left, right)
      } else near(`${path}.${key}`, left as readonly number[], right as readonly number[])
    }
  })
  a.forces.forEach((force, i) => {
    const other = b.forces.find(({ id }) => id === force.id)
    if (other?.type !== force.type) return tell(`forces[${i}]`, force.type, other?.type)
    if (force.type !== 'spring' || other.type !== 'spring') return
    near(`forces[${i}]`, [force.stiffness, force.damping, force.restLength, ...force.pointA, ...force.pointB], [other.stiffness, other.damping, other.restLength, ...other.pointA, ...other.pointB])
  })
  a.sensors.forEach((sensor, i) => {
    const other = b.sensors.find(({ id }) => id === sensor.id)
    const path = `sensors[${i}]`
    if (other?.type !== sensor.type) return tell(path, sensor.type, other?.type)
    const [left, right] = [sensorValues(sensor, a), sensorValues(other, b)]
    for (const [key, value] of Object.entries(left)) {
      if (Array.isArray(value)) near(`${path}.${key}`, value as number[], right[key] as number[] | undefined)
      else if (value !== right[key]) tell(`${path}.${key}`, value, right[key])
    }
  })
  if (a.sensors.length !== b.sensors.length) tell('sensors', a.sensors.length, b.sensors.length)
  if (a.joints.length !== b.joints.length) tell('joints', a.joints.length, b.joints.length)
  return found
}

/** Target and parameters of a sensor; poses in the world frame. */
function sensorValues(sensor: ResolvedSensor, { bodies }: ResolvedScene): Record<string, unknown> {
  const all: Record<string, unknown> = { noise: [sensor.noise] }
  if (sensor.type === 'joint') return { ...all, joint: sensor.joint, torqueNoise: [sensor.torqueNoise] }
  all.body = sensor.body
  const carrier = bodies.find(({ id }) => id === sensor.body)
  // If a body has one shape, "all shapes" means that one.
  if (sensor.type === 'contact') return { ...all, shape: carrier!.shapes.length === 1 ? undefined : sensor.shape }
  const body = carrier ?? IDENTITY_POSE
  if (sensor.type === 'range') {
    const ray = rotate(body.orientation, sensor.direction)
    return { ...all, position: toOuter(body, sensor.position), direction: ray.map(x => x / length(ray)), maximum: [sensor.maximum] }
  }
  if (sensor.type === 'imu') all.rateNoise = [sensor.rateNoise]
  const { position, orientation } = composePoses(body, sensor)
  return { ...all, position, orientation: toMatrix(orientation) }
}

/** Differences without a reported loss whose path contains them or lies within them. */
export function untold(found: readonly Difference[], losses: readonly Loss[]): Difference[] {
  const within = (path: string, outer: string): boolean => path.startsWith(outer) && ['', '.', '['].includes(path.charAt(outer.length))
  // [] stands for every element.
  const general = (path: string, loss: string): string => loss.includes('[]') ? path.replace(/\[\d+\]/, '[]') : path
  return found.filter(({ path }) => !losses.some(loss => loss.path !== ''
    && (within(general(path, loss.path), loss.path) || within(loss.path, general(path, loss.path)))))
}

function massOf(body: ResolvedBody, scene: ResolvedScene): BodyMass {
  return bodyMass(body, body.shapes.flatMap(shape => {
    const { density } = scene.materials.find(({ id }) => id === shape.material)!
    return solidParts(shape).map(primitive => ({ primitive, pose: shape, density }))
  }))
}

/** Some formats place link frames elsewhere, so positions are compared in the world frame. */
function inWorld(shape: ResolvedShape, body: ResolvedBody): ResolvedShape {
  return { ...shape, ...composePoses(body, shape) }
}

/** Area and centroid of a surface. */
function looks(shape: ResolvedShape): { kind: string; values: number[] } {
  if (shape.type !== 'mesh') return measures(shape)
  const corners = fans(shape.faces!).map(face => face.map(i => toOuter(shape, shape.vertices![i]!)) as [Vec3, Vec3, Vec3])
  const areas = corners.map(([p, q, r]) => 0.5 * length(cross(sub(q, p), sub(r, p))))
  const area = areas.reduce((sum, one) => sum + one, 0)
  return { kind: 'mesh', values: [area, ...[0, 1, 2].map(k => corners.reduce((sum, [p, q, r], t) => sum + areas[t]! * (p[k]! + q[k]! + r[k]!) / 3, 0) / area)] }
}

/** Sizes and position of a shape, independent of their representation. */
function measures(shape: ResolvedShape): { kind: string; values: number[] } {
  const turn = toMatrix(shape.orientation)
  const axis = rotate(shape.orientation, [0, 0, 1])
  switch (shape.type) {
    case 'box':
      return { kind: 'box', values: [...shape.size, ...shape.position, ...turn] }
    case 'sphere':
      return { kind: 'sphere', values: [shape.radius, ...shape.position] }
    case 'ellipsoid':
      if (Math.max(...shape.radii) - Math.min(...shape.radii) <= 1e-9) return { kind: 'sphere', values: [shape.radii[0], ...shape.position] }
      return { kind: 'ellipsoid', values: [...shape.radii, ...shape.position, ...turn] }
    case 'superquadric':
      return { kind: 'superquadric', values: [...shape.radii, ...shape.exponents, ...shape.position, ...turn] }
    case 'capsule':
    case 'cylinder': {
      return { kind: shape.type, values: [shape.radius, shape.height, ...shape.position, ...upwards(axis)] }
    }
    case 'cone':
      return { kind: 'cone', values: [shape.radius, shape.height, ...shape.position, ...axis] }
    case 'halfSpace': {
      const size = length(shape.normal)
      const normal = rotate(shape.orientation, shape.normal).map(x => x / size) as unknown as Vec3
      return { kind: 'halfSpace', values: [...normal, shape.offset / size + dot(normal, shape.position)] }
    }
    default: {
      const parts = solidParts(shape)
      const volume = parts.reduce((sum, { massProperties }) => sum + massProperties!.volume, 0)
      const first = [0, 1, 2].map(k => parts.reduce((sum, { massProperties }) => sum + massProperties!.volume * toOuter(shape, massProperties!.centroid)[k]!, 0) / volume)
      return { kind: shape.type === 'mesh' ? 'mesh' : 'hull', values: [volume, ...first] }
    }
  }
}
