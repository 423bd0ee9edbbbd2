/** What differs between two scenes in what they do: places, masses, shapes, laws of contact, joints and springs; ids and frames of bodies do not count. */

import { bodyMass, solidsOf } from '../../../core/analysis/solids'
import { solidParts } from '../../../core/formats/shared/mesh-solid'
import { composePoses, toOuter } from '../../../core/math/pose'
import { toMatrix } from '../../../core/math/quaternion'
import { turnInertia } from '../../../core/geometry/mass-properties'
import { combineMaterials, pairOf, type ResolvedBody, type ResolvedJoint, type ResolvedScene, type ResolvedShape } from '../../../core/scene'

const round = (value: number): number => Math.abs(value) < 1e-9 ? 0 : Number(value.toPrecision(8))
const near = (a: readonly number[], b: readonly number[], tolerance = 1e-7): boolean =>
  a.length === b.length && a.every((value, i) => Math.abs(value - b[i]!) <= tolerance * Math.max(1, Math.abs(value), Math.abs(b[i]!)))

/** Extent of a shape in the world along twenty directions: the same for the same solid, however it is written. */
function extents(shape: ResolvedShape, body: ResolvedBody): number[] {
  const pose = composePoses({ position: body.position, orientation: body.orientation }, { position: shape.position, orientation: shape.orientation })
  if (shape.type === 'halfSpace') return [...toOuter(pose, shape.normal.map(n => n * shape.offset) as unknown as [number, number, number])]
  const parts = solidsOf(shape).map(primitive => primitive.massProperties!)
  const volume = parts.reduce((sum, part) => sum + part.volume, 0)
  const center = toOuter(pose, [0, 1, 2].map(k => parts.reduce((sum, part) => sum + part.volume * part.centroid[k]!, 0) / volume) as unknown as [number, number, number])
  return [volume, ...center]
}

/** JSON paths in the first scene at which the second differs. */
export function differences(before: ResolvedScene, after: ResolvedScene): string[] {
  const found: string[] = []
  if (!near(before.gravity, after.gravity)) found.push('gravity')
  const bodies = new Map(after.bodies.map(body => [body.id, body]))
  before.bodies.forEach((body, i) => {
    const path = `bodies[${i}]`
    const other = bodies.get(body.id)
    if (other === undefined) {
      found.push(path)
      return
    }
    if (body.type !== other.type) found.push(`${path}.type`)
    if (body.spawnTime !== other.spawnTime) found.push(`${path}.spawnTime`)
    if (body.type === 'dynamic' && other.type === 'dynamic') compareMasses(body, other, before, after, path, found)
    compareShapes(body, other, before, after, path, found)
  })
  compareJoints(before, after, found)
  before.forces.forEach((force, i) => {
    const other = after.forces.find(one => one.id === force.id)
    if (other === undefined || other.type !== force.type) found.push(`forces[${i}]`)
    else if (force.type === 'spring' && other.type === 'spring'
      && !near([force.stiffness, force.damping, force.restLength], [other.stiffness, other.damping, other.restLength])) found.push(`forces[${i}]`)
  })
  return found
}

function compareMasses(body: ResolvedBody, other: ResolvedBody, before: ResolvedScene, after: ResolvedScene, path: string, found: string[]): void {
  const world = (one: ResolvedBody, scene: ResolvedScene): number[] => {
    const { mass, centerOfMass, inertia } = bodyMass(one, one.shapes.flatMap(shape => solidParts(shape).map(primitive => (
      { primitive, pose: shape, density: scene.materials.find(({ id }) => id === shape.material)!.density }))))
    return [mass, ...toOuter({ position: one.position, orientation: one.orientation }, centerOfMass), ...turnInertia(toMatrix(one.orientation), inertia)]
  }
  if (!near(world(body, before), world(other, after))) found.push(`${path}.mass`)
  if (!near(body.linearVelocity, other.linearVelocity)) found.push(`${path}.linearVelocity`)
  if (!near(body.angularVelocity, other.angularVelocity)) found.push(`${path}.angularVelocity`)
}

function compareShapes(body: ResolvedBody, other: ResolvedBody, before: ResolvedScene, after: ResolvedScene, path: string, found: string[]): void {
  const all = body.shapes.flatMap(shape => shape.type === 'mesh' ? (shape.pieces ?? []).map(() => null) : [shape])
  if (all.length !== other.shapes.length) {
    found.push(`${path}.shapes`)
    return
  }
  body.shapes.forEach((shape, k) => {
    if (shape.type === 'mesh') return
    const twin = other.shapes[k]!
    if (!near(extents(shape, body), extents(twin, other), 1e-6)) found.push(`${path}.shapes[${k}]`)
    const law = (scene: ResolvedScene, id: string) => {
      const material = scene.materials.find(one => one.id === id)!
      const { static: s, dynamic, torsional, rolling, restitution } = combineMaterials(material, material, pairOf(scene.materialPairs, id, id))
      return [s, dynamic, torsional, rolling, restitution]
    }
    if (!near(law(before, shape.material), law(after, twin.material), 1e-5)) found.push(`materials of ${path}.shapes[${k}]`)
  })
}

