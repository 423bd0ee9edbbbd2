/** SDFormat to a scene: worlds and models of every 1.x version, including nested and included ones. */

import { bodyMass } from '../../analysis/solids'
import { composePoses, relativePose, type Pose } from '../../math/pose'
import { symmetric } from '../../math/matrix'
import { add, cross, scale, type Vec3 } from '../../math/vector'
import { resolveShape, type Body, type MassOverride, type Shape, type Visual } from '../../scene'
import { rotate } from '../../math/quaternion'
import type { FormatFile, ImportResult, Resolve } from '../format'
import { setCollision } from '../shared/collision-classes'
import { SceneDraft } from '../shared/draft'
import { FormatError } from '../shared/error'
import { componentsOf, moveMass, validMass } from '../shared/inertia'
import { MeshFiles } from '../shared/meshes'
import { solidParts } from '../shared/mesh-solid'
import { childrenOf, numbersOf, placeOfNode, readXml, type XmlNode } from '../shared/read-xml'
import type { Scope } from './frames'
import { addGears, addJoint, keyOf, type JointReader } from './read-joints'
import { bitmasksOf, hasLook, materialOf, shapeOf, tellLook, visualsOf, written } from './read-shapes'
import { addLinkSensor } from './read-sensors'
import { readScopes } from './scopes'
import { at, booleanOf, numberOf, textOf, vectorOf } from './values'
import { CONTROLLER } from './write-joints'

/** m/s² [SDFormat: world/gravity]. */
const GRAVITY: Vec3 = [0, 0, -9.8]

export async function importSdf(main: FormatFile, resolve: Resolve): Promise<ImportResult> {
  const draft = new SceneDraft()
  const { root, faults } = readXml(main)
  for (const { line, message } of faults) draft.losses.add(`${main.name}:${line}`, `not well-formed XML: ${message}`, 'the rest of the document')
  if (root.name !== 'sdf') throw new FormatError('MalformedFile', placeOfNode(root), `The root element is <${root.name}>.`, { value: root.name, allowed: '<sdf>' })
  return new SdfReader(root, resolve, draft).read()
}

class SdfReader {
  private readonly version: number
  private readonly ids = new Map<XmlNode, Map<Scope, string>>()
  private readonly moving = new Set<string>()
  private readonly meshes: MeshFiles
  /** Bitmasks of the collisions of each body. */
  private readonly kinds = new Map<string, Set<string>>()
  private gravity: Vec3 = GRAVITY

  constructor(private readonly root: XmlNode, private readonly resolve: Resolve, private readonly draft: SceneDraft) {
    // 1.10 comes after 1.9.
    const minor = Number((root.attributes.get('version') ?? '1.12').split('.')[1])
    this.version = Number.isInteger(minor) ? 1 + minor / 10 : 2
    this.meshes = new MeshFiles(resolve, path => draft.missing(path))
  }

  async read(): Promise<ImportResult> {
    const { draft } = this
    const top = readScopes(this.root, this.resolve, draft)
    const world = top.node.name === 'world' ? top.node : null
    this.gravity = vectorOf(at(world, 'gravity'), GRAVITY)
    if (at(world, 'gravity') === null) draft.note('Gravity', '9.8 m/s² downwards, SDFormat\'s default')
    const scopes = [...everyScope(top)]
    const counts = new Map<string, number>()
    for (const scope of scopes) for (const link of scope.links) counts.set(nameOf(link), (counts.get(nameOf(link)) ?? 0) + 1)
    for (const scope of scopes) await this.addLinks(scope, counts)
    const reader: JointReader = {
      draft, version: this.version, joints: new Map(), moves: body => body !== null && this.moving.has(body),
      bodyOf: (scope, name) => {
        const found = scope.linkOf(name)
        return found === null ? null : this.ids.get(found.link)?.get(found.scope) ?? null
      },
    }
    for (const scope of scopes) for (const joint of scope.joints) addJoint(joint, scope, reader)
    for (const scope of scopes) for (const joint of scope.joints) addGears(joint, scope, reader)
    for (const scope of scopes) this.tellUnread(scope, reader)
    setCollision(draft, this.kinds, (a, b) => {
      const [[s, t], [u, v]] = [a, b].map(kind => kind.split(' ').map(Number)) as [[number, number], [number, number]]
      return ((s & v) | (u & t)) !== 0
    })
    if (world !== null) this.addState(world, scopes)
    if (draft.bodies.length === 0) throw new FormatError('MissingValue', placeOfNode(this.root), 'The file has no links that can be imported.', { allowed: 'models with links' })
    const title = world?.attributes.get('name') ?? top.models[0]?.name
    return draft.finish(title === 'default' ? undefined : title, this.gravity)
  }

