/**
 * Separation or smallest overlap of two convex solids, at least one of them curved, as `PairCollider.separation` defines it.
 *
 * 1. The cached feature pair gives its direction.
 * 2. If that fails, a few GJK steps find the nearest features, which give their direction.
 * 3. If that fails, GJK continues to rounding.
 * 4. If that proves nothing, as in overlap, all features are searched (`every-direction.ts`).
 *
 * A direction is accepted if two points of the solids are no farther apart than its plane states, so that no other direction separates better: lower and upper
 * bound meet. An answer therefore depends on earlier queries by rounding only. All loops are bounded, and none allocates.
 */

import type { Pose } from '../../math/pose'
import type { Vec3 } from '../../math/vector'
import type { ColliderCounts, Separation } from '../contact'
import { Descent, FINE } from './descent'
import { Difference } from './difference'
import { EveryDirection } from './every-direction'
import type { FlatConvex } from './flat-convex'
import { NearFeatures } from './near-features'
import { Proposal } from './proposal'

/** Largest difference of the two bounds, × scale, if only the descent proposes a direction. */
const TIGHT = 1e-12

/** Termination of the descent, as the difference of its plane and points × their distance: to identify features, and with one feature on each side. */
const ROUGH = 1e-2
const START = 0.3

/** Working data, reused from pair to pair. */
const difference = new Difference()
const descent = new Descent(difference)
const proposal = new Proposal(difference)
const everyDirection = new EveryDirection(difference, proposal)
const nearA = new NearFeatures()
const nearB = new NearFeatures()

export class CurvedSearch {
  readonly counts: ColliderCounts = { queries: 0, witnessHits: 0, iterations: 0 }
  /** m, signed. */
  separation = 0
  /** The facing features; −1 if the other's plane alone decides, and both −1 if neither does. */
  featureA = -1
  featureB = -1
  /** The answer in A's frame: direction out of B towards A, and the points of the cores. */
  private nx = 0
  private ny = 0
  private nz = 0
  private px = 0
  private py = 0
  private pz = 0
  private qx = 0
  private qy = 0
  private qz = 0
  private startA = 0
  private startB = 0
  /** Whether each solid has but one feature. */
  private readonly isSmooth: boolean

  /** With the poses of the primitives in their body frames. */
  constructor(private readonly a: FlatConvex, private readonly ownA: Pose, private readonly b: FlatConvex, private readonly ownB: Pose) {
    this.isSmooth = a.count === 1 && b.count === 1
  }

  /** Evaluates the pair at two poses of the bodies. */
  find(bodyA: Pose, bodyB: Pose): void {
    const { a, b, counts } = this
    difference.place(a, b, bodyA, this.ownA, bodyB, this.ownB)
    a.start = this.startA
    b.start = this.startB
    proposal.steps = 0
    const isKnown = this.featureA >= 0 || this.featureB >= 0
    this.look()
    this.startA = a.start
    this.startB = b.start
    if (counts.queries++ > 0 && isKnown && proposal.isFirst) counts.witnessHits++
    counts.iterations += proposal.steps
  }

  /** Normal of the last evaluation, in the world: unit, out of B towards A. */
  get normal(): Vec3 {
    return difference.directionInWorld(this.nx, this.ny, this.nz)
  }

  /** Of the last evaluation: the z coordinate of the point of A's core, in the frame of A's primitive, m. */
  get heightOnA(): number {
    return this.pz
  }

  /** Point of the last evaluation, in the world, m: midway between the points of both solids that face each other along the normal. */
  get point(): Vec3 {
    const half = (this.b.ball - this.a.ball) / 2
    const { nx, ny, nz } = this
    return difference.pointInWorld((this.px + this.qx) / 2 + half * nx, (this.py + this.qy) / 2 + half * ny, (this.pz + this.qz) / 2 + half * nz)
  }

  /** The separation of the pair, with its direction and point. */
  separating(bodyA: Pose, bodyB: Pose): Separation {
    this.find(bodyA, bodyB)
    return { separation: this.separation, normal: this.normal, point: this.point }
  }

