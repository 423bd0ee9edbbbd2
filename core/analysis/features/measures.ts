/** Lengths, areas, radii, distances and angles of features in the world. */

import { atan2, hypot } from '../../math/elementary'
import { addScaled, cross, distance, dot, length, lengthSquared, normalize, perpendicular, scale, sub, type Vec3 } from '../../math/vector'
import { newell } from '../../geometry/polyhedron-build'
import { HalfSpace } from '../../geometry/half-space'
import { supportDistance, supportIn, type Distance, type Support } from '../distance'
import type { Feature } from './feature'
import { straightDistance, type Straight } from './straight'

/** Distances smaller than this × the largest coordinate are rounding errors of features that touch. */
const TOUCHING = 1e-15
/** Sine of the angle up to which directions are parallel: rounding of a body's orientation. */
const PARALLEL = 1e-9

/** Measures of one feature. Lengths in m, areas in m². */
export interface OwnMeasure {
  readonly quantity: 'length' | 'area' | 'radius'
  readonly value: number
}

export interface Between extends Distance {
  /** Degrees, 0 to 90; up to 180 between edges that share an end, up to 360 (in the solid) between faces that share an edge. Null: one has no direction. */
  readonly angle: number | null
  /** m, between parallel lines or planes in which the features lie, along their common perpendicular; null if they are not parallel. */
  readonly apart: number | null
}

export function ownMeasures(feature: Feature): OwnMeasure[] {
  switch (feature.kind) {
    case 'edge': return [{ quantity: 'length', value: distance(...feature.ends) }]
    case 'axis': return [...feature.radius === null ? [] : [{ quantity: 'radius', value: feature.radius } as const], { quantity: 'length', value: distance(...feature.ends) }]
    case 'face': return [{ quantity: 'area', value: feature.parts.reduce((sum, part) => sum + length(newell(part, part.map((_, i) => i))) / 2, 0) }]
    case 'disc': return [{ quantity: 'area', value: Math.PI * feature.radius * feature.radius }, { quantity: 'radius', value: feature.radius }]
    case 'circle': case 'sphere': return [{ quantity: 'radius', value: feature.radius }]
    case 'vertex': case 'point': case 'plane': case 'body': return []
  }
}

/** The shortest distance with its points, and the angle; null if a body has no solids, or for two half-spaces as bodies. */
export function measureBetween(a: Feature, b: Feature): Between | null {
  let nearest: Distance | null = null
  for (const one of convexParts(a)) {
    for (const other of convexParts(b)) {
      if (nearest !== null && leastDistance(one, other) >= nearest.distance) continue
      const found = partDistance(one, other)
      if (found !== null && (nearest === null || found.distance < nearest.distance)) nearest = found
    }
  }
  return nearest && { ...nearest, ...directions(a, b) }
}

interface Plane {
  readonly kind: 'plane'
  readonly point: Vec3
  readonly normal: Vec3
  /** Whether everything below belongs to it. */
  readonly solid: boolean
}

interface Angular {
  readonly kind: 'straight'
  readonly points: Straight
  /** m, from the first point to the farthest. */
  readonly reach: number
}

/** Bounded by a curve or a curved surface. */
interface Curved {
  readonly kind: 'curved'
  readonly support: Support
  readonly middle: Vec3
}

type Part = Plane | Angular | Curved

function convexParts(feature: Feature): Part[] {
  switch (feature.kind) {
    case 'vertex': case 'point': return [straight([feature.point])]
    case 'circle': case 'sphere': return [straight([feature.centre])]
    case 'edge': case 'axis': return [straight(feature.ends)]
    case 'face': return feature.parts.map(straight)
    case 'disc': return [{ kind: 'curved', support: discSupport(feature), middle: feature.centre }]
    case 'plane': return [{ ...feature, solid: false }]
    case 'body': return feature.solids.map(solid => {
      if (!(solid.primitive instanceof HalfSpace)) return { kind: 'curved', support: supportIn(solid), middle: solid.pose.position }
      const { normal, offset } = solid.primitive.placed(solid.pose)
      return { kind: 'plane', point: scale(normal, offset), normal, solid: true }
    })
  }
}

function straight(points: Straight): Angular {
  return { kind: 'straight', points, reach: points.reduce((most, p) => Math.max(most, distance(p, points[0]!)), 0) }
}

/** A lower bound of the distance by the bounding balls of both: a face of a mesh may have thousands of parts. */
function leastDistance(a: Part, b: Part): number {
  return a.kind === 'straight' && b.kind === 'straight' ? distance(a.points[0]!, b.points[0]!) - a.reach - b.reach : 0
}

const supportOf = (part: Angular | Curved): Support => part.kind === 'curved' ? part.support
  : direction => part.points.reduce((best, p) => dot(p, direction) > dot(best, direction) ? p : best)
const middleOf = (part: Angular | Curved): Vec3 => part.kind === 'curved' ? part.middle : part.points[0]!

function discSupport({ centre, normal, radius }: Feature & { kind: 'disc' }): Support {
  const u = perpendicular(normal)
  const v = cross(normal, u)
  return direction => {
    const [x, y] = [dot(direction, u), dot(direction, v)]
    const size = hypot(x, y)
    return size > 0 ? addScaled(addScaled(centre, u, x * radius / size), v, y * radius / size) : centre
  }
}

