import { normalizeQuaternion, rotate, type Quat } from '../math/quaternion'
import { add, distance, length, scale, type Vec3 } from '../math/vector'
import { reportIssues } from './issues'
import { ProblemList, SceneError } from './problem'
import { bodySchema } from './schema/body'
import { deformableSchema } from './schema/deformable'
import { forceSchema } from './schema/force'
import { jointSchema } from './schema/joint'
import { materialSchema } from './schema/material'
import { sceneSchema } from './schema/scene'
import { shapeSchema } from './schema/shape'
import type * as z from 'zod'
import type {
  Body, Deformable, Force, Joint, Material, ResolvedBody, ResolvedCurve, ResolvedDeformable, ResolvedForce, ResolvedJoint, ResolvedMaterial, ResolvedScene,
  ResolvedShape,
  Scene, Shape,
} from './types'

type Written<T> = { -readonly [K in keyof T]: T[K] }

/**
 * The scene with every default filled in, quaternions and directions normalised, "every dynamic body" replaced by a list and natural lengths
 * computed: the input of compiler, viewport and exports. Elements that are the same objects as in an earlier call give the same objects again.
 * @throws SceneError if the document does not have the form of the schema
 */
export function resolveScene(scene: Scene): ResolvedScene {
  const { materials = [], bodies = [], deformables = [], joints = [], forces = [], ...rest } = scene
  const head = parsed(sceneSchema, rest as Scene)
  const resolvedBodies = bodies.map(resolveBody)
  const resolvedDeformables = deformables.map(resolveDeformable)
  const context = contextOf(resolvedBodies, resolvedDeformables)
  return {
    ...head,
    materials: materials.map(resolveMaterial),
    bodies: resolvedBodies,
    deformables: resolvedDeformables,
    joints: joints.map(joint => completeJoint(parsedJoint(joint))),
    forces: forces.map(force => completeForce(parsedForce(force), context)),
  }
}

/** Completes the schema's output, which is a copy, to avoid parsing again. */
export function resolveParsed(output: z.output<typeof sceneSchema>): ResolvedScene {
  for (const body of output.bodies) normalizeBody(body)
  for (const joint of output.joints) normalizeJoint(joint)
  const context = contextOf(output.bodies, output.deformables)
  return {
    ...output,
    joints: output.joints.map(completeJoint),
    forces: output.forces.map(force => completeForce(force, context)),
  }
}

export const resolveMaterial: (material: Material) => ResolvedMaterial = remembered(material => parsed(materialSchema, material))

export const resolveBody: (body: Body) => ResolvedBody = remembered(body => {
  const resolved = parsed(bodySchema, body)
  normalizeBody(resolved)
  return resolved
})

export const resolveShape: (shape: Shape) => ResolvedShape = remembered(shape => {
  const resolved = parsed(shapeSchema, shape)
  normalizeShape(resolved)
  return resolved
})

export const resolveDeformable: (deformable: Deformable) => ResolvedDeformable = remembered(deformable => {
  const resolved: ResolvedDeformable = parsed(deformableSchema, deformable)
  for (const { condition } of [...resolved.behaviours, ...resolved.constraints]) if (condition.type === 'curve') normalizeCurve(condition.curve)
  return resolved
})

const parsedJoint = remembered((joint: Joint) => {
  const resolved = parsed(jointSchema, joint)
  normalizeJoint(resolved)
  return resolved
})

/** A joint with every key. */
export const resolveJoint = (joint: Joint): ResolvedJoint => completeJoint(parsedJoint(joint))

const parsedForce = remembered((force: Force) => parsed(forceSchema, force))

/** Caches one result per argument object, as long as that object exists. */
function remembered<A extends object, R>(compute: (argument: A) => R): (argument: A) => R {
  const results = new WeakMap<A, R>()
  return argument => {
    let result = results.get(argument)
    if (result === undefined) {
      result = compute(argument)
      results.set(argument, result)
    }
    return result
  }
}

function parsed<S extends z.ZodType>(schema: S, value: z.input<S>): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const list = new ProblemList()
  reportIssues(result.error.issues, schema, value, [], list)
  throw new SceneError(list.finish())
}

function normalizeBody(body: Written<ResolvedBody>): void {
  body.orientation = unitQuaternion(body.orientation)
  for (const shape of body.shapes) normalizeShape(shape)
  for (const visual of body.visuals ?? []) visual.orientation = unitQuaternion(visual.orientation)
}

