/** Edits of hair: strands are added, removed, combed, and made longer or shorter. Lists by vertex follow. */

import { solidsOf } from '../../core/analysis/solids'
import { solidDistance, type PlacedSolid } from '../../core/analysis/distance'
import { ShapeError } from '../../core/geometry/shape'
import { Sphere } from '../../core/geometry/sphere'
import { composePoses } from '../../core/math/pose'
import { IDENTITY_ROTATION } from '../../core/math/quaternion'
import { add, addScaled, distance, dot, length, scale, sub, type Vec3 } from '../../core/math/vector'
import type { Body, DeformableOf, Shape } from '../../core/scene'
import { orientationOf, positionOf, shapesOf } from '../state/scene-access'

type Hair = DeformableOf<'hair'>

export interface Root {
  readonly point: Vec3
  /** Unit, outward. */
  readonly normal: Vec3
}

/** Segments of a new strand; the first one is clamped in the body. */
export const SEGMENTS = 5
/** Distance of a new strand's root from the surface, × the radius: a strand that starts at its radius would touch the surface. */
const OFF = 1.01

/** A straight strand along the normal. @param long m */
export function strandAt({ point, normal }: Root, radius: number, long: number): Vec3[] {
  return Array.from({ length: SEGMENTS + 1 }, (_, k) => rounded(addScaled(point, normal, OFF * radius + long * k / SEGMENTS)))
}

/** m, along the strand. */
export function strandLength(points: readonly Vec3[]): number {
  return points.slice(1).reduce((sum, point, k) => sum + distance(points[k]!, point), 0)
}

/** Adds a strand at each root. Painted factors of the new vertices are 1. @param radius m, of the hair */
export function growStrands(draft: Hair, roots: readonly Root[], body: string, long: number, radius: number): void {
  draft.strands = [...draft.strands, ...roots.map(root => ({ body, points: strandAt(root, radius, long) }))]
  const added = Array<number>(roots.length * (SEGMENTS + 1)).fill(1)
  if (draft.stretchFactors) draft.stretchFactors = [...draft.stretchFactors, ...added]
  if (draft.bendFactors) draft.bendFactors = [...draft.bendFactors, ...added]
}

/** Removes strands; pins, attachments and factors of the others follow their vertices. */
export function removeStrands(draft: Hair, gone: ReadonlySet<number>): void {
  const numbers = new Map<number, number>()
  let old = 0
  draft.strands.forEach(({ points }, strand) => {
    for (let k = 0; k < points.length; k++, old++) if (!gone.has(strand)) numbers.set(old, numbers.size)
  })
  draft.strands = draft.strands.filter((_, strand) => !gone.has(strand))
  const kept = <T>(list: readonly T[]): T[] => list.filter((_, vertex) => numbers.has(vertex))
  if (draft.stretchFactors) draft.stretchFactors = kept(draft.stretchFactors)
  if (draft.bendFactors) draft.bendFactors = kept(draft.bendFactors)
  if (draft.pins) draft.pins = draft.pins.flatMap(vertex => numbers.get(vertex) ?? [])
  if (draft.attachments) {
    draft.attachments = draft.attachments.flatMap(one => {
      const vertex = numbers.get(one.vertex ?? -1)
      return one.vertex === undefined ? [one] : vertex === undefined ? [] : [{ ...one, vertex }]
    })
  }
}

/** Takes the present place of a point, and returns what moves its next one out of the body. */
export type Outside = (from: Vec3) => (point: Vec3) => Vec3

/** Rounds of moving a point out of the body and back to its distance from the one before it. */
const ROUNDS = 8

/**
 * The strand after its points have moved: each segment keeps its length, from the root outwards, and points stay out of the body.
 * @param moves m, one a point; the root does not move
 */
