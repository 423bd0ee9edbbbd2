/** Sensors in SDFormat: inertial, contact and ray sensors on links, force–torque sensors on joints [SDFormat: sensor]. */

import type { Pose } from '../../math/pose'
import { perpendicular } from '../../math/vector'
import type { ResolvedScene, ResolvedSensor } from '../../scene'
import type { Losses } from '../shared/losses'
import { fromXyAxes } from '../shared/rotations'
import { poseTag, tag, type SdfElement } from './text'

interface Placed { readonly sensor: ResolvedSensor; readonly path: string }

export class SensorWriter {
  /** By id of the body, or of the joint. */
  private readonly carried = new Map<string, Placed[]>()
  private readonly seen: boolean

  constructor(scene: ResolvedScene, private readonly losses: Losses) {
    this.seen = scene.bodies.some(({ visuals }) => visuals !== undefined)
    scene.sensors.forEach((sensor, i) => {
      const path = `sensors[${i}]`
      const carrier = sensor.type === 'joint' ? sensor.joint : sensor.body
      if (sensor.type === 'pose') losses.add(path, 'SDFormat has no sensor of poses', 'nothing')
      else if (carrier === null) losses.add(path, 'SDFormat has no sensors on the world', 'nothing')
      else this.carried.set(carrier, [...this.carried.get(carrier) ?? [], { sensor, path }])
    })
  }

  /** @param collisions names of the collisions of each shape of the body */
  ofBody(body: string, collisions: readonly (readonly string[])[]): SdfElement[] {
    return this.take(body).map(placed => this.ofLink(placed, collisions))
  }

  /** @param turned whether body A is the parent */
  ofJoint(joint: string, turned: boolean): SdfElement[] {
    return this.take(joint).flatMap(({ sensor, path }) => {
      if (sensor.type !== 'joint') return []
      const { id, noise, torqueNoise } = sensor
      this.losses.add(`${path}.joint`, 'SDFormat gives the force of a joint in the axes of the child', 'force and torque on body A, in these axes')
      return [tag('sensor', [tag('force_torque', [
        tag('frame', 'child'), tag('measure_direction', turned ? 'child_to_parent' : 'parent_to_child'), axes('force', noise), axes('torque', torqueNoise),
      ])], { name: id, type: 'force_torque' })]
    })
  }

  /** Reports the sensors that have not been written. */
  tellRest(): void {
    for (const { sensor, path } of [...this.carried.values()].flat()) {
      this.losses.add(path, `"${sensor.type === 'joint' ? sensor.joint : ''}" is not a joint in SDFormat`, 'nothing')
    }
  }

  private take(carrier: string): readonly Placed[] {
    const own = this.carried.get(carrier) ?? []
    this.carried.delete(carrier)
    return own
  }

  private ofLink({ sensor, path }: Placed, collisions: readonly (readonly string[])[]): SdfElement {
    const make = (type: string, pose: Pose | null, content: SdfElement): SdfElement => tag('sensor', [pose === null ? null : poseTag(pose), content], { name: sensor.id, type })
    switch (sensor.type) {
      case 'imu':
        return make('imu', sensor, tag('imu', [axes('linear_acceleration', sensor.noise), axes('angular_velocity', sensor.rateNoise)]))
      case 'contact': {
        if (sensor.noise > 0) this.losses.add(`${path}.noise`, 'SDFormat has no noise of contact sensors', 'none')
        const felt = sensor.shape === undefined ? collisions.flat() : collisions[sensor.shape]!
        return make('contact', null, tag('contact', felt.map(name => tag('collision', name))))
      }
      case 'range': {
        this.losses.add(`${path}.maximum`, 'a ray of Gazebo that hits nothing gives infinity', 'a sensor with the same maximum')
        if (this.seen) this.losses.add('bodies[].visuals', 'rays of Gazebo also hit visuals', 'a sensor that also hits visuals')
        const along = { position: sensor.position, orientation: fromXyAxes(sensor.direction, perpendicular(sensor.direction)) }
        return make('gpu_lidar', along, tag('lidar', [
          tag('scan', [tag('horizontal', [tag('samples', 1), tag('resolution', 1), tag('min_angle', 0), tag('max_angle', 0)])]),
          tag('range', [tag('min', 0), tag('max', sensor.maximum)]),
          sensor.noise > 0 ? tag('noise', [tag('type', 'gaussian'), tag('mean', 0), tag('stddev', sensor.noise)]) : null,
        ]))
      }
      default:
        throw new RangeError(`a sensor of type ${sensor.type} is not on a body`)
    }
  }
}

/** Equal noise for each component; null if there is none. */
function axes(name: string, deviation: number): SdfElement | null {
  if (deviation === 0) return null
  const noise = tag('noise', [tag('mean', 0), tag('stddev', deviation)], { type: 'gaussian' })
  return tag(name, ['x', 'y', 'z'].map(axis => tag(axis, [noise])))
}
