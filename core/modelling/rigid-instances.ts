/**
 * A scene in which each instance of a prefab is one rigid body. The contents of an instance keep their relative positions, so placement (drop to
 * rest, assembly of joints) moves the whole instance; only a run moves them relative to each other.
 */

import { bodyMass, partsOf } from '../analysis/solids'
import { joinMasses, type BodyMass } from '../geometry/mass'
import { turnInertia } from '../geometry/mass-properties'
import { composePoses, relativePose, toInner, toOuter, type Pose } from '../math/pose'
import { normalizeQuaternion, toMatrix } from '../math/quaternion'
import { ALL_GROUPS, elementsOf, ownerOf, ownersIn, ownScene, resolveBody, resolveScene, type Body, type Instance, type Joint, type ResolvedScene, type Scene } from '../scene'

/**
 * The body of an instance has the instance's id and pose. Inner joints are removed, and joints to other bodies are attached to it. Data for runs only
 * (forces, sensors, scripts) are omitted, and the instance's deformables unless they have been made bodies (`withRigidDeformables`).
 *
 * @param scene a document, including the contents of its instances
 * @param placed instances that move as wholes although parts of them are fixed or kinematic; other instances with such parts do not move
 */
export function withRigidInstances(scene: Scene, placed: ReadonlySet<string> = new Set()): Scene {
  if (!scene.instances?.length) return scene
  const { instances: _, prefabs: __, prefabFiles: ___, ...kept } = scene
  const resolved = resolveScene(scene)
  const owners = ownersIn(scene)
  const brought = new Map<string, Body[]>(scene.instances.map(({ id }) => [id, []]))
  for (const body of elementsOf(scene, 'bodies')) brought.get(ownerOf(owners, body.id) ?? '')?.push(body)
  const frames = new Map<string, Frame>()
  const solid = scene.instances.flatMap((instance): Body[] => {
    const parts = brought.get(instance.id)!
    for (const part of parts) frames.set(part.id, { whole: instance.id, inner: relativePose(poseOf(part), poseOf(instance)) })
    return parts.length === 0 ? [] : [solidOf(resolved, instance, parts, placed.has(instance.id))]
  })
  const own = ownScene(scene)
  const joints = elementsOf(own, 'joints').flatMap(joint => joint.type === 'gear' ? [joint] : joinedWholes(joint, frames))
  const known = new Set(joints.map(({ id }) => id))
  return {
    ...kept, bodies: [...elementsOf(own, 'bodies').map(body => withoutParts(body, brought, frames)), ...solid], deformables: elementsOf(own, 'deformables').map(one => ({
      ...one, attachments: one.attachments?.map(held => {
        const frame = frames.get(held.body ?? '')
        return frame ? { ...held, body: frame.whole, ...held.point ? { point: toInner(frame.inner, held.point) } : {} } : held
      }) ?? [],
    })),
    joints: joints.filter(joint => joint.type !== 'gear' || (known.has(joint.jointA) && known.has(joint.jointB))),
    forces: [], sensors: [], scripts: [], groups: [...elementsOf(own, 'groups')],
  }
}

interface Frame {
  readonly whole: string
  /** Of the instance in the body's frame. */
  readonly inner: Pose
}

const poseOf = ({ position = [0, 0, 0], orientation = [0, 0, 0, 1] }: Pick<Body, 'position' | 'orientation'>): Pose => ({ position, orientation })

function solidOf(scene: ResolvedScene, { id, name, group, ...place }: Instance, parts: readonly Body[], isPlaced: boolean): Body {
  const pose = poseOf(place)
  const moves = isPlaced ? !parts.some(hasHalfSpace) : parts.every(({ type = 'dynamic' }) => type === 'dynamic')
  const inner = (outer: Pose): Pose => {
    const { position, orientation } = relativePose(pose, outer)
    return { position, orientation: normalizeQuaternion(orientation) }
  }
  const shapes = parts.flatMap(part => (part.shapes ?? []).map(shape => ({ ...shape, ...inner(composePoses(poseOf(part), poseOf(shape))) })))
  const masses = moves ? parts.map(part => massIn(inner(poseOf(part)), part, scene)) : []
  return {
    id, ...name === undefined ? {} : { name }, ...group === undefined ? {} : { group }, ...pose, type: moves ? 'dynamic' : 'fixed', shapes,
    collision: collisionOf(parts), ...moves ? { mass: written(joinMasses(masses)) } : {},
  }
}

/** It has no weight and infinite size, so an instance that contains one cannot be placed. */
const hasHalfSpace = ({ shapes = [] }: Body): boolean => shapes.some(({ type }) => type === 'halfSpace')

function massIn(pose: Pose, part: Body, scene: ResolvedScene): BodyMass {
  const resolved = resolveBody(part)
  const { mass, centerOfMass, inertia } = bodyMass(resolved, partsOf(resolved, scene))
  return { mass, centerOfMass: toOuter(pose, centerOfMass), inertia: turnInertia(toMatrix(pose.orientation), inertia) }
}

function written({ mass, centerOfMass, inertia: [xx, xy, xz, , yy, yz, , , zz] }: BodyMass): NonNullable<Body['mass']> {
  return { mass, centerOfMass, inertia: [xx, yy, zz, xy, xz, yz] }
}

/** It touches everything that any of its parts touches: exceptions of the parts refer to the same file. */
function collisionOf(parts: readonly Body[]): NonNullable<Body['collision']> {
  let [groups, mask] = [0, 0]
  for (const { collision } of parts) {
    groups = (groups | (collision?.groups ?? 1)) >>> 0
    mask = (mask | (collision?.mask ?? ALL_GROUPS)) >>> 0
  }
  return { groups, mask }
}

/** A body that passes through every part of an instance passes through the whole. */
function withoutParts(body: Body, brought: ReadonlyMap<string, readonly Body[]>, frames: ReadonlyMap<string, Frame>): Body {
  const except = body.collision?.except
  if (!except?.length) return body
  const wholes = [...brought].filter(([, parts]) => parts.length > 0 && parts.every(({ id }) => except.includes(id))).map(([id]) => id)
  return { ...body, collision: { ...body.collision!, except: [...except.filter(id => !frames.has(id)), ...wholes] } }
}

/** Null if both sides belong to the same instance. */
function joinedWholes(joint: Exclude<Joint, { type: 'gear' }>, frames: ReadonlyMap<string, Frame>): Joint[] {
  const [a, b] = [frames.get(joint.bodyA ?? ''), frames.get(joint.bodyB ?? '')]
  if (!a && !b) return [joint]
  if (a && b && a.whole === b.whole) return []
  const { poseA, poseB } = joint
  return [{
    ...joint, ...a ? { bodyA: a.whole } : {}, ...b ? { bodyB: b.whole } : {},
    ...a && poseA ? { poseA: composePoses(poseA as Pose, a.inner) } : {}, ...b && poseB ? { poseB: composePoses(poseB as Pose, b.inner) } : {},
  } as Joint]
}
