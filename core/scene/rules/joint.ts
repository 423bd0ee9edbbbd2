import { distance } from '../../math/vector'
import { elementById } from '../ids'
import { actingOn, freedomsOf } from '../joint-freedoms'
import type { Path } from '../path'
import type { Joint, JointOf } from '../types'
import { requireDirection, requirePerpendicular, requireReference, type RuleContext } from './context'
import { checkCurve } from './curve'
import { BEFORE_ALL, checkKeyTimes } from './keys'

export function checkJoint(context: RuleContext, joint: Joint, path: Path): void {
  if (joint.type === 'gear') return checkGear(context, joint, path)
  checkBodies(context, joint, path)
  checkPresence(context, joint, path)
  switch (joint.type) {
    case 'hinge':
    case 'slider':
    case 'cylindrical':
      requireDirection(context, joint.axis, [...path, 'axis'], joint.id)
      break
    case 'planar':
      requireDirection(context, joint.normal, [...path, 'normal'], joint.id)
      break
    case 'universal':
      requireDirection(context, joint.axisA, [...path, 'axisA'], joint.id)
      requireDirection(context, joint.axisB, [...path, 'axisB'], joint.id)
      requirePerpendicular(context, joint.axisA, joint.axisB, [...path, 'axisB'], joint.id)
      break
    case 'distance':
      if (joint.length === undefined && distance(joint.anchor, joint.anchorB) === 0) {
        context.list.report('InvalidJoint', [...path, 'length'], 'The anchors coincide, so the rod has no length', {
          allowed: 'anchors apart, or a length > 0', ids: [joint.id],
        })
      }
      break
    case 'pointOnCurve':
      checkCurve(context, joint.curve, [...path, 'curve'], joint.id)
      break
  }
  for (const freedom of freedomsOf(joint)) {
    const { limits, motor, servo, drive } = actingOn(joint, freedom)
    const at = freedom.field === null ? path : [...path, freedom.field]
    checkLimits(context, limits, [...at, 'limits'], joint.id)
    checkKeyTimes(context, servo?.keys ?? [], servo?.interpolation === 'hold' ? BEFORE_ALL : 0, [...at, 'servo', 'keys'], [joint.id])
    checkKeyTimes(context, motor?.keys ?? [], BEFORE_ALL, [...at, 'motor', 'keys'], [joint.id])
    checkKeyTimes(context, drive?.keys ?? [], BEFORE_ALL, [...at, 'drive', 'keys'], [joint.id])
  }
}

function checkBodies(context: RuleContext, joint: Exclude<Joint, JointOf<'gear'>>, path: Path): void {
  const { scene, list } = context
  const { bodyA, bodyB, id } = joint
  requireReference(context, 'bodies', bodyA, [...path, 'bodyA'], id)
  requireReference(context, 'bodies', bodyB, [...path, 'bodyB'], id)
  if (bodyA === bodyB) {
    list.report('InvalidJoint', [...path, 'bodyB'], bodyA === null ? 'A joint needs a body' : `Joint "${id}" joins "${bodyA}" to itself`, {
      value: bodyB, allowed: 'two different bodies, or a body and null for the world', ids: [id],
    })
    return
  }
  const a = bodyA === null ? null : elementById(scene, 'bodies', bodyA)
  const b = bodyB === null ? null : elementById(scene, 'bodies', bodyB)
  const dynamic = [a, b].some(body => body && (body.type ?? 'dynamic') === 'dynamic')
  if (dynamic || (bodyA !== null && !a) || (bodyB !== null && !b)) return
  list.report('UnusedJoint', path, `Joint "${id}" has no dynamic body, so it has no effect`, {
    allowed: 'at least one dynamic body', ids: [id], severity: 'warning',
  })
}

/** Times at which it is added and removed, and the poses at which it is given. */
function checkPresence({ list }: RuleContext, joint: Exclude<Joint, JointOf<'gear'>>, path: Path): void {
  const { id, spawnTime = 0, removeTime } = joint
  if (removeTime !== undefined && !(removeTime > spawnTime)) {
    list.report('InvalidRemoval', [...path, 'removeTime'], `"${id}" is removed before it appears`, { value: removeTime, allowed: `a number > ${spawnTime}`, ids: [id] })
  }
  for (const [body, pose] of [['bodyA', 'poseA'], ['bodyB', 'poseB']] as const) {
    if (joint[body] === null && joint[pose] !== undefined) {
      list.report('InvalidJoint', [...path, pose], 'The world has no pose', { value: joint[pose], allowed: 'absent', ids: [id] })
    } else if (joint[pose] !== undefined && spawnTime === 0) {
      list.report('InvalidJoint', [...path, pose], `"${id}" exists from the start, at the initial poses of its bodies`, {
        value: joint[pose], allowed: 'absent, or a spawnTime > 0', ids: [id],
      })
    }
  }
}

function checkLimits({ list }: RuleContext, limits: { lower?: number, upper?: number } | undefined, path: Path, owner: string): void {
  if (!limits) return
  const { lower, upper } = limits
  if (lower === undefined && upper === undefined) {
    list.report('InvalidLimits', path, 'Limits need a lower or an upper end', { value: limits, allowed: 'lower, upper or both', ids: [owner] })
  } else if (lower !== undefined && upper !== undefined && lower > upper) {
    list.report('InvalidLimits', path, `The lower limit ${lower} lies above the upper one, ${upper}`, {
      value: [lower, upper], allowed: 'lower ≤ upper', ids: [owner],
    })
  } else if ((lower ?? 0) > 0 || (upper ?? 0) < 0) {
    list.report('InvalidLimits', path, `The initial position, 0, lies outside the limits ${lower ?? '−∞'} to ${upper ?? '∞'}`, {
      value: [lower, upper], allowed: 'lower ≤ 0 ≤ upper', ids: [owner],
    })
  }
}

function checkGear(context: RuleContext, gear: JointOf<'gear'>, path: Path): void {
  const { scene, list } = context
  for (const key of ['jointA', 'jointB'] as const) {
    requireReference(context, 'joints', gear[key], [...path, key], gear.id)
    const geared = elementById(scene, 'joints', gear[key])
    if (!geared) continue
    if ('spawnTime' in geared || 'removeTime' in geared) {
      list.report('InvalidJoint', [...path, key], `A gear couples joints that exist throughout; "${geared.id}" appears or disappears`, {
        value: gear[key], allowed: 'a joint without spawnTime and removeTime', ids: [gear.id, geared.id],
      })
    }
    if (geared.type === 'hinge' || geared.type === 'slider') continue
    list.report('InvalidJoint', [...path, key], `A gear couples hinges and sliders; "${geared.id}" is of type ${geared.type}`, {
      value: gear[key], allowed: 'the id of a hinge or a slider', ids: [gear.id, geared.id],
    })
  }
  if (gear.jointA === gear.jointB) {
    list.report('InvalidJoint', [...path, 'jointB'], 'A gear couples two different joints', { value: gear.jointB, ids: [gear.id] })
  }
  if (gear.ratio === 0) {
    list.report('InvalidJoint', [...path, 'ratio'], 'The ratio of a gear cannot be 0', { value: 0, allowed: 'a number other than 0', ids: [gear.id] })
  }
}
