/** The elements of an array: copies of bodies, instances, deformables, joints and forces at given poses relative to the originals. */

import type { Pose } from '../../core/math/pose'
import { multiplyQuaternions, normalizeQuaternion, rotate } from '../../core/math/quaternion'
import { add, scale, sub, type Vec3 } from '../../core/math/vector'
import { centerOf } from '../../core/modelling'
import {
  mappedDeformable, ownerOf, placedBody, placedForce, placedJoint, withReferencesOf,
  type Body, type Collection, type Deformable, type Force, type Instance, type Joint,
} from '../../core/scene'
import { orientationOf, positionOf } from '../state/scene-access'
import type { Placement } from './arrays'

/** The elements that an array copies. */
export interface ArraySources {
  readonly bodies: readonly Body[]
  readonly instances: readonly Instance[]
  /** The selected ones, and those that only copied bodies hold. */
  readonly deformables: readonly Deformable[]
  /** The selected ones, and those among copied bodies. An end that is not copied stays as it is. */
  readonly joints: readonly Joint[]
  readonly forces: readonly Force[]
}

export type ArrayCopies = { readonly [K in keyof ArraySources]: ArraySources[K][number][] }

/**
 * Copies of all sources for each placement. Several bodies keep their places relative to each other: they turn as one, about the mean of their origins.
 * @param makeId unused ids @param freeName unused names
 */
export function arrayCopies(
  sources: ArraySources, placements: readonly Placement[], makeId: (wanted: string) => string, freeName: (name: string) => string,
): ArrayCopies {
  const copies: ArrayCopies = { bodies: [], instances: [], deformables: [], joints: [], forces: [] }
  const whole = new Set(sources.instances.map(({ id }) => id))
  const origins = [...sources.bodies, ...sources.instances].map(positionOf)
  const pivot = origins.length > 0 ? scale(origins.reduce(add), 1 / origins.length) : null
  for (const { shift, turn } of placements) {
    const ids = new Map<string, string>()
    /** The copy of an element, or of a part of a copied instance; ids of other elements do not change. */
    const copyOf = (id: string) => {
      const owner = ownerOf(whole, id)
      return ids.get(id) ?? (owner === null ? id : `${ids.get(owner)!}${id.slice(owner.length)}`)
    }
    const poseAbout = (centre: Vec3): Pose => ({ position: add(shift, sub(centre, rotate(turn, centre))), orientation: turn })
    const named = <T extends { readonly id: string; readonly name?: string }>(collection: Collection, source: T, copy: T): T => {
      const id = makeId(source.id)
      ids.set(source.id, id)
      return { ...withReferencesOf(collection, structuredClone(copy), (_, other) => copyOf(other)), id, ...source.name ? { name: freeName(source.name) } : {} }
    }
    // Relative to the pivot: a copy that only moves has the sum of two numbers, not of rounded products.
    const moved = (position: Vec3): Vec3 => add(add(pivot!, rotate(turn, sub(position, pivot!))), shift)
    for (const body of sources.bodies) copies.bodies.push(named('bodies', body, withPose(body, placedBody(poseAbout(pivot!), body), moved(positionOf(body)))))
    for (const instance of sources.instances) {
      const orientation = normalizeQuaternion(multiplyQuaternions(turn, orientationOf(instance)))
      copies.instances.push(named('instances', instance, withPose(instance, { ...instance, orientation }, moved(positionOf(instance)))))
    }
    for (const deformable of sources.deformables) {
      const centre = pivot ?? centerOf(deformable)
      const point = (p: Vec3) => add(add(centre, rotate(turn, sub(p, centre))), shift)
      copies.deformables.push(named('deformables', deformable, mappedDeformable(deformable, { point, direction: v => rotate(turn, v) })))
    }
    const pose = pivot && poseAbout(pivot)
    if (!pose) continue
    // Gears refer to joints, which are copied first.
    for (const joint of sources.joints) {
      const copy = placedJoint(pose, joint)
      // The pose of a body that is not copied stays.
      if (joint.type !== 'gear') for (const [pose, body] of [['poseA', joint.bodyA], ['poseB', joint.bodyB]] as const) {
        if (joint[pose] && body !== null && copyOf(body) === body) (copy as typeof joint)[pose] = joint[pose]
      }
      copies.joints.push(named('joints', joint, copy))
    }
    for (const force of sources.forces) copies.forces.push(named('forces', force, placedForce(pose, force)))
  }
  return copies
}

/** The turned copy at a position; a copy that does not turn keeps its orientation as written. */
function withPose<T extends Body | Instance>(source: T, turned: T, position: Vec3): T {
  const isTurned = (turned.orientation ?? IDENTITY).some((x, k) => x !== orientationOf(source)[k])
  const { orientation: _, ...rest } = turned
  return { ...rest, position, ...isTurned ? { orientation: turned.orientation } : source.orientation ? { orientation: source.orientation } : {} } as T
}

const IDENTITY = [0, 0, 0, 1]