  private look(): void {
    const { featureA, featureB } = this
    proposal.begin(this.nx, this.ny, this.nz, this.px, this.py, this.pz, this.qx, this.qy, this.qz)
    proposal.isFirst = true
    if ((featureA >= 0 || featureB >= 0) && proposal.holds(featureA, featureB, Infinity)) {
      this.take()
      return
    }
    proposal.isFirst = false
    this.start()
    let isApart = descent.descend(this.isSmooth ? START : ROUGH)
    if (isApart && this.isHeldNearby()) return
    if (isApart) {
      isApart = descent.descend(FINE)
      proposal.steps += descent.steps
      if (isApart && this.isHeldNearby()) return
      if (isApart && descent.upper - descent.least <= TIGHT * difference.scale) {
        this.takeDescent()
        return
      }
    }
    everyDirection.find(isApart ? descent.nx : 0, isApart ? descent.ny : 0, isApart ? descent.nz : 0)
    proposal.steps++
    this.featureA = everyDirection.featureA
    this.featureB = everyDirection.featureB
    this.nx = everyDirection.nx
    this.ny = everyDirection.ny
    this.nz = everyDirection.nz
    this.px = everyDirection.px
    this.py = everyDirection.py
    this.pz = everyDirection.pz
    this.qx = everyDirection.qx
    this.qy = everyDirection.qy
    this.qz = everyDirection.qz
    this.separation = everyDirection.separation - this.a.ball - this.b.ball
  }

  /** Begins a descent along the direction known last, or between the middles. */
  private start(): void {
    const { nx, ny, nz } = this
    if (nx !== 0 || ny !== 0 || nz !== 0) {
      descent.begin(nx, ny, nz)
      return
    }
    const [x, y, z] = difference.position as unknown as Vec3
    if (x !== 0 || y !== 0 || z !== 0) descent.begin(-x, -y, -z)
    else descent.begin(0, 0, 1)
  }

  /** Tries the features near the result of the descent. */
  private isHeldNearby(): boolean {
    const { a, b } = this
    const { count, pointsA, pointsB, nx, ny, nz } = descent
    const px = mean(pointsA, count, 0)
    const py = mean(pointsA, count, 1)
    const pz = mean(pointsA, count, 2)
    const qx = mean(pointsB, count, 0)
    const qy = mean(pointsB, count, 1)
    const qz = mean(pointsB, count, 2)
    nearA.find(a, -nx, -ny, -nz, px, py, pz, count, descent.indexA)
    const { position: p } = difference
    difference.turnBack(qx - p[0]!, qy - p[1]!, qz - p[2]!)
    const { x, y, z } = difference
    difference.turnBack(nx, ny, nz)
    nearB.find(b, difference.x, difference.y, difference.z, x, y, z, count, descent.indexB)
    for (let sum = 0; sum < nearA.count + nearB.count - 1; sum++) {
      for (let i = Math.max(0, sum - nearB.count + 1); i <= sum && i < nearA.count; i++) {
        proposal.begin(nx, ny, nz, px, py, pz, qx, qy, qz)
        if (proposal.holds(nearA.indices[i]!, nearB.indices[sum - i]!, descent.upper)) {
          this.take()
          return true
        }
      }
    }
    return false
  }

  private take(): void {
    this.featureA = proposal.featureA
    this.featureB = proposal.featureB
    this.nx = proposal.nx
    this.ny = proposal.ny
    this.nz = proposal.nz
    this.px = proposal.px
    this.py = proposal.py
    this.pz = proposal.pz
    this.qx = proposal.qx
    this.qy = proposal.qy
    this.qz = proposal.qz
    this.separation = proposal.separation - this.a.ball - this.b.ball
  }

  private takeDescent(): void {
    const { nx, ny, nz } = descent
    this.featureA = this.featureB = -1
    this.nx = nx
    this.ny = ny
    this.nz = nz
    this.separation = difference.separated(nx, ny, nz) - this.a.ball - this.b.ball
    this.px = mean(descent.pointsA, descent.count, 0)
    this.py = mean(descent.pointsA, descent.count, 1)
    this.pz = mean(descent.pointsA, descent.count, 2)
    this.qx = mean(descent.pointsB, descent.count, 0)
    this.qy = mean(descent.pointsB, descent.count, 1)
    this.qz = mean(descent.pointsB, descent.count, 2)
  }
}

function mean(points: Float64Array, count: number, axis: number): number {
  let sum = 0
  for (let k = 0; k < count; k++) sum += points[3 * k + axis]!
  return sum / count
}
