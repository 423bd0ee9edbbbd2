/** Compiles a checked scene document into the world that methods advance. */

import { bodyMass, partsOf, solidsOf } from '../analysis/solids'
import { createCollider } from '../collision/collider'
import type { World, WorldPrimitive } from '../contact/world'
import { forestOf } from '../dynamics/trees'
import { rigidBody, type RigidBody } from '../dynamics/body'
import type { HeldTrack } from '../dynamics/held-track'
import { bodyPath, type BodyPath, type PathKey } from '../dynamics/body-path'
import { deformableReaction } from '../dynamics/forces/deformable-reaction'
import type { ScriptRuntime } from '../dynamics/script-runtime'
import { joinsOf } from '../geometry/joins'
import { planarSolid } from '../geometry/planar'
import type { Polyhedron } from '../geometry/polyhedron'
import { toOuter } from '../math/pose'
import { normalizeQuaternion } from '../math/quaternion'
import { NEGLIGIBLE_FRICTION } from '../math/tolerances'
import { distance, length, ZERO, type Vec3 } from '../math/vector'
import { ALL_GROUPS, combineMaterials, pairOf, type ResolvedScene } from '../scene'
import { compileDeformables } from './deformables'
import { Controllers } from './controllers'
import { compileForces, compileParticleForces, type ControllingScript } from './forces'
import type { LiveTracks } from './live-tracks'
import { compileJoints, servoKeyTimes } from './joints'
import { isPlanar, planarBody, planarMass } from './planar'
import { Sensors } from './sensors'

/** A world with its controllers. */
export interface ControlledWorld extends World {
  readonly control: Controllers | null
  /** Null if the scene has none. */
  readonly sensors: Sensors | null
}

/**
 * @param scripts compiles the scene's scripts; null if the world is only inspected (checks), without scripts
 * @param live tracks of a live session
 * @throws ShapeError, RangeError, ScriptError: `check` has reported all but the last
 */
