/** Joints of the scene as UsdPhysics joints. Body 0 is B and body 1 is A, so that positions are those of A relative to B. */

import { IDENTITY_POSE, toInner, type Pose } from '../../math/pose'
import { conjugate, multiplyQuaternions } from '../../math/quaternion'
import type { ResolvedBody, ResolvedJoint } from '../../scene'
import { drivesOf } from '../shared/drives'
import type { Losses } from '../shared/losses'
import { coordinatePath, framedJoint, type Coordinate, type FramedJoint } from '../shared/six-freedoms'
import { DEGREE } from './transform'
import { path, property, tuple, type Usda, type UsdaPrim, type UsdaProperty } from './usda-write'
import { quaternion } from './write-shapes'

const LINEAR = ['transX', 'transY', 'transZ'] as const
const ANGULAR = ['rotX', 'rotY', 'rotZ'] as const

export interface JointContext {
  readonly name: string
  /** JSON path of the joint. */
  readonly where: string
  readonly bodies: ReadonlyMap<string, ResolvedBody>
  /** Path of a body's prim. */
  readonly primOf: (id: string) => string
  readonly losses: Losses
  readonly metadata: readonly string[]
}

/** Null, with a loss, if USD has no such joint. */
export function jointPrim(joint: ResolvedJoint, context: JointContext): UsdaPrim | null {
  const { where, losses } = context
  if (joint.type === 'gear') {
    losses.add(where, 'UsdPhysics has no gear', 'nothing: the two joints turn independently')
    return null
  }
  if (joint.type === 'distance') {
    const properties = [
      ...bodies(joint, context, { position: joint.anchor, orientation: [0, 0, 0, 1] }, { position: joint.anchorB, orientation: [0, 0, 0, 1] }),
      property('float physics:minDistance', joint.length), property('float physics:maxDistance', joint.length),
    ]
    return prim('PhysicsDistanceJoint', [], properties, context)
  }
  const framed = framedJoint(joint)
  if (framed === null) {
    losses.add(where, `UsdPhysics has no point on a ${joint.type === 'pointOnCurve' ? joint.curve.type : 'curve'}`, 'nothing: the bodies are not joined')
    return null
  }
  const common = bodies(joint, context, framed.frame, framed.frame)
  const { linear, angular } = framed.freedoms
  switch (joint.type) {
    case 'fixed':
      return prim('PhysicsFixedJoint', [], common, context)
    case 'ball': {
      const resisted = joint.damping > 0
      if (joint.friction > 0) losses.add(`${where}.friction`, 'UsdPhysics has no friction in joints', 'none')
      // A spherical joint has no drives; a generic joint with three free rotations has.
      return resisted ? general(joint, framed, common, context) : prim('PhysicsSphericalJoint', [], common, context)
    }
    case 'hinge': {
      const { schemas, properties } = drive(angular[0], 'angular', true, where, losses)
      return prim('PhysicsRevoluteJoint', schemas, [...common, property('uniform token physics:axis', 'X'), ...limits(angular[0], true), ...properties], context)
    }
    case 'slider': {
      const { schemas, properties } = drive(linear[0], 'linear', false, where, losses)
      return prim('PhysicsPrismaticJoint', schemas, [...common, property('uniform token physics:axis', 'X'), ...limits(linear[0], false), ...properties], context)
    }
    default:
      return general(joint, framed, common, context)
  }
}

/** A generic joint: each coordinate is locked, limited or driven separately. */
function general(joint: ResolvedJoint, { freedoms }: FramedJoint, common: readonly UsdaProperty[], context: JointContext): UsdaPrim {
  const schemas: string[] = []
  const properties = [...common]
  const writeCoordinate = (name: string, coordinate: Coordinate, angular: boolean, inside: string): void => {
    const scale = angular ? 1 / DEGREE : 1
    const bounded = coordinate.lower !== undefined || coordinate.upper !== undefined
    if (coordinate.locked || bounded) {
      schemas.push(`PhysicsLimitAPI:${name}`)
      // A lower limit above the upper one locks the coordinate.
      const [low, high] = coordinate.locked ? [1, -1] : [(coordinate.lower ?? -Infinity) * scale, (coordinate.upper ?? Infinity) * scale]
      properties.push(property(`float limit:${name}:physics:low`, low), property(`float limit:${name}:physics:high`, high))
    }
    const driven = drive(coordinate, name, angular, `${context.where}${inside}`, context.losses)
    schemas.push(...driven.schemas)
    properties.push(...driven.properties)
  }
  freedoms.linear.forEach((coordinate, k) => writeCoordinate(LINEAR[k]!, coordinate, false, coordinatePath(joint, 'linear', k)))
  freedoms.angular.forEach((coordinate, k) => writeCoordinate(ANGULAR[k]!, coordinate, true, coordinatePath(joint, 'angular', k)))
  return prim('PhysicsJoint', schemas, properties, context)
}

