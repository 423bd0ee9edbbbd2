import type { Path } from '../path'
import { elementById } from '../ids'
import type { Sensor } from '../types'
import { requireDirection, requireReference, type RuleContext } from './context'

export function checkSensor(context: RuleContext, sensor: Sensor, path: Path): void {
  if (sensor.type === 'joint') return requireReference(context, 'joints', sensor.joint, [...path, 'joint'], sensor.id)
  requireReference(context, 'bodies', sensor.body, [...path, 'body'], sensor.id)
  if (sensor.type === 'range') requireDirection(context, sensor.direction, [...path, 'direction'], sensor.id)
  if (sensor.type !== 'contact' || sensor.shape === undefined) return
  const body = elementById(context.scene, 'bodies', sensor.body)
  const count = body?.shapes?.length ?? 0
  if (body === undefined || sensor.shape < count) return
  context.list.report('InvalidValue', [...path, 'shape'], `"${sensor.body}" has ${count} shapes`, {
    value: sensor.shape, allowed: count === 0 ? 'a body with shapes' : `0 to ${count - 1}, or none for all`, ids: [sensor.id],
  })
}
