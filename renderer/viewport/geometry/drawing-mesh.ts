/** Triangles and lines to draw, in a shape's own axes. For display only: contact uses exact curved shapes. */

import { length, type Vec3 } from '../../../core/math/vector'

export interface DrawingMesh {
  /** 3 a vertex, m; triangles are anticlockwise seen from outside. */
  readonly positions: Float32Array
  /** 3 a vertex, unit. */
  readonly normals: Float32Array
  readonly indices: Uint32Array
  /** 6 a segment: sharp edges, and on round shapes a few curves that make rotation visible. */
  readonly edges: Float32Array
  /** 3 a vertex, 0 … 1 of each light: multiplied with the instance's colour. */
  readonly colors?: Float32Array
  /** 2 a vertex: place in the instance's picture, from its lower left corner. */
  readonly uv?: Float32Array
  /** For round shapes: their only straight direction, or null if they have none. Undefined if the edges are straight. */
  readonly axis?: Vec3 | null
}

/** Collects vertices and triangles, then packs them. */
export class MeshBuilder {
  private readonly positions: number[] = []
  private readonly normals: number[] = []
  private readonly indices: number[] = []
  private readonly edges: number[] = []

  vertex(position: Vec3, normal: Vec3): number {
    this.positions.push(...position)
    this.normals.push(...normal)
    return this.positions.length / 3 - 1
  }

  triangle(a: number, b: number, c: number): void {
    this.indices.push(a, b, c)
  }

  edge(a: Vec3, b: Vec3): void {
    this.edges.push(...a, ...b)
  }

  /** `count` segments along a curve with parameter 0 … 1. */
  curve(count: number, at: (s: number) => Vec3): void {
    for (let i = 0; i < count; i++) this.edge(at(i / count), at((i + 1) / count))
  }

  build(axis?: Vec3 | null): DrawingMesh {
    return {
      axis,
      positions: Float32Array.from(this.positions), normals: Float32Array.from(this.normals),
      indices: Uint32Array.from(this.indices), edges: Float32Array.from(this.edges),
    }
  }
}

/** Largest distance of a vertex from the origin after scaling each axis by `scale`, m. */
export function boundingRadius(mesh: DrawingMesh, scale: Vec3): number {
  let radius = 0
  const p = mesh.positions.length > 0 ? mesh.positions : mesh.edges
  for (let i = 0; i < p.length; i += 3) radius = Math.max(radius, length([p[i]! * scale[0], p[i + 1]! * scale[1], p[i + 2]! * scale[2]]))
  return radius
}
