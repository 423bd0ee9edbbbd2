/**
 * Flat on round: a disc on a flat of another body touches with its whole area, and no finite number of points constrains its outline. So a few fixed points
 * of its rim are used, together with the corners where the rim crosses the flat's outline. If a load acts on the rim between them, the exact point of action
 * is added [Baraff92 ch. 15 leaves it open]. Quantities of a contact problem along the rim (speed, acceleration) are affine in the point, because both
 * bodies are rigid and their faces stay together. So three values determine the lowest point.
 */

import { atan2, cos } from '../math/elementary'
import { toInner, type Pose } from '../math/pose'
import { rotate, rotateInverse } from '../math/quaternion'
import { addScaled, cross, dot, length, scale, sub, type Vec3 } from '../math/vector'
import type { Feature, FeaturePair, Landing, Rim } from './contact'
import type { FlatFeature } from './feature-set'
import { sineBetween, tiltMargin } from './pairs/boundary'
import { pairKey } from './pairs/key'
import { OutlineCrossingPair, type Outline } from './pairs/outline-crossing'
import { PointOnPlanePair } from './pairs/point-plane'
import { SurfaceOnPlanePair } from './pairs/surface-plane'
import { RimSupport, rimPoint, type Disc, type Round } from './round'

/** Fixed points of a disc. */
export const RIM_POINTS = 8
/** Fixed points around a nearly flat disc in a step, besides its lowest one. A lower point between them is added in the next round. */
const STEP_POINTS = 4
/** Number of named angles in a turn; crossings are named after them. */
const ANGLES = 1e9

/** Tilt at which a disc has landed, × the tilt at which it starts to lie flat. Small, because the disc is then held at that height. */
const LANDED = 1e-3

/** A disc of the first body over a flat of the second; `slack`: the tolerance of contact, m. */
export class FlushRim {
  /** The features of the disc's lowest point on the flat while it is tilted. */
  readonly onto: { readonly featureA: Feature, readonly featureB: Feature }
  /** The point of the rim farthest from the flat: when it touches, a tilted disc lies flat. */
  readonly far: FeaturePair
  private readonly disc: Disc

  constructor(private readonly round: Round, private readonly index: number, private readonly flat: FlatFeature, private readonly slack: number) {
    this.disc = round.discs[index]!
    const { feature, normal, offset } = flat
    this.onto = { featureA: this.named(0), featureB: feature }
    this.far = new SurfaceOnPlanePair({
      featureA: this.named(1), featureB: feature, surface: new RimSupport(this.disc, 'far'), normal, offset,
      boundary: [], slack,
    })
  }

  /** Normal of the flat, in the world. */
  normal(_own: Pose, other: Pose): Vec3 {
    return rotate(other.orientation, this.flat.normal)
  }

  /** Whether the disc faces the flat. */
  faces(own: Pose, other: Pose): boolean {
    return dot(rotate(own.orientation, this.disc.normal), this.normal(own, other)) < 0
  }

  /** Whether the whole rim of the disc is within the tolerance of the plane of the flat, regardless of the outlines. */
  lies(own: Pose, other: Pose): boolean {
    const out = rotateInverse(own.orientation, this.normal(own, other))
    const { normal, radius } = this.disc
    return dot(normal, out) < 0 && 2 * tiltMargin(sineBetween(normal, out), radius, this.slack) >= tiltMargin(0, radius, this.slack)
  }

  /**
   * Remaining height of the tilted disc before it lies flat, m: height of its far side over the lowest, minus that in the flat position. Near the flat
   * position its lowest point moves around the rim very quickly, so the tilt is taken along its current direction; it is negative beyond flat.
   */
  landing(own: Pose, other: Pose): Landing {
    const tilt = (o: Pose, p: Pose): Vec3 => {
      const out = this.normal(o, p)
      const axis = rotate(o.orientation, this.disc.normal)
      return rotateInverse(p.orientation, addScaled(axis, out, -dot(axis, out)))
    }
    const now = tilt(own, other)
    const direction = scale(now, 1 / length(now))
    const lies = LANDED * tiltMargin(0, this.disc.radius, this.slack)
    return (o, p) => 2 * this.disc.radius * dot(direction, tilt(o, p)) - lies
  }

  /** Fixed points of the rim and its crossings with the flat's outline, including points outside the flat. */
  points(): FeaturePair[] {
    return [
      ...Array.from({ length: RIM_POINTS }, (_, k) => this.at(2 * Math.PI * k / RIM_POINTS)),
      ...this.flat.edges.flatMap(({ feature, line }) => this.crossings(feature, line)),
      ...(this.flat.disc === undefined ? [] : this.crossings(this.flat.feature, this.flat.disc)),
    ]
  }

