/**
 * glTF with physics to a scene: KHR_physics_rigid_bodies and KHR_implicit_shapes, or the OMI_physics extensions. Without any of these, all meshes
 * become one solid.
 */

import { bodyMass } from '../../analysis/solids'
import type { Pose } from '../../math/pose'
import { rotate, type Quat } from '../../math/quaternion'
import { scale, type Vec3 } from '../../math/vector'
import { resolveShape, type Body, type MassOverride, type Shape } from '../../scene'
import type { FormatFile, FormatOption, ImportResult, OptionValues, Resolve } from '../format'
import { hexOfLinear } from '../shared/colors'
import { setCollision } from '../shared/collision-classes'
import { SceneDraft } from '../shared/draft'
import { FormatError } from '../shared/error'
import { componentsOf, fromPrincipal, validMass } from '../shared/inertia'
import { solidParts } from '../shared/mesh-solid'
import { unit } from '../shared/rotations'
import { sizesToZUp, toZUp, turnToZUp } from './axes'
import { openGltf, type OpenedGltf } from './container'
import { arrayOf, objectOf, RIGID_BODIES } from './json'
import { filterRule } from './filters'
import { physicsOf, readsPhysics, type Collider, type Motion, type NodePhysics } from './physics'
import { addJoint } from './read-joints'
import { placeNodes, placeOf, type PlacedNode } from './read-nodes'
import { shapesOfCollider, written } from './read-shapes'
import { hasLook, isVisualOnly, visualsOfNode } from './read-visuals'

export const importOptions: readonly FormatOption[] = [
  {
    id: 'friction', label: 'Default friction', help: 'Of colliders without a physics material.', kind: 'number', default: 0.5, least: 0, most: 100,
  },
]

const EARTH: Vec3 = [0, 0, -9.81]
/** Mass, kg, and radius, m, of the ball that replaces a body without mass and colliders. */
const BARE_MASS = 1
const BARE_RADIUS = 0.1
const DEFAULT_DENSITY = 1000

export function importGltf(main: FormatFile, resolve: Resolve, options: OptionValues): ImportResult {
  const draft = new SceneDraft()
  const gltf = openGltf(main, resolve, name => draft.missing(name))
  const { json } = gltf
  if (!readsPhysics(json)) {
    throw new FormatError('MissingValue', main.name, 'The file has no physics extension.', {
      allowed: 'KHR_physics_rigid_bodies or OMI_physics_body; a file of meshes alone is imported as a mesh',
    })
  }
  return new GltfReader(gltf, draft, Number(options.friction)).read()
}

class GltfReader {
  private readonly placed: readonly PlacedNode[]
  private readonly nodes: ReadonlyMap<number, PlacedNode>
  private readonly physics: ReadonlyMap<PlacedNode, NodePhysics>
  private readonly ids = new Map<PlacedNode, string>()
  /** Filters of the colliders of each body. */
  private readonly kinds = new Map<string, Set<number | null>>()

  constructor(private readonly gltf: OpenedGltf, private readonly draft: SceneDraft, private readonly friction: number) {
    this.placed = placeNodes(gltf.json)
    this.nodes = new Map(this.placed.map(one => [one.index, one]))
    this.physics = new Map(this.placed.map(one => [one, physicsOf(gltf.json, one.node, placeOf(one))]))
  }

  read(): ImportResult {
    const { draft, gltf: { json } } = this
    const scene = json.scenes?.[json.scene ?? 0]
    const own = arrayOf(objectOf(objectOf(scene?.extras).cairn).gravity).map(Number)
    const gravity = own.length === 3 && own.every(Number.isFinite) ? toZUp(own as unknown as Vec3) : EARTH
    if (gravity === EARTH) draft.note('Gravity', '9.81 m/s² downwards: glTF leaves it to the host')
    draft.note('Up axis', 'Y, as glTF has it')
    const seen = this.seenNodes()
    for (const [owner, colliders] of this.bodies()) this.addBody(owner, colliders, seen.get(owner) ?? [], gravity)
    for (const one of this.placed) this.addJoint(one)
    setCollision(draft, this.kinds, filterRule(json))
    this.tellUnread()
    if (draft.bodies.length === 0) throw new FormatError('MissingValue', 'nodes', 'The file has no bodies and no colliders.', { allowed: 'nodes with motion or a collider' })
    return draft.finish(scene?.name, gravity)
  }

