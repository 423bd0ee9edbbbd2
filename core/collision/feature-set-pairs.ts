/** All contacts that the features of two solids can make with each other. */

import { dot, negate, type Vec3 } from '../math/vector'
import type { FeaturePair } from './contact'
import type { FeatureSet, LineFeature } from './feature-set'
import type { BoundaryPlane } from './pairs/boundary'
import { LineOnConePair } from './pairs/line-cone'
import { LineOnLinePair } from './pairs/line-line'
import { PointOnConePair } from './pairs/point-cone'
import { PointOnLinePair } from './pairs/point-line'
import { PointOnPlanePair } from './pairs/point-plane'
import { PointOnPointPair } from './pairs/point-point'
import { SurfacePair } from './pairs/surface'
import { SurfaceOnPlanePair } from './pairs/surface-plane'
import { SwappedPair } from './pairs/swapped'
import { PointSupport } from './support'

/** `slack`: lateral tolerance, m. */
export function featurePairs(a: FeatureSet, b: FeatureSet, slack: number): FeaturePair[] {
  return [
    ...oneWay(a, b, slack),
    ...oneWay(b, a, slack).map(pair => new SwappedPair(pair)),
    ...a.points.flatMap(p => b.points.map(q => new PointOnPointPair({
      featureA: p.feature, featureB: q.feature, pointA: p.point, radiusA: p.radius, pointB: q.point, radiusB: q.radius, boundary: [], slack,
    }))),
    ...a.lines.flatMap(p => b.lines.flatMap(q => ([1, -1] as const).map(sign => new LineOnLinePair({
      featureA: p.feature, featureB: q.feature, lineA: p.line, lineB: q.line, sign, slack,
    })))),
    ...a.curves.flatMap(p => b.curves.map(q => new SurfacePair({
      featureA: p.feature, featureB: q.feature, surface: p.curve, other: q.curve, middleA: p.middle, middle: q.middle, edge: null,
      size: a.size + b.size, inside: () => Infinity, slack,
    }))),
  ]
}

/** Pairs in which A's feature is the simpler one. */
function oneWay(a: FeatureSet, b: FeatureSet, slack: number): FeaturePair[] {
  const size = a.size + b.size
  return [
    ...b.flats.flatMap(flat => {
      const onto = { featureB: flat.feature, normal: flat.normal, offset: flat.offset, boundary: flat.boundary, disc: flat.disc, slack }
      return [
        ...a.points.map(p => new PointOnPlanePair({ ...onto, featureA: p.feature, point: p.point, radius: p.radius })),
        ...a.curves.map(c => new SurfaceOnPlanePair({ ...onto, featureA: c.feature, surface: c.curve })),
      ]
    }),
    ...b.lines.flatMap(q => [
      ...a.points.map(p => new PointOnLinePair({
        featureA: p.feature, featureB: q.feature, point: p.point, radiusA: p.radius, origin: q.line.origin, direction: q.line.direction,
        radiusB: q.line.radius, boundary: between(q), slack,
      })),
      ...a.curves.map(c => new SurfacePair({
        featureA: c.feature, featureB: q.feature, surface: c.curve, other: new PointSupport(q.line.origin, q.line.radius),
        middleA: c.middle, middle: middleOf(q), edge: q.line.direction, size, inside: (_, foot) => within(q, foot), slack,
      })),
    ]),
    ...b.points.flatMap(q => a.curves.map(c => new SurfacePair({
      featureA: c.feature, featureB: q.feature, surface: c.curve, other: new PointSupport(q.point, q.radius), middleA: c.middle, middle: q.point,
      edge: null, size, inside: () => Infinity, slack,
    }))),
    ...b.sides.flatMap(({ feature, side }) => [
      ...a.points.map(p => new PointOnConePair({ featureA: p.feature, featureB: feature, point: p.point, radius: p.radius, side, slack })),
      ...a.lines.flatMap(p => ([1, -1] as const).map(sign =>
        new LineOnConePair({ featureA: p.feature, featureB: feature, line: p.line, side, sign, slack }))),
    ]),
  ]
}

function between({ line }: LineFeature): BoundaryPlane[] {
  const start = dot(line.direction, line.origin)
  return [{ normal: line.direction, offset: start }, { normal: negate(line.direction), offset: -start - line.length }]
}

function within({ line }: LineFeature, foot: Vec3): number {
  const t = dot(line.direction, foot) - dot(line.direction, line.origin)
  return Math.min(t, line.length - t)
}

function middleOf({ line }: LineFeature): Vec3 {
  const [x, y, z] = line.direction
  const half = line.length / 2
  return [line.origin[0] + half * x, line.origin[1] + half * y, line.origin[2] + half * z]
}
