/** The manifold of a convex polyhedron on a half-space: every vertex near the plane, found from the lowest one by a search over neighbours. */

import type { HalfSpace } from '../../geometry/half-space'
import type { Polyhedron } from '../../geometry/polyhedron'
import type { FeaturePair } from '../contact'
import { vertexOnPlane } from '../polyhedron-half-space'
import type { ContactSink, Facing, Manifold } from './manifold'
import type { Placements } from './placements'

export class PlaneManifold implements Manifold {
  private lowest = 0
  private readonly known = new Map<number, FeaturePair>()
  private readonly reached: number[] = []
  /** The plane in the polyhedron's frame: a vertex v has the height x v_x + y v_y + z v_z − offset, m. */
  private x = 0
  private y = 0
  private z = 0
  private offset = 0
  /** Its normal in the world. */
  private nx = 0
  private ny = 0
  private nz = 0

  /** Both in their body frames. */
  constructor(private readonly solid: Polyhedron, private readonly ground: HalfSpace) {}

  contacts(at: Placements, a: number, b: number, reach: number, out: ContactSink): number {
    const bound = this.look(at, a, b)
    if (bound > reach) return bound
    const { reached, solid: { vertexNeighbors } } = this
    reached.length = 0
    reached.push(this.lowest)
    for (let k = 0; k < reached.length; k++) {
      for (const w of vertexNeighbors[reached[k]!]!) if (!reached.includes(w) && this.height(w) <= reach) reached.push(w)
    }
    reached.sort((v, w) => v - w)
    for (const v of reached) this.add(v, at, a, out)
    return bound
  }

  separation(at: Placements, a: number, b: number, out: Facing): number {
    const gap = this.look(at, a, b)
    if (gap >= 0) return gap
    this.add(this.lowest, at, a, {
      add: (_code, _features, x, y, z, nx, ny, nz) => { out.set([nx, ny, nz, x, y, z]) },
    })
    return gap
  }

  featuresOf(code: number): FeaturePair {
    let found = this.known.get(code)
    if (found === undefined) this.known.set(code, found = vertexOnPlane(this.solid, code, this.ground))
    return found
  }

  /** Transforms the plane and descends to the lowest vertex. @returns its height, m */
  private look({ position: p, rotation: R }: Placements, a: number, b: number): number {
    const { normal: [gx, gy, gz], offset } = this.ground
    const r = 9 * a
    const s = 9 * b
    const nx = this.nx = R[s]! * gx + R[s + 1]! * gy + R[s + 2]! * gz
    const ny = this.ny = R[s + 3]! * gx + R[s + 4]! * gy + R[s + 5]! * gz
    const nz = this.nz = R[s + 6]! * gx + R[s + 7]! * gy + R[s + 8]! * gz
    this.x = R[r]! * nx + R[r + 3]! * ny + R[r + 6]! * nz
    this.y = R[r + 1]! * nx + R[r + 4]! * ny + R[r + 7]! * nz
    this.z = R[r + 2]! * nx + R[r + 5]! * ny + R[r + 8]! * nz
    this.offset = offset - (nx * (p[3 * a]! - p[3 * b]!) + ny * (p[3 * a + 1]! - p[3 * b + 1]!) + nz * (p[3 * a + 2]! - p[3 * b + 2]!))
    this.lowest = this.solid.supportIndex(-this.x, -this.y, -this.z, this.lowest)
    return this.height(this.lowest)
  }

  private height(v: number): number {
    const c = this.solid.coordinates
    return this.x * c[3 * v]! + this.y * c[3 * v + 1]! + this.z * c[3 * v + 2]! - this.offset
  }

  private add(v: number, { position: p, rotation: R }: Placements, a: number, out: ContactSink): void {
    const { solid: { coordinates: c }, nx, ny, nz } = this
    const r = 9 * a
    const x = c[3 * v]!
    const y = c[3 * v + 1]!
    const z = c[3 * v + 2]!
    const gap = this.height(v)
    const half = gap / 2
    out.add(
      v, null, p[3 * a]! + R[r]! * x + R[r + 1]! * y + R[r + 2]! * z - nx * half, p[3 * a + 1]! + R[r + 3]! * x + R[r + 4]! * y + R[r + 5]! * z - ny * half,
      p[3 * a + 2]! + R[r + 6]! * x + R[r + 7]! * y + R[r + 8]! * z - nz * half, nx, ny, nz, gap)
  }
}
