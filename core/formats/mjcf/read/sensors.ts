/**
 * Sensors of MJCF as sensors of the scene: an accelerometer and a gyro at one site become one inertial sensor, a force and a torque sensor one joint
 * sensor.
 */

import { composePoses, IDENTITY_POSE, relativePose, type Pose } from '../../../math/pose'
import { rotate } from '../../../math/quaternion'
import type { Joint, Sensor } from '../../../scene'
import { FormatError } from '../../shared/error'
import { attributeNumber, placeOfNode, type XmlNode } from '../../shared/read-xml'
import { rangeOf } from '../../shared/ranges'
import type { SceneDraft } from '../../shared/draft'
import type { TreeBodies } from '../../shared/tree-scene'
import type { Model } from './model'
import type { Source } from './source'

interface Place {
  readonly body: string | null
  readonly link: number
  /** In the body's frame. */
  readonly pose: Pose
}

/** Two sensors at one place that form one sensor of the scene. */
interface Pair {
  readonly type: 'imu' | 'pose' | 'joint'
  readonly place: Place
  /** By kind of element. */
  readonly parts: Map<string, XmlNode>
}

const PAIRS: Readonly<Record<string, Pair['type']>> = {
  accelerometer: 'imu', gyro: 'imu', framepos: 'pose', framequat: 'pose', force: 'joint', torque: 'joint',
}
/** Quantities that every run records anyway. */
const RECORDED = new Set(['jointpos', 'jointvel', 'ballquat', 'ballangvel', 'framelinvel', 'frameangvel', 'velocimeter', 'clock', 'e_potential', 'e_kinetic'])

export class SensorReader {
  private readonly pairs: Pair[] = []
  private readonly unread = new Map<string, number>()

  /** @param treeJoints joints of the tree, each of which has its link's body as A */
  constructor(
    private readonly source: Source, private readonly model: Model, private readonly draft: SceneDraft, private readonly bodies: TreeBodies,
    private readonly treeJoints: readonly Joint[],
  ) {}

  read(): void {
    for (const node of this.source.section('sensor')) this.one(node)
    for (const pair of this.pairs) this.addPair(pair)
    for (const [kind, count] of this.unread) {
      this.draft.losses.add('sensor', `${count} sensor${count === 1 ? '' : 's'} of kind ${kind}`, RECORDED.has(kind) ? 'nothing: a run records poses, velocities, joints and energy by itself' : 'nothing')
    }
  }

  private one(node: XmlNode): void {
    const type = PAIRS[node.name]
    if (type !== undefined) {
      const place = this.placeOf(node)
      if (place === null) return
      const site = `${node.attributes.get('site') ?? node.attributes.get('objname') ?? ''}`
      const open = this.pairs.find(pair => pair.type === type && !pair.parts.has(node.name) && [...pair.parts.values()].some(part => (part.attributes.get('site') ?? part.attributes.get('objname')) === site))
      if (open === undefined) this.pairs.push({ type, place, parts: new Map([[node.name, node]]) })
      else open.parts.set(node.name, node)
    } else if (node.name === 'rangefinder') this.range(node)
    else if (node.name === 'touch') this.touch(node)
    else if (node.name === 'contact') this.contact(node)
    else this.unread.set(node.name, (this.unread.get(node.name) ?? 0) + 1)
  }

  private addPair({ type, place, parts }: Pair): void {
    const [first, second] = type === 'imu' ? ['accelerometer', 'gyro'] : type === 'pose' ? ['framepos', 'framequat'] : ['force', 'torque']
    const [node, noise, other] = [[...parts.values()][0]!, noiseOf(parts.get(first!)), noiseOf(parts.get(second!))]
    const name = node.attributes.get('name')?.replace(/:(specificForce|angularRate|position|orientation|force|torque)$/, '')
    const { body, pose: { position, orientation } } = place
    if (type === 'joint') {
      const joint = this.jointOf(place, node)
      if (joint === null) return
      this.draft.losses.add(placeOfNode(node), 'Force and torque in the axes of its site, with those of springs, dampers and drives', 'the reaction of the joint alone, in the axes of the world')
      this.draft.sensor(name, { type, joint, ...noise > 0 ? { noise } : {}, ...other > 0 ? { torqueNoise: other } : {} })
      return
    }
    if (body === null) {
      this.draft.losses.add(placeOfNode(node), 'A sensor of the world, which does not move', 'nothing')
      return
    }
    if (type === 'pose' && other > 0) this.draft.losses.add(placeOfNode(parts.get(second!)!), 'The noise of an orientation', 'none')
    this.draft.sensor(name, {
      type, body, position, orientation, ...noise > 0 ? { noise } : {}, ...type === 'imu' && other > 0 ? { rateNoise: other } : {},
    } as Parameters<SceneDraft['sensor']>[1])
  }

  /** The joint between a link's body and its parent. */
  private jointOf({ link, body }: Place, node: XmlNode): string | null {
    const joint = this.treeJoints.find(one => one.type !== 'gear' && one.bodyA === body)
    if (joint !== undefined && this.bodies.ownerOf[link] === link) return joint.id
    this.draft.losses.add(placeOfNode(node), 'It has no joint to measure: its body is free, or merged into another', 'nothing')
    return null
  }