function normalizeShape(shape: ResolvedShape): void {
  shape.orientation = unitQuaternion(shape.orientation)
  if (shape.type !== 'halfSpace') return
  const size = length(shape.normal)
  if (size === 1 || !(size > 0)) return
  shape.normal = scale(shape.normal, 1 / size)
  shape.offset /= size
}

type ParsedJoint = z.output<typeof jointSchema>

function normalizeJoint(joint: ParsedJoint): void {
  if ('poseA' in joint && joint.poseA !== undefined) joint.poseA.orientation = unitQuaternion(joint.poseA.orientation)
  if ('poseB' in joint && joint.poseB !== undefined) joint.poseB.orientation = unitQuaternion(joint.poseB.orientation)
  switch (joint.type) {
    case 'hinge':
    case 'slider':
    case 'cylindrical':
      joint.axis = unit(joint.axis)
      break
    case 'planar':
      joint.normal = unit(joint.normal)
      break
    case 'universal':
      joint.axisA = unit(joint.axisA)
      joint.axisB = unit(joint.axisB)
      break
    case 'pointOnCurve':
      normalizeCurve(joint.curve)
      break
  }
}

function normalizeCurve(curve: ResolvedCurve): void {
  if (curve.type === 'line') curve.direction = unit(curve.direction)
  else if (curve.type === 'circle') curve.normal = unit(curve.normal)
  else if (curve.type === 'helix') curve.axis = unit(curve.axis)
  else if (curve.type === 'formula') curve.orientation = unitQuaternion(curve.orientation)
}

function completeJoint(joint: ParsedJoint): ResolvedJoint {
  if (joint.type !== 'distance') return joint
  return { ...joint, length: joint.length ?? distance(joint.anchor, joint.anchorB) }
}

interface TargetsContext {
  readonly byId: ReadonlyMap<string, ResolvedBody>
  readonly dynamic: readonly string[]
  readonly deformables: readonly string[]
}

function contextOf(bodies: readonly ResolvedBody[], deformables: readonly ResolvedDeformable[]): TargetsContext {
  return {
    byId: new Map(bodies.map(body => [body.id, body])),
    dynamic: bodies.filter(body => body.type === 'dynamic').map(body => body.id),
    deformables: deformables.map(({ id }) => id),
  }
}

function completeForce(force: z.output<typeof forceSchema>, { byId, dynamic, deformables }: TargetsContext): ResolvedForce {
  /** The listed ids; all if none are listed. */
  const targets = (listed: { readonly bodies?: readonly string[] | undefined; readonly deformables?: readonly string[] | undefined }, all: readonly string[],
    every = deformables) => ({
    bodies: [...listed.bodies ?? (listed.deformables === undefined ? all : [])],
    deformables: [...listed.deformables ?? (listed.bodies === undefined ? every : [])],
  })
  switch (force.type) {
    case 'uniform':
    case 'drag':
    case 'wind':
      return { ...force, ...targets(force, dynamic) }
    case 'pair':
    case 'lennard-jones':
      return { ...force, deformables: [...force.deformables ?? deformables] }
    case 'attractor':
      // A body that carries the centre is not attracted to it; deformables are attracted only to points of the world.
      return { ...force, ...targets(force, dynamic.filter(id => id !== force.body), force.body === null ? deformables : []) }
    case 'spring': {
      const a = worldPoint(byId, force.bodyA, force.pointA)
      const b = worldPoint(byId, force.bodyB, force.pointB)
      return { ...force, restLength: force.restLength ?? distance(a, b) }
    }
    default:
      return force
  }
}

function worldPoint(byId: ReadonlyMap<string, ResolvedBody>, id: string | null, point: Vec3): Vec3 {
  const body = id === null ? undefined : byId.get(id)
  return body ? add(body.position, rotate(body.orientation, point)) : point
}

/** Unchanged if already of unit length to rounding, so that the written value is used. */
function unit(v: Vec3): Vec3 {
  const size = length(v)
  return size === 1 || !(size > 0) ? v : scale(v, 1 / size)
}

function unitQuaternion(q: Quat): Quat {
  const square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
  return Math.abs(square - 1) <= 4 * Number.EPSILON || !(square > 0) ? q : normalizeQuaternion(q)
}
