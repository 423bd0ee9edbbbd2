/**
 * Corners of the overlap of the two faces that face each other most squarely across a separating plane, as feature pairs that stay the same objects from one
 * question to the next. What `contact-polygon.ts` does once and for every tolerance, this does thousands of times a step: vertices are looked at once, and
 * only edges that cross a side of the other face are intersected.
 */

import type { Face, Polyhedron } from '../geometry/polyhedron'
import type { FeaturePair } from './contact'
import { edgeOnEdge, vertexOnFace } from './contact-polygon'
import { SwappedPair } from './pairs/swapped'
import type { RelativePose } from './relative'
import type { SeparatingPlane } from './separating-axis'

/** Cosine to the separating plane's normal below which a feature's normal has nothing to do with it. */
const SAME_SIDE = 0.5
/** sin² of the angle of two edges below which their plane is mostly noise; their ends lie over faces then. */
const PARALLEL = 1e-8
/** Corners of a face for whose distances to the other face's sides there is room; of larger ones the further sides are not crossed. */
const CORNERS = 64

/** By corner of one face and side of the other: how far inside, m. */
const insideB = new Float64Array(CORNERS * CORNERS)
/** Corners of B's face in A's frame. */
const cornersB = new Float64Array(3 * CORNERS)

export class FacingCorners {
  private readonly known = new Map<number, FeaturePair>()

  constructor(private readonly a: Polyhedron, private readonly b: Polyhedron) {}

  /**
   * Appends those no farther apart than `reach`, m.
   *
   * @param slack m: lateral tolerance
   */
  find(relative: RelativePose, plane: SeparatingPlane, reach: number, slack: number, out: FeaturePair[]): void {
    const { a, b } = this
    const { rotation: R, position: t } = relative
    const [nx, ny, nz] = plane.normal
    // The plane's normal in B's frame.
    const mx = R[0] * nx + R[3] * ny + R[6] * nz
    const my = R[1] * nx + R[4] * ny + R[7] * nz
    const mz = R[2] * nx + R[5] * ny + R[8] * nz
    const fA = plane.kind === 'faceA' ? plane.indexA : squarest(a, plane.supportA, plane.kind === 'edges' ? plane.indexA : -1, -nx, -ny, -nz)
    const fB = plane.kind === 'faceB' ? plane.indexB : squarest(b, plane.supportB, plane.kind === 'edges' ? plane.indexB : -1, mx, my, mz)
    const faceA = a.faces[fA]!
    const faceB = b.faces[fB]!
    const countA = Math.min(faceA.loop.length, CORNERS)
    const countB = Math.min(faceB.loop.length, CORNERS)
    const least = plane.separation - slack
    const cosineB = faceB.normal[0] * mx + faceB.normal[1] * my + faceB.normal[2] * mz
    const cosineA = -(faceA.normal[0] * nx + faceA.normal[1] * ny + faceA.normal[2] * nz)
    for (let i = 0; i < countA; i++) {
      const v = faceA.loop[i]!
      const x = a.coordinates[3 * v]! - t[0]
      const y = a.coordinates[3 * v + 1]! - t[1]
      const z = a.coordinates[3 * v + 2]! - t[2]
      const bx = R[0] * x + R[3] * y + R[6] * z
      const by = R[1] * x + R[4] * y + R[7] * z
      const bz = R[2] * x + R[5] * y + R[8] * z
      const inside = inSides(b, faceB, countB, bx, by, bz, CORNERS * i)
      if (inside < -slack || cosineB <= SAME_SIDE) continue
      const gap = faceB.normal[0] * bx + faceB.normal[1] * by + faceB.normal[2] * bz - faceB.offset
      if (gap <= reach && gap * cosineB >= least) out.push(this.vertexOfA(v, fB, slack))
    }
    for (let j = 0; j < countB; j++) {
      const v = faceB.loop[j]!
      const x = b.coordinates[3 * v]!
      const y = b.coordinates[3 * v + 1]!
      const z = b.coordinates[3 * v + 2]!
      const ax = cornersB[3 * j] = R[0] * x + R[1] * y + R[2] * z + t[0]
      const ay = cornersB[3 * j + 1] = R[3] * x + R[4] * y + R[5] * z + t[1]
      const az = cornersB[3 * j + 2] = R[6] * x + R[7] * y + R[8] * z + t[2]
      if (cosineA <= SAME_SIDE || inSides(a, faceA, countA, ax, ay, az, -1) < -slack) continue
      const gap = faceA.normal[0] * ax + faceA.normal[1] * ay + faceA.normal[2] * az - faceA.offset
      if (gap <= reach && gap * cosineA >= least) out.push(this.vertexOfB(v, fA, slack))
    }
    for (let i = 0; i < countA; i++) {
      const next = i + 1 === faceA.loop.length ? 0 : i + 1
      if (next >= countA) continue
      for (let j = 0; j < countB; j++) {
        // A crossing lies between the ends of A's edge, which are on different sides of B's.
        if (insideB[CORNERS * i + j]! > 0 === insideB[CORNERS * next + j]! > 0) continue
        const after = j + 1 === faceB.loop.length ? 0 : j + 1
        if (after < countB) this.crossing(faceA, i, next, faceB, j, after, plane, reach, slack, out)
      }
    }
  }

