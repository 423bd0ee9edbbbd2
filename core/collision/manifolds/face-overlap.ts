/**
 * Corners of the overlap of the two faces best aligned with a separating plane, as codes of feature pairs. This does the work of `contact-polygon.ts`
 * thousands of times a step: each vertex is transformed once, only edges that cross a side of the other face are intersected, and nothing is allocated.
 */

import type { FlatSolid } from '../flat-solid'
import type { EvaluatedPlane } from '../separating-axis'
import type { HullFeatures } from './hull-features'

/** Least cosine between the separating plane's normal and a feature's normal. */
const SAME_SIDE = 0.5
/** sin² of the angle of two edges below which their cross product is mostly rounding; then their ends lie over faces. */
const PARALLEL = 1e-8
/** Capacity for corners of a face with distances to the other face's sides; further sides of larger faces are not crossed. */
const CORNERS = 64

/** By corner of A's face and side of B's: distance inside, m. */
const insideB = new Float64Array(CORNERS * CORNERS)
/** Corners of B's face in A's frame, m. */
const cornersB = new Float64Array(3 * CORNERS)

export class FaceOverlap {
  codes = new Float64Array(8)
  count = 0

  constructor(private readonly a: FlatSolid, private readonly b: FlatSolid, private readonly features: HullFeatures, private readonly slack: number) {}

  /**
   * Finds the corners with gaps up to `reach`, m, and writes them to `codes`.
   *
   * @param R, t B's placement in A's frame
   */
  find(R: Float64Array, t: Float64Array, plane: EvaluatedPlane, reach: number): void {
    const { a, b, features, slack } = this
    const { x: nx, y: ny, z: nz, kind, separation } = plane
    this.count = 0
    // The plane's normal in B's frame.
    const mx = R[0]! * nx + R[3]! * ny + R[6]! * nz
    const my = R[1]! * nx + R[4]! * ny + R[7]! * nz
    const mz = R[2]! * nx + R[5]! * ny + R[8]! * nz
    const fA = kind === 'faceA' ? plane.indexA : squarest(a, plane.supportA, kind === 'edges' ? plane.indexA : -1, -nx, -ny, -nz)
    const fB = kind === 'faceB' ? plane.indexB : squarest(b, plane.supportB, kind === 'edges' ? plane.indexB : -1, mx, my, mz)
    const startA = a.loopStart[fA]!
    const startB = b.loopStart[fB]!
    const sidesA = a.loopStart[fA + 1]! - startA
    const sidesB = b.loopStart[fB + 1]! - startB
    const countA = Math.min(sidesA, CORNERS)
    const countB = Math.min(sidesB, CORNERS)
    const least = separation - slack
    const ax = a.normals[3 * fA]!
    const ay = a.normals[3 * fA + 1]!
    const az = a.normals[3 * fA + 2]!
    const bx = b.normals[3 * fB]!
    const by = b.normals[3 * fB + 1]!
    const bz = b.normals[3 * fB + 2]!
    const cosineB = bx * mx + by * my + bz * mz
    const cosineA = -(ax * nx + ay * ny + az * nz)
    const { vertices: vA } = a
    const { vertices: vB } = b
    for (let i = 0; i < countA; i++) {
      const v = a.loop[startA + i]!
      const x = vA[3 * v]! - t[0]!
      const y = vA[3 * v + 1]! - t[1]!
      const z = vA[3 * v + 2]! - t[2]!
      const px = R[0]! * x + R[3]! * y + R[6]! * z
      const py = R[1]! * x + R[4]! * y + R[7]! * z
      const pz = R[2]! * x + R[5]! * y + R[8]! * z
      const inside = insideSides(b, startB, countB, px, py, pz, CORNERS * i)
      if (inside < -slack || cosineB <= SAME_SIDE) continue
      const gap = bx * px + by * py + bz * pz - b.offsets[fB]!
      if (gap <= reach && gap * cosineB >= least) this.push(features.vertexOfA(v, fB))
    }
    for (let j = 0; j < countB; j++) {
      const v = b.loop[startB + j]!
      const x = vB[3 * v]!
      const y = vB[3 * v + 1]!
      const z = vB[3 * v + 2]!
      const px = cornersB[3 * j] = R[0]! * x + R[1]! * y + R[2]! * z + t[0]!
      const py = cornersB[3 * j + 1] = R[3]! * x + R[4]! * y + R[5]! * z + t[1]!
      const pz = cornersB[3 * j + 2] = R[6]! * x + R[7]! * y + R[8]! * z + t[2]!
      if (cosineA <= SAME_SIDE || insideSides(a, startA, countA, px, py, pz, -1) < -slack) continue
      const gap = ax * px + ay * py + az * pz - a.offsets[fA]!
      if (gap <= reach && gap * cosineA >= least) this.push(features.vertexOfB(v, fA))
    }
    for (let i = 0; i < countA; i++) {
      const next = i + 1 === sidesA ? 0 : i + 1
      if (next >= countA) continue
      for (let j = 0; j < countB; j++) {
        // A crossing lies between the ends of A's edge if they are on different sides of B's edge.
        if (insideB[CORNERS * i + j]! > 0 === insideB[CORNERS * next + j]! > 0) continue
        const after = j + 1 === sidesB ? 0 : j + 1
        if (after < countB) this.crossing(startA + i, a.loop[startA + next]!, startB + j, j, after, plane, reach)
      }
    }
  }

