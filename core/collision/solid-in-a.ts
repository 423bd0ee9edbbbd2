/** Two polyhedra in the frame of the first, on flat arrays. */

import type { FlatSolid } from './flat-solid'
import type { SeparatingAxes } from './separating-axis'

/** A solid in A's frame, 3 numbers per vector. */
export interface SolidInA {
  readonly flat: FlatSolid
  readonly vertices: Float64Array
  readonly normals: Float64Array
  readonly directions: Float64Array
}

/** B of a pair at any placement; its arrays are reused for the next pair. */
export class PlacedInA implements SolidInA {
  flat!: FlatSolid
  vertices: Float64Array = new Float64Array(0)
  normals: Float64Array = new Float64Array(0)
  directions: Float64Array = new Float64Array(0)

  place({ flatB, rotation, position }: SeparatingAxes): void {
    this.flat = flatB
    const vertices = this.vertices = ensureLength(this.vertices, flatB.vertices.length)
    this.normals = ensureLength(this.normals, flatB.normals.length)
    this.directions = ensureLength(this.directions, flatB.directions.length)
    turn(flatB.normals, rotation, this.normals)
    turn(flatB.directions, rotation, this.directions)
    turn(flatB.vertices, rotation, vertices)
    for (let k = 0; k < flatB.vertices.length; k += 3) {
      vertices[k] = position[0]! + vertices[k]!
      vertices[k + 1] = position[1]! + vertices[k + 1]!
      vertices[k + 2] = position[2]! + vertices[k + 2]!
    }
  }
}

function ensureLength(array: Float64Array, length: number): Float64Array {
  return array.length >= length ? array : new Float64Array(length)
}

function turn(vectors: Float64Array, r: Float64Array, out: Float64Array): void {
  for (let k = 0; k < vectors.length; k += 3) {
    const x = vectors[k]!
    const y = vectors[k + 1]!
    const z = vectors[k + 2]!
    out[k] = r[0]! * x + r[1]! * y + r[2]! * z
    out[k + 1] = r[3]! * x + r[4]! * y + r[5]! * z
    out[k + 2] = r[6]! * x + r[7]! * y + r[8]! * z
  }
}
