/** Vertices of a scene's deformables, in one list: one deformable after another. */

import { deformableShape } from '../../core/analysis/deformable-shape'
import { resolveDeformable, type Scene } from '../../core/scene'

const placed = new WeakMap<NonNullable<Scene['deformables']>, Float64Array>()

/** m, 3 a vertex: initial positions of the document's deformables. */
export function initialParticles({ deformables }: Scene): Float64Array {
  if (deformables === undefined) return new Float64Array(0)
  let known = placed.get(deformables)
  if (known === undefined) {
    known = Float64Array.from(deformables.flatMap(one => deformableShape(resolveDeformable(one)).vertices.flat()))
    placed.set(deformables, known)
  }
  return known
}

/** A deformable's first vertex and number of vertices, by its index. */
export function particlesOf({ deformables = [] }: Scene, deformable: number): readonly [first: number, count: number] {
  const counts = deformables.slice(0, deformable + 1).map(one => deformableShape(resolveDeformable(one)).vertices.length)
  return [counts.slice(0, -1).reduce((sum, count) => sum + count, 0), counts.at(-1) ?? 0]
}
