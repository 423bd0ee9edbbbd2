/**
 * Exact convex pieces of a closed mesh: the cells cut by its own faces, joined while the result is convex.
 *
 * Suitable for models with flat faces: stairs, cracks, brackets, chairs. A finely tessellated bowl would have as many pieces as facets; null then indicates
 * that an approximate decomposition is better.
 */

import { add, cross, length, lengthSquared, max, min, sub, type Vec3 } from '../math/vector'
import { convexHull } from './hull'
import type { Mesh } from './mesh'
import type { Polyhedron } from './polyhedron'
import { sizeOf } from './polyhedron-build'
import { polyhedronMass } from './polyhedron-mass'
import { solidCells } from './solid-cells'
import { ShapeError } from './shape'
import { distanceTo } from './surface-distance'
import { isInside, surfaceTree } from './surface-tree'

/** Distance from a face's plane up to which a point lies on it, × size: single precision coordinates of a flat side are off its plane by this much. */
const ON_PLANE = 1e-7
/**
 * The same for cuts, in order of preference. Nearly parallel faces within the tolerance count as one plane, which leaves slivers that reach beyond the mesh
 * where the planes of a narrow face and its neighbour diverge. Then a smaller tolerance keeps the planes apart, for more cells.
 */
const CUT_TOLERANCES = [ON_PLANE, 1e-9, 1e-11]
/** Thickness, × size, of slivers that are left out if they reach beyond the mesh all the same: that of faces whose corners are rounded to six digits. */
const THIN = 1e-6
/** Largest excess of a hull's volume over its parts', × volume, for the hull to be their union. */
const SAME_VOLUME = 1e-9
/** Largest difference between the volume of all pieces and the mesh's, × volume. */
const WHOLE_VOLUME = 1e-6
/** Most cells before joining, for each requested piece: joining does not reduce more cells to so few pieces. */
const CELLS_PER_PIECE = 6
/** Most triangles of a surface that is not convex: beyond this, cutting is slow and gives too many pieces to be useful. */
const MAX_TRIANGLES = 4000

interface Piece {
  readonly hull: Polyhedron
  readonly volume: number
}

/**
 * @param mesh closed, of triangles, counter-clockwise seen from outside
 * @param most largest number of pieces
 * @returns the corners of each piece, largest piece first; null if more pieces are needed or the surface is too fine
 */
export function exactPieces(mesh: Mesh, most: number): Vec3[][] | null {
  const whole = polyhedronMass(mesh.vertices, mesh.faces).volume
  const hull = pieceOf(mesh.vertices)
  if (hull !== null && hull.volume <= whole * (1 + SAME_VOLUME)) {
    return [[...hull.hull.vertices]]
  }
  if (mesh.faces.length > MAX_TRIANGLES) {
    return null
  }
  const size = sizeOf(mesh.vertices)
  const triangles = mesh.faces.map(face => face.map(v => mesh.vertices[v]!))
  const tree = surfaceTree(mesh)
  const away = distanceTo(tree)
  const reachesOut = ({ hull }: Piece) => hull.vertices.some(p => away(p) > ON_PLANE * size && !isInside(tree, p))
  for (const tolerance of CUT_TOLERANCES) {
    const cells = solidCells(triangles, tolerance * size, CELLS_PER_PIECE * most)
    if (cells === null) return null
    const pieces = cells.flatMap(cell => pieceOf(cell.flat()) ?? []).filter(piece => !reachesOut(piece) || thickness(piece) > THIN * size)
    joinAll(pieces)
    const sum = pieces.reduce((volume, piece) => volume + piece.volume, 0)
    if (pieces.length <= most && Math.abs(sum - whole) <= WHOLE_VOLUME * whole && !pieces.some(reachesOut)) return sorted(pieces)
  }
  return null
}

/**
 * Repeatedly joins the two pieces whose common hull wastes the least volume, until there are at most `most` and no join is free.
 * @param free pieces whose joining wastes at most this are joined even if there are few enough, m³
 * @returns the corners of each piece, largest piece first
 */
export function fewerPieces(pieces: readonly (readonly Vec3[])[], most: number, free = -Infinity): Vec3[][] {
  const left = pieces.flatMap(points => pieceOf(points) ?? [])
  const joins = new Map<Piece, Map<Piece, Piece | null>>(left.map(piece => [piece, new Map<Piece, Piece | null>()]))
  const joined = (a: Piece, b: Piece): Piece | null => {
    const known = joins.get(a)!.get(b)
    const piece = known === undefined ? pieceOf([...a.hull.vertices, ...b.hull.vertices]) : known
    joins.get(a)!.set(b, piece)
    return piece
  }
  for (;;) {
    const best = cheapestJoin(left, joined, true) ?? (left.length > most ? cheapestJoin(left, joined, false) : null)
    if (best === null || (left.length <= most && best.waste > free)) {
      return sorted(left)
    }
    left.splice(best.second, 1)
    left[best.first] = best.piece
    joins.set(best.piece, new Map())
  }
}

