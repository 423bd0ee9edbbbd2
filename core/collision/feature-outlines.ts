/** Features of two solids that can take part in a contact along a direction, selected by their extents before any pair is evaluated. */

import { rotateInverse } from '../math/quaternion'
import type { Pose } from '../math/pose'
import { addScaled, dot, length, negate, type Vec3 } from '../math/vector'
import type { FeaturePair, Separation } from './contact'
import { nameOf, type FeatureName } from './feature-name'
import type { FeatureSet, FlatFeature, LineFeature } from './feature-set'
import type { Disc } from './round'

/** Rounding margin beside the tolerance, × size. */
const MARGIN_ROUNDING = 1e-10
/** Difference of cosines up to which directions count as equal: rounding. */
const SAME_DIRECTION = 1e-9

interface Outline {
  readonly name: FeatureName
  /** Greatest height of the feature along a unit direction of the body frame, m. */
  reach(direction: Vec3): number
  /** Upper bound of the cosine between a unit direction and the normals with which the feature can touch. */
  facing(direction: Vec3): number
}

export class FeatureOutlines {
  private readonly ofA: readonly Outline[]
  private readonly ofB: readonly Outline[]
  private readonly left = new Set<FeatureName>()
  private readonly right = new Set<FeatureName>()

  constructor(private readonly a: FeatureSet, private readonly b: FeatureSet) {
    this.ofA = outlines(a)
    this.ofB = outlines(b)
  }

  /** Excludes features too far from the plane between the solids to touch within a tolerance, m. */
  keepNear(a: Pose, b: Pose, { separation, normal }: Separation, tolerance: number): void {
    const margin = 4 * (tolerance + Math.abs(separation)) + MARGIN_ROUNDING * (this.a.size + this.b.size)
    nearest(this.ofA, rotateInverse(a.orientation, negate(normal)), margin, this.left)
    nearest(this.ofB, rotateInverse(b.orientation, normal), margin, this.right)
  }

  /** Excludes features whose normals all differ from a direction out of B by more than the angle of a cosine. */
  keepFacing(a: Pose, b: Pose, normal: Vec3, cosine: number): void {
    facing(this.ofA, rotateInverse(a.orientation, negate(normal)), cosine, this.left)
    facing(this.ofB, rotateInverse(b.orientation, normal), cosine, this.right)
  }

  /** Whether both features are among those kept last. */
  isNear({ featureA, featureB }: FeaturePair): boolean {
    return this.left.has(nameOf(featureA)) && this.right.has(nameOf(featureB))
  }
}

function nearest(all: readonly Outline[], direction: Vec3, margin: number, into: Set<FeatureName>): void {
  into.clear()
  const reaches = all.map(outline => outline.reach(direction))
  const limit = reaches.reduce((most, reach) => reach < Infinity ? Math.max(most, reach) : most, -Infinity) - margin
  all.forEach(({ name }, k) => { if (!(reaches[k]! < limit)) into.add(name) })
}

function facing(all: readonly Outline[], direction: Vec3, cosine: number, into: Set<FeatureName>): void {
  into.clear()
  for (const outline of all) if (outline.facing(direction) >= cosine - SAME_DIRECTION) into.add(outline.name)
}

function outlines({ points, lines, flats, curves, sides }: FeatureSet): Outline[] {
  const anywhere = (): number => 1
  return [
    ...points.map(({ feature, point, radius }): Outline => ({ name: nameOf(feature), reach: d => dot(d, point) + radius, facing: anywhere })),
    ...lines.map((line): Outline => ({ name: nameOf(line.feature), reach: d => lineReach(line, d), facing: d => across(line.line.direction, d) })),
    ...flats.map((flat): Outline => ({ name: nameOf(flat.feature), reach: d => flatReach(flat, d), facing: d => dot(flat.normal, d) })),
    // A smooth surface reaches any height.
    ...curves.map(({ feature, disc }): Outline => ({
      name: nameOf(feature), reach: disc === undefined ? () => Infinity : d => discReach(disc, d), facing: anywhere,
    })),
    ...sides.map(({ feature, side: { apex, axis, radius, height } }): Outline => ({
      name: nameOf(feature), facing: anywhere,
      reach: d => Math.max(dot(d, apex), discReach({ center: addScaled(apex, axis, -height), normal: axis, radius }, d)),
    })),
  ]
}

function lineReach({ line: { origin, direction, length: extent, radius } }: LineFeature, d: Vec3): number {
  return dot(d, origin) + Math.max(0, extent * dot(d, direction)) + radius * across(direction, d)
}

function flatReach({ disc, edges }: FlatFeature, d: Vec3): number {
  return disc === undefined ? edges.reduce((most, edge) => Math.max(most, lineReach(edge, d)), -Infinity) : discReach(disc, d)
}

function discReach({ center, normal, radius }: Disc, d: Vec3): number {
  return dot(d, center) + radius * across(normal, d)
}

/** Sine of the angle between two unit vectors. */
function across(axis: Vec3, d: Vec3): number {
  return length(addScaled(d, axis, -dot(d, axis)))
}
