/** Corners of meshes with normals, in glTF's axes and single precision. Corners of one vertex are merged if its faces meet smoothly. */

import type { Mesh } from '../../geometry/mesh'
import { cross, length, sub } from '../../math/vector'
import { fans } from '../shared/surface'

/** Cosine of the angle between faces up to which an edge looks smooth: 30°. */
const SMOOTH = 0.866
/** Resolution of normals: those of one vertex that agree to 1 ÷ this are merged. */
const STEPS = 1e4

/** Views into the maker's memory, valid until its next mesh. */
export interface Corners {
  readonly positions: Float32Array
  readonly normals: Float32Array
  /** Three a triangle. */
  readonly indices: Uint32Array
  /** By corner: its vertex. */
  readonly sources: Int32Array
}

/** Makes corners of one mesh after another in reused memory: with thousands of small meshes, allocation would dominate. */
export class CornerMaker {
  private scratch = scratchFor(256)

  /** Skips degenerate triangles. */
  make({ vertices, faces }: Mesh): Corners {
    const triangles = fans(faces)
    const most = Math.max(3 * triangles.length, vertices.length)
    if (most > this.scratch.corners) this.scratch = scratchFor(2 * most)
    return corners(vertices, triangles, this.scratch)
  }
}

type Scratch = ReturnType<typeof scratchFor>

/** @param corners largest number of corners of a mesh, and of vertices */
function scratchFor(corners: number) {
  return {
    corners,
    positions: new Float32Array(3 * corners), normals: new Float32Array(3 * corners), indices: new Uint32Array(corners),
    // By triangle: normals, and their lengths.
    faceNormals: new Float64Array(corners), sizes: new Float64Array(corners),
    // By vertex: start of its list of triangles, and its last corner.
    first: new Int32Array(corners + 1), next: new Int32Array(corners + 1), around: new Int32Array(corners), last: new Int32Array(corners),
    // By corner: its rounded normal, the previous corner of the same vertex, and its vertex.
    rounded: new Int32Array(3 * corners), before: new Int32Array(corners), sources: new Int32Array(corners),
  }
}

function corners(vertices: Mesh['vertices'], triangles: readonly (readonly number[])[], scratch: Scratch): Corners {
  const { positions, normals, indices, faceNormals, sizes, first, around, last, rounded, before, sources } = scratch
  normalsOf(vertices, triangles, scratch)
  trianglesAround(vertices.length, triangles, scratch)
  last.fill(-1, 0, vertices.length)
  let count = 0
  let written = 0
  for (let t = 0; t < triangles.length; t++) {
    const size = sizes[t]!
    if (!(size > 0)) continue
    const nx = faceNormals[3 * t]!
    const ny = faceNormals[3 * t + 1]!
    const nz = faceNormals[3 * t + 2]!
    for (const v of triangles[t]!) {
      let x = 0
      let y = 0
      let z = 0
      for (let k = first[v]!; k < first[v + 1]!; k++) {
        const other = around[k]!
        const ox = faceNormals[3 * other]!
        const oy = faceNormals[3 * other + 1]!
        const oz = faceNormals[3 * other + 2]!
        if (nx * ox + ny * oy + nz * oz < SMOOTH * size * sizes[other]!) continue
        x += ox
        y += oy
        z += oz
      }
      const long = Math.sqrt(x * x + y * y + z * z)
      x /= long
      y /= long
      z /= long
      const rx = Math.round(x * STEPS)
      const ry = Math.round(y * STEPS)
      const rz = Math.round(z * STEPS)
      let index = last[v]!
      while (index >= 0 && !(rounded[3 * index] === rx && rounded[3 * index + 1] === ry && rounded[3 * index + 2] === rz)) index = before[index]!
      if (index < 0) {
        index = count++
        before[index] = last[v]!
        sources[index] = v
        last[v] = index
        rounded[3 * index] = rx
        rounded[3 * index + 1] = ry
        rounded[3 * index + 2] = rz
        const at = vertices[v]!
        // From z up to y up; 0 − 0 avoids −0.
        positions[3 * index] = at[0]
        positions[3 * index + 1] = at[2]
        positions[3 * index + 2] = 0 - at[1]
        normals[3 * index] = x
        normals[3 * index + 1] = z
        normals[3 * index + 2] = 0 - y
      }
      indices[written++] = index
    }
  }
  return {
    positions: positions.subarray(0, 3 * count), normals: normals.subarray(0, 3 * count), indices: indices.subarray(0, written),
    sources: sources.subarray(0, count),
  }
}

/** The triangles at each vertex v: from `first[v]` up to, but excluding, `first[v + 1]`. */
function trianglesAround(vertices: number, triangles: readonly (readonly number[])[], { first, next, around }: Scratch): void {
  first.fill(0, 0, vertices + 1)
  for (const [a, b, c] of triangles) {
    first[a! + 1]!++
    first[b! + 1]!++
    first[c! + 1]!++
  }
  for (let v = 0; v < vertices; v++) first[v + 1]! += first[v]!
  for (let v = 0; v < vertices; v++) next[v] = first[v]!
  for (let t = 0; t < triangles.length; t++) {
    for (const v of triangles[t]!) around[next[v]!++] = t
  }
}

/** By triangle: twice its area along its outward normal, and the length of that, m². */
function normalsOf(vertices: Mesh['vertices'], triangles: readonly (readonly number[])[], { faceNormals, sizes }: Scratch): void {
  for (let t = 0; t < triangles.length; t++) {
    const [a, b, c] = triangles[t]!
    const normal = cross(sub(vertices[b!]!, vertices[a!]!), sub(vertices[c!]!, vertices[a!]!))
    faceNormals[3 * t] = normal[0]
    faceNormals[3 * t + 1] = normal[1]
    faceNormals[3 * t + 2] = normal[2]
    sizes[t] = length(normal)
  }
}
