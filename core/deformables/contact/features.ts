/**
 * The contact features of deformables and of rigid shapes that they can touch: points, triangles and edges over one list of points, particles first,
 * then points fixed to carriers. Polyhedra contribute their vertices and edges, capsules their axis, spheres their centre.
 *
 * Every pair of near features is of one of two kinds: a point and a triangle, or two edges. If the nearest point of a pair lies on the border of a
 * feature (a side or a corner of the triangle, an end of an edge), other pairs share it. One of these pairs is responsible, so that no contact is
 * counted twice.
 */

import { neighbouringSides } from '../patches'

/**
 * Distance at which edges and triangles touch balls and capsules, × the radius of their deformable. Vertices touch at the whole radius, and carry everything
 * where the mesh is fine: a chord of length l between them sinks by l² / 8 R towards a ball of radius R. At the same distance the elements would carry instead
 * of the vertices, two triangles for each vertex of a sheet, so that forces are almost undetermined, and friction would act at the centre of the ball. Shapes
 * with flat faces are touched at the whole radius: there corners and edges press between vertices, and a box that tumbles onto a sheet takes twice as many
 * iterations with half of it. Flat round bases ask for half of it [element-pairs.ts].
 */
export const ROUND_SHARE = 0.25

export interface FeatureSpec {
  readonly particles: number
  /** Deformable of each particle, and half its thickness, m; 0 if it does not take part in contact. */
  readonly owners: Int32Array
  readonly radii: Float64Array
  /** Of sheets, 3 each. */
  readonly triangles: Int32Array
  /** Of ropes and hair, 2 each. */
  readonly segments: Int32Array
  readonly skeletons: readonly Skeleton[]
  /** Whether the particle is fixed to the carrier, and so does not touch it. */
  fixedTo(particle: number, carrier: number): boolean
}

/** A rigid shape as points and edges, thickened by a sphere of a given radius. */
export interface Skeleton {
  readonly carrier: number
  /** Number of the shape among all solids. */
  readonly solid: number
  /** In the carrier's frame, m, 3 each. */
  readonly points: Float64Array
  /** 2 each, of its points. */
  readonly edges: Int32Array
  /** m: radius of the sphere. */
  readonly radius: number
}

export interface Features {
  readonly particles: number
  /** Number of points: particles, followed by points of carriers. */
  readonly points: number
  /** Carrier of a point, −1 for particles; position in its frame, m. */
  readonly carriers: Int32Array
  readonly places: Float64Array
  /** Deformable of particles; solid of others. */
  readonly owners: Int32Array
  /** m: half the thickness of particles; 0 for other points, whose radius is that of `solid`. */
  readonly skins: Float64Array
  readonly solid: Float64Array
  readonly triangles: Int32Array
  readonly edges: Int32Array
  /** Edges below this number belong to deformables. */
  readonly own: number
  /** Each feature's number within its deformable or solid. */
  readonly numbers: { readonly points: Int32Array; readonly triangles: Int32Array; readonly edges: Int32Array }
  fixedTo(particle: number, carrier: number): boolean
  /** Whether the pair of a point and a triangle is responsible at its nearest points. */
  ownsPoint(point: number, triangle: number, weights: Float64Array): boolean
  /** Whether the pair of edges is responsible at its nearest points: s on the first, `weights` on the second. */
  ownsEdges(a: number, b: number, s: number, weights: Float64Array): boolean
}

export function featuresOf(spec: FeatureSpec): Features {
  const { particles, triangles, segments, skeletons } = spec
  const sides = neighbouringSides(triangles, particles)
  const sheetEdges: number[] = []
  /** By triangle: bits 0 to 2 for its sides, 3 to 5 for its corners. */
  const owned = new Uint8Array(triangles.length / 3)
  const cornered = new Set<number>()
  for (let s = 0; s < triangles.length; s++) {
    const t = Math.floor(s / 3)
    const k = s % 3
    if (sides[s]! < 0 || s < sides[s]!) {
      owned[t]! |= 1 << k
      sheetEdges.push(triangles[s]!, triangles[3 * t + (k + 1) % 3]!)
    }
    if (!cornered.has(triangles[s]!)) {
      cornered.add(triangles[s]!)
      owned[t]! |= 8 << k
    }
  }
  const rigidPoints = skeletons.reduce((sum, { points }) => sum + points.length / 3, 0)
  const points = particles + rigidPoints
  const carriers = new Int32Array(points).fill(-1)
  const places = new Float64Array(3 * points)
  const owners = new Int32Array(points)
  const skins = new Float64Array(points)
  const solid = new Float64Array(points)
  owners.set(spec.owners)
  skins.set(spec.radii)
  const edges = [...sheetEdges, ...segments]
  const own = edges.length / 2
  let next = particles
  for (const { carrier, solid: number, points: corners, edges: pairs, radius } of skeletons) {
    const count = corners.length / 3
    carriers.fill(carrier, next, next + count)
    owners.fill(number, next, next + count)
    solid.fill(radius, next, next + count)
    places.set(corners, 3 * next)
    for (const end of pairs) edges.push(next + end)
    // A sphere is an edge of zero length in contacts with ropes.
    if (pairs.length === 0) for (let p = next; p < next + count; p++) edges.push(p, p)
    next += count
  }
  const ofSheets = sheetEdges.length / 2
  const firstEdge = new Int32Array(points).fill(-1)
  for (let k = edges.length - 1; k >= 0; k--) firstEdge[edges[k]!] = k >> 1
  const ofPoints = (list: ArrayLike<number>, arity: number): Int32Array => {
    const next = new Map<number, number>()
    return Int32Array.from({ length: list.length / arity }, (_, e) => {
      const p = list[arity * e]!
      const owner = p < particles ? owners[p]! : -1 - owners[p]!
      const number = next.get(owner) ?? 0
      next.set(owner, number + 1)
      return number
    })
  }
  const numbers = { points: ofPoints(Array.from(owners.keys()), 1), triangles: ofPoints(triangles, 3), edges: ofPoints(edges, 2) }
  return {
    particles, points, carriers, places, owners, skins, solid, triangles, edges: Int32Array.from(edges), own, numbers, fixedTo: spec.fixedTo,
    ownsPoint(p, t, weights) {
      const bits = owned[t]!
      let held = 0
      let zero = 0
      for (let k = 0; k < 3; k++) if (weights[k] === 0) zero++; else held = k
      if (zero === 0) return true
      // Vertices against solids are covered by their own pairs.
      if (zero === 2) return p < particles && (bits & (8 << held)) !== 0
      const away = weights[0] === 0 ? 0 : weights[1] === 0 ? 1 : 2
      return (bits & (1 << (away + 1) % 3)) !== 0
    },
    ownsEdges(a, b, s, weights) {
      const endOfA = s === 0 ? edges[2 * a]! : s === 1 ? edges[2 * a + 1]! : -1
      const endOfB = weights[1] === 0 ? edges[2 * b]! : weights[0] === 0 ? edges[2 * b + 1]! : -1
      // If the nearest point is an end of an edge, point–triangle pairs and point–solid pairs cover it, provided that the other feature has such
      // pairs.
      if (endOfA >= 0 && (b < ofSheets || b >= own || firstEdge[endOfA] !== a)) return false
      if (endOfB >= 0 && (a < ofSheets || firstEdge[endOfB] !== b)) return false
      return true
    },
  }
}
