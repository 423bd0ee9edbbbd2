import { length } from '../../math/vector'
import type { Quat } from '../../math/quaternion'
import type { Path } from '../path'
import type { Body } from '../types'
import { requireReference, type RuleContext } from './context'
import { checkKeyTimes } from './keys'
import { checkMember } from './group'
import { checkInertia } from './inertia'
import { checkShape } from './shape'
import { checkVisual } from './visual'

/** A quaternion with a larger deviation from unit length is an error, not rounding: nobody writes fewer than three digits. */
const UNIT_TOLERANCE = 1e-3

export function checkBody(context: RuleContext, body: Body, path: Path): void {
  const { list } = context
  checkMember(context, body, path)
  body.collision?.except?.forEach((other, i) => {
    const where = [...path, 'collision', 'except', i]
    requireReference(context, 'bodies', other, where, body.id)
    if (other === body.id) list.report('InvalidValue', where, `"${body.id}" cannot touch itself`, { value: other, allowed: 'the id of another body', ids: [body.id] })
  })
  checkOrientation(context, body.orientation, [...path, 'orientation'], body.id)
  const type = body.type ?? 'dynamic'
  const shapes = body.shapes ?? []
  shapes.forEach((shape, i) => {
    const where = [...path, 'shapes', i]
    checkOrientation(context, shape.orientation, [...where, 'orientation'], body.id)
    checkShape(context, shape, where, body.id)
    if (shape.type === 'halfSpace' && type !== 'fixed') {
      list.report('HalfSpaceNotFixed', where, `A half-space belongs to a fixed body, and "${body.id}" is ${type}`, {
        value: 'halfSpace', allowed: 'a body of type fixed, or another shape', ids: [body.id],
      })
    }
  })
  body.visuals?.forEach((visual, i) => {
    checkOrientation(context, visual.orientation, [...path, 'visuals', i, 'orientation'], body.id)
    checkVisual(context, visual, [...path, 'visuals', i], body.id)
  })
  if (type === 'dynamic' && shapes.length === 0 && (body.mass?.mass === undefined || body.mass.inertia === undefined)) {
    list.report('MissingMass', [...path, 'mass'], `"${body.id}" is dynamic and has neither shapes nor mass and inertia`, {
      value: body.mass, allowed: 'at least one shape, or mass and inertia', ids: [body.id],
    })
  }
  if (body.mass?.inertia) checkInertia(context, body.mass.inertia, [...path, 'mass', 'inertia'], body.id)
  const spawned = body.spawnTime ?? 0
  if (body.removeTime !== undefined && !(body.removeTime > spawned)) {
    list.report('InvalidRemoval', [...path, 'removeTime'], `"${body.id}" is removed before it appears`, {
      value: body.removeTime, allowed: `a number > ${spawned}`, ids: [body.id],
    })
  }
  if (body.path) {
    checkKeyTimes(context, body.path, spawned, [...path, 'path'], [body.id])
    body.path.forEach((key, i) => checkOrientation(context, key.orientation, [...path, 'path', i, 'orientation'], body.id))
    if (type !== 'kinematic') {
      list.report('InvalidKeys', [...path, 'path'], `Only kinematic bodies follow a path, and "${body.id}" is ${type}`, {
        value: body.path.length, allowed: 'a body of type kinematic, or no path', ids: [body.id],
      })
    }
  }
  if (type === 'fixed' || body.path) {
    for (const key of ['linearVelocity', 'angularVelocity'] as const) {
      const velocity = body[key]
      if (!velocity || length(velocity) === 0) continue
      list.report('IgnoredVelocity', [...path, key], `"${body.id}" ${body.path ? 'follows its path' : 'is fixed'}, so its velocity has no effect`, {
        value: velocity, allowed: body.path ? 'zero, or no path' : 'zero, or a body of type dynamic or kinematic', ids: [body.id], severity: 'warning',
      })
    }
  }
}

export function checkOrientation({ list }: RuleContext, q: Quat | undefined, path: Path, owner: string): void {
  if (!q) return
  const norm = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
  if (Math.abs(norm - 1) <= UNIT_TOLERANCE) return
  list.report('InvalidOrientation', path, `The quaternion has length ${norm}; an orientation is a unit quaternion [x, y, z, w]`, {
    value: q, allowed: 'four numbers whose squares sum to 1', ids: [owner],
  })
}