export function compile(scene: ResolvedScene, scripts: ScriptRuntime | null, live?: LiveTracks): ControlledWorld {
  const materials = new Map(scene.materials.map((material, index) => [material.id, index]))
  const primitives: WorldPrimitive[][] = []
  const planar = isPlanar(scene)
  const bodies = scene.bodies.map((given, index): RigidBody => {
    const body = planar ? planarBody(given) : given
    const own = body.shapes.flatMap((shape, shapeIndex) => solidsOf(shape).map((primitive): WorldPrimitive => {
      const pose = { position: shape.position, orientation: shape.orientation }
      return { ...planar ? planarSolid(shape.type, primitive, pose) : { primitive, pose }, shape: shapeIndex, material: materials.get(shape.material)! }
    }))
    primitives.push(withJoins(own))
    const weighed = body.type === 'dynamic' ? bodyMass(body, partsOf(body, scene)) : null
    const mass = planar && weighed !== null ? planarMass(weighed) : weighed
    const centerOfMass = mass?.centerOfMass ?? [0, 0, 0]
    return rigidBody({
      index, id: body.id, type: body.type, spawnTime: body.spawnTime, removeTime: body.removeTime ?? Infinity,
      position: body.position, orientation: body.orientation,
      linearVelocity: body.path ? ZERO : body.linearVelocity, angularVelocity: body.path ? ZERO : body.angularVelocity, centerOfMass,
      boundingRadius: boundingRadius(own, centerOfMass),
      ...(mass === null ? {} : { mass: mass.mass, inertia: mass.inertia }), path: pathOf(body),
    })
  })
  const byId = new Map(bodies.map(body => [body.id, body]))
  const driven: HeldTrack[] = []
  const joints = compileJoints(scene.joints, byId, driven, live)
  const deformables = compileDeformables(scene, bodies)
  const moved = bodies.filter(({ type }) => type === 'dynamic').map(({ index }) => index)
  const reactions = deformables === null ? [] : deformables.list.map(({ id }) => deformableReaction(id, bodies.length, moved))
  const apart = separatedPairs(scene, byId)
  const tied = tiedPairs(scene, joints)
  const grouped = groupFilter(scene)
  const pairNumber = (a: number, b: number): number => Math.min(a, b) * bodies.length + Math.max(a, b)
  const mayEverCollide = (a: number, b: number): boolean => !apart.has(pairNumber(a, b)) && grouped(a, b)
  const pairs = new Map<number, ReturnType<typeof combineMaterials>>()
  const controlling: ControllingScript[] = []
  const forces = compileForces(scene, bodies, scripts, joints, reactions, deformables, controlling, live)
  const sensors = scene.sensors.length === 0 ? null : new Sensors(scene, bodies, primitives, forces.findIndex(({ type }) => type === 'gravityChange'))
  return {
    sensors, bodies, primitives, joints, deformables, reactions,
    particleForces: deformables === null ? [] : compileParticleForces(scene, bodies, deformables, live),
      forces, control: controlling.length === 0 ? null : new Controllers(bodies, joints, sensors, deformables?.list.map(({ id }) => id) ?? [], controlling),
    keyTimes: [...bodies.flatMap(({ path }) => path?.times ?? []), ...servoKeyTimes(scene.joints)],
    driven,
    scales: scalesOf(scene, bodies), planar, forest: scene.simulation.coordinates === 'reduced' ? forestOf(bodies, joints) : null,
    bodyScales: bodies.map(body => scalesOf(scene, [body])),
    mayCollide: (a, b) => tied.get(pairNumber(a, b))?.some(({ broken }) => !broken) !== true && mayEverCollide(a, b),
    mayEverCollide,
    contactMaterial: (a, b) => {
      const key = a * scene.materials.length + b
      let found = pairs.get(key)
      if (found === undefined) {
        const first = scene.materials[a]!
        const second = scene.materials[b]!
        pairs.set(key, found = combineMaterials(first, second, pairOf(scene.materialPairs, first.id, second.id)))
      }
      return {
        // If dynamic friction exceeds static friction, it applies at rest as well: rest is the limit of slow sliding.
        staticFriction: felt(Math.max(found.static, found.dynamic)), dynamicFriction: felt(found.dynamic), torsionalFriction: felt(found.torsional),
        rollingFriction: felt(found.rolling), restitution: found.restitution,
      }
    },
    collider: (a, b) => createCollider(a, b),
  }
}

/** The path through the keys, starting at the body's own pose. */
function pathOf({ spawnTime, position, orientation, path }: ResolvedScene['bodies'][number]): BodyPath | null {
  if (path === undefined) return null
  const keys: PathKey[] = [{ time: spawnTime, position, orientation: normalizeQuaternion(orientation) }]
  for (const key of path) {
    const before = keys.at(-1)!
    keys.push({ time: key.time, position: key.position ?? before.position, orientation: normalizeQuaternion(key.orientation ?? before.orientation) })
  }
  return bodyPath(keys)
}

function felt(coefficient: number): number {
  return coefficient >= NEGLIGIBLE_FRICTION ? coefficient : 0
}

/** Adds what the pieces of each mesh hide of each other. */
function withJoins(primitives: readonly WorldPrimitive[]): WorldPrimitive[] {
  const shapes = [...new Set(primitives.map(({ shape }) => shape))]
  return shapes.map(index => primitives.filter(({ shape }) => shape === index)).flatMap(own => {
    const solids = own.flatMap(({ primitive, pose }) => (primitive.kind === 'polyhedron' ? [(primitive as Polyhedron).placed(pose)] : []))
    if (own.length === 1 || solids.length < own.length || solids.some(({ prism }) => prism !== null)) return own
    const joins = joinsOf(solids)
    return own.map((primitive, k) => ({ ...primitive, joins: joins[k]! }))
  })
}

