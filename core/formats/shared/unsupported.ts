/** Losses common to all exporters: elements that only the scene's own format supports. */

import { actingOn, freedomsOf, type ResolvedJoint, type ResolvedScene } from '../../scene'
import type { Loss } from '../format'
import type { Losses } from './losses'

export interface TargetSupport {
  /** Name of the target format, at the beginning of sentences. */
  readonly target: string
  /** Whether the target has kinematic bodies. */
  readonly kinematic: boolean
  readonly dynamicFriction: boolean
  readonly torsionalFriction: boolean
  /** Whether the exporter writes sensors, and reports those it cannot write. */
  readonly sensors: boolean
  readonly servos: boolean
  readonly breaking: boolean
}

/** Display names, for a target with ids only. */
export function unwrittenNames(scene: ResolvedScene, target: string): Loss[] {
  return (['bodies', 'joints', 'forces', 'materials', 'sensors'] as const).flatMap(kind => scene[kind].some(({ id, name = id }) => name !== id)
    ? [{ path: `${kind}[].name`, message: `${target} has no names beside ids`, instead: 'their ids' }] : [])
}

/** Document-level elements that no target supports. */
export function unwrittenDocument({ description, groups, scripts }: ResolvedScene, target: string): Loss[] {
  return [
    ...description === undefined ? [] : [{ path: 'description', message: `${target} has no description`, instead: 'nothing' }],
    ...groups.length === 0 ? [] : [{ path: 'groups', message: `${target} is written without groups of bodies`, instead: 'the bodies by themselves' }],
    ...scripts.length === 0 ? [] : [{ path: 'scripts', message: `${target} runs no scripts`, instead: 'nothing' }],
  ]
}

/** Parameter formulas, which no exporter writes. */
export function unwrittenParameters({ parameters }: ResolvedScene, target: string): Loss[] {
  return parameters.length > 0 ? [{ path: 'parameters', message: `${target} has no parameters and formulas`, instead: 'the numbers that they give' }] : []
}

/** Sensors, for a target without sensors. */
export function unwrittenSensors({ sensors }: ResolvedScene, target: string): Loss[] {
  return sensors.map(({ id, type }, i) => ({ path: `sensors[${i}]`, message: `${target} has no sensors: "${id}" is one of type ${type}`, instead: 'nothing' }))
}

/** Planar and keyframed motions, which no exporter writes, and breakable joints. @param breaking whether the target has these */
export function unwrittenMotions({ bodies, gravityKeys, joints, simulation }: ResolvedScene, target: string, breaking = false): Loss[] {
  return [
    ...simulation.dimensions === 2 ? [{
      path: 'simulation.dimensions', message: `${target} has no scenes in two dimensions`, instead: 'bodies in space, not kept in the plane',
    }] : [],
    ...gravityKeys === undefined || gravityKeys.length === 0 ? []
      : [{ path: 'gravityKeys', message: `${target} has no gravity that changes`, instead: 'the gravity at the start' }],
    ...bodies.flatMap(({ id, path }, i) => path === undefined ? []
      : [{ path: `bodies[${i}].path`, message: `${target} has no motion by keys: "${id}" follows a path`, instead: 'its pose at the start' }]),
    ...bodies.flatMap(({ id, removeTime }, i) => removeTime === undefined ? []
      : [{ path: `bodies[${i}].removeTime`, message: `"${id}" disappears at ${removeTime} s`, instead: 'a body that stays' }]),
    ...joints.flatMap((joint, i) => freedomsIn(joint).flatMap(([key, { motor, drive }]): Loss[] => [
      ...motor?.keys === undefined ? [] : [{
        path: `joints[${i}]${key}.motor.keys`, message: `${target} has no velocities by keys`, instead: 'the first velocity, which another program has to change',
      }],
      ...drive === undefined ? [] : [{ path: `joints[${i}]${key}.drive`, message: `${target} is written without the drive of "${joint.id}"`, instead: 'a joint without a drive' }],
    ])),
    ...joints.flatMap((joint, i) => breaking || !('breakForce' in joint || 'breakTorque' in joint) ? []
      : [{ path: `joints[${i}]`, message: `${target} has no breakable joints: "${joint.id}" is one`, instead: 'a joint that does not break' }]),
  ]
}

/** Servos, for a target without them; servo keyframes for the others. */
export function unwrittenServos({ joints }: ResolvedScene, target: string, written: boolean): Loss[] {
  return joints.flatMap((joint, i): Loss[] => freedomsIn(joint).flatMap(([key, { servo }]): Loss[] => {
    if (servo === undefined) return []
    const path = `joints[${i}]${key}.servo`
    if (!written) return [{ path, message: `${target} is written without the servo of "${joint.id}"`, instead: 'a joint that is free to move' }]
    return servo.keys === undefined ? []
      : [{ path: `${path}.keys`, message: `${target} has no targets by keys`, instead: 'the first target, which another program has to change' }]
  }))
}

/** Free coordinates of a joint, with their paths below the joint. */
const freedomsIn = (joint: ResolvedJoint) => freedomsOf(joint).map(freedom => [freedom.field === null ? '' : `.${freedom.field}`, actingOn(joint, freedom)] as const)

/** Forces, deformables, scripts, sensors, material pairs, kinds of friction, and appearance times. Each exporter reports its joints itself. */
export function reportUnsupported(
  scene: ResolvedScene, { target, kinematic, dynamicFriction, torsionalFriction, sensors, servos, breaking }: TargetSupport, losses: Losses,
): void {
  losses.addAll(unwrittenDocument(scene, target))
  losses.add('simulation', `${target} has no simulation settings and no duration`, 'nothing')
  losses.addAll(unwrittenParameters(scene, target))
  losses.addAll(unwrittenMotions(scene, target, breaking))
  losses.addAll(unwrittenServos(scene, target, servos))
  if (!sensors) losses.addAll(unwrittenSensors(scene, target))
  scene.forces.forEach((force, i) => losses.add(`forces[${i}]`, `${target} has no ${force.type} force`, 'nothing: apply it externally'))
  scene.deformables.forEach(({ type, id }, i) => losses.add(`deformables[${i}]`, `${target} is written without "${id}", which is of type ${type}`, 'nothing'))
  scene.materialPairs.forEach((pair, i) => {
    losses.add(`materialPairs[${i}]`, `${target} has no coefficients of pairs (${pair.materials.join(', ')})`, 'the combination of the two materials')
  })
  scene.materials.forEach(({ friction }, i) => {
    if (!torsionalFriction && friction.torsional > 0) losses.add(`materials[${i}].friction.torsional`, `${target} has no torsional friction`, 'none')
    if (friction.rolling > 0) losses.add(`materials[${i}].friction.rolling`, `${target} has no rolling friction`, 'none')
    if (!dynamicFriction && friction.static !== friction.dynamic) losses.add(`materials[${i}].friction.dynamic`, `${target} has one coefficient of friction`,
      'the static one')
  })
  scene.bodies.forEach((body, i) => {
    if (body.spawnTime > 0) losses.add(`bodies[${i}].spawnTime`, `"${body.id}" appears at ${body.spawnTime} s`, 'a body that exists from the start')
    if (!kinematic && body.type === 'kinematic') {
      losses.add(`bodies[${i}].type`, `"${body.id}" is kinematic and ignores contact forces`, `a kinematic body, which another program has to move`)
    }
  })
}