  private crossing(
    faceA: Face, i: number, next: number, faceB: Face, j: number, after: number, { normal: [nx, ny, nz], separation }: SeparatingPlane, reach: number,
    slack: number, out: FeaturePair[],
  ): void {
    const { coordinates: c } = this.a
    const p = 3 * faceA.loop[i]!
    const q = 3 * faceA.loop[next]!
    const ux = c[q]! - c[p]!
    const uy = c[q + 1]! - c[p + 1]!
    const uz = c[q + 2]! - c[p + 2]!
    const vx = cornersB[3 * after]! - cornersB[3 * j]!
    const vy = cornersB[3 * after + 1]! - cornersB[3 * j + 1]!
    const vz = cornersB[3 * after + 2]! - cornersB[3 * j + 2]!
    const mx = uy * vz - uz * vy
    const my = uz * vx - ux * vz
    const mz = ux * vy - uy * vx
    const square = mx * mx + my * my + mz * mz
    const lengthA = Math.sqrt(ux * ux + uy * uy + uz * uz)
    const lengthB = Math.sqrt(vx * vx + vy * vy + vz * vz)
    if (square <= PARALLEL * lengthA * lengthA * lengthB * lengthB) return
    const across = Math.sqrt(square)
    const height = (mx * nx + my * ny + mz * nz) / across
    if (Math.abs(height) <= SAME_SIDE) return
    const wx = c[p]! - cornersB[3 * j]!
    const wy = c[p + 1]! - cornersB[3 * j + 1]!
    const wz = c[p + 2]! - cornersB[3 * j + 2]!
    const s = -((wy * vz - wz * vy) * mx + (wz * vx - wx * vz) * my + (wx * vy - wy * vx) * mz) / square * lengthA
    if (!(s > slack && s < lengthA - slack)) return
    const t = -((wy * uz - wz * uy) * mx + (wz * ux - wx * uz) * my + (wx * uy - wy * ux) * mz) / square * lengthB
    if (!(t > slack && t < lengthB - slack)) return
    const side = height < 0 ? -1 : 1
    const gap = side * (mx * wx + my * wy + mz * wz) / across
    if (gap > reach || gap * Math.abs(height) < separation - slack) return
    out.push(this.edges(faceA.edges[i]!, faceB.edges[j]!, side, i, faceA, faceB, j, slack))
  }

  private vertexOfA(v: number, f: number, slack: number): FeaturePair {
    return this.once(v * this.b.faces.length + f, () => vertexOnFace(this.a, v, this.b, f, slack))
  }

  private vertexOfB(v: number, f: number, slack: number): FeaturePair {
    const { a, b } = this
    return this.once(a.vertices.length * b.faces.length + v * a.faces.length + f, () => new SwappedPair(vertexOnFace(b, v, a, f, slack)))
  }

  /** `side`: of the cross product of the edges as the faces run through them. */
  private edges(edgeA: number, edgeB: number, side: 1 | -1, i: number, faceA: Face, faceB: Face, j: number, slack: number): FeaturePair {
    const { a, b } = this
    const forwardA = a.edges[edgeA]!.from === faceA.loop[i]
    const forwardB = b.edges[edgeB]!.from === faceB.loop[j]
    const sign = forwardA === forwardB ? side : side === 1 ? -1 : 1
    const key = a.vertices.length * b.faces.length + b.vertices.length * a.faces.length + 2 * (edgeA * b.edges.length + edgeB) + (sign < 0 ? 1 : 0)
    return this.once(key, () => edgeOnEdge(a, edgeA, b, edgeB, sign, slack))
  }

  private once(key: number, make: () => FeaturePair): FeaturePair {
    let pair = this.known.get(key)
    if (pair === undefined) this.known.set(key, pair = make())
    return pair
  }
}

/** How far inside all sides of a face a point lies, m; from `row` on in `insideB` how far inside each, unless that is negative. */
function inSides({ coordinates: c }: Polyhedron, { loop, sides }: Face, count: number, x: number, y: number, z: number, row: number): number {
  let least = Infinity
  for (let k = 0; k < count; k++) {
    const side = sides[k]!
    const at = 3 * loop[k]!
    const inside = side[0] * (x - c[at]!) + side[1] * (y - c[at + 1]!) + side[2] * (z - c[at + 2]!)
    if (row >= 0) insideB[row + k] = inside
    if (inside < least) least = inside
  }
  return least
}

/** The face at a vertex, or at an edge where there is one, that looks most along a direction. */
function squarest(solid: Polyhedron, vertex: number, edge: number, x: number, y: number, z: number): number {
  const { faces } = solid
  if (edge >= 0) {
    const { left, right } = solid.edges[edge]!
    return along(faces[right]!, x, y, z) > along(faces[left]!, x, y, z) ? right : left
  }
  const around = solid.vertexFaces[vertex]!
  let best = around[0]!
  let most = along(faces[best]!, x, y, z)
  for (let k = 1; k < around.length; k++) {
    const cosine = along(faces[around[k]!]!, x, y, z)
    if (cosine <= most) continue
    most = cosine
    best = around[k]!
  }
  return best
}

function along({ normal }: Face, x: number, y: number, z: number): number {
  return normal[0] * x + normal[1] * y + normal[2] * z
}
