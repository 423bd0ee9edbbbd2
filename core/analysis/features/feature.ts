/** Geometric features that can be measured: vertices, edges, faces, circles and axes of shapes, points, planes and whole bodies. */

import { toOuter, type Pose } from '../../math/pose'
import { rotate } from '../../math/quaternion'
import type { Vec3 } from '../../math/vector'
import type { PlacedSolid } from '../distance'

type Segment = readonly [Vec3, Vec3]

/** Lengths in m; normals are unit vectors out of the solid. */
export type Feature =
  /** A vertex of a solid, or a point on its surface. */
  | { readonly kind: 'vertex' | 'point', readonly point: Vec3 }
  | { readonly kind: 'edge', readonly ends: Segment }
  /** The straight axis of a round solid. `radius` is null if the solid tapers. */
  | { readonly kind: 'axis', readonly ends: Segment, readonly radius: number | null }
  /** A flat face: convex parts, anticlockwise seen from outside, and the segments around their union. */
  | { readonly kind: 'face', readonly parts: readonly (readonly Vec3[])[], readonly outline: readonly Segment[], readonly normal: Vec3 }
  /** The flat round end of a cylinder or cone. */
  | { readonly kind: 'disc', readonly centre: Vec3, readonly normal: Vec3, readonly radius: number }
  /** The rim of such an end, measured from its centre. */
  | { readonly kind: 'circle', readonly centre: Vec3, readonly normal: Vec3, readonly radius: number }
  /** The surface of a ball, measured from its centre. */
  | { readonly kind: 'sphere', readonly centre: Vec3, readonly radius: number }
  /** The unbounded face of a half-space. */
  | { readonly kind: 'plane', readonly point: Vec3, readonly normal: Vec3 }
  | { readonly kind: 'body', readonly solids: readonly PlacedSolid[] }

export type FeatureKind = Feature['kind']

/**
 * A feature with the normals of the flat faces that it bounds. A feature of a convex solid is visible from the sides to
 * which these faces face.
 */
export interface ShapeFeature {
  readonly feature: Feature
  /** Empty if a curved surface of the solid bounds it. */
  readonly normals: readonly Vec3[]
}

/** The feature with its frame placed in an outer one. */
export function placedFeature(feature: Feature, pose: Pose): Feature {
  const at = (p: Vec3): Vec3 => toOuter(pose, p)
  const along = (v: Vec3): Vec3 => rotate(pose.orientation, v)
  const segment = ([a, b]: Segment): Segment => [at(a), at(b)]
  switch (feature.kind) {
    case 'vertex': case 'point': return { ...feature, point: at(feature.point) }
    case 'edge': case 'axis': return { ...feature, ends: segment(feature.ends) }
    case 'face': return { ...feature, parts: feature.parts.map(part => part.map(at)), outline: feature.outline.map(segment), normal: along(feature.normal) }
    case 'disc': case 'circle': return { ...feature, centre: at(feature.centre), normal: along(feature.normal) }
    case 'sphere': return { ...feature, centre: at(feature.centre) }
    case 'plane': return { ...feature, point: at(feature.point), normal: along(feature.normal) }
    case 'body': throw new RangeError('the solids of a body are placed already')
  }
}
