/**
 * Planes that separate two solids, cached from one evaluation of the pair to the next: as long as one of them still separates, no search is needed.
 *
 * A plane is fixed to one of the two bodies, so the plane of a face on which other solids rest stays cached. For a plane with the unit normal n̂
 * (out of B) fixed in B, the height of the solid A above it is
 *
 *   n̂ · (x_A − x_B) + min_A (n̂ · ρ) − max_B (n̂ · ρ)
 *
 * The last term is constant, and the one before is found by hill climbing over A's vertices from the last minimum; likewise with the roles exchanged.
 */

import { gapOf, type FeaturePair } from '../../collision/contact'
import type { PrimitivePair } from '../../contact/contact-set'
import type { HalfSpace } from '../../geometry/half-space'
import type { Polyhedron } from '../../geometry/polyhedron'
import type { Pose } from '../../math/pose'
import { rotate, rotateInverse } from '../../math/quaternion'
import { dot, type Vec3 } from '../../math/vector'
import { Margin } from './margin'

/** Cosine of the rotation of a separating plane up to which both solids stay on their sides of it. */
const SAME_SIDE = 0.5

/** A plane fixed to one body of a pair: normal out of B towards A in that body's frame. */
interface FixedPlane {
  readonly onA: boolean
  readonly x: number
  readonly y: number
  readonly z: number
  /** m: how far that body's solid reaches along the normal, towards the other. */
  readonly reach: number
}

/** Cached data of a pair. */
export function clearanceOf(pair: PrimitivePair): Clearance {
  return (pair.memory.kept ??= new Clearance(pair)) as Clearance
}

export class Clearance {
  /** Feature pairs of the solids whose planes may separate them: tried if the fixed planes do not. */
  features: readonly FeaturePair[] = []
  /** Index of the last separating one. */
  private feature = 0
  private readonly a: Polyhedron | null
  private readonly b: Polyhedron | null
  private readonly ground: HalfSpace | null
  private planes: readonly FixedPlane[] = []
  private supportA = 0
  private supportB = 0
  private readonly margin: Margin
  constructor(private readonly pair: PrimitivePair) {
    const { a, b } = pair
    this.margin = new Margin(pair)
    this.a = a.primitive.kind === 'polyhedron' ? (a.primitive as Polyhedron).placed(a.pose) : null
    this.b = b.primitive.kind === 'polyhedron' ? (b.primitive as Polyhedron).placed(b.pose) : null
    this.ground = b.primitive.kind === 'halfSpace' ? (b.primitive as HalfSpace).placed(b.pose) : null
    if (this.a !== null && this.ground !== null) {
      const { normal: [x, y, z], offset } = this.ground
      this.planes = [{ onA: false, x, y, z, reach: offset }]
    }
  }

  /** Whether their sizes, or a cached plane, prove a separation of more than `reach`, m. */
  isKnownApart(a: Pose, b: Pose, reach: number): boolean {
    return this.knownGap(a, b, reach) > reach
  }

  /**
   * The same at the start of a step; the proof is cached for the next steps.
   *
   * @param turned by body: accumulated rotation angle, rad
   */
  startsApart(a: Pose, b: Pose, reach: number, turned: Float64Array): boolean {
    if (this.margin.least(a, b, turned) > reach) return true
    const gap = this.knownGap(a, b, reach)
    this.margin.mark(gap, a, b, turned)
    return gap > reach
  }

  /** m: lower bound of their distance from cached data; at the start of a step. */
  leastAtStart(a: Pose, b: Pose, turned: Float64Array): number {
    return this.margin.least(a, b, turned)
  }

  /** m: a lower bound of the distance, computed only as far as needed to exceed `enough`. */
  knownGap(a: Pose, b: Pose, enough: number): number {
    let gap = this.margin.between(a, b)
    for (let k = 0; k < this.planes.length && !(gap > enough); k++) gap = Math.max(gap, this.height(this.planes[k]!, a, b))
    return gap
  }

