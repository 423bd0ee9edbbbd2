/** Two polyhedra in the frame of the first, on flat arrays. */

import type { FlatSolid } from './flat-solid'
import type { SeparatingAxes } from './separating-axis'

/** A solid in A's frame, 3 numbers a vector. */
export interface SolidInA {
  readonly flat: FlatSolid
  readonly vertices: Float64Array
  readonly normals: Float64Array
  readonly directions: Float64Array
}

/** B in A's frame, wherever it is placed. */
export class PlacedInA implements SolidInA {
  readonly vertices: Float64Array
  readonly normals: Float64Array
  readonly directions: Float64Array

  constructor(readonly flat: FlatSolid) {
    this.vertices = new Float64Array(3 * flat.vertexCount)
    this.normals = new Float64Array(3 * flat.faceCount)
    this.directions = new Float64Array(3 * flat.edgeCount)
  }

  place({ rotation, position }: SeparatingAxes): void {
    const { flat, vertices } = this
    turn(flat.normals, rotation, this.normals)
    turn(flat.directions, rotation, this.directions)
    turn(flat.vertices, rotation, vertices)
    for (let k = 0; k < vertices.length; k += 3) {
      vertices[k] = position[0]! + vertices[k]!
      vertices[k + 1] = position[1]! + vertices[k + 1]!
      vertices[k + 2] = position[2]! + vertices[k + 2]!
    }
  }
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
