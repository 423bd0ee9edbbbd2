import type { Deformable } from '../types'

/** Number of vertices of a deformable; those of ropes are created by the compiler. */
export function verticesOfDeformable(deformable: Deformable): number {
  switch (deformable.type) {
    case 'particles': return deformable.particles.length
    case 'rope': return (deformable.segments ?? 32) + 1
    case 'hair': return deformable.strands.reduce((sum, strand) => sum + strand.points.length, 0)
    case 'cloth': return deformable.vertices.length
  }
}
