/**
 * Sensors in MJCF, each at its own site. MuJoCo sensors measure one vector each, so an inertial sensor becomes an accelerometer and a gyro, with the
 * quantity as suffix of the id. Noise is written as an attribute without effect in MuJoCo.
 */

import { toInner, type Pose } from '../../../math/pose'
import type { ResolvedBody, ResolvedScene, ResolvedSensor } from '../../../scene'
import type { Loss } from '../../format'
import type { TreeNode } from '../../shared/body-tree'
import { hullPointsOf } from '../../shared/hull-points'
import { fromZTo, wxyz } from '../../shared/rotations'
import { element, type XmlElement } from '../../shared/write-xml'

export interface SensorElements {
  readonly sensors: readonly XmlElement[]
  /** Sites by body index, −1 for the world. */
  readonly sites: readonly { readonly body: number; readonly element: XmlElement }[]
  readonly losses: readonly Loss[]
}

type OfType<T extends ResolvedSensor['type']> = Extract<ResolvedSensor, { type: T }>

export function sensorElements(scene: ResolvedScene, roots: readonly TreeNode[]): SensorElements {
  const hung = new Map<string, TreeNode>()
  const walk = (node: TreeNode): void => {
    if (node.branch !== null) hung.set(node.branch.joint.id, node)
    node.children.forEach(walk)
  }
  roots.forEach(walk)
  const writer = new SensorWriter(scene, hung)
  scene.sensors.forEach((sensor, i) => writer.add(sensor, `sensors[${i}]`))
  return writer
}

class SensorWriter implements SensorElements {
  readonly sensors: XmlElement[] = []
  readonly sites: { body: number; element: XmlElement }[] = []
  readonly losses: Loss[] = []
  private readonly indices: ReadonlyMap<string, number>
  private readonly seen: boolean

  /** @param hung by joint id, the tree node of each joint of the tree */
  constructor(private readonly scene: ResolvedScene, private readonly hung: ReadonlyMap<string, TreeNode>) {
    this.indices = new Map(scene.bodies.map(({ id }, i) => [id, i]))
    this.seen = scene.bodies.some(({ visuals }) => visuals !== undefined)
  }

  add(sensor: ResolvedSensor, path: string): void {
    switch (sensor.type) {
      case 'imu': {
        const site = this.site(sensor.id, sensor.body, sensor)
        this.vector('accelerometer', `${sensor.id}:specificForce`, { site }, sensor.noise, `${path}.noise`)
        this.vector('gyro', `${sensor.id}:angularRate`, { site }, sensor.rateNoise, `${path}.rateNoise`)
        return
      }
      case 'pose': {
        const at = { objtype: 'site', objname: this.site(sensor.id, sensor.body, sensor) }
        this.vector('framepos', `${sensor.id}:position`, at, sensor.noise, `${path}.noise`)
        this.sensors.push(element('framequat', { name: `${sensor.id}:orientation`, ...at }))
        return
      }
      case 'joint':
        this.joint(sensor, path)
        return
      case 'contact':
        this.contact(sensor, path)
        return
      case 'range': {
        const site = this.site(sensor.id, sensor.body, { position: sensor.position, orientation: fromZTo(sensor.direction) })
        this.vector('rangefinder', sensor.id, { site, cutoff: sensor.maximum }, sensor.noise, `${path}.noise`)
        this.lose(`${path}.maximum`, 'MuJoCo gives −1 if a ray hits nothing', 'a rangefinder whose largest value is that of the sensor')
        if (this.seen) this.lose('bodies[].visuals', 'MuJoCo\'s rays also hit visuals', 'a rangefinder that also hits visuals')
      }
    }
  }

  /** Force and torque on the child body of the joint, in this body's axes. */
  private joint(sensor: OfType<'joint'>, path: string): void {
    const node = this.hung.get(sensor.joint)
    if (node === undefined) {
      this.lose(path, `"${sensor.joint}" is not a joint of MuJoCo's tree, and MuJoCo measures forces only there`, 'nothing')
      return
    }
    const { body, branch } = node
    const site = this.site(sensor.id, body.id, { position: toInner(poseOf(body), branch!.joint.anchor), orientation: [0, 0, 0, 1] })
    this.vector('force', `${sensor.id}:force`, { site }, sensor.noise, `${path}.noise`)
    this.vector('torque', `${sensor.id}:torque`, { site }, sensor.torqueNoise, `${path}.torqueNoise`)
    const side = branch!.childIsA ? '' : ', which are those on body B'
    this.lose(`${path}.joint`, 'MuJoCo gives the total force through a joint, including springs, dampers and drives, in the axes of the child body',
      `force and torque in the axes of "${body.id}"${side}`)
  }

  private contact({ id, body, shape, noise }: OfType<'contact'>, path: string): void {
    const { shapes } = this.scene.bodies[this.indices.get(body)!]!
    const one = shape === undefined ? undefined : shapes[shape]!
    const pieces = one?.type === 'mesh' ? hullPointsOf(one)!.pieces.length : 1
    if (pieces > 1) this.lose(`${path}.shape`, 'A shape of several convex pieces is several geoms', 'the contacts of the whole body')
    const felt = shape === undefined || pieces > 1 ? { body2: body } : { geom2: `${body}:${shape}` }
    // The force on the second of two touching bodies, in the world frame.
    this.vector('contact', id, { ...felt, data: 'force', reduce: 'netforce', num: 1 }, noise, `${path}.noise`)
  }

  private vector(kind: string, name: string, attributes: XmlElement['attributes'], noise: number, path: string): void {
    this.sensors.push(element(kind, { name, ...attributes, noise: noise > 0 ? noise : undefined }))
    if (noise > 0) this.lose(path, 'MuJoCo stores a sensor\'s noise without adding it to the value', 'its standard deviation beside the exact value')
  }

  private site(sensor: string, body: string | null, { position, orientation }: Pose): string {
    const name = `${sensor}:site`
    this.sites.push({ body: body === null ? -1 : this.indices.get(body)!, element: element('site', { name, pos: position, quat: wxyz(orientation) }) })
    return name
  }

  private lose(path: string, message: string, instead: string): void {
    this.losses.push({ path, message, instead })
  }
}

const poseOf = ({ position, orientation }: ResolvedBody): Pose => ({ position, orientation })
