/** Whether two scenes mean the same mechanics: what differs, by JSON path in the first. Ids are the same; the order of elements need not be. */

import { bodyMass } from '../../../../core/analysis/solids'
import { solidParts } from '../../../../core/formats/shared/mesh-solid'
import type { BodyMass } from '../../../../core/geometry/mass'
import { toOuter } from '../../../../core/math/pose'
import { multiplyQuaternions, rotate, toMatrix } from '../../../../core/math/quaternion'
import { dot, length, type Vec3 } from '../../../../core/math/vector'
import type { ResolvedBody, ResolvedJoint, ResolvedJointOf, ResolvedScene, ResolvedShape } from '../../../../core/scene'
import type { Loss } from '../../../../core/formats'

export interface Difference {
  readonly path: string
  readonly message: string
}

/** @param tolerance relative to the size of what is compared, and absolute below 1 */
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
      relative(`${path}.mass`, [m.mass], [n.mass])
      near(`${path}.mass.centerOfMass`, m.centerOfMass, n.centerOfMass)
      relative(`${path}.mass.inertia`, m.inertia, n.inertia)
    }
    sameShapes(body, other, i)
  })
  if (a.bodies.length !== b.bodies.length) tell('bodies', a.bodies.length, b.bodies.length)

  function sameShapes(body: ResolvedBody, other: ResolvedBody, i: number): void {
    if (body.shapes.length !== other.shapes.length) return tell(`bodies[${i}].shapes`, body.shapes.map(s => s.type), other.shapes.map(s => s.type))
    body.shapes.forEach((shape, k) => {
      const path = `bodies[${i}].shapes[${k}]`
      const mate = other.shapes[k]!
      const [left, right] = [measures(shape, body), measures(mate, other)]
      if (left.kind !== right.kind) tell(path, left.kind, right.kind)
      else near(path, left.values, right.values)
      const j = a.materials.findIndex(({ id }) => id === shape.material)
      const [m, n] = [a.materials[j]!, b.materials.find(({ id }) => id === mate.material)!]
      for (const key of ['static', 'dynamic', 'torsional', 'rolling'] as const) {
        if (Math.abs(m.friction[key] - n.friction[key]) > tolerance) tell(`materials[${j}].friction.${key}`, m.friction[key], n.friction[key])
      }
      if (Math.abs(m.restitution - n.restitution) > tolerance) tell(`materials[${j}].restitution`, m.restitution, n.restitution)
      if (m.color.toLowerCase() !== n.color.toLowerCase()) tell(`materials[${j}].color`, m.color, n.color)
    })
  }

  const joints = new Map(b.joints.map(joint => [joint.id, joint]))
  a.joints.forEach((joint, i) => {
    // A gear may come back as a property of its follower, under another name.
    const other = joint.type !== 'gear' ? joints.get(joint.id) : b.joints.find(one => one.type === 'gear'
      && ((one.jointA === joint.jointA && one.jointB === joint.jointB) || (one.jointA === joint.jointB && one.jointB === joint.jointA)))
    const path = `joints[${i}]`
    if (other === undefined || other.type !== joint.type) return tell(path, joint.type, other?.type)
    for (const [key, left, right] of jointValues(joint, other)) {
      if (typeof left === 'string' || left === null || typeof left === 'boolean') {
        if (left !== right) tell(`${path}.${key}`, left, right)
      } else near(`${path}.${key}`, left as readonly number[], right as readonly number[])
    }
  })
  a.forces.forEach((force, i) => {
    if (!b.forces.some(({ id }) => id === force.id)) tell(`forces[${i}]`, force.id, null)
  })
  a.materialPairs.forEach((pair, i) => {
    if (b.materialPairs.length === 0) tell(`materialPairs[${i}]`, pair.materials, null)
  })
  return found
}

/** Differences that no loss announces: one whose path leads to the difference or lies within it. */
export function untold(found: readonly Difference[], losses: readonly Loss[]): Difference[] {
  return found.filter(({ path }) => !losses.some(loss => loss.path !== '' && (path.startsWith(loss.path) || loss.path.startsWith(path))))
}

function massOf(body: ResolvedBody, scene: ResolvedScene): BodyMass {
  return bodyMass(body, body.shapes.flatMap(shape => {
    const { density } = scene.materials.find(({ id }) => id === shape.material)!
    return solidParts(shape).map(primitive => ({ primitive, pose: shape, density }))
  }))
}