  /** Each body node with its colliders, in node order; a collider outside any body is a fixed body. */
  private bodies(): Map<PlacedNode, PlacedNode[]> {
    const found = new Map<PlacedNode, PlacedNode[]>()
    for (const one of this.placed) {
      const { motion, collider } = this.physics.get(one)!
      if (motion !== null || this.marked(one)) found.set(one, [])
      if (collider === null) continue
      const owner = this.ownerOf(one) ?? one
      const list = found.get(owner)
      if (list === undefined) found.set(owner, [one])
      else list.push(one)
    }
    return found
  }

  /** By body: its visual nodes, if one of them shows something other than a collider. */
  private seenNodes(): Map<PlacedNode, PlacedNode[]> {
    const shown = new Map<PlacedNode, PlacedNode[]>()
    const apart = new Set<PlacedNode>()
    // Meshes that a collider references by their node are collision geometry.
    const touching = new Set([...this.physics.values()].flatMap(({ collider }) => collider?.node ?? []))
    for (const one of this.placed) {
      if (one.node.mesh === undefined) continue
      const { collider } = this.physics.get(one)!
      const only = isVisualOnly(one, collider) && !touching.has(one.index)
      const owner = this.ownerOf(one) ?? (collider === null ? null : one)
      if (owner === null) {
        if (only) this.draft.losses.add(placeOf(one), 'a mesh that does not belong to a body', 'nothing')
        continue
      }
      // A collider's mesh with colours or a texture of its own is shown too.
      if (only || hasLook(this.gltf, one.node.mesh)) apart.add(owner)
      const list = shown.get(owner)
      if (list === undefined) shown.set(owner, [one])
      else list.push(one)
    }
    for (const owner of shown.keys()) if (!apart.has(owner)) shown.delete(owner)
    return shown
  }

  /** glTF motions cannot represent fixed bodies: exported scenes mark their nodes. */
  private marked({ node }: PlacedNode): boolean {
    return objectOf(objectOf(node.extras).cairn).body === 'fixed'
  }

  private ownerOf(node: PlacedNode): PlacedNode | null {
    for (let at: PlacedNode | null = node; at !== null; at = at.parent) {
      if (this.physics.get(at)!.motion !== null || this.marked(at)) return at
    }
    return null
  }

  private addBody(owner: PlacedNode, colliders: readonly PlacedNode[], seen: readonly PlacedNode[], gravity: Vec3): void {
    const { motion } = this.physics.get(owner)!
    const { pose } = owner.split
    const where = placeOf(owner)
    const type = motion === null || motion.type === 'static' ? 'fixed' : motion.type
    const shapes = colliders.flatMap(node => {
      const collider = this.physics.get(node)!.collider!
      return shapesOfCollider(this.gltf, node, collider, pose, this.nodes, type !== 'fixed', this.draft.losses).flatMap(shape => {
        if (shape.type === 'halfSpace' && type !== 'fixed') {
          this.draft.losses.add(placeOf(node), 'a plane on a body that moves', 'nothing: only fixed bodies can be half-spaces')
          return []
        }
        return [{ ...shape, material: this.material(collider, node) } as Shape]
      })
    })
    const visuals = seen.flatMap(node => visualsOfNode(this.gltf, node, pose, this.draft))
    if (shapes.length === 0 && visuals.length === 0 && type !== 'dynamic') {
      this.draft.losses.add(where, 'a body without colliders that does not move by itself', 'nothing')
      return
    }
    const mass = type === 'dynamic' ? this.mass(motion!, shapes, where) : undefined
    const body: Omit<Body, 'id'> = {
      ...type === 'dynamic' ? {} : { type }, ...written(pose), ...type === 'fixed' ? {} : velocities(motion!, pose), ...shapes.length > 0 ? { shapes } : {},
      ...visuals.length > 0 ? { visuals } : {}, ...mass === undefined ? {} : { mass },
    }
    const id = this.draft.body(owner.node.name, body)
    const shown = objectOf(objectOf(owner.node.extras).cairn).name
    if (typeof shown === 'string') this.draft.bodies[this.draft.bodies.length - 1]!.name = shown.slice(0, 1000)
    this.ids.set(owner, id)
    if (shapes.length > 0) this.kinds.set(id, new Set(colliders.map(node => this.physics.get(node)!.collider!.filter)))
    const factor = motion?.gravityFactor ?? 1
    if (factor !== 1 && type === 'dynamic') {
      const kg = bodyMass({ mass }, mass?.mass === undefined || mass.centerOfMass === undefined ? this.parts(shapes) : []).mass
      this.draft.force(`${id}-gravity`, { type: 'uniform', bodies: [id], force: scale(gravity, kg * (factor - 1)) })
    }
  }

