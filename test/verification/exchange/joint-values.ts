/** Values of joints that decide whether two scenes mean the same mechanics. */

import { length, type Vec3 } from '../../../core/math/vector'
import { mayTouch, type ResolvedJoint, type ResolvedJointOf, type ResolvedScene } from '../../../core/scene'

/** Two bodies can touch only if all their joints allow it; joints to the world have no such setting. */
export function touching({ joints, bodies }: ResolvedScene): (joint: ResolvedJoint) => boolean {
  const of = new Map(bodies.map(body => [body.id, body]))
  const key = (joint: ResolvedJoint): string => joint.type === 'gear' ? '' : [joint.bodyA, joint.bodyB].sort().join('\n')
  const apart = new Set(joints.filter(joint => joint.type !== 'gear' && !joint.collide).map(key))
  return joint => joint.type !== 'gear' && joint.bodyA !== null && joint.bodyB !== null && !apart.has(key(joint)) && mayTouch(of.get(joint.bodyA)!, of.get(joint.bodyB)!)
}

/** Pairs of values of two joints, by their keys. */
export function jointValues(
  a: ResolvedJoint, b: ResolvedJoint, touchesA: (joint: ResolvedJoint) => boolean, touchesB: (joint: ResolvedJoint) => boolean,
): (readonly [string, unknown, unknown])[] {
  const unit = (v: Vec3): number[] => v.map(x => x / length(v))
  const values = (joint: ResolvedJoint, touches: (joint: ResolvedJoint) => boolean): Record<string, unknown> => {
    const all: Record<string, unknown> = {}
    const freedom = (prefix: string, of: Record<string, unknown>): void => {
      const { limits, motor, damping, friction, spring, servo } = of as Partial<ResolvedJointOf<'hinge'>>
      all[`${prefix}limits`] = [limits?.lower ?? -1e30, limits?.upper ?? 1e30]
      all[`${prefix}motor`] = motor === undefined || motor.maxForce === 0 ? [0, 0] : [motor.targetVelocity, motor.maxForce]
      // A servo without a force limit equals a spring and a damper; its keys are compared separately.
      const elastic = servo !== undefined && servo.maxForce === undefined ? servo : undefined
      const bounded = elastic === undefined ? servo : undefined
      all[`${prefix}servo`] = bounded === undefined ? [0, 0, 0, 0] : [bounded.target, bounded.stiffness, bounded.damping, bounded.maxForce ?? 1e30]
      all[`${prefix}servo.keys`] = JSON.stringify(servo?.keys ?? [])
      all[`${prefix}damping`] = [(damping ?? 0) + (elastic?.damping ?? 0)]
      all[`${prefix}friction`] = [friction ?? 0]
      const stiffness = (spring?.stiffness ?? 0) + (elastic?.stiffness ?? 0)
      const moment = (spring?.stiffness ?? 0) * (spring?.rest ?? 0) + (elastic?.stiffness ?? 0) * (elastic?.target ?? 0)
      all[`${prefix}spring`] = stiffness === 0 ? [0, 0] : [stiffness, moment / stiffness]
    }
    if (joint.type === 'gear') return { ratio: [a.type === 'gear' && joint.jointA === a.jointA ? joint.ratio : 1 / joint.ratio] }
    Object.assign(all, { name: joint.name ?? joint.id, breakForce: [joint.breakForce ?? 1e30], breakTorque: [joint.breakTorque ?? 1e30] })
    Object.assign(all, { bodyA: joint.bodyA, bodyB: joint.bodyB, collide: touches(joint) })
    if (joint.type !== 'planar' && joint.type !== 'slider' && joint.type !== 'cylindrical') all.anchor = joint.anchor
    if ('axis' in joint) all.axis = unit(joint.axis)
    // Both normals of a plane are equivalent.
    if (joint.type === 'planar') all.normal = upwards(unit(joint.normal))
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
  const [left, right] = [values(a, touchesA), values(b.type !== 'gear' && a.type !== 'gear' && a.bodyA !== b.bodyA && (a.bodyA === b.bodyB || a.bodyB === b.bodyA) ? swapped(b) : b, touchesB)]
  // If only the servo's part of spring and damping is missing, the difference is reported for the servo.
  const alone = values(withoutServos(a), touchesA)
  const named = (key: string): string => /(spring|damping)$/.test(key) && JSON.stringify(left[key]) !== JSON.stringify(alone[key])
    && JSON.stringify(right[key]) === JSON.stringify(alone[key]) ? key.replace(/(spring|damping)$/, 'servo') : key
  return Object.keys(left).map(key => [named(key), left[key], right[key]] as const)
}

function withoutServos(joint: ResolvedJoint): ResolvedJoint {
  return JSON.parse(JSON.stringify(joint, (key, value: unknown) => key === 'servo' ? undefined : value)) as ResolvedJoint
}

/** Whether two directions define the same line. */
export function upwards(direction: readonly number[]): readonly number[] {
  return direction.find(x => Math.abs(x) > 0.5)! < 0 ? direction.map(x => -x) : direction
}

/** The same joint with its bodies exchanged. Axes are reversed, so that joint positions stay the same. */
function swapped(joint: Exclude<ResolvedJoint, { type: 'gear' }>): ResolvedJoint {
  const back = (v: Vec3): Vec3 => [-v[0], -v[1], -v[2]]
  const base = { ...joint, bodyA: joint.bodyB, bodyB: joint.bodyA }
  if (base.type === 'hinge' || base.type === 'slider' || base.type === 'cylindrical') return { ...base, axis: back(base.axis) }
  if (base.type === 'universal') {
    return { ...base, axisA: back(base.axisB), axisB: back(base.axisA), rotationA: base.rotationB, rotationB: base.rotationA }
  }
  return base
}
