/** A scene as SDFormat 1.12: a world with one model for each set of bodies connected by joints. */

import { bodyMass, partsOf } from '../../analysis/solids'
import { IDENTITY_POSE, type Pose } from '../../math/pose'
import { add, cross, negate } from '../../math/vector'
import { rotate } from '../../math/quaternion'
import type { ResolvedBody, ResolvedScene } from '../../scene'
import type { ExportResult } from '../format'
import { Losses } from '../shared/losses'
import { Names } from '../shared/names'
import { reportUnsupported, unwrittenNames } from '../shared/unsupported'
import { poseTag, tag, writeSdf, type SdfElement } from './text'
import { followers, jointElement } from './write-joints'
import { LinkWriter } from './write-links'
import { SensorWriter } from './write-sensors'

const VERSION = '1.12'

export function exportSdf(scene: ResolvedScene, name: string): ExportResult {
  const losses = new Losses()
  reportUnsupported(scene, { target: 'SDFormat', kinematic: false, dynamicFriction: false, torsionalFriction: true, sensors: true, servos: false, breaking: false }, losses)
  if (new Set(scene.materials.map(({ friction }) => friction.static)).size > 1) {
    losses.add('materials', 'SDFormat leaves the friction of two different materials to the engine', 'each material\'s own coefficient')
  }
  losses.addAll(unwrittenNames(scene, 'SDFormat'))
  const sensors = new SensorWriter(scene, losses)
  const links = new LinkWriter(scene, name, sensors, losses)
  const writer = new ModelWriter(scene, links, sensors, losses)
  const models = writer.models()
  sensors.tellRest()
  const world = tag('world', [tag('gravity', scene.gravity), ...models, state(scene, writer.linkNames, losses)], { name: 'default' })
  const text = writeSdf(tag('sdf', [world], { version: VERSION }), `${scene.name ?? name}: exported by Cairn`)
  return { files: [{ name: `${name}.sdf`, content: text }, ...links.files, ...links.visualFiles.files], losses: losses.list }
}

class ModelWriter {
  private readonly bodies: ReadonlyMap<string, ResolvedBody>
  private readonly places: ReadonlyMap<string, number>
  /** Indices of the joints that belong to some model. */
  private readonly visited = new Set<number>()
  /** Indices of each body's joints. */
  private readonly jointsOf = new Map<string, readonly number[]>()
  /** Model and link of each body. */
  readonly linkNames = new Map<string, readonly [string, string]>()

  constructor(
    private readonly scene: ResolvedScene, private readonly links: LinkWriter, private readonly sensors: SensorWriter, private readonly losses: Losses,
  ) {
    this.bodies = new Map(scene.bodies.map(body => [body.id, body]))
    this.places = new Map(scene.bodies.map(({ id }, i) => [id, i]))
    scene.joints.forEach((joint, i) => {
      if (joint.type === 'gear') return
      for (const id of [joint.bodyA, joint.bodyB]) if (id !== null) this.jointsOf.set(id, [...this.jointsOf.get(id) ?? [], i])
    })
  }

  models(): SdfElement[] {
    const follows = followers(this.scene, this.losses)
    const names = new Names()
    for (const { id } of this.scene.bodies) names.fresh(id, 'body')
    const models = this.groups(follows).map(group => group.length === 1 ? this.single(group[0]!, follows) : this.several(group, names.fresh(`${group[0]!.id}_model`, 'model'), follows))
    this.scene.joints.forEach((joint, i) => {
      if (joint.type !== 'gear' && !this.visited.has(i)) this.losses.add(`joints[${i}]`, 'it joins two bodies that do not move', 'nothing')
    })
    return models
  }

