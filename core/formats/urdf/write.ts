/**
 * A scene as URDF: one tree under a link "world", with free bodies on floating joints. As the format requires, a link's frame is at its joint, so
 * bodies keep their poses in the world but not their frames. Loop closures and forces are lost.
 */

import { bodyMass, partsOf } from '../../analysis/solids'
import { IDENTITY_POSE, relativePose, toOuter, type Pose } from '../../math/pose'
import type { ResolvedBody, ResolvedForce, ResolvedJoint, ResolvedScene } from '../../scene'
import type { ExportResult, FormatFile, OptionValues } from '../format'
import { bodyTree, type TreeNode } from '../shared/body-tree'
import { Losses } from '../shared/losses'
import { element, writeXml, type XmlElement } from '../shared/write-xml'
import { VisualFiles } from '../shared/visual-files'
import { meshesOf, picturesOf } from '../shared/visuals'
import { unwrittenDocument, unwrittenNames, unwrittenMotions, unwrittenParameters, unwrittenSensors, unwrittenServos } from '../shared/unsupported'
import { collisionsOf, originElement, visualFolder } from './write-geometry'
import { jointElements } from './write-joints'

export function exportUrdf(scene: ResolvedScene, name: string, options: OptionValues): ExportResult {
  return new UrdfWriter(scene, name, options).write()
}

class UrdfWriter {
  private readonly losses = new Losses()
  private readonly files: FormatFile[] = []
  private readonly elements: XmlElement[] = []
  private readonly written = new Map<string, { readonly name: string; readonly sign: number }>()

  private readonly visuals: VisualFiles

  constructor(private readonly scene: ResolvedScene, private readonly name: string, private readonly options: OptionValues) {
    this.visuals = new VisualFiles(meshesOf(scene), picturesOf(scene), visualFolder(options))
  }

  write(): ExportResult {
    const { scene } = this
    const { roots, loops } = bodyTree(scene)
    const world = this.freshWorld()
    this.elements.push(element('link', { name: world }))
    for (const node of roots) this.add(node, world, IDENTITY_POSE)
    for (const { joint, index } of loops) this.loop(joint, index)
    this.tellRest()
    const materials = scene.materials.map(({ id, color }) => element('material', { name: id }, [element('color', { rgba: rgba(color) })]))
    const friction = this.frictionElements()
    const root = element('robot', { name: this.name }, [
      element('mujoco', {}, [element('compiler', { discardvisual: false, fusestatic: false, strippath: false, balanceinertia: false })]),
      ...materials, ...this.elements, ...friction,
    ])
    return { files: [{ name: `${this.name}.urdf`, content: writeXml(root, `${scene.name ?? this.name}: exported by Cairn`) }, ...this.files, ...this.visuals.files],
      losses: this.losses.list }
  }

  /** A name that no body uses. */
  private freshWorld(): string {
    const taken = new Set(this.scene.bodies.map(body => body.id))
    let name = 'world'
    while (taken.has(name)) name += '_'
    return name
  }

  private add(node: TreeNode, parent: string, parentFrame: Pose): void {
    const { body, branch, index } = node
    const pose: Pose = { position: body.position, orientation: body.orientation }
    const frame: Pose = branch === null ? pose : { position: branch.joint.anchor, orientation: body.orientation }
    const inLink = relativePose(frame, pose)
    const path = `bodies[${index}]`
    const { collisions, files } = collisionsOf(body, inLink, path, this.losses, this.options, this.visuals)
    this.files.push(...files)
    this.elements.push(element('link', { name: body.id }, [...this.inertial(body, inLink, path), ...collisions]))
    const origin = originElement(relativePose(parentFrame, frame))
    if (branch === null) {
      if (body.type === 'kinematic') this.losses.add(`${path}.type`, `"${body.id}" is kinematic and ignores contact forces`, 'a link fixed to the world')
      const type = body.type === 'dynamic' ? 'floating' : 'fixed'
      this.elements.push(element('joint', { name: `${body.id}.${type}`, type },
        [element('parent', { link: parent }), element('child', { link: body.id }), origin]))
    } else {
      const { elements, coordinate } = jointElements(branch, frame, origin, parent, body.id, this.losses)
      this.elements.push(...elements)
      if (coordinate !== null) this.written.set(branch.joint.id, { name: coordinate, sign: 1 })
    }
    for (const child of node.children) this.add(child, body.id, frame)
  }