  /** Whether one cached plane separates them by more than `reach`, m, at the start of a step, and by any amount at its end. */
  staysKnownApart(startA: Pose, startB: Pose, reach: number, endA: Pose, endB: Pose): boolean {
    for (const plane of this.planes) if (this.height(plane, startA, startB) > reach && this.height(plane, endA, endB) >= 0) return true
    return false
  }

  /** Whether the solids are separated by `least` or more, m; without a cached proof they are evaluated, and the new plane is cached. */
  isApart(a: Pose, b: Pose, least: number): boolean {
    for (const plane of this.planes) if (this.height(plane, a, b) >= least) return true
    if (this.overlapsBy(a, b) > -least) return false
    if (!this.remembers) return this.pair.collider.separation(a, b) >= least
    if (this.alongFeatures(a, b, least) !== null) return true
    const { separation, normal } = this.pair.collider.separating(a, b)
    if (separation >= least) this.planes = this.fixed(normal, a, b)
    return separation >= least
  }

  /** A plane between the solids: the cached one if it separates them, otherwise the best one, with a contact point if they overlap. */
  separating(a: Pose, b: Pose): { readonly separation: number, readonly normal: Vec3, readonly point?: Vec3 } {
    let best: FixedPlane | null = null
    let most = 0
    for (const plane of this.planes) {
      const height = this.height(plane, a, b)
      if (height < most) continue
      most = height
      best = plane
    }
    if (best !== null) return { separation: most, normal: rotate(best.onA ? a.orientation : b.orientation, [best.x, best.y, best.z]) }
    const along = this.remembers ? this.alongFeatures(a, b, 0) : null
    if (along !== null) return along
    const found = this.pair.collider.separating(a, b)
    if (this.remembers && found.separation >= 0) this.planes = this.fixed(found.normal, a, b)
    return found
  }

  /** The first plane of a feature pair that separates the solids by `least`, m; it is cached. */
  private alongFeatures(a: Pose, b: Pose, least: number): { readonly separation: number, readonly normal: Vec3 } | null {
    const { features } = this
    for (let k = 0; k < features.length; k++) {
      const index = (this.feature + k) % features.length
      if (gapOf(features[index]!, a, b) < least) continue
      const { normal } = features[index]!.locate(a, b)
      const planes = this.fixed(normal, a, b)
      const separation = this.height(planes[0]!, a, b)
      if (separation < least) continue
      this.feature = index
      this.planes = planes
      return { separation, normal }
    }
    return null
  }

  /**
   * Whether nearly the same plane separates the solids at two instants: then neither has passed through the other in between, although they may have grazed.
   */
  isOnSameSide(startA: Pose, startB: Pose, endA: Pose, endB: Pose): boolean {
    if (this.planes.some(plane => this.height(plane, startA, startB) >= 0 && this.height(plane, endA, endB) >= 0)) return true
    const { collider } = this.pair
    return dot(collider.separating(startA, startB).normal, collider.separating(endA, endB).normal) >= SAME_SIDE
  }

  /** Only planes of polyhedra are cached: those of curved solids are valid for one evaluation only. */
  private get remembers(): boolean {
    return this.a !== null && (this.b !== null || this.ground !== null)
  }

  /**
   * m: depth of a vertex of one of two polyhedra, among those that reach farthest across the cached planes, inside the other. A sphere of that radius
   * about it is inside too, so the overlap is at least this in every direction.
   */
  private overlapsBy(a: Pose, b: Pose): number {
    if (this.a === null || this.b === null) return -Infinity
    return Math.max(depthOf(this.a, this.supportA, a, this.b, b), depthOf(this.b, this.supportB, b, this.a, a))
  }