  private async addLinks(scope: Scope, counts: ReadonlyMap<string, number>): Promise<void> {
    for (const link of scope.links) {
      const plain = nameOf(link)
      const single = scope.links.length === 1 && scope.models.length === 0
      const name = single ? scope.path.join('.') : counts.get(plain) === 1 ? plain : [...scope.path, plain].join('.')
      const id = await this.addLink(link, scope, name)
      if (id === null) continue
      const known = this.ids.get(link)
      if (known === undefined) this.ids.set(link, new Map([[scope, id]]))
      else known.set(scope, id)
    }
  }

  private async addLink(link: XmlNode, scope: Scope, name: string): Promise<string | null> {
    const { draft } = this
    const where = placeOfNode(link)
    const own = scope.poseOf(nameOf(link))
    const pose = composePoses(scope.inWorld(), own)
    const kinematic = booleanOf(at(link, 'kinematic'), false)
    const type = scope.isStatic ? 'fixed' : kinematic ? 'kinematic' : 'dynamic'
    const visuals = childrenOf(link, 'visual')
    const collisions = childrenOf(link, 'collision')
    const shapes: Shape[] = []
    const names: string[] = []
    for (const [k, collision] of collisions.entries()) {
      const inLink = scope.resolve(at(collision, 'pose'), nameOf(link))
      const shape = await shapeOf(collision, relativePose(own, inLink), type !== 'fixed', this.meshes, draft)
      if (shape === null) continue
      if (shape.type === 'halfSpace' && type !== 'fixed') {
        draft.losses.add(placeOfNode(collision), 'a plane on a link that moves', 'nothing: only fixed bodies can be half-spaces')
        continue
      }
      const seen = visuals.find(visual => nameOf(visual) === nameOf(collision)) ?? visuals[k] ?? visuals[0] ?? null
      names.push(nameOf(collision))
      shapes.push({ ...shape, material: materialOf(collision, seen, draft) } as Shape)
    }
    const seen = await this.visuals(link, scope, own)
    const mass = type === 'dynamic' ? this.mass(link, scope, shapes) : undefined
    if (type !== 'dynamic' && shapes.length === 0 && seen.length === 0) {
      draft.losses.add(where, 'a fixed link without collisions', 'nothing')
      return null
    }
    const body: Omit<Body, 'id'> = {
      ...type === 'dynamic' ? {} : { type }, ...written(pose), ...shapes.length > 0 ? { shapes } : {}, ...seen.length > 0 ? { visuals: seen } : {}, ...mass === undefined ? {} : { mass },
    }
    const id = draft.body(name, body)
    for (const sensor of childrenOf(link, 'sensor')) addLinkSensor(sensor, id, relativePose(own, scope.resolve(at(sensor, 'pose'), nameOf(link))), names, draft)
    if (type !== 'fixed') this.moving.add(id)
    if (shapes.length > 0) this.kinds.set(id, new Set(collisions.map(bitmasksOf)))
    if (type === 'dynamic' && !booleanOf(at(link, 'gravity'), true)) {
      draft.force(`${id}-no-gravity`, { type: 'uniform', bodies: [id], force: scale(this.gravity, -this.massOf(mass, shapes).mass) })
    }
    return id
  }

  /** Visuals of a link, if they differ from its collisions. */
  private async visuals(link: XmlNode, scope: Scope, own: Pose): Promise<Visual[]> {
    const visuals = childrenOf(link, 'visual')
    const keys = (nodes: readonly XmlNode[]): string => nodes.map(node => JSON.stringify([scope.resolve(at(node, 'pose'), nameOf(link)), plain(at(node, 'geometry'))])).sort().join('\n')
    for (const node of visuals) tellLook(node, this.draft)
    const looks = await Promise.all(visuals.map(node => hasLook(node, this.meshes)))
    if (keys(visuals) === keys(childrenOf(link, 'collision')) && !looks.includes(true)) return []
    const found: Visual[] = []
    for (const node of visuals) found.push(...await visualsOf(node, relativePose(own, scope.resolve(at(node, 'pose'), nameOf(link))), this.meshes, this.draft))
    return found
  }

  private mass(link: XmlNode, scope: Scope, shapes: readonly Shape[]): MassOverride | undefined {
    const inertial = at(link, 'inertial')
    if (booleanOf(auto(inertial), false) && shapes.length > 0) return undefined
    const inner = relativePose(scope.poseOf(nameOf(link)), scope.resolve(at(inertial, 'pose'), nameOf(link)))
    const value = (name: string, absent: number): number => numberOf(at(inertial, 'inertia', name), absent)
    const stated = {
      mass: numberOf(at(inertial, 'mass'), 1), centerOfMass: [0, 0, 0] as Vec3,
      inertia: symmetric(value('ixx', 1), value('iyy', 1), value('izz', 1), value('ixy', 0), value('ixz', 0), value('iyz', 0)),
    }
    if (at(inertial, 'fluid_added_mass') !== null) this.draft.losses.add(placeOfNode(link), 'the added mass of a fluid', 'the mass without added mass')
    const { mass, changes } = validMass(moveMass(inner, stated))
    for (const change of changes) this.draft.losses.add(placeOfNode(link), 'this mass or inertia is not physically possible', change)
    return { mass: mass.mass, centerOfMass: mass.centerOfMass, inertia: componentsOf(mass.inertia) }
  }