  private inertial(body: ResolvedBody, inLink: Pose, path: string): XmlElement[] {
    for (const key of ['linearVelocity', 'angularVelocity'] as const) {
      if (body.type !== 'fixed' && body[key].some(v => v !== 0)) this.losses.add(`${path}.${key}`, 'URDF has no velocities', 'a body at rest')
    }
    if (body.type !== 'dynamic') return []
    if (body.spawnTime > 0) this.losses.add(`${path}.spawnTime`, `"${body.id}" appears at ${body.spawnTime} s`, 'a body that exists from the start')
    const { mass, centerOfMass, inertia: I } = bodyMass(body, partsOf(body, this.scene))
    return [element('inertial', {}, [
      originElement({ position: toOuter(inLink, centerOfMass), orientation: inLink.orientation }), element('mass', { value: mass }),
      element('inertia', { ixx: I[0], ixy: I[1], ixz: I[2], iyy: I[4], iyz: I[5], izz: I[8] }),
    ])]
  }

  private loop(joint: ResolvedJoint, index: number): void {
    const path = `joints[${index}]`
    if (joint.type === 'gear') {
      const [a, b] = [this.written.get(joint.jointA), this.written.get(joint.jointB)]
      const at = a === undefined ? -1 : this.elements.findIndex(one => one.name === 'joint' && one.attributes.name === a.name)
      if (a !== undefined && b !== undefined && at >= 0 && !this.elements[at]!.children.some(child => child.name === 'mimic')) {
        const driven = this.elements[at]!
        this.elements[at] = { ...driven, children: [...driven.children, element('mimic', { joint: b.name, multiplier: joint.ratio, offset: 0 })] }
        return
      }
      this.losses.add(path, `The gear "${joint.id}" couples joints that URDF does not have`, 'nothing: the joints move by themselves')
      return
    }
    this.losses.add(path, `The joint "${joint.id}" of type ${joint.type}: URDF is a tree, which cannot contain a joint that closes a loop`,
      'nothing: the bodies are not joined there')
  }

  private frictionElements(): XmlElement[] {
    const { scene } = this
    if (scene.materials.length === 0) return []
    const byId = new Map(scene.materials.map(material => [material.id, material]))
    if (scene.materials.some(({ friction }) => friction.static !== friction.dynamic)) {
      this.losses.add('materials[].friction.dynamic', 'Gazebo\'s extension has one coefficient of friction', 'the static one')
    }
    if (scene.materials.some(({ restitution }) => restitution > 0)) this.losses.add('materials[].restitution', 'URDF has no restitution', 'none')
    if (scene.materialPairs.length > 0) this.losses.add('materialPairs', 'URDF has no friction for pairs of materials', 'each material\'s own friction')
    return scene.bodies.flatMap(body => {
      const ids = [...new Set(body.shapes.map(shape => shape.material))]
      for (const id of ids.slice(1)) {
        const at = scene.materials.findIndex(material => material.id === id)
        this.losses.add(`materials[${at}]`, `"${body.id}" has several materials`, `the friction and colour of "${ids[0]}"`)
      }
      const friction = ids.length === 0 ? undefined : byId.get(ids[0]!)!.friction
      return friction === undefined ? [] : [element('gazebo', { reference: body.id }, [
        { ...element('mu1'), text: String(friction.static) }, { ...element('mu2'), text: String(friction.static) },
      ])]
    })
  }

  private tellRest(): void {
    const { scene, losses } = this
    const [x, y, z] = scene.gravity
    if (x !== 0 || y !== 0 || z !== -9.81) losses.add('gravity', 'URDF has no gravity', 'nothing: the reading program sets it')
    scene.forces.forEach((force: ResolvedForce, i) => losses.add(`forces[${i}]`, `URDF has no ${force.type} force`, 'nothing'))
    if (scene.bodies.some(({ collision }) => collision !== undefined)) losses.add('bodies[].collision', 'URDF has no collision groups', 'links that all touch each other')
    if (scene.deformables.length > 0) losses.add('deformables', 'URDF has no particles, ropes, hair or cloth', 'nothing')
    for (const collect of [unwrittenDocument, unwrittenNames, unwrittenParameters, unwrittenSensors]) losses.addAll(collect(scene, 'URDF'))
    losses.addAll(unwrittenMotions(scene, 'URDF'))
    losses.addAll(unwrittenServos(scene, 'URDF', false))
    losses.add('bodies[].position', 'A link\'s frame is at its joint', 'bodies of the same pose and shape, with different frames')
    losses.add('materials[].density', 'URDF has no densities', 'the same masses')
    for (const key of ['torsional', 'rolling'] as const) {
      if (scene.materials.some(({ friction }) => friction[key] > 0)) losses.add(`materials[].friction.${key}`, `URDF has no ${key} friction`, 'none')
    }
    losses.add('simulation', 'URDF has no simulation settings', 'nothing')
  }
}

function rgba(color: string): readonly number[] {
  const hex = color.length === 4 ? [...color.slice(1)].map(digit => digit + digit).join('') : color.slice(1)
  return [0, 2, 4].map(at => parseInt(hex.slice(at, at + 2), 16) / 255).concat(1)
}