  private fixed(normal: Vec3, a: Pose, b: Pose): FixedPlane[] {
    if (this.ground !== null) return [...this.planes]
    const [x, y, z] = rotateInverse(b.orientation, normal)
    const [i, j, k] = rotateInverse(a.orientation, normal)
    this.supportB = this.b!.supportIndex(x, y, z, this.supportB)
    this.supportA = this.a!.supportIndex(-i, -j, -k, this.supportA)
    return [
      { onA: false, x, y, z, reach: along(this.b!, this.supportB, x, y, z) }, { onA: true, x: i, y: j, z: k, reach: -along(this.a!, this.supportA, i, j, k) },
    ]
  }

  /** m: height of the lowest point of A above the highest of B along the plane's normal. */
  private height({ onA, x, y, z, reach }: FixedPlane, a: Pose, b: Pose): number {
    const q = onA ? a.orientation : b.orientation
    const qx = q[0]
    const qy = q[1]
    const qz = q[2]
    const qw = q[3]
    let tx = 2 * (qy * z - qz * y)
    let ty = 2 * (qz * x - qx * z)
    let tz = 2 * (qx * y - qy * x)
    const nx = x + qw * tx + qy * tz - qz * ty
    const ny = y + qw * ty + qz * tx - qx * tz
    const nz = z + qw * tz + qx * ty - qy * tx
    const p = a.position
    const c = b.position
    const between = nx * (p[0] - c[0]) + ny * (p[1] - c[1]) + nz * (p[2] - c[2]) - reach
    // The normal in the other body's frame.
    const o = onA ? b.orientation : a.orientation
    const ox = o[0]
    const oy = o[1]
    const oz = o[2]
    const ow = o[3]
    tx = 2 * (oz * ny - oy * nz)
    ty = 2 * (ox * nz - oz * nx)
    tz = 2 * (oy * nx - ox * ny)
    const mx = nx + ow * tx - (oy * tz - oz * ty)
    const my = ny + ow * ty - (oz * tx - ox * tz)
    const mz = nz + ow * tz - (ox * ty - oy * tx)
    if (onA) {
      this.supportB = this.b!.supportIndex(mx, my, mz, this.supportB)
      return between - along(this.b!, this.supportB, mx, my, mz)
    }
    this.supportA = this.a!.supportIndex(-mx, -my, -mz, this.supportA)
    return between + along(this.a!, this.supportA, mx, my, mz)
  }
}

function along({ coordinates }: Polyhedron, v: number, x: number, y: number, z: number): number {
  return coordinates[3 * v]! * x + coordinates[3 * v + 1]! * y + coordinates[3 * v + 2]! * z
}

/** m: depth of vertex v of one solid below every face of another. */
function depthOf(
  { coordinates: c }: Polyhedron, v: number, { position: p, orientation: q }: Pose, other: Polyhedron, { position: o, orientation: r }: Pose,
): number {
  const vx = c[3 * v]!
  const vy = c[3 * v + 1]!
  const vz = c[3 * v + 2]!
  let tx = 2 * (q[1] * vz - q[2] * vy)
  let ty = 2 * (q[2] * vx - q[0] * vz)
  let tz = 2 * (q[0] * vy - q[1] * vx)
  const wx = p[0] - o[0] + (vx + q[3] * tx + q[1] * tz - q[2] * ty)
  const wy = p[1] - o[1] + (vy + q[3] * ty + q[2] * tx - q[0] * tz)
  const wz = p[2] - o[2] + (vz + q[3] * tz + q[0] * ty - q[1] * tx)
  tx = 2 * (r[2] * wy - r[1] * wz)
  ty = 2 * (r[0] * wz - r[2] * wx)
  tz = 2 * (r[1] * wx - r[0] * wy)
  const x = wx + r[3] * tx - (r[1] * tz - r[2] * ty)
  const y = wy + r[3] * ty - (r[2] * tx - r[0] * tz)
  const z = wz + r[3] * tz - (r[0] * ty - r[1] * tx)
  let depth = Infinity
  for (const { normal, offset } of other.faces) depth = Math.min(depth, offset - (normal[0] * x + normal[1] * y + normal[2] * z))
  return depth
}
