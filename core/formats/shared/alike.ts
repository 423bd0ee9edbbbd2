/** Equality of surfaces, to share duplicates. */

import type { SeenMesh } from '../mesh'

const PRIME = 16_777_619

/** A hash, equal for equal surfaces [FNV-1a, over the vertex coordinates rounded to single precision]. */
export function contentNumber({ vertices, faces }: SeenMesh): number {
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

export function sameMesh(a: SeenMesh, b: SeenMesh): boolean {
  return a.vertices.length === b.vertices.length && a.faces.length === b.faces.length
    && a.vertices.every((p, i) => p.every((x, k) => x === b.vertices[i]![k])) && a.faces.every((face, f) => sameFace(face, b.faces[f]!))
    && sameColors(a.colors, b.colors) && a.uv?.length === b.uv?.length && (a.uv ?? []).every(([u, v], i) => u === b.uv![i]![0] && v === b.uv![i]![1])
}

function sameFace(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((i, k) => i === b[k])
}

function sameColors(a: SeenMesh['colors'] = [], b: SeenMesh['colors'] = []): boolean {
  return a.length === b.length && a.every((color, i) => color === b[i])
}
