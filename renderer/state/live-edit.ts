/**
 * Changes to a live session's scene at a given time: bodies are added, removed, frozen or released. Each function returns the new scene, or
 * why the change is refused.
 */

import { bodiesOfJoint, freshIds, type Body, type Joint, type Scene } from '../../core/scene'
import { toOuter, type Pose } from '../../core/math/pose'
import type { Vec3 } from '../../core/math/vector'
import { isAbsent } from './joint-presence'
import { bodiesOf, forcesOf, jointsOf, shapesOf, titleOf, typeOf } from './scene-access'

/** A scene, or the reason for the user. */
export type Edited = { readonly scene: Scene; readonly bodies: readonly string[] } | { readonly refused: string }

/** Adds a body at a time. The session's handover moves it out of overlaps. */
export function withBody(scene: Scene, body: Body, time: number): Edited {
  return { scene: { ...scene, bodies: [...bodiesOf(scene), { ...body, spawnTime: time }] }, bodies: [body.id] }
}

/** Pose of a body at the time of the change; null if it does not exist then. */
export type PoseOf = (body: string) => Pose | null

/** A joint to add in a session; `point` in the frame of its first body, m, and of a rod its other end in the frame of the second body. */
export type Joining = { readonly bodyA: string; readonly bodyB: string; readonly point: Vec3 }
  & ({ readonly type: 'ball' | 'fixed' } | { readonly type: 'distance'; readonly pointB: Vec3 })

/** Joins two bodies from a time on, at their current poses. */
export function withJoint(scene: Scene, joining: Joining, time: number, poseOf: PoseOf): Edited {
  const { type, bodyA, bodyB, point } = joining
  const [poseA, poseB] = [poseOf(bodyA), poseOf(bodyB)]
  if (!poseA || !poseB) return { refused: 'One of the bodies no longer exists' }
  const timed = time > 0 ? { spawnTime: time, poseA, poseB } : {}
  const common = { id: freshIds(scene)(type === 'distance' ? 'rod' : type), bodyA, bodyB, anchor: toOuter(poseA, point), ...timed }
  const joint: Joint = joining.type === 'distance' ? { ...common, type: joining.type, anchorB: toOuter(poseB, joining.pointB) } : { ...common, type: joining.type }
  return { scene: { ...scene, joints: [...jointsOf(scene), joint] }, bodies: [joint.id] }
}

/** Removes bodies and joints from a time on. */
export function without(scene: Scene, ids: readonly string[], time: number): Edited {
  const held = heldBySpring(scene, ids)
  if (held) return { refused: held }
  const gear = jointsOf(scene).find(joint => joint.type === 'gear' && [joint.id, joint.jointA, joint.jointB].some(id => ids.includes(id)))
  if (gear) return { refused: `${titleOf(gear)} couples joints: it and its joints cannot be removed during a session` }
  const joints = jointsOf(scene).flatMap((joint): Joint[] => !ids.includes(joint.id) || joint.type === 'gear' || isAbsent(joint, time) ? [joint]
    : (joint.spawnTime ?? 0) < time ? [{ ...joint, removeTime: time }] : [])
  const bodies = bodiesOf(scene).flatMap(body => ids.includes(body.id) ? gone(body, time) : body)
  return { scene: { ...scene, ...scene.joints ? { joints } : {}, bodies }, bodies: [] }
}

/** Fixes bodies at their current poses, or releases fixed ones: copies replace the originals at this time. */
export function frozen(scene: Scene, ids: readonly string[], time: number, poseOf: PoseOf): Edited {
  const chosen = bodiesOf(scene).filter(({ id }) => ids.includes(id) && poseOf(id))
  const joint = jointsOf(scene).find(one => !isAbsent(one, time) && bodiesOfJoint(one).some(id => ids.includes(id)))
  if (joint) return { refused: `${titleOf(joint)} is connected to it, so it cannot be frozen: nail it (N) instead` }
  const held = heldBySpring(scene, ids)
  if (held) return { refused: held }
  const endless = chosen.find(body => shapesOf(body).some(({ type }) => type === 'halfSpace'))
  if (endless) return { refused: `${titleOf(endless)} is unbounded and cannot be frozen or released` }
  const makeId = freshIds(scene)
  const copies = chosen.map((body): Body => {
    const { linearVelocity: _v, angularVelocity: _w, path: _p, removeTime: _t, ...rest } = body
    return { ...rest, ...poseOf(body.id)!, id: makeId(body.id), type: typeOf(body) === 'dynamic' ? 'fixed' : 'dynamic', spawnTime: time }
  })
  const bodies = bodiesOf(scene).flatMap(body => chosen.includes(body) ? gone(body, time) : body)
  return { scene: { ...scene, bodies: [...bodies, ...copies] }, bodies: copies.map(({ id }) => id) }
}

/** An element added at this very time is deleted entirely. */
const gone = (body: Body, time: number): Body[] => (body.spawnTime ?? 0) < time ? [{ ...body, removeTime: time }] : []

function heldBySpring(scene: Scene, ids: readonly string[]): string | null {
  const spring = forcesOf(scene).find(force => (force.type === 'spring' && [force.bodyA, force.bodyB].some(id => ids.includes(id ?? '')))
    || (force.type === 'attractor' && ids.includes(force.body ?? '')))
  return spring ? `${titleOf(spring)} is connected to it: it cannot be removed or frozen during a session` : null
}