interface Join {
  readonly first: number
  readonly second: number
  readonly piece: Piece
  /** m³ */
  readonly waste: number
}

/** @param touching only joins pieces whose boxes touch: the hull of others contains the space between them */
function cheapestJoin(left: readonly Piece[], joined: (a: Piece, b: Piece) => Piece | null, touching: boolean): Join | null {
  let best: Join | null = null
  left.forEach((a, second) => left.slice(0, second).forEach((b, first) => {
    if (touching && apartBy(a, b) > 0) {
      return
    }
    const piece = joined(a, b)
    if (piece === null) {
      return
    }
    const waste = piece.volume - a.volume - b.volume
    if (best === null || waste < best.waste) {
      best = { first, second, piece, waste }
    }
  }))
  return best
}

/** Distance between the boxes of two pieces beyond rounding, m; at most 0 if they touch. */
function apartBy(a: Piece, b: Piece): number {
  const gap = max(sub(a.hull.bounds.min, b.hull.bounds.max), sub(b.hull.bounds.min, a.hull.bounds.max))
  return Math.max(...gap) - ON_PLANE * Math.max(a.hull.size, b.hull.size)
}

function sorted(pieces: readonly Piece[]): Vec3[][] {
  return [...pieces].sort((a, b) => b.volume - a.volume).map(piece => [...piece.hull.vertices])
}

/** Null for slivers without volume. */
function pieceOf(points: readonly Vec3[]): Piece | null {
  try {
    const hull = convexHull('mesh', distinct(points))
    return { hull, volume: hull.massProperties.volume }
  } catch (error) {
    if (error instanceof ShapeError) {
      return null
    }
    throw error
  }
}

/** Thickness of a flat piece, and less than the width of any, m. */
function thickness({ hull: { vertices, faces }, volume }: Piece): number {
  const area = faces.reduce((sum, { loop }) => sum + Array.from(loop).slice(2).reduce((part, v, k) => (
    part + length(cross(sub(vertices[loop[k + 1]!]!, vertices[loop[0]!]!), sub(vertices[v]!, vertices[loop[0]!]!))) / 2), 0), 0)
  return 2 * volume / area
}

/** Merges points whose distance is due to rounding. */
function distinct(points: readonly Vec3[]): Vec3[] {
  const grid = 1e-9 * sizeOf(points)
  const seen = new Map<string, Vec3>()
  for (const p of points) {
    const key = p.map(x => Math.round(x / grid)).join(' ')
    if (!seen.has(key)) {
      seen.set(key, p)
    }
  }
  return [...seen.values()]
}

/** Joins pairs whose union is convex until there are none. Deterministic: it always joins the first pair in order. */
function joinAll(pieces: Piece[]): void {
  const apart = new Map<Piece, Set<Piece>>(pieces.map(piece => [piece, new Set<Piece>()]))
  for (let i = 0; i < pieces.length; i++) {
    for (let j = 0; j < i; j++) {
      const [a, b] = [pieces[j]!, pieces[i]!]
      const joined = apart.get(a)!.has(b) ? null : joinOf(a, b)
      if (joined !== null) {
        pieces.splice(i, 1)
        pieces[j] = joined
        apart.set(joined, new Set())
        // The joined piece may now fit any other.
        i = -1
        break
      }
      apart.get(a)!.add(b)
      apart.get(b)!.add(a)
    }
  }
}

function joinOf(a: Piece, b: Piece): Piece | null {
  const allowed = ON_PLANE * Math.max(a.hull.size, b.hull.size)
  if (apartBy(a, b) > 0 || !shareSide(a.hull, b.hull, allowed)) {
    return null
  }
  const box = sub(max(a.hull.bounds.max, b.hull.bounds.max), min(a.hull.bounds.min, b.hull.bounds.min))
  const joined = pieceOf([...a.hull.vertices, ...b.hull.vertices])
  return joined !== null && joined.volume <= a.volume + b.volume + SAME_VOLUME * box[0] * box[1] * box[2] ? joined : null
}

/** Two disjoint solids with a convex union lie on either side of a plane that carries a face of each. */
function shareSide(a: Polyhedron, b: Polyhedron, allowed: number): boolean {
  return a.faces.some(face => b.faces.some(other =>
    Math.abs(face.offset + other.offset) <= 4 * allowed && lengthSquared(add(face.normal, other.normal)) <= ON_PLANE))
}
