import { builtSolid } from '../../core/analysis/solids'
import type { Shape } from '../../core/scene'

/** Height of a shape's origin above a horizontal plane that it stands on, m; for new shapes, of which only cylinders that lie are turned. */
export function restingHeight(shape: Shape): number {
  switch (shape.type) {
    case 'box': return shape.size[2] / 2
    case 'sphere': return shape.radius
    case 'ellipsoid':
    case 'superquadric': return shape.radii[2]
    case 'implicit':
    case 'parametric': return -(builtSolid(shape)?.support([0, 0, -1])[2] ?? 0)
    case 'capsule': return shape.radius + shape.height / 2
    case 'cylinder': return shape.orientation === undefined ? shape.height / 2 : shape.radius
    case 'cone': return 0
    case 'halfSpace': return 0
    case 'convexHull': return -Math.min(...shape.points.map(point => point[2]))
    case 'polyhedron': return -Math.min(...shape.vertices.map(point => point[2]))
    case 'mesh': return -(shape.scale ?? 1) * Math.min(0, ...(shape.vertices ?? []).map(point => point[2]))
  }
}
