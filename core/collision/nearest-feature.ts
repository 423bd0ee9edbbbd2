/** The feature of a convex polyhedron nearest to a point, and the Voronoi regions of features. */

import type { Polyhedron } from '../geometry/polyhedron'
import { addScaled, dot, lengthSquared, negate, sub, type Vec3 } from '../math/vector'
import type { Feature } from './contact'
import { insideFace, sidePlanes } from './face-domain'
import type { BoundaryPlane } from './pairs/boundary'

export interface NearestFeature extends Feature {
  readonly kind: 'face' | 'edge' | 'vertex'
  /** m; negative inside: minus the distance to the nearest face's plane. */
  readonly distance: number
}

/** Face → edge → vertex [Baraff92 §5.2.2]; inside the solid always a face. Ties go to the feature of higher dimension, then to the lower index. */
export function nearestFeature(solid: Polyhedron, point: Vec3): NearestFeature {
  let face = 0
  let height = -Infinity
  const above: number[] = []
  solid.faces.forEach((f, i) => {
    const h = dot(f.normal, point) - f.offset
    if (h > height) {
      height = h
      face = i
    }
    if (h > 0) {
      above.push(i)
    }
  })
  if (height <= 0) {
    return { kind: 'face', index: face, distance: height }
  }
  for (const i of above) {
    const f = solid.faces[i]!
    if (insideFace(solid, f, point) >= 0) {
      return { kind: 'face', index: i, distance: dot(f.normal, point) - f.offset }
    }
  }
  let best: NearestFeature | null = null
  let square = Infinity
  for (const e of new Set(above.flatMap(i => solid.faces[i]!.edges))) {
    const edge = solid.edges[e]!
    const from = sub(point, solid.vertices[edge.from]!)
    const t = dot(from, edge.direction)
    const inside = t > 0 && t < edge.length
    const end = t > 0 ? edge.to : edge.from
    const away = inside ? addScaled(from, edge.direction, -t) : sub(point, solid.vertices[end]!)
    const d = lengthSquared(away)
    if (d < square) {
      square = d
      best = { kind: inside ? 'edge' : 'vertex', index: inside ? e : end, distance: Math.sqrt(d) }
    }
  }
  return best!
}

/** Planes of the feature's Voronoi region, in the solid's frame. */
export function voronoiPlanes(solid: Polyhedron, feature: Feature): readonly BoundaryPlane[] {
  if (feature.kind === 'face') {
    return sidePlanes(solid, solid.faces[feature.index]!)
  }
  if (feature.kind === 'edge') {
    const edge = solid.edges[feature.index]!
    const from = solid.vertices[edge.from]!
    const sides = [edge.left, edge.right].map(f => {
      const face = solid.faces[f]!
      return negate(face.sides[face.edges.indexOf(feature.index)]!)
    })
    return [
      { normal: edge.direction, offset: dot(edge.direction, from) },
      { normal: negate(edge.direction), offset: -dot(edge.direction, from) - edge.length },
      ...sides.map(normal => ({ normal, offset: dot(normal, from) })),
    ]
  }
  const vertex = solid.vertices[feature.index]!
  return solid.vertexEdges[feature.index]!.map(e => {
    const edge = solid.edges[e]!
    const normal = edge.from === feature.index ? negate(edge.direction) : edge.direction
    return { normal, offset: dot(normal, vertex) }
  })
}