/** Radius about the centre of mass that contains every primitive, m: from the corners of their bounding boxes. */
function boundingRadius(primitives: readonly WorldPrimitive[], center: Vec3): number {
  let radius = 0
  for (const { primitive, pose } of primitives) {
    const origin = distance(pose.position, center) + primitive.radius
    if (origin === Infinity) return Infinity
    const { bounds } = primitive
    let corners = 0
    for (let k = 0; k < 8; k++) {
      const corner: Vec3 = [
        (k & 1 ? bounds.max : bounds.min)[0], (k & 2 ? bounds.max : bounds.min)[1], (k & 4 ? bounds.max : bounds.min)[2],
      ]
      corners = Math.max(corners, distance(toOuter(pose, corner), center))
    }
    radius = Math.max(radius, Math.min(origin, corners))
  }
  return radius
}

/** Pairs that never collide: jointed ones, unless their joint allows contact, and exceptions of either body. */
function separatedPairs(scene: ResolvedScene, bodies: ReadonlyMap<string, RigidBody>): Set<number> {
  const apart = new Set<number>()
  const separate = (one: string, other: string): void => {
    const a = bodies.get(one)!.index
    const b = bodies.get(other)!.index
    apart.add(Math.min(a, b) * bodies.size + Math.max(a, b))
  }
  for (const joint of scene.joints) {
    if (joint.type === 'gear' || joint.collide || comesOrGoes(joint)) continue
    if (joint.bodyA !== null && joint.bodyB !== null) separate(joint.bodyA, joint.bodyB)
  }
  for (const { id, collision } of scene.bodies) for (const other of collision?.except ?? []) separate(id, other)
  return apart
}

/** Pairs that do not collide while a joint connects them, for joints that appear or disappear. */
function tiedPairs(scene: ResolvedScene, joints: World['joints']): Map<number, World['joints'][number][]> {
  const tied = new Map<number, World['joints'][number][]>()
  scene.joints.forEach((joint, k) => {
    const element = joints[k]!
    const { bodyA, bodyB } = element.constraint
    if (joint.type === 'gear' || joint.collide || !comesOrGoes(joint) || bodyA < 0 || bodyB < 0) return
    const pair = Math.min(bodyA, bodyB) * scene.bodies.length + Math.max(bodyA, bodyB)
    tied.set(pair, [...tied.get(pair) ?? [], element])
  })
  return tied
}

const comesOrGoes = ({ spawnTime, removeTime }: { readonly spawnTime?: number | undefined; readonly removeTime?: number | undefined }): boolean =>
  spawnTime !== undefined || removeTime !== undefined

/** Whether the collision groups of two bodies allow contact. */
function groupFilter({ bodies }: ResolvedScene): (a: number, b: number) => boolean {
  if (bodies.every(({ collision }) => collision === undefined)) return () => true
  const groups = Uint32Array.from(bodies, ({ collision }) => collision?.groups ?? 1)
  const masks = Uint32Array.from(bodies, ({ collision }) => collision?.mask ?? ALL_GROUPS)
  return (a, b) => ((groups[a]! & masks[b]!) | (groups[b]! & masks[a]!)) !== 0
}

/** Reference scales of a scene; they are finite even without dynamic bodies, or for a weightless scene at rest. */
function scalesOf(scene: ResolvedScene, bodies: readonly RigidBody[]): World['scales'] {
  const dynamic = bodies.filter(body => body.type === 'dynamic')
  const size = Math.max(...dynamic.map(body => Number.isFinite(body.boundingRadius) ? body.boundingRadius : 0), 0) || 1
  const gravity = length(scene.gravity)
  const fastest = Math.max(0, ...bodies.map(body => length(body.initial.velocity) + length(body.initial.angularVelocity) * Math.min(body.boundingRadius, size)))
  const speed = Math.max(Math.sqrt(gravity * size), fastest) || 1
  const mass = Math.max(0, ...dynamic.map(body => body.mass)) || 1
  return { size, speed, force: mass * Math.max(gravity, speed * speed / size * 1e-3) }
}
