/** Adds the hull of the selected bodies to the document, replacing them or beside them. */

import { toInner } from '../../core/math/pose'
import { add } from '../../core/math/vector'
import type { HullOfBodies } from '../../core/modelling'
import { editScene, freshId, removeElements, type Body, type Scene, type Shape } from '../../core/scene'
import { useDocument } from './document'
import { materialForNewShape, nameOf } from './editing'
import { poseOf, shapesOf } from './scene-access'
import { useSelection } from './selection'

/** A new body, whose frame lies at the hull's centroid. */
export function addHull(hull: HullOfBodies): boolean {
  const document = useDocument()
  const selection = useSelection()
  const [first] = selection.bodies
  const id = freshId(document.scene, 'hull')
  const name = `Hull of ${nameOf(selection.bodies)}`
  const done = document.edit('hull', draft => {
    const material = materialOf(draft, first)
    draft.bodies!.push({ id, name, position: [...hull.origin], shapes: [{ type: 'convexHull', points: hull.points.map(p => [...p] as never), material }] })
  })
  if (done) selection.select([id])
  return done
}

/**
 * The first body keeps its id, frame, motion and joints, and gets the hull as its only shape, with its mass. The other bodies are deleted with
 * everything that depends on them.
 */
export function replaceByHull(hull: HullOfBodies): boolean {
  const document = useDocument()
  const selection = useSelection()
  const [first, ...others] = selection.bodies
  const place = first === undefined ? null : document.place(first)
  if (first === undefined || !place) return false
  const done = document.transact('replace by the hull', scene => {
    const edited = editScene(scene, draft => {
      const body = draft.bodies![place.index] as Body
      const pose = poseOf(scene.bodies![place.index]!)
      const shape: Shape = { type: 'convexHull', points: hull.points.map(p => toInner(pose, add(hull.origin, p))), material: materialOf(draft as Scene, first) }
      body.shapes = [shape]
      delete body.mass
      delete body.visuals
      if (body.expressions) body.expressions = body.expressions.filter(({ field }) => !/^(shapes|mass|visuals)\b/.test(field))
    })
    return edited.ok && others.length > 0 ? removeElements(edited.scene, others) : edited
  })
  if (done) selection.select([first])
  return done
}

function materialOf(scene: Scene, id: string | undefined): string {
  const body = scene.bodies!.find(one => one.id === id)
  return (body && shapesOf(body)[0]?.material) ?? materialForNewShape(scene)
}