  private massOf(mass: MassOverride | undefined, shapes: readonly Shape[]) {
    return bodyMass({ mass }, mass?.mass !== undefined && mass.centerOfMass !== undefined ? [] : shapes.flatMap(shape => {
      const density = this.draft.materials.find(material => material.id === shape.material)?.density ?? 1000
      return solidParts(resolveShape(shape)).map(primitive => ({ primitive, pose: resolveShape(shape), density }))
    }))
  }

  /** Initial velocities of links' origins, from the world's state. */
  private addState(world: XmlNode, scopes: readonly Scope[]): void {
    for (const model of at(world, 'state')?.children ?? []) {
      if (model.name !== 'model') continue
      const scope = scopes.find(one => one.path.join('::') === nameOf(model))
      for (const link of childrenOf(model, 'link')) {
        const velocity = at(link, 'velocity')
        const node = scope?.links.find(one => nameOf(one) === nameOf(link))
        const id = node === undefined ? undefined : this.ids.get(node)?.get(scope!)
        const index = this.draft.bodies.findIndex(body => body.id === id)
        const body = this.draft.bodies[index]
        if (velocity === null || body === undefined || body.type === 'fixed') continue
        const values = numbersOf(velocity.text, velocity, 'velocity', [6])
        const angular = values.slice(3) as unknown as Vec3
        const center = rotate(body.orientation ?? [0, 0, 0, 1], body.type === 'kinematic' ? [0, 0, 0] : this.massOf(body.mass, body.shapes ?? []).centerOfMass)
        const linear = add(values.slice(0, 3) as unknown as Vec3, cross(angular, center))
        this.draft.bodies[index] = {
          ...body, ...linear.some(x => x !== 0) ? { linearVelocity: linear } : {}, ...angular.some(x => x !== 0) ? { angularVelocity: angular } : {},
        }
      }
    }
  }

  /** Reports unread elements of a model. Velocity controllers of joints become motors. */
  private tellUnread(scope: Scope, reader: JointReader): void {
    const { node } = scope
    for (const plugin of childrenOf(node, 'plugin')) {
      if (plugin.attributes.get('name') !== CONTROLLER.name || !this.addMotor(plugin, scope, reader)) {
        this.draft.losses.add(placeOfNode(plugin), `what the plugin ${plugin.attributes.get('filename') ?? ''} does`, 'nothing')
      }
    }
    if (scope.links.length > 2 && !scope.isStatic && !booleanOf(at(node, 'self_collide'), false) && scope.links.filter(link => at(link, 'collision') !== null).length > 2) {
      this.draft.losses.add(placeOfNode(node), 'links of one model that do not touch each other', 'links that touch each other, except those connected by a joint')
    }
  }

  private addMotor(plugin: XmlNode, scope: Scope, reader: JointReader): boolean {
    const velocity = at(plugin, 'initial_velocity')
    const name = textOf(at(plugin, 'joint_name'), '')
    const index = this.draft.joints.findIndex(joint => joint.id === reader.joints.get(keyOf(scope, name)))
    const joint = this.draft.joints[index]
    const second = numberOf(at(plugin, 'joint_index'), 0) === 1
    const node = scope.joints.find(one => nameOf(one) === name)
    const effort = numberOf(at(node ?? null, second ? 'axis2' : 'axis', 'limit', 'effort'), Infinity)
    if (velocity === null || joint === undefined || !(effort >= 0 && effort < 1e15)) return false
    const motor = { targetVelocity: numberOf(velocity, 0), maxForce: effort }
    if (joint.type === 'hinge' || joint.type === 'slider') this.draft.joints[index] = { ...joint, motor }
    else if (joint.type === 'universal') {
      const key = second ? 'rotationA' : 'rotationB'
      this.draft.joints[index] = { ...joint, [key]: { ...joint[key], motor } }
    } else return false
    return true
  }
}

function nameOf(node: XmlNode): string {
  return node.attributes.get('name') ?? ''
}

/** An element as plain values, without collision-only data. */
function plain(node: XmlNode | null): unknown {
  return node === null ? null : [node.name, node.text, node.children.map(plain)]
}

/** Whether inertia is to be computed from the collisions. */
function auto(inertial: XmlNode | null): XmlNode | null {
  return inertial === null ? null : { ...inertial, text: inertial.attributes.get('auto') ?? '' }
}

function* everyScope(scope: Scope): Generator<Scope> {
  yield scope
  for (const model of scope.models) yield* everyScope(model)
}
