/**
 * Approximate convex pieces of a closed surface by cutting, best first: the part with the largest waste (volume of its hull outside the part) is cut in
 * two, by the plane that leaves the least waste, until every part is nearly its own hull [after the plane search of Wei et al. 2022, CoACD, with volumes
 * instead of distances]. Planes are tried through the concave edges, so that a ring, a gear or a drilled block is divided at its own corners and its holes
 * stay open; and axis-aligned planes, for surfaces too fine for that. The parts are cut from the solid itself, not from voxels, so the pieces contain all
 * of it.
 */

import { length, max, min, sub, type Vec3 } from '../math/vector'
import { fewerPieces } from './convex-pieces'
import { cornersOf, insideTest, reflexEdges, splitPart, volumeOf, wholePart, type CutPart, type ReflexEdge } from './cut-surface'
import { hullVolume } from './hull'
import type { Mesh } from './mesh'
import { sizeOf } from './polyhedron-build'
import { boundingCell, type Plane } from './solid-cells'

/** Most triangles of a surface that can be cut within seconds; finer surfaces use voxels. */
export const MAX_CUT_TRIANGLES = 12_000
/** Distance from a plane up to which a point lies on it, × size, as in the exact cut. */
const ON_PLANE = 1e-7
/** Parts for each requested piece: superfluous cuts are undone by joining parts at the least waste. */
const PARTS_PER_PIECE = 2
/** Waste, × the solid's volume, due to rounding: a piece with at most this waste is exact, and a join that wastes at most this is free. */
const NO_WASTE = 1e-9
/** Largest volume that the pieces may lack, × the solid's volume: rounding. */
const COMPLETE = 1e-6
/** Polygons evaluated for one cut, over all planes: 60 planes for a surface of 1,000 triangles, 10 for one of 6,000. */
const MAX_EVALUATED = 60_000
const MIN_PLANES = 10
const MAX_PLANES = 60
/** Positions of the axis-aligned planes, × the part's extent: the middle ones first. */
const STATIONS = [0.5, 0.25, 0.75] as const
/**
 * Weight of a part's extent relative to its waste. No single cut through a ring reduces the waste: without this the first cuts would be arbitrary. It is
 * small, so that the waste decides if it differs.
 */
const COMPACT = 0.05

interface Part {
  readonly cut: CutPart
  readonly edges: readonly ReflexEdge[]
  readonly corners: readonly Vec3[]
  readonly volume: number
  /** Volume of the hull minus that of the part, m³. */
  readonly waste: number
}

/**
 * @param mesh closed, of triangles, counter-clockwise seen from outside
 * @param most largest number of pieces
 * @param concavity share of its hull that a piece may leave empty, 0 to 1
 * @returns the corners of each piece, largest piece first; null if the surface is too fine
 */
export function cutPieces({ vertices, faces }: Mesh, most: number, concavity: number): Vec3[][] | null {
  if (faces.length > MAX_CUT_TRIANGLES) {
    return null
  }
  const triangles = faces.map(face => face.map(v => vertices[v]!))
  const tolerance = ON_PLANE * sizeOf(vertices)
  const isInside = insideTest(triangles)
  const whole = partOf(wholePart(triangles, boundingCell(vertices)), reflexEdges(vertices, faces), isInside)
  const open: Part[] = [whole]
  const done: Part[] = []
  const limit = PARTS_PER_PIECE * most
  while (open.length > 0 && open.length + done.length < limit) {
    const worst = open.reduce((at, part, i) => part.waste > open[at]!.waste ? i : at, 0)
    const [part] = open.splice(worst, 1)
    const halves = isDone(part!, whole, concavity) ? null : bestHalves(part!, isInside, tolerance)
    if (halves === null) {
      done.push(part!)
    } else {
      open.push(...halves)
    }
  }
  const parts = [...done, ...open].map(part => part.corners)
  const pieces = fewerPieces(parts, most, NO_WASTE * whole.volume)
  const volume = pieces.reduce((sum, points) => sum + hullVolume(points), 0)
  return volume < whole.volume * (1 - COMPLETE) ? null : pieces
}

function isDone({ waste, volume }: Part, whole: Part, concavity: number): boolean {
  return waste <= NO_WASTE * whole.volume || waste <= concavity * (volume + waste)
}

function partOf(cut: CutPart, edges: readonly ReflexEdge[], isInside: (p: Vec3) => boolean): Part {
  const corners = cornersOf(cut, isInside)
  const volume = volumeOf(cut)
  return { cut, edges, corners, volume, waste: Math.max(0, hullVolume(corners) - volume) }
}

/** Null if no plane cuts it. */
function bestHalves(part: Part, isInside: (p: Vec3) => boolean, tolerance: number): readonly [Part, Part] | null {
  const extent = extentOf(part)
  let least = Infinity
  let best: readonly [Part, Part] | null = null
  for (const plane of planesFor(part)) {
    const halves = splitPart(part.cut, plane, tolerance)
    if (halves === null) {
      continue
    }
    const [behind, front] = halves
    const a = partOf(behind, sideOf(part.edges, plane, -1, tolerance), isInside)
    const b = partOf(front, sideOf(part.edges, plane, 1, tolerance), isInside)
    const spread = (a.volume * extentOf(a) + b.volume * extentOf(b)) / (part.volume * extent)
    const cost = a.waste + b.waste + COMPACT * part.waste * spread
    if (cost < least) {
      least = cost
      best = [a, b]
    }
  }
  return best
}

function extentOf({ corners }: Part): number {
  return corners.length === 0 ? 0 : length(sub(corners.reduce(max), corners.reduce(min)))
}

/** Edges that extend beyond the plane on one side. Edges in the plane are opened by the cut. */
function sideOf(edges: readonly ReflexEdge[], { normal, offset }: Plane, side: number, tolerance: number): ReflexEdge[] {
  return edges.filter(({ ends }) => ends.some(p => side * (normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2] - offset) > tolerance))
}

/** Candidate planes: through the most concave edges and a sample of the other concave ones, and axis-aligned planes. */
function planesFor({ edges, corners, cut }: Part): Plane[] {
  const count = Math.max(MIN_PLANES, Math.min(MAX_PLANES, Math.floor(MAX_EVALUATED / cut.loops.length)))
  const [low, high] = [corners.reduce(min), corners.reduce(max)]
  const planes: Plane[] = STATIONS.flatMap(at => ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as const).map((normal, k) => ({
    normal, offset: low[k]! + at * (high[k]! - low[k]!),
  })))
  const byWeight = [...edges].sort((a, b) => b.weight - a.weight)
  const wanted = Math.max(2, Math.floor((count - planes.length) / 3))
  const sharpest = byWeight.slice(0, Math.ceil(wanted / 2))
  const others = byWeight.slice(sharpest.length)
  const stride = Math.max(1, Math.floor(others.length / Math.max(1, wanted - sharpest.length)))
  for (const edge of [...sharpest, ...others.filter((_, i) => i % stride === 0)]) {
    planes.push(...edge.planes)
  }
  return planes
}
