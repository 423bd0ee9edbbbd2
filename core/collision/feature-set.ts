/**
 * A convex solid as a list of features, for pairs with cylinders and cones: points, straight lines, flats, curves, and the side of a cone. All in the body
 * frame.
 */

import type { Capsule } from '../geometry/capsule'
import type { Cone } from '../geometry/cone'
import type { Cylinder } from '../geometry/cylinder'
import type { Polyhedron } from '../geometry/polyhedron'
import type { Primitive } from '../geometry/shape'
import type { SmoothPrimitive } from '../geometry/smooth'
import type { Sphere } from '../geometry/sphere'
import { composePoses, toOuter, type Pose } from '../math/pose'
import { rotateInverse } from '../math/quaternion'
import { addScaled, dot, length, type Vec3 } from '../math/vector'
import type { Feature } from './contact'
import { sidePlanes } from './face-domain'
import type { BoundaryPlane } from './pairs/boundary'
import type { Segment } from './pairs/line-line'
import type { ConeSide } from './pairs/point-cone'
import { flatConvex, type FlatConvex } from './curved/flat-convex'
import { AXIS, END, endOf, rodOf } from './rod'
import { RimSupport, roundOf, type Disc, type Round } from './round'
import { SmoothSupport, type SupportMap } from './support'

export interface PointFeature { readonly feature: Feature, readonly point: Vec3, readonly radius: number }
export interface LineFeature { readonly feature: Feature, readonly line: Segment }
export interface FlatFeature {
  readonly feature: Feature
  readonly normal: Vec3
  readonly offset: number
  readonly boundary: readonly BoundaryPlane[]
  readonly disc?: Disc
  /** Edges of its outline that can cross a disc's rim when flat lies on flat. */
  readonly edges: readonly LineFeature[]
}
export interface CurveFeature {
  readonly feature: Feature
  readonly curve: SupportMap
  readonly middle: Vec3
  /** Of a rim. */
  readonly disc?: Disc
  /** Distance of an outward normal inside the range of the curve's normals, m; Infinity for a whole surface. */
  readonly inside: (normal: Vec3) => number
}
export interface SideFeature { readonly feature: Feature, readonly side: ConeSide }

export interface FeatureSet {
  readonly points: readonly PointFeature[]
  readonly lines: readonly LineFeature[]
  readonly flats: readonly FlatFeature[]
  readonly curves: readonly CurveFeature[]
  readonly sides: readonly SideFeature[]
  /** For fixed points of rims. */
  readonly round: Round | null
  /** Length scale of rounding, m. */
  readonly size: number
  /** The same solid as numbers, in the frame of its primitive, and the pose of that frame. */
  readonly flat: FlatConvex
  readonly pose: Pose
  /** Farthest point along a direction of the world. */
  support(body: Pose, direction: Vec3): Vec3
}

export function featureSet(primitive: Primitive, pose: Pose): FeatureSet {
  const common = {
    points: [], lines: [], flats: [], curves: [], sides: [], round: null, size: primitive.radius, flat: flatConvex(primitive), pose,
    support: (body: Pose, direction: Vec3): Vec3 => {
      const placed = composePoses(body, pose)
      return toOuter(placed, primitive.support(rotateInverse(placed.orientation, direction)))
    },
  }
  switch (primitive.kind) {
    case 'polyhedron':
      return { ...common, ...ofPolyhedron((primitive as Polyhedron).placed(pose)) }
    case 'sphere':
      return { ...common, points: [{ feature: END[0], point: pose.position, radius: (primitive as Sphere).radius }] }
    case 'capsule':
      return { ...common, ...ofCapsule(primitive as Capsule, pose) }
    case 'ellipsoid':
    case 'superquadric':
    case 'formula':
      return {
        ...common,
        curves: [{ feature: END[0], curve: new SmoothSupport(primitive as SmoothPrimitive, pose), middle: pose.position, inside: () => Infinity }],
      }
    case 'cylinder':
    case 'cone':
      return { ...common, ...ofRound(primitive as Cylinder | Cone, pose) }
    case 'halfSpace':
      throw new RangeError('A half-space has no list of features.')
  }
}

function ofPolyhedron(solid: Polyhedron): Partial<FeatureSet> {
  const line = (index: number): LineFeature => {
    const edge = solid.edges[index]!
    return {
      feature: { kind: 'edge', index },
      line: { origin: solid.vertices[edge.from]!, direction: edge.direction, length: edge.length, radius: 0 },
    }
  }
  return {
    points: solid.vertices.map((point, index) => ({ feature: { kind: 'vertex', index }, point, radius: 0 })),
    lines: solid.edges.map((_, index) => line(index)),
    flats: solid.faces.map((face, index) => ({
      feature: { kind: 'face', index }, normal: face.normal, offset: face.offset, boundary: sidePlanes(solid, face), edges: face.edges.map(line),
    })),
  }
}

function ofCapsule(capsule: Capsule, pose: Pose): Partial<FeatureSet> {
  const rod = rodOf(capsule, pose)
  return {
    points: ([0, 1] as const).map(end => ({ feature: END[end], point: endOf(rod, end), radius: rod.radius })),
    lines: [{ feature: AXIS, line: { origin: rod.from, direction: rod.direction, length: rod.length, radius: rod.radius } }],
  }
}

function ofRound(primitive: Cylinder | Cone, pose: Pose): Partial<FeatureSet> {
  const round = roundOf(primitive, pose)
  const flats = round.discs.map((disc, index): FlatFeature => ({
    feature: { kind: 'face', index }, normal: disc.normal, boundary: [], disc, edges: [],
    offset: disc.normal[0] * disc.center[0] + disc.normal[1] * disc.center[1] + disc.normal[2] * disc.center[2],
  }))
  const curves = round.discs.map((disc, index): CurveFeature =>
    ({ feature: { kind: 'rim', index }, curve: new RimSupport(disc), middle: disc.center, disc, inside: normal => offAxis(disc, normal) }))
  if (primitive.kind === 'cone') {
    return {
      round, flats, curves,
      points: [{ feature: { kind: 'vertex', index: 0 }, point: round.apex!, radius: 0 }],
      sides: [{ feature: { kind: 'surface', index: 0 }, side: { apex: round.apex!, axis: round.axis, radius: primitive.girth, height: primitive.height } }],
    }
  }
  const from = round.discs[0]!.center
  return { round, flats, curves, lines: [{ feature: AXIS, line: { origin: from, direction: round.axis, length: primitive.height, radius: primitive.girth } }] }
}

/** Along its axis a disc touches with its face, which a rim would duplicate; within this range of the axis the rim is excluded. */
const ALONG_AXIS = 1e-10

function offAxis(disc: Disc, normal: Vec3): number {
  return disc.radius * (length(addScaled(normal, disc.normal, -dot(normal, disc.normal))) - ALONG_AXIS)
}