  /**
   * The crossing of two edges.
   *
   * @param placeA, placeB start positions in the solids' loops
   * @param end end vertex of A's edge
   * @param j, after start and end corner of B's edge on B's face
   */
  private crossing(
    placeA: number, end: number, placeB: number, j: number, after: number, { x: nx, y: ny, z: nz, separation }: EvaluatedPlane, reach: number,
  ): void {
    const { a, b, features, slack } = this
    const { vertices: c } = a
    const from = a.loop[placeA]!
    const ux = c[3 * end]! - c[3 * from]!
    const uy = c[3 * end + 1]! - c[3 * from + 1]!
    const uz = c[3 * end + 2]! - c[3 * from + 2]!
    const vx = cornersB[3 * after]! - cornersB[3 * j]!
    const vy = cornersB[3 * after + 1]! - cornersB[3 * j + 1]!
    const vz = cornersB[3 * after + 2]! - cornersB[3 * j + 2]!
    const mx = uy * vz - uz * vy
    const my = uz * vx - ux * vz
    const mz = ux * vy - uy * vx
    const square = mx * mx + my * my + mz * mz
    const squareA = ux * ux + uy * uy + uz * uz
    const squareB = vx * vx + vy * vy + vz * vz
    if (square <= PARALLEL * squareA * squareB) return
    const across = Math.sqrt(square)
    const height = (mx * nx + my * ny + mz * nz) / across
    if (Math.abs(height) <= SAME_SIDE) return
    const wx = c[3 * from]! - cornersB[3 * j]!
    const wy = c[3 * from + 1]! - cornersB[3 * j + 1]!
    const wz = c[3 * from + 2]! - cornersB[3 * j + 2]!
    const lengthA = Math.sqrt(squareA)
    const s = -((wy * vz - wz * vy) * mx + (wz * vx - wx * vz) * my + (wx * vy - wy * vx) * mz) / square * lengthA
    if (!(s > slack && s < lengthA - slack)) return
    const lengthB = Math.sqrt(squareB)
    const t = -((wy * uz - wz * uy) * mx + (wz * ux - wx * uz) * my + (wx * uy - wy * ux) * mz) / square * lengthB
    if (!(t > slack && t < lengthB - slack)) return
    const side = height < 0 ? -1 : 1
    const gap = side * (mx * wx + my * wy + mz * wz) / across
    if (gap > reach || gap * Math.abs(height) < separation - slack) return
    const edgeA = a.loopEdges[placeA]!
    const edgeB = b.loopEdges[placeB]!
    const forwardA = a.from[edgeA] === from
    const forwardB = b.from[edgeB] === b.loop[placeB]
    this.push(features.edges(edgeA, edgeB, forwardA === forwardB ? side : -side))
  }

  private push(code: number): void {
    if (this.count === this.codes.length) {
      const longer = new Float64Array(2 * this.count)
      longer.set(this.codes)
      this.codes = longer
    }
    this.codes[this.count++] = code
  }
}

/** Distance of a point inside all sides of a face, m; from `row` on, `insideB` receives the distance inside each side, unless `row` is negative. */
function insideSides({ vertices: c, loop, sides }: FlatSolid, start: number, count: number, x: number, y: number, z: number, row: number): number {
  let least = Infinity
  for (let k = 0; k < count; k++) {
    const side = 3 * (start + k)
    const at = 3 * loop[start + k]!
    const inside = sides[side]! * (x - c[at]!) + sides[side + 1]! * (y - c[at + 1]!) + sides[side + 2]! * (z - c[at + 2]!)
    if (row >= 0) insideB[row + k] = inside
    if (inside < least) least = inside
  }
  return least
}

/** The face at a vertex, or at an edge if given, that is best aligned with a direction. */
function squarest({ solid, normals, left, right }: FlatSolid, vertex: number, edge: number, x: number, y: number, z: number): number {
  if (edge >= 0) return along(normals, right[edge]!, x, y, z) > along(normals, left[edge]!, x, y, z) ? right[edge]! : left[edge]!
  const around = solid.vertexFaces[vertex]!
  let best = around[0]!
  let most = along(normals, best, x, y, z)
  for (let k = 1; k < around.length; k++) {
    const cosine = along(normals, around[k]!, x, y, z)
    if (cosine <= most) continue
    most = cosine
    best = around[k]!
  }
  return best
}

function along(normals: Float64Array, face: number, x: number, y: number, z: number): number {
  return normals[3 * face]! * x + normals[3 * face + 1]! * y + normals[3 * face + 2]! * z
}