/** Sizes and place of a shape, independent of how they are written. */
function measures(shape: ResolvedShape, body: ResolvedBody): { kind: string; values: number[] } {
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
      const up = axis.find(x => Math.abs(x) > 0.5)! < 0 ? axis.map(x => -x) : axis
      return { kind: shape.type, values: [shape.radius, shape.height, ...shape.position, ...up] }
    }
    case 'cone':
      return { kind: 'cone', values: [shape.radius, shape.height, ...shape.position, ...axis] }
    case 'halfSpace': {
      const q = multiplyQuaternions(body.orientation, shape.orientation)
      const normal = rotate(q, shape.normal)
      const point = toOuter(body, toOuter(shape, shape.normal.map(x => x * shape.offset) as unknown as Vec3))
      return { kind: 'halfSpace', values: [...normal, dot(normal, point)] }
    }
    default: {
      const parts = solidParts(shape)
      const volume = parts.reduce((sum, { massProperties }) => sum + massProperties!.volume, 0)
      const first = [0, 1, 2].map(k => parts.reduce((sum, { massProperties }) => sum + massProperties!.volume * toOuter(shape, massProperties!.centroid)[k]!, 0) / volume)
      return { kind: shape.type === 'mesh' ? 'mesh' : 'hull', values: [volume, ...first] }
    }
  }
}

function jointValues(a: ResolvedJoint, b: ResolvedJoint): (readonly [string, unknown, unknown])[] {
  const unit = (v: Vec3): number[] => v.map(x => x / length(v))
  const values = (joint: ResolvedJoint): Record<string, unknown> => {
    const all: Record<string, unknown> = {}
    const freedom = (prefix: string, of: Record<string, unknown>): void => {
      const { limits, motor, damping, friction, spring } = of as Partial<ResolvedJointOf<'hinge'>>
      all[`${prefix}limits`] = [limits?.lower ?? -1e30, limits?.upper ?? 1e30]
      all[`${prefix}motor`] = motor === undefined || motor.maxForce === 0 ? [0, 0] : [motor.targetVelocity, motor.maxForce]
      all[`${prefix}damping`] = [damping ?? 0]
      all[`${prefix}friction`] = [friction ?? 0]
      if (spring !== undefined) all[`${prefix}spring`] = spring.stiffness === 0 ? [0, 0] : [spring.stiffness, spring.rest]
    }
    if (joint.type === 'gear') return { ratio: [a.type === 'gear' && joint.jointA === a.jointA ? joint.ratio : 1 / joint.ratio] }
    Object.assign(all, { bodyA: joint.bodyA, bodyB: joint.bodyB, collide: joint.collide })
    if (joint.type !== 'planar' && joint.type !== 'slider' && joint.type !== 'cylindrical') all.anchor = joint.anchor
    if ('axis' in joint) all.axis = unit(joint.axis)
    if (joint.type === 'planar') all.normal = unit(joint.normal)
    if (joint.type === 'universal') {
      Object.assign(all, { axisA: unit(joint.axisA), axisB: unit(joint.axisB) })
      freedom('rotationA.', joint.rotationA)
      freedom('rotationB.', joint.rotationB)
    }
    if (joint.type === 'cylindrical') {
      freedom('rotation.', joint.rotation)
      freedom('translation.', joint.translation)
    }
    if (joint.type === 'distance') Object.assign(all, { anchorB: joint.anchorB, length: [joint.length] })
    if (joint.type === 'hinge' || joint.type === 'slider' || joint.type === 'ball' || joint.type === 'pointOnCurve') freedom('', joint as unknown as Record<string, unknown>)
    return all
  }
  const [left, right] = [values(a), values(b.type !== 'gear' && a.type !== 'gear' && a.bodyA !== b.bodyA && (a.bodyA === b.bodyB || a.bodyB === b.bodyA) ? swapped(b) : b)]
  return Object.keys(left).map(key => [key, left[key], right[key]] as const)
}

/** The same joint with its bodies exchanged: axes turned round, so that positions stay. */
function swapped(joint: Exclude<ResolvedJoint, { type: 'gear' }>): ResolvedJoint {
  const back = (v: Vec3): Vec3 => [-v[0], -v[1], -v[2]]
  const base = { ...joint, bodyA: joint.bodyB, bodyB: joint.bodyA }
  if (base.type === 'hinge' || base.type === 'slider' || base.type === 'cylindrical') return { ...base, axis: back(base.axis) }
  if (base.type === 'universal') {
    return { ...base, axisA: back(base.axisB), axisB: back(base.axisA), rotationA: base.rotationB, rotationB: base.rotationA }
  }
  return base
}
