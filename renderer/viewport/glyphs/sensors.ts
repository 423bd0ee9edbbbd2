/** Glyphs of sensors: axes of inertial and pose sensors, the ray of a range sensor to its hit, rings around active contact sensors. */

import type { Scene as BabylonScene } from '@babylonjs/core/scene'
import { jointsOf } from '../../state/scene-access'
import type { Scene } from '../../../core/scene'
import { composePoses, IDENTITY_POSE, toOuter, type Pose } from '../../../core/math/pose'
import { rotate } from '../../../core/math/quaternion'
import { addScaled, cross, distance, normalize, perpendicular, type Vec3 } from '../../../core/math/vector'
import { BODY_STRIDE, type ContactFrame } from '../../../core/trajectory/frame'
import { PointLayer, SegmentLayer } from '../layers/glyph-layers'
import type { SharedUniforms } from '../layers/uniforms'
import { castRay } from '../picking'
import type { PosedScene } from '../posed-scene'
import { paletteIndex } from '../theme'
import { anchorNow } from './joint-pose'

type Sensor = NonNullable<Scene['sensors']>[number]

const SENSOR = paletteIndex('velocity')
const ACCENT = paletteIndex('accent')
const MUTED = paletteIndex('muted')
const TOUCHED = paletteIndex('impact')
const AXES = [paletteIndex('axisX'), paletteIndex('axisY'), paletteIndex('axisZ')] as const
const AROUND = 40

export class SensorGlyphs {
  private readonly lines: SegmentLayer
  private readonly points: PointLayer

  constructor(scene: BabylonScene, uniforms: SharedUniforms) {
    this.lines = new SegmentLayer(scene, uniforms)
    this.points = new PointLayer(scene, uniforms)
    this.lines.setXray(true)
    this.points.setXray(true)
  }

  /** @param contacts of the displayed frame: contact sensors with a contact are marked */
  set(scene: PosedScene | null, hidden: ReadonlySet<string>, selected: ReadonlySet<string>, size: number, contacts: ContactFrame | null, origin: Vec3): void {
    this.lines.begin(origin)
    this.points.begin(origin)
    for (const sensor of scene?.scene.sensors ?? []) {
      if (!hidden.has(sensor.id)) this.addSensor(scene!, sensor, selected.has(sensor.id), size, contacts)
    }
    this.lines.end()
    this.points.end()
  }

  private addSensor(scene: PosedScene, sensor: Sensor, chosen: boolean, size: number, contacts: ContactFrame | null): void {
    const at = sensorPoint(scene, sensor)
    if (!at) return
    const color = chosen ? ACCENT : SENSOR
    const width = chosen ? 3 : 2
    this.points.add(at[0], at[1], at[2], color, width + 3)
    switch (sensor.type) {
      case 'imu':
      case 'pose': {
        const own: Pose = { ...IDENTITY_POSE, orientation: sensor.orientation ?? IDENTITY_POSE.orientation }
        const { orientation } = composePoses(scene.pose(scene.index.get(sensor.body)!), own)
        const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]] as const
        axes.forEach((axis, k) => this.lines.addVectors(at, addScaled(at, rotate(orientation, axis), 0.5 * size), AXES[k]!, width, 0))
        return
      }
      case 'range': {
        const ray = rangeRay(scene, sensor, at)
        const end = addScaled(at, ray.direction, ray.length)
        this.lines.addVectors(at, end, color, width, ray.hits ? 0 : 6)
        if (!ray.hits) return
        this.points.add(end[0], end[1], end[2], color, width + 3)
        return this.ring(end, ray.direction, 0.08 * size, color, width)
      }
      case 'joint': return this.ring(at, [0, 0, 1], 0.3 * size, color, width)
      case 'contact': {
        const felt = contacts !== null && feels(contacts, scene.index.get(sensor.body)!, sensor.shape)
        return this.ring(at, [0, 0, 1], 0.6 * size, felt ? TOUCHED : chosen ? ACCENT : MUTED, felt ? width + 1.5 : width)
      }
    }
  }

  private ring(center: Vec3, axis: Vec3, radius: number, color: number, width: number): void {
    const u = perpendicular(axis)
    const v = cross(axis, u)
    const point = (k: number): Vec3 => {
      const angle = 2 * Math.PI * k / AROUND
      return addScaled(addScaled(center, u, radius * Math.cos(angle)), v, radius * Math.sin(angle))
    }
    for (let k = 0; k < AROUND; k++) this.lines.addVectors(point(k), point(k + 1), color, width, 0)
  }

  dispose(): void {
    this.lines.dispose()
    this.points.dispose()
  }
}

/** Position of a sensor, world, m; null if its body or joint does not exist. */
export function sensorPoint(scene: PosedScene, sensor: Sensor): Vec3 | null {
  if (sensor.type === 'joint') {
    const joint = jointsOf(scene.scene).find(({ id }) => id === sensor.joint)
    return joint === undefined || joint.type === 'gear' ? null : anchorNow(scene, joint)
  }
  if (sensor.type === 'range' && sensor.body === null) return sensor.position ?? [0, 0, 0]
  const body = scene.index.get(sensor.body!)
  if (body === undefined || Number.isNaN(scene.columns[body * BODY_STRIDE])) return null
  return sensor.type === 'contact' ? scene.middle(body) : toOuter(scene.pose(body), sensor.position ?? [0, 0, 0])
}

/** The ray as the sensor measures it: to the nearest shape of another body, or of maximum length without a hit. */
function rangeRay(scene: PosedScene, sensor: Extract<Sensor, { type: 'range' }>, origin: Vec3): { readonly direction: Vec3; readonly length: number; readonly hits: boolean } {
  const carrier = sensor.body === null ? -1 : scene.index.get(sensor.body)!
  const pose: Pose = carrier < 0 ? IDENTITY_POSE : scene.pose(carrier)
  const direction = normalize(rotate(pose.orientation, sensor.direction))
  const maximum = sensor.maximum ?? 10
  const hit = castRay(scene, { origin, direction }, body => body !== carrier)
  const hits = hit !== null && hit.distance <= maximum
  return { direction, length: hits ? hit.distance : maximum, hits }
}

function feels({ count, bodyA, bodyB, shapeA, shapeB, normalForce }: ContactFrame, body: number, shape: number | undefined): boolean {
  for (let k = 0; k < count; k++) {
    if (!(normalForce[k]! > 0)) continue
    if (bodyA[k] === body && (shape === undefined || shapeA[k] === shape)) return true
    if (bodyB[k] === body && (shape === undefined || shapeB[k] === shape)) return true
  }
  return false
}

/** The sensor nearest to a pixel, within `reach` pixels. */
export function sensorNear(
  scene: PosedScene, hidden: ReadonlySet<string>, toPixel: (point: Vec3) => readonly [number, number] | null, x: number, y: number, reach: number,
): string | null {
  let best: string | null = null
  let least = reach
  for (const sensor of scene.scene.sensors ?? []) {
    const at = hidden.has(sensor.id) ? null : sensorPoint(scene, sensor)
    const pixel = at && toPixel(at)
    if (!pixel) continue
    const d = distance([pixel[0], pixel[1], 0], [x, y, 0])
    if (d < least) {
      least = d
      best = sensor.id
    }
  }
  return best
}