function partDistance(a: Part, b: Part): Distance | null {
  if (a.kind === 'plane') return b.kind === 'plane' ? planeDistance(a, b) : swapped(fromPlane(b, a))
  if (b.kind === 'plane') return fromPlane(a, b)
  const found = a.kind === 'straight' && b.kind === 'straight' ? straightDistance(a.points, b.points)
    : supportDistance(supportOf(a), supportOf(b), sub(middleOf(b), middleOf(a)))
  const size = Math.max(1e-300, ...found.pointA.map(Math.abs), ...found.pointB.map(Math.abs))
  return found.distance <= TOUCHING * size ? { ...found, distance: 0 } : found
}

const swapped = ({ distance, pointA, pointB }: Distance): Distance => ({ distance, pointA: pointB, pointB: pointA })

function fromPlane(part: Angular | Curved, { point, normal, solid }: Plane): Distance {
  const support = supportOf(part)
  const low = support(scale(normal, -1))
  const high = support(normal)
  const [below, above] = [dot(normal, sub(low, point)), dot(normal, sub(high, point))]
  if (below > 0) return { distance: below, pointA: low, pointB: addScaled(low, normal, -below) }
  if (above < 0 && !solid) return { distance: -above, pointA: high, pointB: addScaled(high, normal, -above) }
  const crossing = above > below ? addScaled(low, sub(high, low), -below / (above - below)) : low
  const touching = solid && above < 0 ? high : crossing
  return { distance: 0, pointA: touching, pointB: touching }
}

function planeDistance(a: Plane, b: Plane): Distance | null {
  if (a.solid || b.solid) return null
  const height = dot(b.normal, sub(a.point, b.point))
  if (isParallel(a.normal, b.normal)) return { distance: Math.abs(height), pointA: a.point, pointB: addScaled(a.point, b.normal, -height) }
  // Along the gradient of b's height in plane a, to the line in which the planes intersect.
  const slope = addScaled(b.normal, a.normal, -dot(a.normal, b.normal))
  const crossing = addScaled(a.point, slope, -height / dot(b.normal, slope))
  return { distance: 0, pointA: crossing, pointB: crossing }
}

const isParallel = (u: Vec3, v: Vec3): boolean => length(cross(u, v)) <= PARALLEL

/** The line or plane in which a feature lies. */
function flatOf(feature: Feature): { readonly point: Vec3, readonly line?: Vec3, readonly normal?: Vec3 } | null {
  switch (feature.kind) {
    case 'edge': case 'axis': return { point: feature.ends[0], line: normalize(sub(feature.ends[1], feature.ends[0])) }
    case 'face': return { point: feature.parts[0]![0]!, normal: feature.normal }
    case 'disc': case 'circle': return { point: feature.centre, normal: feature.normal }
    case 'plane': return { point: feature.point, normal: feature.normal }
    case 'vertex': case 'point': case 'sphere': case 'body': return null
  }
}

function directions(a: Feature, b: Feature): { angle: number | null, apart: number | null } {
  const [one, other] = [flatOf(a), flatOf(b)]
  if (one === null || other === null) return { angle: null, apart: null }
  const between = sub(other.point, one.point)
  const [u, v] = [(one.line ?? one.normal)!, (other.line ?? other.normal)!]
  const [sine, cosine] = [length(cross(u, v)), Math.abs(dot(u, v))]
  if (one.line && other.line) {
    const parallel = isParallel(u, v)
    return { angle: cornerAngle(a, b) ?? degrees(atan2(sine, cosine)), apart: parallel ? length(addScaled(between, u, -dot(between, u))) : null }
  }
  if (one.normal && other.normal) {
    return { angle: insideAngle(a, b) ?? degrees(atan2(sine, cosine)), apart: isParallel(u, v) ? Math.abs(dot(between, v)) : null }
  }
  const normal = (one.normal ?? other.normal)!
  return { angle: degrees(atan2(cosine, sine)), apart: cosine <= PARALLEL ? Math.abs(dot(between, normal)) : null }
}

const degrees = (radians: number): number => radians * 180 / Math.PI
const same = (p: Vec3, q: Vec3): boolean => p[0] === q[0] && p[1] === q[1] && p[2] === q[2]

/** Angle between two edges at their common vertex. */
function cornerAngle(a: Feature, b: Feature): number | null {
  if (a.kind !== 'edge' || b.kind !== 'edge') return null
  for (const i of [0, 1] as const) {
    for (const k of [0, 1] as const) {
      if (!same(a.ends[i], b.ends[k]) || same(a.ends[1 - i]!, b.ends[1 - k]!)) continue
      const [u, v] = [sub(a.ends[1 - i]!, a.ends[i]), sub(b.ends[1 - k]!, b.ends[k])]
      return degrees(atan2(length(cross(u, v)), dot(u, v)))
    }
  }
  return null
}

/** Angle between two faces at their common edge, inside the solid. */
function insideAngle(a: Feature, b: Feature): number | null {
  if (a.kind !== 'face' || b.kind !== 'face') return null
  const shared = a.outline.find(([p, q]) => b.outline.some(([r, s]) => (same(p, r) && same(q, s)) || (same(p, s) && same(q, r))))
  if (shared === undefined) return null
  const across = farthest(b, shared)
  const turn = degrees(atan2(length(cross(a.normal, b.normal)), dot(a.normal, b.normal)))
  return dot(a.normal, across) > 0 ? 180 + turn : 180 - turn
}

/** From an edge of a face to the part of the face farthest from the edge's line. */
function farthest({ parts }: Feature & { kind: 'face' }, [from, to]: readonly [Vec3, Vec3]): Vec3 {
  const along = normalize(sub(to, from))
  const offs = parts.flat().map(p => {
    const off = sub(p, from)
    return addScaled(off, along, -dot(off, along))
  })
  return offs.reduce((best, off) => lengthSquared(off) > lengthSquared(best) ? off : best)
}