  /** Sets of bodies connected by joints, in document order. */
  private groups(follows: ReturnType<typeof followers>): ResolvedBody[][] {
    const root = this.scene.bodies.map((_, i) => i)
    const find = (i: number): number => {
      let at = i
      while (root[at] !== at) at = root[at] = root[root[at]!]!
      return at
    }
    const unite = (ids: readonly (string | null)[]): void => {
      const moving = ids.filter((id): id is string => id !== null && this.bodies.get(id)!.type !== 'fixed').map(id => this.places.get(id)!)
      for (const place of moving) {
        const [a, b] = [find(moving[0]!), find(place)]
        root[Math.max(a, b)] = Math.min(a, b)
      }
    }
    const joints = new Map(this.scene.joints.map(joint => [joint.id, joint]))
    const ends = (id: string): readonly (string | null)[] => {
      const joint = joints.get(id)!
      return joint.type === 'gear' ? [] : [joint.bodyA, joint.bodyB]
    }
    for (const joint of this.scene.joints) unite(ends(joint.id))
    // A joint can only follow another of its own model.
    for (const [follower, { joint }] of follows) unite([...ends(follower), ...ends(joint)])
    const groups = new Map<number, ResolvedBody[]>()
    this.scene.bodies.forEach((body, i) => {
      const list = groups.get(find(i))
      if (list === undefined) groups.set(find(i), [body])
      else list.push(body)
    })
    return [...groups.values()]
  }

  private single(body: ResolvedBody, follows: ReturnType<typeof followers>): SdfElement {
    this.linkNames.set(body.id, [body.id, 'link'])
    const link = this.links.link(body, this.places.get(body.id)!, 'link', IDENTITY_POSE)
    const joints = this.joints([body], () => 'link', follows)
    return tag('model', [body.type === 'fixed' ? tag('static', true) : null, poseTag(body as Pose), link, ...joints], { name: body.id })
  }

  private several(group: readonly ResolvedBody[], name: string, follows: ReturnType<typeof followers>): SdfElement {
    for (const { id } of group) this.linkNames.set(id, [name, id])
    const links = group.map(body => this.links.link(body, this.places.get(body.id)!, body.id, body))
    return tag('model', [tag('self_collide', true), ...links, ...this.joints(group, id => id, follows)], { name })
  }

  private joints(group: readonly ResolvedBody[], linkOf: (id: string) => string, follows: ReturnType<typeof followers>): SdfElement[] {
    const inside = new Set(group.filter(body => body.type !== 'fixed').map(({ id }) => id))
    const joints: SdfElement[] = []
    const plugins: SdfElement[] = []
    const indices = [...new Set([...inside].flatMap(id => this.jointsOf.get(id) ?? []))].sort((a, b) => a - b)
    for (const i of indices) {
      const joint = this.scene.joints[i]!
      this.visited.add(i)
      if (joint.type === 'gear') continue
      const written = jointElement(joint, { where: `joints[${i}]`, bodies: this.bodies, follows: follows.get(joint.id), linkOf, sensors: this.sensors, losses: this.losses })
      if (written === null) continue
      joints.push(written.joint)
      plugins.push(...written.plugins)
    }
    return [...joints, ...plugins]
  }
}

/** Initial velocities are part of the world's state. */
function state(scene: ResolvedScene, linkNames: ReadonlyMap<string, readonly [string, string]>, losses: Losses): SdfElement | null {
  const models = new Map<string, SdfElement[]>()
  scene.bodies.forEach((body, i) => {
    if (body.type === 'fixed' || [...body.linearVelocity, ...body.angularVelocity].every(x => x === 0)) return
    losses.add(`bodies[${i}].linearVelocity`, `"${body.id}" has an initial velocity`, 'a velocity in the world\'s state, which Gazebo Sim does not read')
    const center = body.type === 'dynamic' ? bodyMass(body, partsOf(body, scene)).centerOfMass : [0, 0, 0] as const
    // Of the link's origin.
    const linear = add(body.linearVelocity, cross(body.angularVelocity, negate(rotate(body.orientation, center))))
    const [model, link] = linkNames.get(body.id)!
    models.set(model, [...models.get(model) ?? [], tag('link', [tag('velocity', [...linear, ...body.angularVelocity])], { name: link })])
  })
  if (models.size === 0) return null
  return tag('state', [...models].map(([name, links]) => tag('model', links, { name })), { world_name: 'default' })
}
