/** Sensors of links and joints as sensors of the scene [SDFormat: sensor]. */

import type { Pose } from '../../math/pose'
import { cos, sin } from '../../math/elementary'
import { rotate } from '../../math/quaternion'
import type { Vec3 } from '../../math/vector'
import type { SceneDraft } from '../shared/draft'
import { rangeOf } from '../shared/ranges'
import { childrenOf, placeOfNode, type XmlNode } from '../shared/read-xml'
import type { Lose } from '../shared/six-freedoms'
import { at, numberOf, textOf } from './values'

const RAYS = new Set(['ray', 'gpu_ray', 'lidar', 'gpu_lidar'])

/**
 * A sensor of a link.
 * @param pose in the link's frame, which is the body's
 * @param collisions names of the body's shapes
 */
export function addLinkSensor(node: XmlNode, body: string, pose: Pose, collisions: readonly string[], draft: SceneDraft): void {
  const { lose, name, type } = begun(node, draft)
  if (type === 'imu') {
    const imu = at(node, 'imu')
    const [noise, rateNoise] = [deviation(at(imu, 'linear_acceleration'), lose), deviation(at(imu, 'angular_velocity'), lose)]
    const { position, orientation } = pose
    draft.sensor(name, { type, body, position, orientation, ...noise > 0 ? { noise } : {}, ...rateNoise > 0 ? { rateNoise } : {} })
  } else if (type === 'contact') {
    const named = childrenOf(at(node, 'contact') ?? node, 'collision').map(({ text }) => collisions.indexOf(text)).filter(index => index >= 0)
    if (named.length > 1 && named.length < collisions.length) lose('it measures only some of the collisions of its link', 'the sum over all of them')
    draft.sensor(name, { type, body, ...named.length === 1 && collisions.length > 1 ? { shape: named[0]! } : {} })
  } else if (RAYS.has(type)) {
    const ray = at(node, 'lidar') ?? at(node, 'ray')
    const horizontal = scanOf(ray, 'horizontal')
    const vertical = scanOf(ray, 'vertical')
    const count = horizontal.samples * vertical.samples
    if (count > 1) lose(`${count} rays`, 'the one in their middle')
    const least = numberOf(at(ray, 'range', 'min'), 0)
    if (least > 0) lose(`it ignores anything nearer than ${least} m`, 'a ray that begins at its origin')
    const noise = numberOf(at(ray, 'noise', 'stddev'), 0)
    const direction: Vec3 = [cos(vertical.angle) * cos(horizontal.angle), cos(vertical.angle) * sin(horizontal.angle), sin(vertical.angle)]
    draft.sensor(name, {
      type: 'range', body, position: pose.position, direction: rotate(pose.orientation, direction), maximum: rangeOf(numberOf(at(ray, 'range', 'max'), Infinity)),
      ...noise > 0 ? { noise } : {},
    })
  } else lose(`a sensor of type "${type}"`, 'nothing')
}

/** A sensor of a joint, whose child is body A. @param joint its id in the scene */
export function addJointSensor(node: XmlNode, joint: string, draft: SceneDraft): void {
  const { lose, name, type } = begun(node, draft)
  if (type !== 'force_torque') {
    lose(`a sensor of type "${type}"`, 'nothing')
    return
  }
  const content = at(node, 'force_torque')
  lose(`force and torque in the axes of the ${textOf(at(content, 'frame'), 'child')}`, 'the reaction of the joint on the child, in the axes of the world')
  if (textOf(at(content, 'measure_direction'), 'child_to_parent') === 'child_to_parent') lose('the force of the child on the parent', 'that on the child, which is opposite')
  const [noise, torqueNoise] = [deviation(at(content, 'force'), lose), deviation(at(content, 'torque'), lose)]
  draft.sensor(name, { type: 'joint', joint, ...noise > 0 ? { noise } : {}, ...torqueNoise > 0 ? { torqueNoise } : {} })
}

function begun(node: XmlNode, draft: SceneDraft): { lose: Lose; name: string | undefined; type: string } {
  const lose: Lose = (message, instead) => draft.losses.add(placeOfNode(node), message, instead)
  const rate = numberOf(at(node, 'update_rate'), 0)
  if (rate > 0) lose(`it measures ${rate} times a second`, 'a value at every frame of a run')
  return { lose, name: node.attributes.get('name'), type: node.attributes.get('type') ?? '' }
}

/** Common standard deviation of three components. */
function deviation(node: XmlNode | null, lose: Lose): number {
  const noises = ['x', 'y', 'z'].map(axis => at(node, axis, 'noise'))
  const deviations = noises.map(noise => noise?.attributes.get('type') === 'none' ? 0 : Math.max(0, numberOf(at(noise, 'stddev'), 0)))
  const greatest = Math.max(...deviations)
  if (deviations.some(one => one !== greatest)) lose(`noise of ${deviations.join(', ')} in its three components`, `${greatest} in each`)
  if (noises.some(noise => numberOf(at(noise, 'mean'), 0) !== 0 || numberOf(at(noise, 'bias_mean'), 0) !== 0)) lose('the bias of its noise', 'noise about the exact value')
  return greatest
}

/** Number of rays, and the angle of the middle one. */
function scanOf(ray: XmlNode | null, name: string): { samples: number; angle: number } {
  const scan = at(ray, 'scan', name)
  const samples = Math.max(1, numberOf(at(scan, 'samples'), 1))
  const [least, most] = [numberOf(at(scan, 'min_angle'), 0), numberOf(at(scan, 'max_angle'), 0)]
  return { samples, angle: samples > 1 ? (least + most) / 2 : least }
}
