/**
 * MJCF, MuJoCo's scene format: z up, wxyz quaternions, half extents, radians; joints as a tree of bodies with equalities for loops; friction by
 * explicit pairs where it differs from MuJoCo's rule. Initial velocities and motor targets are in keyframe 0: `mj_resetDataKeyframe(m, d, 0)`.
 */

import { bodyMass, partsOf } from '../../../analysis/solids'
import type { BodyMass } from '../../../geometry/mass'
import { IDENTITY_POSE, relativePose, toInner, toOuter, type Pose } from '../../../math/pose'
import { add, cross, negate, type Vec3 } from '../../../math/vector'
import type { ResolvedBody, ResolvedForce, ResolvedJoint, ResolvedScene } from '../../../scene'
import type { ExportResult, Loss } from '../../format'
import { localDirection, wxyz } from '../../shared/rotations'
import { element, writeXml, type XmlElement } from '../../shared/write-xml'
import { bodyTree, type TreeNode } from '../../shared/body-tree'
import { bitOf, collisionClasses, maskOf, type CollisionClasses } from '../../shared/collision-classes'
import { isControlled } from '../../shared/controllers'
import { meshesOf, picturesOf } from '../../shared/visuals'
import { unwrittenDocument, unwrittenNames, unwrittenMotions, unwrittenParameters, unwrittenServos } from '../../shared/unsupported'
import { contactElements, geomLaw, type GeomEntry } from './contacts'
import { branchesFirst, cutLoops } from './cut-loops'
import { geomsOf } from './geoms'
import { AT_REST, branch, lets, loop, type LoopElements, type Moving } from './joints'
import { sensorElements } from './sensors'
import { HIDDEN, VisualGeoms } from './visuals'

/** s: a step at which MuJoCo's contacts of everyday stiffness are stable. */
const TIMESTEP = 0.001
/** Bits of contype, a signed integer. */
const MAX_BITS = 31

export function exportMjcf(scene: ResolvedScene, name: string): ExportResult {
  const { scene: cut, welds, losses: cuts } = cutLoops(scene)
  const { files, losses } = new MjcfWriter(cut, welds, scene.joints, name).write()
  return { files, losses: [...cuts, ...losses, ...documentLosses(scene)] }
}

class MjcfWriter {
  private readonly losses: Loss[] = []
  private readonly assets: XmlElement[] = []
  private readonly geoms: GeomEntry[] = []
  private readonly actuators: XmlElement[] = []
  private readonly tendons: XmlElement[] = []
  private readonly equalities: XmlElement[] = []
  private readonly sites = new Map<number, XmlElement[]>()
  private readonly indices: ReadonlyMap<string, number>
  /** Bodies whose initial velocity is not preserved; it affects their descendants too. */
  private readonly slowed = new Set<string>()
  private readonly law: (material: string) => XmlElement['attributes']
  private readonly visuals: VisualGeoms
  private readonly controlled: boolean
  private readonly classes: CollisionClasses | null
  private readonly qpos: number[] = []
  private readonly qvel: number[] = []
  private readonly ctrl: number[] = []
  private readonly masses = new Map<ResolvedBody, BodyMass>()
  private readonly motions: readonly Moving[]

  /**
   * @param welds ids of the welds between the halves of bodies
   * @param joints of the document before bodies were cut
   * @param name of the main file, without its ending
   */
  constructor(
    private readonly scene: ResolvedScene, private readonly welds: ReadonlySet<string>, private readonly joints: readonly ResolvedJoint[],
    private readonly name: string,
  ) {
    this.indices = new Map(scene.bodies.map((body, index) => [body.id, index]))
    this.law = geomLaw(scene)
    this.visuals = new VisualGeoms(meshesOf(scene), picturesOf(scene), `${name}_textures`, this.losses)
    this.controlled = isControlled(scene)
    const classes = collisionClasses(scene, false)
    const few = classes === null || classes.touch.length <= MAX_BITS
    this.classes = few ? classes : null
    if (!few) this.losses.push({ path: 'bodies[].collision', message: `More than ${MAX_BITS} collision classes`, instead: 'bodies that all touch each other' })
    this.motions = scene.bodies.map(body => this.motionOf(body))
  }