  /** Whether the disc faces the flat with so little tilt that its highest point is at most `reach` above its lowest, m. */
  isNearlyFlat(own: Pose, other: Pose, reach: number): boolean {
    return this.faces(own, other) && 2 * this.disc.radius * sineBetween(rotate(own.orientation, this.disc.normal), this.normal(own, other)) <= reach
  }

  /**
   * Points fixed to the rim over the flat: the lowest one first, then others around it. Empty if the lowest one is not
   * over the flat.
   */
  around(own: Pose, other: Pose): FeaturePair[] {
    const { axis, meridian } = this.round
    const out = rotateInverse(own.orientation, this.normal(own, other))
    const lowest = atan2(-dot(out, cross(axis, meridian)), -dot(out, meridian))
    const isOver = (pair: FeaturePair): boolean => pair.margin(own, other) >= 0
    // It has the key of the lowest point of a tilted disc, which it replaces for the step.
    const first = this.at(lowest, { flush: false, name: 0 })
    if (!isOver(first)) return []
    const apart = (angle: number): boolean => cos(angle - lowest) < cos(Math.PI / STEP_POINTS)
    const angles = Array.from({ length: STEP_POINTS }, (_, k) => 2 * Math.PI * k / STEP_POINTS)
    return [first, ...angles.filter(apart).map(angle => this.at(angle, { flush: false })).filter(isOver)]
  }

  /** The rim at these poses as a side of the contact region. */
  side(own: Pose, other: Pose): Rim {
    const within = (angle: number): number | null => this.at(angle).margin(own, other) >= 0 ? angle : null
    return {
      at: angle => this.at(angle),
      lowest: value => {
        const [p, q, r] = [0, Math.PI / 2, Math.PI].map(angle => value(this.at(angle))) as [number, number, number]
        const mean = (p + r) / 2
        return within(atan2(mean - q, (r - p) / 2))
      },
      towards: point => {
        const { axis, meridian } = this.round
        const way = sub(toInner(own, point), this.disc.center)
        return within(atan2(dot(way, cross(axis, meridian)), dot(way, meridian)))
      },
    }
  }

  /** @param flush whether it counts only while the disc lies flat */
  private at(angle: number, { flush = true, name = nameOf(angle) } = {}): FeaturePair {
    const { feature, normal, offset, boundary, disc } = this.flat
    return new PointOnPlanePair({
      featureA: this.named(name), featureB: feature, point: rimPoint(this.round, this.disc, angle), radius: 0, normal, offset, boundary, disc,
      slack: this.slack, ...(flush ? { flush: this.disc } : {}),
    })
  }

  private crossings(featureB: Feature, outlineB: Outline): FeaturePair[] {
    return ([1, -1] as const).map(side => new OutlineCrossingPair({
      featureA: this.named(ANGLES + 2 + (side > 0 ? 0 : 1)), featureB, outlineA: this.disc, outlineB, normal: this.flat.normal, side, slack: this.slack,
    }))
  }

  private named(name: number): Feature {
    return { kind: 'rim', index: this.index + this.round.discs.length * name }
  }
}

/** Of the point of a rim at an angle, rad; 0 and 1 are its lowest and its farthest point. */
function nameOf(angle: number): number {
  const turn = angle / (2 * Math.PI)
  return 2 + Math.round((turn - Math.floor(turn)) * ANGLES) % ANGLES
}

/** The lowest points of nearly flat discs among feature pairs are replaced by points fixed to their rims: see `PairCollider.inStep`. */
export function withPointsAround(
  watched: readonly FeaturePair[], rims: readonly Pick<FlushRim, 'onto' | 'far' | 'isNearlyFlat' | 'around'>[], a: Pose, b: Pose, reach: number,
): FeaturePair[] {
  let found = [...watched]
  for (const rim of rims) {
    const { onto: { featureA, featureB }, far } = rim
    const key = pairKey(featureA, featureB)
    if (!found.some(pair => pair.key === key) || !rim.isNearlyFlat(a, b, reach)) continue
    const points = rim.around(a, b)
    if (points.length > 0) found = [...found.filter(pair => pair.key !== key && pair.key !== far.key), ...points]
  }
  return found
}

/** The flat of a half-space, without an outline. */
export function endlessFlat(normal: Vec3, offset: number): FlatFeature {
  return { feature: { kind: 'face', index: 0 }, normal, offset, boundary: [], edges: [] }
}
