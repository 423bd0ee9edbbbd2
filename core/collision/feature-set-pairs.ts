/** All possible contacts between the features of two solids. */

import { hypot } from '../math/elementary'
import type { Pose } from '../math/pose'
import { addScaled, dot, negate, sub, type Vec3 } from '../math/vector'
import type { Feature, FeaturePair } from './contact'
import type { CurveFeature, FeatureSet, LineFeature } from './feature-set'
import type { BoundaryPlane } from './pairs/boundary'
import { LineOnLinePair, type Segment } from './pairs/line-line'
import { OutlineCrossingPair } from './pairs/outline-crossing'
import { pairKey } from './pairs/key'
import { PointOnConePair, type ConeSide } from './pairs/point-cone'
import { PointOnLinePair } from './pairs/point-line'
import { PointOnPlanePair } from './pairs/point-plane'
import { PointOnPointPair } from './pairs/point-point'
import { generator, RuledPair, type Ruled } from './pairs/ruled'
import type { Disc } from './round'
import { SurfacePair } from './pairs/surface'
import { SurfaceOnPlanePair } from './pairs/surface-plane'
import { SwappedPair } from './pairs/swapped'
import { PointSupport } from './support'

/** First number of rims in pairs with a line across them. */
const CHORD_ENDS = 2.1e9

/** `slack`: lateral tolerance, m. */
export function featurePairs(a: FeatureSet, b: FeatureSet, slack: number): FeaturePair[] {
  const size = a.size + b.size
  return [
    ...oneWay(a, b, slack),
    ...oneWay(b, a, slack).map(pair => new SwappedPair(pair)),
    ...a.points.flatMap(p => b.points.map(q => new PointOnPointPair({
      featureA: p.feature, featureB: q.feature, pointA: p.point, radiusA: p.radius, pointB: q.point, radiusB: q.radius, boundary: [], slack,
    }))),
    ...a.lines.flatMap(p => b.lines.flatMap(q => ([1, -1] as const).map(sign => new LineOnLinePair({
      featureA: p.feature, featureB: q.feature, lineA: p.line, lineB: q.line, sign, slack,
    })))),
    ...a.sides.flatMap(p => b.sides.flatMap(q => ([1, -1] as const).map(sign => new RuledPair({
      featureA: p.feature, featureB: q.feature, a: sideAsRuled(p.side), b: sideAsRuled(q.side), sign, slack,
    })))),
    ...a.curves.flatMap(p => b.curves.map(q => new SurfacePair({
      featureA: p.feature, featureB: q.feature, surface: p.curve, other: q.curve, middleA: p.middle, middle: q.middle, ruling: null,
      size, insideA: p.inside, inside: normal => q.inside(normal) < 0 ? -Infinity : Infinity, slack,
    }))),
  ]
}

/** Pairs in which A's feature is the simpler one. */
function oneWay(a: FeatureSet, b: FeatureSet, slack: number): FeaturePair[] {
  const size = a.size + b.size
  const onCurve = (c: CurveFeature) => ({ featureA: c.feature, surface: c.curve, insideA: c.inside, middleA: c.middle, disc: c.disc, size, slack })
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
        ...onCurve(c), featureB: q.feature, other: new PointSupport(q.line.origin, q.line.radius), ball: q.line.radius,
        middle: middleOf(q), ruling: { axis: q.line.direction, lean: 0 }, inside: (_, foot) => within(q, foot),
      })),
    ]),
    ...b.points.flatMap(q => a.curves.map(c => new SurfacePair({
      ...onCurve(c), featureB: q.feature, other: new PointSupport(q.point, q.radius), middle: q.point, ruling: null, inside: () => Infinity,
    }))),
    ...b.sides.flatMap(({ feature, side }) => [
      ...a.points.map(p => new PointOnConePair({ featureA: p.feature, featureB: feature, point: p.point, radius: p.radius, side, slack })),
      ...a.lines.flatMap(p => ([1, -1] as const).map(sign =>
        new RuledPair({ featureA: p.feature, featureB: feature, a: lineAsRuled(p.line), b: sideAsRuled(side), sign, slack }))),
      ...a.curves.map(c => {
        const { apex, axis, lean, length } = sideAsRuled(side)
        return new SurfacePair({
          ...onCurve(c), featureB: feature, other: new PointSupport(apex), middle: addScaled(apex, axis, -side.height / 2), ruling: { axis, lean },
          inside: (normal, foot) => {
            const down = dot(generator(axis, lean, normal), sub(foot, apex))
            return Math.min(down, length - down)
          },
        })
      }),
    ]),
  ]
}

/** A line across a disc of the other solid. */
export interface Chord {
  /** Key of the line with the disc's rim: they touch at one end of the chord, or at the other. */
  readonly key: string
  /** Corners of a contact region whose separation comes from other pairs. */
  readonly ends: readonly FeaturePair[]
  /** Whether an end lies on the line and its line over the disc. */
  isInside(end: number, a: Pose, b: Pose): boolean
}

export function chords(a: FeatureSet, b: FeatureSet, slack: number): Chord[] {
  const oneWay = (p: FeatureSet, q: FeatureSet): { line: Feature, rim: Feature, ends: OutlineCrossingPair[] }[] => p.lines.flatMap(line =>
    q.flats.flatMap(({ feature: { index }, disc }) => disc === undefined ? []
      : { line: line.feature, rim: { kind: 'rim', index }, ends: chordEnds(line, index, disc, slack) }))
  return [
    ...oneWay(a, b).map(({ line, rim, ends }): Chord => ({
      key: pairKey(line, rim), ends, isInside: (end, poseA, poseB) => ends[end]!.isInside(poseA, poseB),
    })),
    ...oneWay(b, a).map(({ line, rim, ends }): Chord => ({
      key: pairKey(rim, line), ends: ends.map(pair => new SwappedPair(pair)), isInside: (end, poseA, poseB) => ends[end]!.isInside(poseB, poseA),
    })),
  ]
}

function chordEnds({ feature, line }: LineFeature, index: number, disc: Disc, slack: number): OutlineCrossingPair[] {
  return ([1, -1] as const).map((side, end) => new OutlineCrossingPair({
    featureA: feature, featureB: { kind: 'rim', index: CHORD_ENDS + 2 * index + end }, outlineA: line, outlineB: disc, normal: disc.normal, side, slack,
  }))
}

function lineAsRuled({ origin, direction, length, radius }: Segment): Ruled {
  return { apex: addScaled(origin, direction, length), axis: direction, lean: 0, length, radius }
}

function sideAsRuled({ apex, axis, radius, height }: ConeSide): Ruled {
  const slant = hypot(radius, height)
  return { apex, axis, lean: radius / slant, length: slant, radius: 0 }
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