function prim(type: string, schemas: readonly string[], properties: readonly UsdaProperty[], { name, metadata }: JointContext): UsdaPrim {
  const applied = schemas.length === 0 ? [] : [`prepend apiSchemas = [${schemas.map(schema => `"${schema}"`).join(', ')}]`]
  return { type, name, metadata: [...applied, ...metadata], properties }
}

function bodies(joint: Exclude<ResolvedJoint, { type: 'gear' }>, { bodies: known, primOf }: JointContext, a: Pose, b: Pose): UsdaProperty[] {
  const side = (index: 0 | 1, id: string | null, frame: Pose): UsdaProperty[] => {
    const body = id === null ? IDENTITY_POSE : known.get(id)!
    const at: Pose = body
    return [
      ...id === null ? [] : [property(`rel physics:body${index}`, path(primOf(id)))],
      property(`point3f physics:localPos${index}`, tuple(...toInner(at, frame.position))),
      property(`quatf physics:localRot${index}`, quaternion(multiplyQuaternions(conjugate(at.orientation), frame.orientation)) as Usda),
    ]
  }
  const { breakForce, breakTorque } = joint
  return [
    ...side(0, joint.bodyB, b), ...side(1, joint.bodyA, a), ...joint.collide ? [property('bool physics:collisionEnabled', true)] : [],
    ...breakForce === undefined ? [] : [property('float physics:breakForce', breakForce)],
    ...breakTorque === undefined ? [] : [property('float physics:breakTorque', breakTorque)],
  ]
}

function limits({ lower, upper }: Coordinate, angular: boolean): UsdaProperty[] {
  const scale = angular ? 1 / DEGREE : 1
  return [
    ...lower === undefined ? [] : [property('float physics:lowerLimit', lower * scale)], ...upper === undefined ? [] : [property('float physics:upperLimit', upper * scale)],
  ]
}

/** UsdPhysics has one drive per coordinate: the servo's, otherwise the motor's, otherwise the spring's. */
function drive(coordinate: Coordinate, name: string, angular: boolean, where: string, losses: Losses): { schemas: string[]; properties: UsdaProperty[] } {
  if ((coordinate.friction ?? 0) > 0) losses.add(`${where}.friction`, 'UsdPhysics has no friction in joints', 'none')
  const drives = drivesOf(coordinate)
  const one = drives[drives.length - 1]
  if (one === undefined) return { schemas: [], properties: [] }
  if (drives.length > 1) {
    for (const key of ['spring', 'damping'] as const) {
      if ((key === 'spring' ? coordinate.stiffness : coordinate.damping) === undefined) continue
      const taker = coordinate.servo === undefined ? 'motor' : 'servo'
      losses.add(`${where}.${key}`, `UsdPhysics has one drive for each coordinate, and the ${taker} takes it`, `the ${taker} without ${key}`)
    }
  }
  if (coordinate.motor !== undefined && coordinate.servo !== undefined) {
    losses.add(`${where}.motor`, 'UsdPhysics has one drive for each coordinate, and the servo takes it', 'the servo without motor')
  } else if (coordinate.motor !== undefined) losses.add(`${where}.motor`, 'a drive approaches its velocity by damping', 'a drive that reaches its force limit at 1 % velocity error')
  // USD uses stiffness and damping per degree.
  const per = angular ? DEGREE : 1
  const key = (what: string): string => `drive:${name}:physics:${what}`
  return {
    schemas: [`PhysicsDriveAPI:${name}`],
    properties: [
      property(`uniform token ${key('type')}`, 'force'), property(`float ${key('stiffness')}`, one.stiffness * per), property(`float ${key('damping')}`, one.damping * per),
      property(`float ${key('targetPosition')}`, one.rest / per), property(`float ${key('targetVelocity')}`, one.targetVelocity / per),
      ...Number.isFinite(one.maxForce) ? [property(`float ${key('maxForce')}`, one.maxForce)] : [],
    ],
  }
}
