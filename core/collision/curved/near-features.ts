/** Features of a convex solid that may contain a nearest point, the most likely first, by the end point and direction of a descent. */

import { LINE, PLANE, POINT, RIM, SIDE, type FlatConvex } from './flat-convex'

/** Maximum number of features returned. */
const MAX_FEATURES = 6
/** Score from which a feature is excluded. */
const UNLIKE = 1.3
/** Penalty for a missing vertex that spans the nearest point, and for one more dimension. */
const OUTSIDE = 0.5
const LATER = 0.01

export class NearFeatures {
  count = 0
  readonly indices = new Int32Array(MAX_FEATURES)
  private readonly scores = new Float64Array(MAX_FEATURES)
  /** A direction and a point in the solid's frame. */
  private mx = 0
  private my = 0
  private mz = 0

  /**
   * @param mx unit, outwards, in the solid's frame
   * @param x a point of the core, m, in its frame; ignored for polyhedra
   * @param held number of vertices of a polyhedron that span the nearest point, and their indices
   */
  find(solid: FlatConvex, mx: number, my: number, mz: number, x: number, y: number, z: number, held: number, vertices: Int32Array): void {
    this.count = 0
    this.mx = mx
    this.my = my
    this.mz = mz
    if (solid.solid !== null) this.ofPolyhedron(solid, held, vertices)
    else for (let i = 0; i < solid.count; i++) this.offer(i, this.awayFrom(solid, i, x, y, z))
  }

  private ofPolyhedron(solid: FlatConvex, held: number, vertices: Int32Array): void {
    const flat = solid.solid!
    for (let k = 0; k < held; k++) {
      const v = vertices[k]!
      this.offer(v, OUTSIDE * others(held, vertices, v, v))
      for (const e of flat.solid.vertexEdges[v]!) {
        this.offer(solid.firstEdge + e, Math.abs(this.along(flat.directions, e)) + OUTSIDE * others(held, vertices, flat.from[e]!, flat.to[e]!) + LATER)
      }
      for (const f of flat.solid.vertexFaces[v]!) {
        const { loop } = flat.solid.faces[f]!
        let outside = 0
        for (let n = 0; n < held; n++) if (!loop.includes(vertices[n]!)) outside++
        this.offer(solid.firstPlane + f, Math.sqrt(Math.max(0, 2 - 2 * this.along(flat.normals, f))) + OUTSIDE * outside + 2 * LATER)
      }
    }
  }

  private along(vectors: Float64Array, index: number): number {
    return vectors[3 * index]! * this.mx + vectors[3 * index + 1]! * this.my + vectors[3 * index + 2]! * this.mz
  }

  /** Difference of a point and direction from those of a feature: sum of angles and of lengths relative to size. */
  private awayFrom({ types, points, axes, lengths, leans, radii, size }: FlatConvex, i: number, x: number, y: number, z: number): number {
    const type = types[i]!
    const dx = x - points[3 * i]!
    const dy = y - points[3 * i + 1]!
    const dz = z - points[3 * i + 2]!
    if (type === POINT) return Math.sqrt(dx * dx + dy * dy + dz * dz) / size
    const ex = axes[3 * i]!
    const ey = axes[3 * i + 1]!
    const ez = axes[3 * i + 2]!
    const upright = this.along(axes, i)
    const height = dx * ex + dy * ey + dz * ez
    const around = Math.sqrt(Math.max(0, dx * dx + dy * dy + dz * dz - height * height))
    switch (type) {
      case LINE:
        return Math.abs(upright) + Math.max(0, height, -lengths[i]! - height) / size
      case SIDE:
        return Math.abs(upright - leans[i]!) + Math.abs(around * Math.sqrt(1 - leans[i]! * leans[i]!) + height * leans[i]!) / size
      case PLANE:
        return Math.sqrt(Math.max(0, 2 - 2 * upright)) + Math.abs(height) / size
      case RIM:
        return (Math.abs(height) + Math.abs(radii[i]! - around)) / size + (upright < 0 ? -upright : 0)
      default:
        return 0
    }
  }

  /** Inserts a feature if it is among the most likely. */
  private offer(index: number, score: number): void {
    const { indices, scores } = this
    if (!(score < UNLIKE) || (this.count === MAX_FEATURES && !(score < scores[MAX_FEATURES - 1]!))) return
    for (let k = 0; k < this.count; k++) if (indices[k] === index) return
    let at = this.count < MAX_FEATURES ? this.count++ : MAX_FEATURES - 1
    for (; at > 0 && scores[at - 1]! > score; at--) {
      scores[at] = scores[at - 1]!
      indices[at] = indices[at - 1]!
    }
    scores[at] = score
    indices[at] = index
  }
}

/** Number of vertices that span the nearest point other than two given ones. */
function others(held: number, vertices: Int32Array, one: number, other: number): number {
  let count = 0
  for (let k = 0; k < held; k++) if (vertices[k] !== one && vertices[k] !== other) count++
  return count
}
