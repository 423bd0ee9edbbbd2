/** Sizes of mesh shapes, which the look of their body follows. */

import { add, scale, sub } from '../../core/math/vector'
import type { Scene, Shape } from '../../core/scene'
import { scaledMeshShape } from '../shapes/polyhedra'
import { positionOf } from '../state/scene-access'

/** Replaces a shape of a body. If it is a mesh of another scale, the surfaces that only this body shows are scaled about its origin too. */
export function replaceShape(draft: Scene, body: number, index: number, shape: Shape): void {
  const of = draft.bodies![body]!
  const former = of.shapes![index]!
  of.shapes![index] = shape
  if (former.type === 'mesh' && shape.type === 'mesh') scaleLook(draft, body, positionOf(former), (shape.scale ?? 1) / (former.scale ?? 1))
}

/** Scales a mesh shape with its pieces, and its look. @param factor > 0 */
export function scaleMesh(draft: Scene, body: number, index: number, factor: number): void {
  const shape = draft.bodies![body]!.shapes![index]!
  if (shape.type === 'mesh') replaceShape(draft, body, index, scaledMeshShape(shape, factor))
}

function scaleLook(draft: Scene, body: number, about: readonly [number, number, number], factor: number): void {
  if (factor === 1) return
  const visuals = draft.bodies![body]!.visuals ?? []
  const shown = new Set(visuals.flatMap(visual => visual.type === 'mesh' ? [visual.mesh] : []))
  draft.bodies!.forEach((other, i) => {
    if (i !== body) for (const visual of other.visuals ?? []) if (visual.type === 'mesh') shown.delete(visual.mesh)
  })
  for (const visual of visuals) if (visual.type === 'mesh' && shown.has(visual.mesh)) visual.position = add(about, scale(sub(positionOf(visual), about), factor))
  for (const mesh of draft.meshes ?? []) if (shown.has(mesh.id)) mesh.vertices = mesh.vertices.map(p => scale(p, factor))
}
