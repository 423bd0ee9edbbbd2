/**
 * Which features of two convex polyhedra can touch, by their directions (applicability) and by their positions (feasibility) [PEG17 §4].
 *
 * Applicability is a sine, ≥ 0 if the features can touch in the present orientation; relaxing it to ≥ −sin θ admits features that can touch after a
 * relative rotation of θ within the step [PEG17 eq. 28–31]. Feasibility admits features that are near enough.
 */

import type { PlacedSolid } from './placed'

/**
 * APPL of vertex v on a face with outward normal η̂: the minimum of (w − v)·η̂/|w − v| over the neighbours w of v [PEG17 eq. 30]. If it is ≥ 0, no
 * neighbour lies lower than v.
 */
export function vertexApplicability({ vertices: V, solid }: PlacedSolid, v: number, nx: number, ny: number, nz: number): number {
  let least = Infinity
  for (const w of solid.vertexNeighbors[v]!) {
    const x = V[3 * w]! - V[3 * v]!
    const y = V[3 * w + 1]! - V[3 * v + 1]!
    const z = V[3 * w + 2]! - V[3 * v + 2]!
    least = Math.min(least, (x * nx + y * ny + z * nz) / Math.sqrt(x * x + y * y + z * z))
  }
  return least
}

/**
 * Half of the APPL of an edge pair [PEG17 eq. 31]: for a direction n̂ perpendicular to edge e, pointing *into* its body, the least t_i · n̂ over the
 * edge's two faces, with t_i the unit vector in the face perpendicular to e, into the face [PEG17 eq. 26]. If it is ≥ 0, the body lies on n̂'s side
 * of the edge.
 */
export function edgeApplicability({ directions: D, normals: N, solid }: PlacedSolid, e: number, nx: number, ny: number, nz: number): number {
  const { left, right } = solid.edges[e]!
  const dx = D[3 * e]!
  const dy = D[3 * e + 1]!
  const dz = D[3 * e + 2]!
  const [l, r] = [3 * left, 3 * right]
  // The left face's loop runs along the edge, the right one's against it.
  return Math.min(
    (N[l + 1]! * dz - N[l + 2]! * dy) * nx + (N[l + 2]! * dx - N[l]! * dz) * ny + (N[l]! * dy - N[l + 1]! * dx) * nz,
    (dy * N[r + 2]! - dz * N[r + 1]!) * nx + (dz * N[r]! - dx * N[r + 2]!) * ny + (dx * N[r + 1]! - dy * N[r]!) * nz)
}

/**
 * Whether a point can reach face f if nothing moves farther than `reach`, m: its foot lies within the face's polygon, or no farther beyond a
 * side. (The relaxed feasibility region of [PEG17 fig. 15], with the motion of a whole step for ε.)
 */
export function isOverFace({ vertices: V, normals: N, solid }: PlacedSolid, f: number, x: number, y: number, z: number, reach: number): boolean {
  const { loop } = solid.faces[f]!
  if (solid.prism !== null) return isOverSide(V, loop, x, y, z, reach)
  const nx = N[3 * f]!
  const ny = N[3 * f + 1]!
  const nz = N[3 * f + 2]!
  for (let k = 0; k < loop.length; k++) {
    const a = 3 * loop[k]!
    const b = 3 * loop[k + 1 === loop.length ? 0 : k + 1]!
    const sx = V[b]! - V[a]!
    const sy = V[b + 1]! - V[a + 1]!
    const sz = V[b + 2]! - V[a + 2]!
    const inside = (ny * sz - nz * sy) * (x - V[a]!) + (nz * sx - nx * sz) * (y - V[a + 1]!) + (nx * sy - ny * sx) * (z - V[a + 2]!)
    if (!(inside >= -reach * Math.sqrt(sx * sx + sy * sy + sz * sz))) return false
  }
  return true
}

/** The same for a side of a polygon, between its two ends. */
function isOverSide(V: Float64Array, [from, to]: readonly number[], x: number, y: number, z: number, reach: number): boolean {
  const a = 3 * from!
  const b = 3 * to!
  const sx = V[b]! - V[a]!
  const sy = V[b + 1]! - V[a + 1]!
  const sz = V[b + 2]! - V[a + 2]!
  const beyond = reach * Math.sqrt(sx * sx + sy * sy + sz * sz)
  return sx * (x - V[a]!) + sy * (y - V[a + 1]!) + sz * (z - V[a + 2]!) >= -beyond
    && sx * (V[b]! - x) + sy * (V[b + 1]! - y) + sz * (V[b + 2]! - z) >= -beyond
}

/** The plane spanned by the directions of two edges. */
export class Span {
  x = 0
  y = 0
  z = 0
  /** of n̂ against e × e′. */
  sign: 1 | -1 = 1
  /** sin² of the angle of the edges. */
  square = 0

  /** n̂ = ± e × e′/|e × e′| for edge i of one solid and edge j of another that are not parallel: the sign for which it points out of the other at its edge. */
  outOf(of: PlacedSolid, i: number, other: PlacedSolid, j: number): this {
    const { directions: D } = of
    const { directions: E, normals: N } = other
    const x = D[3 * i + 1]! * E[3 * j + 2]! - D[3 * i + 2]! * E[3 * j + 1]!
    const y = D[3 * i + 2]! * E[3 * j]! - D[3 * i]! * E[3 * j + 2]!
    const z = D[3 * i]! * E[3 * j + 1]! - D[3 * i + 1]! * E[3 * j]!
    const { left, right } = other.solid.edges[j]!
    const [l, r] = [3 * left, 3 * right]
    const out = x * N[l]! + y * N[l + 1]! + z * N[l + 2]! + (x * N[r]! + y * N[r + 1]! + z * N[r + 2]!)
    this.square = x * x + y * y + z * z
    this.sign = out < 0 ? -1 : 1
    const scale = this.sign / Math.sqrt(this.square)
    this.x = x * scale
    this.y = y * scale
    this.z = z * scale
    return this
  }
}
