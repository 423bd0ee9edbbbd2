/** Masses of deformables before compilation. */

import { PI } from '../math/elementary'
import { cross, distance, length, sub, type Vec3 } from '../math/vector'
import type { ResolvedDeformable, ResolvedDeformableOf, ResolvedScene } from '../scene'

/** kg/m */
export function linearDensity({ linearDensity: given, radius, material }: ResolvedDeformableOf<'rope' | 'hair'>, { materials }: ResolvedScene): number {
  return given ?? materials.find(({ id }) => id === material)!.density * PI * radius * radius
}

/** kg: the whole mass over the number of particles. */
export function meanParticleMass(deformable: ResolvedDeformable, scene: ResolvedScene): number {
  const along = (points: readonly Vec3[]): number => points.slice(1).reduce((sum, point, i) => sum + distance(points[i]!, point), 0)
  switch (deformable.type) {
    case 'particles': return deformable.particles.reduce((sum, { mass }) => sum + mass, 0) / deformable.particles.length
    case 'rope': return linearDensity(deformable, scene) * along(deformable.points) / (deformable.segments + 1)
    case 'hair': {
      const { strands } = deformable
      const count = strands.reduce((sum, { points }) => sum + points.length, 0)
      return linearDensity(deformable, scene) * strands.reduce((sum, { points }) => sum + along(points), 0) / count
    }
    case 'cloth': {
      const { vertices, triangles, arealDensity } = deformable
      const area = triangles.reduce((sum, triangle) => {
        const [a, b, c] = triangle as [number, number, number]
        return sum + length(cross(sub(vertices[b]!, vertices[a]!), sub(vertices[c]!, vertices[a]!))) / 2
      }, 0)
      return arealDensity * area / vertices.length
    }
  }
}
