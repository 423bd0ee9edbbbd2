/** How a session's scene changes at a time: bodies come, go, and stop for good or go on. Each gives the scene, or says why not. */

import { bodiesOfJoint, freshIds, type Body, type Scene } from '../../core/scene'
import type { Pose } from '../../core/math/pose'
import { bodiesOf, forcesOf, jointsOf, shapesOf, titleOf, typeOf } from './scene-access'

/** A scene, or a sentence for the person. */
export type Edited = { readonly scene: Scene; readonly bodies: readonly string[] } | { readonly refused: string }

/** A body that comes at a time, pushed out of what is in its way. */
export function withBody(scene: Scene, body: Body, time: number): Edited {
  return { scene: { ...movingApart(scene), bodies: [...bodiesOf(scene), { ...body, spawnTime: time }] }, bodies: [body.id] }
}

/** Without some bodies from a time on. */
export function withoutBodies(scene: Scene, ids: readonly string[], time: number): Edited {
  const held = heldBySpring(scene, ids)
  if (held) return { refused: held }
  return { scene: { ...scene, bodies: bodiesOf(scene).flatMap(body => ids.includes(body.id) ? gone(body, time) : body) }, bodies: [] }
}

/**
 * Bodies that stop where they are, as fixed ones, or fixed ones that are let go: copies, which come as the others go.
 * @param poses where they are
 */
export function frozen(scene: Scene, ids: readonly string[], time: number, poses: ReadonlyMap<string, Pose>): Edited {
  const chosen = bodiesOf(scene).filter(({ id }) => ids.includes(id) && poses.has(id))
  const joint = jointsOf(scene).find(one => bodiesOfJoint(one).some(id => ids.includes(id)))
  if (joint) return { refused: `${titleOf(joint)} joins it: nail it (N) instead` }
  const held = heldBySpring(scene, ids)
  if (held) return { refused: held }
  const endless = chosen.find(body => shapesOf(body).some(({ type }) => type === 'halfSpace'))
  if (endless) return { refused: `${titleOf(endless)} has no end, and stays` }
  const makeId = freshIds(scene)
  const copies = chosen.map((body): Body => {
    const { linearVelocity: _v, angularVelocity: _w, path: _p, removeTime: _t, ...rest } = body
    return { ...rest, ...poses.get(body.id)!, id: makeId(body.id), type: typeOf(body) === 'dynamic' ? 'fixed' : 'dynamic', spawnTime: time }
  })
  const bodies = bodiesOf(scene).flatMap(body => chosen.includes(body) ? gone(body, time) : body)
  return { scene: { ...movingApart(scene), bodies: [...bodies, ...copies] }, bodies: copies.map(({ id }) => id) }
}

/** What came at this very time has never been. */
const gone = (body: Body, time: number): Body[] => (body.spawnTime ?? 0) < time ? [{ ...body, removeTime: time }] : []

const movingApart = (scene: Scene): Scene => ({ ...scene, simulation: { ...scene.simulation, initialOverlap: 'separate' } })

function heldBySpring(scene: Scene, ids: readonly string[]): string | null {
  const spring = forcesOf(scene).find(force => (force.type === 'spring' && [force.bodyA, force.bodyB].some(id => ids.includes(id ?? '')))
    || (force.type === 'attractor' && ids.includes(force.body ?? '')))
  return spring ? `${titleOf(spring)} holds it, and needs it` : null
}