  write(): ExportResult {
    const { scene, name } = this
    const { roots, loops } = bodyTree(scene, branchesFirst(scene), this.welds)
    const loose = new Set(loops.map(({ joint }) => joint.id))
    for (const { joint, index } of loops) {
      if (this.canLoop(joint, index, loose)) this.addLoop(loop(joint, index, scene.bodies, id => this.indices.get(id)!))
    }
    scene.forces.forEach((force, index) => this.addForce(force, `forces[${index}]`))
    const { sensors, sites, losses } = sensorElements(scene, roots)
    for (const site of sites) this.addSite(site.body, site.element)
    this.losses.push(...losses)
    const bodies = roots.map(node => this.body(node, IDENTITY_POSE))
    const contacts = contactElements(scene, this.geoms, this.joints, movingBodies(roots), this.classes)
    this.losses.push(...contacts.losses)
    const key = element('key', { name: 'initial', qpos: this.qpos, qvel: this.qvel, ctrl: this.ctrl.length > 0 ? this.ctrl : undefined })
    const group = (tag: string, children: readonly XmlElement[]) => children.length > 0 ? element(tag, {}, children) : null
    const root = element('mujoco', { model: name }, [
      element('compiler', { angle: 'radian', inertiafromgeom: 'false', autolimits: true }),
      element('option', { timestep: TIMESTEP, gravity: scene.gravity, cone: 'elliptic', integrator: 'implicitfast' }),
      group('asset', [...scene.materials.map(({ id, color }) => element('material', { name: id, rgba: rgba(color) })), ...this.assets, ...this.visuals.assets]),
      element('worldbody', {}, [...this.sitesOf(-1), ...bodies]),
      group('contact', contacts.elements), group('tendon', this.tendons), group('equality', this.equalities), group('actuator', this.actuators), group('sensor', sensors),
      this.qpos.length > 0 ? element('keyframe', {}, [key]) : null,
    ])
    const title = scene.name ?? name
    return { files: [{ name: `${name}.xml`, content: writeXml(root, `${title}: exported by Cairn; initial velocities are in keyframe 0`) }, ...this.visuals.files],
      losses: this.losses }
  }

  /**
   * MuJoCo has equalities only between movable bodies, and gears only between joints of the tree. @param loose ids of the joints that are not
   * branches
   */
  private canLoop(joint: ResolvedJoint, index: number, loose: ReadonlySet<string>): boolean {
    const path = `joints[${index}]`
    if (joint.type === 'gear') {
      const without = [joint.jointA, joint.jointB].find(id => loose.has(id))
      if (without !== undefined) this.losses.push({ path, message: `"${joint.id}" couples "${without}", which is not a joint in MuJoCo`,
        instead: 'nothing: the joints move by themselves' })
      return without === undefined
    }
    const moves = [joint.bodyA, joint.bodyB].some(id => id !== null && this.scene.bodies[this.indices.get(id)!]!.type === 'dynamic')
    if (!moves) this.losses.push({ path, message: `"${joint.id}" joins two bodies that are not dynamic`, instead: 'nothing' })
    return moves
  }

  private motionOf(body: ResolvedBody): Moving {
    if (body.type === 'fixed') return AT_REST
    const { centerOfMass } = body.type === 'dynamic' ? this.massOf(body) : { centerOfMass: [0, 0, 0] as Vec3 }
    return { center: toOuter(poseOf(body), centerOfMass), velocity: body.linearVelocity, angularVelocity: body.angularVelocity }
  }

  private massOf(body: ResolvedBody): BodyMass {
    const known = this.masses.get(body) ?? bodyMass(body, partsOf(body, this.scene))
    this.masses.set(body, known)
    return known
  }

