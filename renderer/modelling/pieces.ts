/** Pieces that are moved as a whole: a body, an instance with all its parts, or a group selected along with others. */

import { composePoses, relativePose, type Pose } from '../../core/math/pose'
import { normalizeQuaternion } from '../../core/math/quaternion'
import { add, sub } from '../../core/math/vector'
import { indexOfIds, instanceAround, type Body, type Scene } from '../../core/scene'
import { contentsOf, groupsAround } from '../state/groups'
import { bodiesOf, groupsOf, instancesOf, poseOf } from '../state/scene-access'

export interface Piece {
  readonly id: string
  readonly name?: string | undefined
  readonly bodies: readonly Body[]
  /** Bodies and instances with their own poses, by id. */
  readonly moved: ReadonlyMap<string, Pose>
}

/** The instance that a body is part of, or the body itself: the element that has a pose. */
export const wholeOf = (scene: Scene, id: string): string => instanceAround(scene, id) ?? id

/** In order of selection. */
export function piecesOf(scene: Scene, ids: readonly string[]): Piece[] {
  const selected = new Set(ids)
  const places = indexOfIds(bodiesOf(scene))
  const chosen = ids.flatMap(id => bodiesOf(scene)[places.get(id) ?? -1] ?? [])
  const groups = new Set(groupsOf(scene).map(({ id }) => id))
  const asOne = (body: Body) => groupsAround(scene, body).filter(({ id }) => groups.has(id) && selected.has(id)).at(-1)?.id ?? wholeOf(scene, body.id)
  const found = inOrder(chosen.map(asOne))
  // A group selected alone is treated as its members: there is nothing else to place it relative to.
  const [only] = found
  return (found.length === 1 && groups.has(only!) ? inOrder(chosen.map(({ id }) => wholeOf(scene, id))) : found).map(id => pieceOf(scene, id))
}

/** Removes duplicates; the last occurrence decides the order. */
const inOrder = (ids: readonly string[]) => [...new Set([...ids].reverse())].reverse()

/** @param id of a body, an instance or a group */
export function pieceOf(scene: Scene, id: string): Piece {
  const inside = new Set([...contentsOf(scene, id), id])
  const bodies = bodiesOf(scene).filter(body => inside.has(body.id))
  const own = bodies.filter(body => wholeOf(scene, body.id) === body.id)
  const instances = instancesOf(scene).filter(instance => inside.has(instance.id))
  const name = bodies.find(body => body.id === id)?.name ?? groupsOf(scene).find(group => group.id === id)?.name ?? instances.find(one => one.id === id)?.name
  return { id, name, bodies, moved: new Map([...own, ...instances].map(one => [one.id, poseOf(one)])) }
}

/** Poses of a piece that moves with a frame. A pure translation leaves orientations as written. */
export function carried(piece: Piece, from: Pose, to: Pose): Map<string, Pose> {
  const turns = from.orientation.some((x, k) => x !== to.orientation[k])
  return new Map([...piece.moved].map(([id, pose]) => {
    if (!turns) return [id, { position: add(pose.position, sub(to.position, from.position)), orientation: pose.orientation }]
    const { position, orientation } = composePoses(to, relativePose(from, pose))
    return [id, { position, orientation: normalizeQuaternion(orientation) }]
  }))
}
