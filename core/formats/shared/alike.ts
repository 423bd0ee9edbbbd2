/** Equality of surfaces, to share duplicates. */

import type { Mesh } from '../../geometry/mesh'

const PRIME = 16_777_619

/** A hash, equal for equal surfaces [FNV-1a, over the vertex coordinates rounded to single precision]. */
export function contentNumber({ vertices, faces }: Pick<Mesh, 'vertices' | 'faces'>): number {
  const single = new Float32Array(1)
  const bits = new Uint32Array(single.buffer)
  let hash = Math.imul(vertices.length ^ 0x811c9dc5, PRIME) ^ faces.length
  for (const point of vertices) {
    for (const x of point) {
      // −0 is 0.
      single[0] = x + 0
      hash = Math.imul(hash ^ bits[0]!, PRIME)
    }
  }
  return hash
}

export function sameMesh(a: Pick<Mesh, 'vertices' | 'faces'>, b: Pick<Mesh, 'vertices' | 'faces'>): boolean {
  return a.vertices.length === b.vertices.length && a.faces.length === b.faces.length
    && a.vertices.every((p, i) => p.every((x, k) => x === b.vertices[i]![k])) && a.faces.every((face, f) => sameFace(face, b.faces[f]!))
}

function sameFace(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((i, k) => i === b[k])
}
