/** A new sensor on the selection, or on the first element that it can measure. */

import { type Scene, type Sensor, type SensorType } from '../../core/scene'
import { newElement } from './free-names'
import { bodiesOf, jointsOf, typeOf } from './scene-access'

export const SENSORS: readonly (readonly [SensorType, string, string])[] = [
  ['imu', 'Inertial sensor', 'Specific force and angular rate of a body.'], ['joint', 'Joint sensor', 'Reaction of a joint.'],
  ['contact', 'Contact sensor', 'Sum of the contact forces on a body.'], ['range', 'Range sensor', 'Distance along a ray.'],
  ['pose', 'Pose sensor', 'Where a point of a body is.'],
]

/** Null if the scene has nothing that it can measure. */
export function newSensor(type: SensorType, label: string, scene: Scene, selected: readonly string[]): Sensor | null {
  const made = newElement(scene, label, type === 'joint' ? 'joint-sensor' : type)
  if (type === 'joint') {
    const joint = jointsOf(scene).find(one => selected.includes(one.id)) ?? jointsOf(scene)[0]
    return joint ? { ...made, type, joint: joint.id } : null
  }
  const bodies = bodiesOf(scene)
  const body = bodies.find(one => selected.includes(one.id)) ?? bodies.find(one => typeOf(one) === 'dynamic') ?? bodies[0]
  if (!body) return null
  return type === 'range' ? { ...made, type, body: body.id, direction: [1, 0, 0] } : { ...made, type, body: body.id }
}