export function combedStrand(points: readonly Vec3[], moves: readonly Vec3[], outside: Outside): Vec3[] {
  const combed: Vec3[] = [points[0]!]
  for (let k = 1; k < points.length; k++) {
    const before = combed[k - 1]!
    const long = distance(points[k - 1]!, points[k]!)
    const along = (to: Vec3): Vec3 => {
      const way = sub(to, before)
      const far = length(way)
      return addScaled(before, far > 0 ? scale(way, 1 / far) : scale(sub(points[k]!, points[k - 1]!), 1 / long), long)
    }
    const keptOut = outside(points[k]!)
    let point = along(add(points[k]!, moves[k]!))
    for (let round = 0; round < ROUNDS; round++) {
      const out = keptOut(point)
      if (out === point) break
      point = along(out)
    }
    combed.push(point)
  }
  return combed
}

/** Share of its distance from the root by which a point moves in one step at full strength. */
const STEP = 0.5

/**
 * Combs strands in one direction: each point moves by a share of its distance from the root along the strand, as under a brush that goes that way.
 * @param direction unit @param share 0 … 1 @param outside keeps the points of a strand out of the body that it grows on
 */
export function combTowards(
  draft: Hair, strands: ReadonlySet<number>, direction: Vec3, share: number, outside: (body: string | null | undefined) => Outside,
): void {
  draft.strands = draft.strands.map((strand, i) => {
    if (!strands.has(i)) return strand
    const moves = strand.points.map((_, k) => scale(direction, STEP * share * strandLength(strand.points.slice(0, k + 1))))
    return { ...strand, points: combedStrand(strand.points, moves, outside(strand.body)).map(rounded) }
  })
}

/** The strand scaled about its root. @param long m */
export function resizedStrand(points: readonly Vec3[], long: number): Vec3[] {
  const factor = long / strandLength(points)
  return points.map(point => rounded(addScaled(points[0]!, sub(point, points[0]!), factor)))
}

/** Moves the strands' lengths towards `long`, each by its share of the difference, 0 … 1. */
export function resizeStrands(draft: Hair, shares: ReadonlyMap<number, number>, long: number): void {
  draft.strands = draft.strands.map((strand, i) => {
    const share = shares.get(i) ?? 0
    if (share === 0) return strand
    const present = strandLength(strand.points)
    return { ...strand, points: resizedStrand(strand.points, present + share * (long - present)) }
  })
}

/** Strand of each vertex. */
export function strandsOf(hair: Pick<Hair, 'strands'>, vertices: Iterable<number>): Set<number> {
  const owners = hair.strands.flatMap(({ points }, strand) => points.map(() => strand))
  return new Set([...vertices].flatMap(vertex => owners[vertex] ?? []))
}

/**
 * Keeps points out of a body: a point that comes from `from`, outside, is moved over the tangent plane at the nearest point of each convex solid, by the radius
 * of the hair.
 */
export function outsideOf(body: Body | undefined, radius: number): Outside {
  if (body === undefined) return () => point => point
  const pose = { position: positionOf(body), orientation: orientationOf(body) }
  const solids = shapesOf(body).flatMap(shape => solidsIn(shape).map((primitive): PlacedSolid => (
    { primitive, pose: composePoses(pose, { position: positionOf(shape), orientation: orientationOf(shape) }) }
  )))
  return from => {
    const planes = solids.flatMap(solid => {
      const { distance: away, pointB } = solidDistance({ primitive: POINT, pose: { position: from, orientation: IDENTITY_ROTATION } }, solid)
      return away > 0 ? [{ at: pointB, normal: scale(sub(from, pointB), 1 / away) }] : []
    })
    return point => planes.reduce((out, { at, normal }) => {
      const height = dot(sub(out, at), normal)
      return height < radius ? addScaled(out, normal, OFF * radius - height) : out
    }, point)
  }
}

/** None for a shape that cannot be built; the inspector reports it. */
function solidsIn(shape: Shape) {
  try {
    return solidsOf(shape)
  } catch (error) {
    if (error instanceof ShapeError) return []
    throw error
  }
}

/** m: the distance to a ball of this radius is that to its centre within the rounding of coordinates. */
const POINT = new Sphere(1e-9)

/** m: coordinates are rounded to this, so that files stay short. */
const ROUNDING = 1e6

export const rounded = (point: Vec3): Vec3 => point.map(value => Math.round(value * ROUNDING) / ROUNDING) as unknown as Vec3