  private body(node: TreeNode, parent: Pose): XmlElement {
    const { body, index } = node
    const pose = poseOf(body)
    const { position, orientation } = relativePose(parent, pose)
    const children: XmlElement[] = [...this.freedom(node), ...this.inertial(body), ...this.geomElements(body, index), ...this.sitesOf(index)]
    if (body.type === 'kinematic') {
      this.losses.push({
        path: `bodies[${index}].type`, message: `"${body.id}" is kinematic and ignores contact forces`, instead: 'a mocap body, which another program has to move',
      })
      for (const key of ['linearVelocity', 'angularVelocity'] as const) {
        if (body[key].some(value => value !== 0)) {
          this.slowed.add(body.id)
          this.losses.push({ path: `bodies[${index}].${key}`, message: 'MuJoCo\'s mocap bodies have no velocity', instead: 'none: another program has to move it' })
        }
      }
    }
    if (body.spawnTime > 0) {
      this.losses.push({ path: `bodies[${index}].spawnTime`, message: `"${body.id}" appears at ${body.spawnTime} s`,
        instead: 'a body that exists from the start' })
    }
    return element('body', { name: body.id, pos: position, quat: wxyz(orientation), mocap: body.type === 'kinematic' ? true : undefined },
      [...children, ...node.children.map(child => this.body(child, pose))])
  }

  /** The joints of a body, and their part of the keyframe. */
  private freedom({ body, index, branch: hung }: TreeNode): readonly XmlElement[] {
    if (body.type !== 'dynamic') return []
    if (hung === null) {
      const { center, velocity, angularVelocity } = this.motions[index]!
      const arm = negate([center[0] - body.position[0], center[1] - body.position[1], center[2] - body.position[2]])
      this.qpos.push(...body.position, ...wxyz(body.orientation))
      // Velocity of the body frame's origin in the world; angular velocity in the body frame.
      this.qvel.push(...add(velocity, cross(angularVelocity, arm)), ...localDirection(poseOf(body), angularVelocity))
      return [element('freejoint', { name: `${body.id}:free` })]
    }
    const { joint, childIsA } = hung
    // Site for a fixed joint: a body without joints is welded to its parent and has no joint element.
    if (joint.type === 'fixed') this.addSite(index, element('site', { name: `${joint.id}:weld`, pos: toInner(poseOf(body), joint.anchor) }))
    const motion = (id: string | null): Moving => id === null ? AT_REST : this.motions[this.indices.get(id)!]!
    const made = branch(joint, body, childIsA, motion(joint.bodyA), motion(joint.bodyB))
    const held = childIsA ? joint.bodyB : joint.bodyA
    if (!lets(joint, motion(joint.bodyA), motion(joint.bodyB)) || (held !== null && this.slowed.has(held))) {
      this.slowed.add(body.id)
      for (const key of ['linearVelocity', 'angularVelocity']) {
        this.losses.push({
          path: `bodies[${index}].${key}`, message: `"${body.id}" starts with a velocity that its joints do not allow`, instead: 'the part of it that they allow',
        })
      }
    }
    this.qpos.push(...made.qpos)
    this.qvel.push(...made.qvel)
    this.ctrl.push(...made.ctrl)
    this.actuators.push(...made.actuators)
    if (this.controlled) this.addControls(made.joints)
    if (made.actuators.some(({ name }) => name === 'velocity')) {
      this.losses.push({
        path: `joints[${hung.index}].motor`, message: 'MuJoCo\'s velocity servo lags behind its target',
        instead: 'a servo that reaches its force limit at 1 % velocity error',
      })
    }
    return made.joints
  }

  /** Motors for joints that a controller script drives: zero force until the user sets it. */
  private addControls(joints: readonly XmlElement[]): void {
    for (const { attributes: { name, type } } of joints) {
      if (type !== 'hinge' && type !== 'slide') continue
      this.actuators.push(element('motor', { name: `${String(name)}:control`, joint: name }))
      this.ctrl.push(0)
    }
  }

  private inertial(body: ResolvedBody): readonly XmlElement[] {
    if (body.type !== 'dynamic') return []
    const { mass, centerOfMass, inertia: I } = this.massOf(body)
    return [element('inertial', { mass, pos: centerOfMass, fullinertia: [I[0], I[4], I[8], I[1], I[2], I[5]] })]
  }