  private material({ material }: Collider, node: PlacedNode): string {
    const materials = arrayOf(objectOf(this.gltf.json.extensions?.[RIGID_BODIES] ?? this.gltf.json.extensions?.OMI_physics_body).physicsMaterials)
    const stated = material === null ? null : objectOf(materials[material])
    const number = (key: string, absent: number): number => {
      const value = stated?.[key]
      return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value) : absent
    }
    const stuck = number('staticFriction', stated === null ? this.friction : 0.6)
    const sliding = number('dynamicFriction', stated === null ? this.friction : 0.6)
    if (sliding > stuck) this.draft.losses.add(`physicsMaterials[${material}]`, `its dynamic friction ${sliding} is larger than the static one, ${stuck}`, 'the static coefficient for both')
    if (stated !== null && materials.length > 1 && stated.frictionCombine !== undefined && stuck > 0) {
      this.draft.losses.add(`physicsMaterials[${material}]`, `friction with other materials by "${String(stated.frictionCombine)}"`, 'the geometric mean')
    }
    if (stated !== null && materials.length > 1 && (stated.restitutionCombine ?? 'average') !== 'maximum' && number('restitution', 0) > 0) {
      this.draft.losses.add(`physicsMaterials[${material}]`, `restitution with other materials by "${String(stated.restitutionCombine ?? 'average')}"`, 'the larger one')
    }
    const kept = objectOf(objectOf(stated?.extras).cairn)
    const color = typeof kept.color === 'string' && /^#[0-9a-f]{6}$/i.test(kept.color) ? kept.color : this.colorOf(node)
    return this.draft.material({
      ...typeof kept.id === 'string' ? { name: kept.id } : {}, friction: { static: stuck, dynamic: Math.min(stuck, sliding) }, restitution: Math.min(1, number('restitution', 0)),
      density: typeof kept.density === 'number' && kept.density > 0 ? kept.density : DEFAULT_DENSITY, ...color === null ? {} : { color },
    })
  }

  /** Colour of the mesh displayed at the collider. */
  private colorOf(node: PlacedNode): string | null {
    const below = (node.node.children ?? []).flatMap(child => this.nodes.get(child) ?? [])
    const seen = [node, ...below].find(one => one.node.mesh !== undefined) ?? node.parent
    const primitive = this.gltf.json.meshes?.[seen?.node.mesh ?? -1]?.primitives[0]
    if (primitive === undefined) return null
    const factor = this.gltf.json.materials?.[primitive.material ?? -1]?.pbrMetallicRoughness?.baseColorFactor
    return factor === undefined || !factor.every(Number.isFinite) ? null : hexOfLinear(factor)
  }

  private mass(motion: Motion, shapes: readonly Shape[], where: string): MassOverride | undefined {
    const stated: { mass?: number; centerOfMass?: Vec3; inertia?: MassOverride['inertia'] } = {}
    if (motion.mass === 0) this.draft.losses.add(where, 'a mass of 0, which means infinite', 'the mass of its shapes')
    if ((motion.mass ?? 0) > 0) stated.mass = motion.mass!
    if (motion.centerOfMass !== undefined) stated.centerOfMass = toZUp(motion.centerOfMass as unknown as Vec3)
    const diagonal = motion.inertiaDiagonal
    if (diagonal !== undefined && diagonal.some(x => x === 0) && diagonal.some(x => x > 0)) this.draft.losses.add(where, 'a moment of inertia of 0, which means infinite', 'the inertia of its shapes')
    else if (diagonal !== undefined && diagonal.every(x => x > 0)) {
      const axes = turnToZUp(unit((motion.inertiaOrientation ?? [0, 0, 0, 1]) as unknown as Quat) ?? [0, 0, 0, 1])
      stated.inertia = componentsOf(fromPrincipal(sizesToZUp(diagonal as unknown as Vec3), axes))
    }
    if (shapes.length === 0 && (stated.mass === undefined || stated.inertia === undefined)) {
      const kg = stated.mass ?? BARE_MASS
      const moment = 0.4 * kg * BARE_RADIUS * BARE_RADIUS
      this.draft.losses.add(where, 'a body without colliders, mass and inertia', `the missing values of a ball of ${BARE_RADIUS} m and ${kg} kg`)
      return { mass: kg, ...stated, inertia: stated.inertia ?? [moment, moment, moment, 0, 0, 0] }
    }
    if (stated.inertia !== undefined) {
      const whole = bodyMass({ mass: stated }, stated.mass === undefined || stated.centerOfMass === undefined ? this.parts(shapes) : [])
      const { mass, changes } = validMass(whole)
      for (const change of changes) this.draft.losses.add(where, 'this mass or inertia is not physically possible', change)
      if (changes.length > 0) return { mass: mass.mass, centerOfMass: mass.centerOfMass, inertia: componentsOf(mass.inertia) }
    }
    return Object.keys(stated).length > 0 ? stated : undefined
  }

  private parts(shapes: readonly Shape[]) {
    return shapes.flatMap(shape => {
      const density = this.draft.materials.find(material => material.id === shape.material)?.density ?? DEFAULT_DENSITY
      return solidParts(resolveShape(shape)).map(primitive => ({ primitive, pose: resolveShape(shape), density }))
    })
  }

  private addJoint(one: PlacedNode): void {
    const { joint } = this.physics.get(one)!
    if (joint === null) return
    const end = (index: number): PlacedNode => {
      const node = this.nodes.get(index)
      if (node === undefined) throw new FormatError('UnknownReference', placeOf(one), `Its joint refers to node ${index}, which is not in the scene.`, { value: index })
      return node
    }
    const id = (node: PlacedNode): string | null => {
      const owner = this.ownerOf(node)
      return owner === null ? null : this.ids.get(owner) ?? null
    }
    const connected = end(joint.connected)
    const placing = joint.base !== null
    addJoint(joint, {
      name: one.node.name, shown: textOf(objectOf(objectOf(one.node.extras).cairn).name), where: placeOf(one),
      bodyA: id(connected), bodyB: id(placing ? end(joint.base) : one),
      frameA: placing ? one.split.pose : connected.split.pose, frameB: one.split.pose,
    }, this.draft)
  }

  private tellUnread(): void {
    for (const one of this.placed) {
      if (this.physics.get(one)!.trigger) this.draft.losses.add(placeOf(one), 'a trigger volume', 'nothing')
      for (const name of Object.keys(one.node.extensions ?? {})) {
        if (/^(OMI_vehicle|OMI_seat|OMI_physics_gravity|OMI_spawn)/.test(name)) this.draft.losses.add(placeOf(one), `what ${name} says`, 'nothing')
      }
    }
    if ((this.gltf.json.animations ?? []).length > 0) this.draft.losses.add('animations', 'the file holds animations', 'the nodes at their poses without animation')
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, 1000) : undefined
}

/** In node space [KHR_physics_rigid_bodies: motions]. */
function velocities({ linearVelocity, angularVelocity }: Motion, pose: Pose): Pick<Body, 'linearVelocity' | 'angularVelocity'> {
  const inWorld = (v: readonly number[]): Vec3 => rotate(pose.orientation, toZUp(v as unknown as Vec3))
  const moves = (v: readonly number[] | undefined): v is readonly number[] => v !== undefined && v.some(x => x !== 0)
  return {
    ...moves(linearVelocity) ? { linearVelocity: inWorld(linearVelocity) } : {}, ...moves(angularVelocity) ? { angularVelocity: inWorld(angularVelocity) } : {},
  }
}