function compareJoints(before: ResolvedScene, after: ResolvedScene, found: string[]): void {
  const joints = new Map(after.joints.map(joint => [joint.id, joint]))
  before.joints.forEach((joint, i) => {
    const other = joints.get(joint.id) ?? after.joints.find(one => isTwin(joint, one))
    const path = `joints[${i}]`
    if (other === undefined || other.type !== joint.type) {
      found.push(path)
      return
    }
    if (joint.type === 'gear' && other.type === 'gear') {
      if (!near([joint.ratio], [other.ratio])) found.push(path)
      return
    }
    if (joint.type === 'gear' || other.type === 'gear') return
    const turned = joint.bodyA !== other.bodyA
    if ('axis' in joint && 'axis' in other) {
      const along = joint.axis.reduce((sum, value, k) => sum + value * other.axis[k]!, 0)
      if (Math.abs(Math.abs(along) - 1) > 1e-7) found.push(`${path}.axis`)
      // With the bodies exchanged the position counts the other way round, unless the axis is turned as well.
      const sign = (along > 0 ? 1 : -1) * (turned ? -1 : 1)
      if ('limits' in joint || 'spring' in joint) compareFreedom(joint as Freedom, other as Freedom, sign, path, found)
    }
    const atPoint = joint.type === 'ball' || joint.type === 'universal' || joint.type === 'distance'
    if (atPoint && !near(joint.anchor, other.anchor)) found.push(`${path}.anchor`)
  })
}

/** Gears and welds have no names in some formats: the same ones join the same things. */
function isTwin(joint: ResolvedJoint, other: ResolvedJoint): boolean {
  if (joint.type === 'gear' && other.type === 'gear') return other.jointA === joint.jointA && other.jointB === joint.jointB
  if (joint.type !== 'fixed' || other.type !== 'fixed') return false
  return (other.bodyA === joint.bodyA && other.bodyB === joint.bodyB) || (other.bodyA === joint.bodyB && other.bodyB === joint.bodyA)
}

interface Freedom {
  limits?: { lower?: number; upper?: number }
  motor?: { targetVelocity: number; maxForce: number }
  damping: number
  friction: number
  spring: { stiffness: number; rest: number }
}

function compareFreedom(a: Freedom, b: Freedom, sign: number, path: string, found: string[]): void {
  const negated = (value: number | undefined): number | undefined => value === undefined ? undefined : -value
  const bounds = ({ limits }: Freedom, s: number): (number | undefined)[] =>
    s > 0 ? [limits?.lower, limits?.upper] : [negated(limits?.upper), negated(limits?.lower)]
  const [x, y] = [bounds(a, 1), bounds(b, sign)]
  if (x.some((value, k) => (value === undefined) !== (y[k] === undefined) || round(value ?? 0) !== round(y[k] ?? 0))) found.push(`${path}.limits`)
  for (const key of ['damping', 'friction'] as const) if (!near([a[key]], [b[key]])) found.push(`${path}.${key}`)
  if (!near([a.spring.stiffness], [b.spring.stiffness])) found.push(`${path}.spring`)
  if (a.spring.stiffness > 0 && !near([a.spring.rest], [sign * b.spring.rest])) found.push(`${path}.spring`)
  if ((a.motor?.maxForce ?? 0) !== (b.motor?.maxForce ?? 0) || Math.abs((a.motor?.targetVelocity ?? 0) - sign * (b.motor?.targetVelocity ?? 0)) > 1e-9) found.push(`${path}.motor`)
}

/** Those differences that no loss tells of: a loss covers its own path, everything below, and the collection that it names. */
export function untold(differing: readonly string[], losses: readonly { readonly path: string }[]): string[] {
  const covers = (loss: string, path: string): boolean => path === loss || path.startsWith(`${loss}.`) || path.startsWith(`${loss}[`) || loss.startsWith(`${path}.`)
    || loss.startsWith(`${path}[`) || (path.startsWith('materials') && /^material(s|Pairs)(\[|$)/.test(loss))
  return differing.filter(path => !losses.some(loss => covers(loss.path, path)))
}