  private geomElements(body: ResolvedBody, index: number): readonly XmlElement[] {
    const hidden = (body.visuals?.length ?? 0) > 0
    const shapes = body.shapes.flatMap((shape, k) => {
      const name = `${body.id}:${k}`
      const made = geomsOf(shape, name, `bodies[${index}].shapes[${k}]`, {
        material: shape.material, ...this.law(shape.material), ...(hidden ? { group: HIDDEN } : {}), ...this.collisionOf(index),
      })
      this.assets.push(...made.assets)
      this.losses.push(...made.losses)
      this.geoms.push(...made.geoms.map(geom => ({ name: String(geom.attributes.name), body: index, material: shape.material })))
      return made.geoms
    })
    return [...shapes, ...this.visuals.of(body, index)]
  }

  /** contype and conaffinity: one bit for each collision class. */
  private collisionOf(body: number): XmlElement['attributes'] {
    const { classes } = this
    if (classes === null) return {}
    const own = classes.of[body]!
    return { contype: bitOf(own), conaffinity: maskOf(classes, own) }
  }

  private sitesOf(body: number): XmlElement[] {
    return this.sites.get(body) ?? []
  }

  private addLoop({ equalities, tendons, sites, losses }: LoopElements): void {
    this.equalities.push(...equalities)
    this.tendons.push(...tendons)
    for (const site of sites) this.addSite(site.body, site.element)
    this.losses.push(...losses)
  }

  private addSite(body: number, site: XmlElement): void {
    this.sites.set(body, [...this.sites.get(body) ?? [], site])
  }

  private addForce(force: ResolvedForce, path: string): void {
    if (force.type !== 'spring') {
      this.losses.push({ path, message: `MJCF has no ${force.type} force`, instead: 'nothing: apply it externally, through xfrc_applied' })
      return
    }
    const place = (id: string | null): number => id === null ? -1 : this.indices.get(id)!
    for (const [end, id, pos] of [['a', force.bodyA, force.pointA], ['b', force.bodyB, force.pointB]] as const) {
      this.addSite(place(id), element('site', { name: `${force.id}:${end}`, pos }))
    }
    this.tendons.push(element('spatial', {
      name: force.id, stiffness: force.stiffness, damping: force.damping || undefined, springlength: force.restLength,
    }, [element('site', { site: `${force.id}:a` }), element('site', { site: `${force.id}:b` })]))
  }
}

/** Bodies that are not welded to static bodies. */
function movingBodies(roots: readonly TreeNode[]): ReadonlySet<number> {
  const found = new Set<number>()
  const walk = ({ body, index, branch: hung, children }: TreeNode, parentMoves: boolean): void => {
    const moves = body.type === 'dynamic' && (hung?.joint.type !== 'fixed' || parentMoves)
    if (moves) found.add(index)
    for (const child of children) walk(child, moves)
  }
  for (const root of roots) walk(root, false)
  return found
}

/** Document contents that MJCF cannot represent. */
function documentLosses(scene: ResolvedScene): Loss[] {
  return [
    ...unwrittenNames(scene, 'MJCF'),
    ...(scene.deformables.length > 0 ? [{ path: 'deformables', message: 'Particles, ropes, hair and cloth are not written as MuJoCo\'s flex',
      instead: 'nothing' }] : []),
    ...unwrittenDocument(scene, 'MJCF').map(loss => loss.path === 'scripts' && isControlled(scene) ? { ...loss, instead: 'a motor at each joint, which an external controller has to set' } : loss),
    ...unwrittenParameters(scene, 'MJCF'), ...unwrittenMotions(scene, 'MJCF'), ...unwrittenServos(scene, 'MJCF', true),
    { path: 'simulation', message: 'Simulation settings and duration are not written', instead: `steps of ${TIMESTEP} s` },
  ]
}

const poseOf = (body: ResolvedBody): Pose => ({ position: body.position, orientation: body.orientation })

function rgba(color: string): readonly number[] {
  const hex = color.length === 4 ? [...color.slice(1)].map(digit => digit + digit).join('') : color.slice(1)
  return [0, 2, 4].map(at => parseInt(hex.slice(at, at + 2), 16) / 255).concat(1)
}