  private range(node: XmlNode): void {
    const place = this.placeOf(node)
    if (place === null) return
    const cutoff = attributeNumber(node, 'cutoff', 0)
    this.draft.losses.add(placeOfNode(node), 'It gives −1 if the ray hits nothing, and also hits visuals', 'a sensor that hits only shapes, and gives its maximum if it hits nothing')
    this.draft.sensor(node.attributes.get('name'), {
      type: 'range', body: place.body, position: place.pose.position, direction: rotate(place.pose.orientation, [0, 0, 1]), maximum: rangeOf(cutoff), ...noise(node),
    })
  }

  private touch(node: XmlNode): void {
    const place = this.placeOf(node)
    if (place === null || !this.isBody(place.body, node)) return
    this.draft.losses.add(placeOfNode(node), 'It sums the normal forces within its site', 'the sum of all contact forces on the body, as a vector')
    this.draft.sensor(node.attributes.get('name'), { type: 'contact', body: place.body, ...noise(node) })
  }

  /** A contact sensor as the exporter writes it; with only one side, it measures contacts with everything. */
  private contact(node: XmlNode): void {
    const where = placeOfNode(node)
    const ends = ['body1', 'body2', 'geom1', 'geom2', 'subtree1', 'subtree2', 'site'].filter(end => node.attributes.has(end))
    const [end] = ends
    const force = (node.attributes.get('data') ?? 'found').split(/\s+/).includes('force') && node.attributes.get('reduce') === 'netforce'
    if (ends.length !== 1 || end === 'site' || end!.startsWith('subtree') || !force) {
      this.draft.losses.add(where, 'A contact sensor of anything but the net force on one body or geom', 'nothing')
      return
    }
    const name = node.attributes.get(end!)!
    const geom = end!.startsWith('geom')
    const shape = geom ? this.model.shapes.get(name) ?? null : null
    const link = geom ? shape?.link : this.model.bodies.get(name)
    if (link === undefined) throw new FormatError('UnknownReference', where, `There is no ${geom ? 'colliding geom' : 'body'} "${name}".`, { value: name })
    const body = this.bodies.bodyOf[link] ?? null
    if (!this.isBody(body, node)) return
    if (end!.endsWith('1')) this.draft.losses.add(where, 'It measures the force that its body exerts', 'the force on its body, which is opposite')
    const own = shape !== null && this.bodies.ownerOf[link] === link
    if (geom && !own) this.draft.losses.add(where, 'It measures one geom of a body that is merged into another', 'the contacts of the whole body')
    this.draft.sensor(node.attributes.get('name'), { type: 'contact', body, ...own ? { shape: shape.index } : {}, ...noise(node) })
  }

  private isBody(body: string | null, node: XmlNode): body is string {
    if (body === null) this.draft.losses.add(placeOfNode(node), 'A contact sensor of the world', 'nothing')
    return body !== null
  }

  /** Place of a sensor; null, with a loss, if the scene has no such place. @throws FormatError for an unknown name */
  private placeOf(node: XmlNode): Place | null {
    const type = node.attributes.get('objtype') ?? 'site'
    const name = node.attributes.get('site') ?? node.attributes.get('objname') ?? ''
    if (node.attributes.has('reftype') || node.attributes.has('camera') || !['site', 'xbody', 'body'].includes(type)) {
      this.draft.losses.add(placeOfNode(node), 'A sensor at a camera or a geom, or relative to another frame', 'nothing')
      return null
    }
    const site = type === 'site' ? this.model.sites.get(name) : undefined
    const link = site?.link ?? (type === 'site' ? undefined : this.model.bodies.get(name))
    if (link === undefined) throw new FormatError('UnknownReference', placeOfNode(node), `There is no ${type === 'site' ? 'site' : 'body'} "${name}".`, { value: name })
    // In MuJoCo `body` is the inertial frame; `xbody` is the frame of the file.
    const inLink: Pose = site ?? (type === 'body' ? { position: this.model.links[link]!.mass?.centerOfMass ?? [0, 0, 0], orientation: [0, 0, 0, 1] } : IDENTITY_POSE)
    if (type === 'body' && node.name === 'framequat') this.draft.losses.add(placeOfNode(node), 'The orientation of the principal axes', 'that of the body')
    const placed = (index: number): Pose => index < 0 ? IDENTITY_POSE : this.bodies.placed[index]!.pose
    const body = link < 0 ? null : this.bodies.bodyOf[link]!
    const owner = body === null ? -1 : this.bodies.ownerOf[link]!
    return { body, link, pose: owner === link ? inLink : relativePose(placed(owner), composePoses(placed(link), inLink)) }
  }
}

const noiseOf = (node: XmlNode | undefined): number => node === undefined ? 0 : Math.max(0, attributeNumber(node, 'noise', 0))
const noise = (node: XmlNode): Pick<Sensor, 'noise'> => noiseOf(node) > 0 ? { noise: noiseOf(node) } : {}
