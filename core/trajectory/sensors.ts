/** Values of each sensor type, in the order of the channel `sensors`. */

export interface SensorQuantity {
  readonly name: string
  readonly length: number
  readonly unit: string
}

const triple = (name: string, unit: string): SensorQuantity => ({ name, length: 3, unit })

export const SENSOR_QUANTITIES: Readonly<Record<string, readonly SensorQuantity[]>> = {
  imu: [triple('specificForce', 'm/s²'), triple('angularRate', 'rad/s')],
  joint: [triple('force', 'N'), triple('torque', 'N m')],
  contact: [triple('force', 'N')],
  range: [{ name: 'distance', length: 1, unit: 'm' }],
  pose: [triple('position', 'm'), { name: 'orientation', length: 4, unit: '' }],
}

/** A quantity of one sensor, and the position of its numbers in a frame. */
export interface PlacedQuantity extends SensorQuantity {
  readonly sensor: string
  readonly at: number
}

/** @throws RangeError for an unknown type */
export function sensorLayout({ sensorIds, sensorTypes }: { readonly sensorIds: readonly string[]; readonly sensorTypes: readonly string[] }): {
  readonly quantities: readonly PlacedQuantity[]; readonly width: number
} {
  const quantities: PlacedQuantity[] = []
  let width = 0
  sensorIds.forEach((sensor, k) => {
    const own = SENSOR_QUANTITIES[sensorTypes[k]!]
    if (own === undefined) throw new RangeError(`there is no sensor of type "${sensorTypes[k]}"`)
    for (const quantity of own) {
      quantities.push({ ...quantity, sensor, at: width })
      width += quantity.length
    }
  })
  return { quantities, width }
}
