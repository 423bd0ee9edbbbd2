/**
 * Checks that two solids stay separated throughout a step, not only at its end: a small fast body must not pass through a thin plate.
 *
 * Within the step bodies move along straight lines and rotate about fixed axes. Two bodies cannot have passed through each other if they move less
 * than the thickness of the thinner one, or if nearly the same plane separates them at both ends (they may graze in between, by the deviation of a
 * chord from its arc). All other pairs are checked by conservative advancement, which misses no contact.
 */

import type { MovingBody } from '../../collision/moving-body'
import { timeOfContact } from '../../collision/time-of-contact'
import type { PrimitivePair } from '../../contact/contact-set'
import type { WorldPrimitive } from '../../contact/world'
import type { BodyMotion } from '../../geometry/motion'
import type { Primitive } from '../../geometry/shape'
import { Polyhedron } from '../../geometry/polyhedron'
import { toMatrix, multiplyQuaternions, normalizeQuaternion, rotate } from '../../math/quaternion'
import type { Pose } from '../../math/pose'
import { addScaled, dot, length, lengthSquared, scale, sub, type Vec3 } from '../../math/vector'
import type { BodyMotions } from './body-motions'
import { clearanceOf } from './clearance'
import { rotationQuaternion } from '../../math/rotation'

/** Share of the thinner solid's thickness that two bodies may move in a step without a check. */
const SHARE = 0.5
/** rad: largest rotation in a step that does not count as a reversal. */
const SLOW_TURN = 1
/** × thickness: largest overlap during the step that does not count as passage: sliding bodies graze each other. */
const GRAZE = 1e-3
/** × thickness: largest overlap within a step of a body that rotates about its contact. */
const DIP = 0.1

export class Passages {
  constructor(private readonly motions: BodyMotions) {}

  /** Whether the pair overlaps neither at the end of the step nor on the way there. `least`: gap above which it counts as separated, m */
  staysApart(pair: PrimitivePair, h: number, least: number): boolean {
    if (this.cannotMeet(pair)) return true
    const { poses, path } = this.motions
    const { bodyA, bodyB } = pair
    if (!clearanceOf(pair).isApart(poses[bodyA]!, poses[bodyB]!, least)) return false
    return path[bodyA]! + path[bodyB]! <= SHARE * this.thinnerOf(pair) || this.passes(pair, h) === null
  }

  /** Whether the known distance at the start of the step exceeds the motion of the pair. */
  cannotMeet(pair: PrimitivePair): boolean {
    const { turned, snapshot: { motions } } = this.motions
    const { bodyA, bodyB } = pair
    return clearanceOf(pair).leastAtStart(motions[bodyA]!.pose, motions[bodyB]!.pose, turned) > this.motions.closing(bodyA, bodyB)
  }

  /** Time of the overlap of the pair within the step of h seconds, s from its start; null if it stays separated. */
  timeOf(pair: PrimitivePair, h: number, least: number): number | null {
    if (this.staysApart(pair, h, least)) return null
    const { path } = this.motions
    const slow = path[pair.bodyA]! + path[pair.bodyB]! <= SHARE * this.thinnerOf(pair)
    return (slow ? null : this.firstContact(pair, h)) ?? h
  }

  /** Time at which a pair that is separated at the end has passed through, s from the step's start; null if it has not. */
  private passes(pair: PrimitivePair, h: number): number | null {
    const { poses, turns, snapshot: { motions } } = this.motions
    const { bodyA, bodyB } = pair
    if (length(turns[bodyA]!) <= SLOW_TURN && length(turns[bodyB]!) <= SLOW_TURN
      && clearanceOf(pair).isOnSameSide(motions[bodyA]!.pose, motions[bodyB]!.pose, poses[bodyA]!, poses[bodyB]!)) return null
    return this.firstContact(pair, h)
  }

  private firstContact(pair: PrimitivePair, h: number): number | null {
    const { bodyA, bodyB, collider } = pair
    const thinner = this.thinnerOf(pair)
    const graze = Math.max(GRAZE * thinner, Math.min(DIP * thinner, this.dip(bodyA) + this.dip(bodyB)))
    const found = timeOfContact(collider, this.moving(bodyA, pair.a, h), this.moving(bodyB, pair.b, h), 0, h, { target: -graze })
    return found.outcome === 'apart' ? null : found.time
  }

  private thinnerOf({ a, b }: PrimitivePair): number {
    return Math.min(thicknessOf(a.primitive), thicknessOf(b.primitive))
  }

  /** m: distance between the straight path of the centre and its arc if the body rotates about a point of its surface: r θ²/8. */
  private dip(body: number): number {
    return this.motions.snapshot.bodies[body]!.boundingRadius * lengthSquared(this.motions.turns[body]!) / 8
  }

  /** Pose of a body within the step. */
  poseAt(body: number, time: number, h: number): Pose {
    return this.motionAt(body, time, h).pose
  }

  private motionAt(body: number, time: number, h: number): BodyMotion {
    return this.wayOf(body, h)(time)
  }

  /** Motion of a body as a function of time within the step. */
  wayOf(body: number, h: number): (time: number) => BodyMotion {
    const { snapshot, turns } = this.motions
    const start = snapshot.motions[body]!
    const { type, centerOfMass } = snapshot.bodies[body]!
    if (type === 'fixed') return () => start
    const v = this.motions.meanVelocity(body, h)
    const turn = turns[body]!
    return time => alongWay(start, v, turn, centerOfMass, time, h)
  }

  private moving(body: number, { primitive, pose }: WorldPrimitive, h: number): MovingBody {
    const start = this.motionAt(body, 0, h)
    return {
      motionAt: time => this.motionAt(body, time, h), primitive, pose,
      bounds: { speed: length(start.velocity), acceleration: 0, angularSpeed: length(start.angularVelocity), angularAcceleration: 0 },
    }
  }
}

/** A motion along a straight line with rotation about a fixed axis by `turn` in h seconds, after `time` of them. */
function alongWay(
  { center: from, pose: { orientation: before } }: BodyMotion, velocity: Vec3, turn: Vec3, centerOfMass: Vec3, time: number, h: number,
): BodyMotion {
  const orientation = normalizeQuaternion(multiplyQuaternions(before, rotationQuaternion(turn, time / h)))
  const center = addScaled(from, velocity, time)
  return {
    pose: { position: sub(center, rotate(orientation, centerOfMass)), orientation }, rotation: toMatrix(orientation), center, velocity,
    angularVelocity: scale(rotate(before, turn), 1 / h),
  }
}

/** m: the least width of a solid, along the axes of its frame or the normals of its faces; cached. */
export function thicknessOf(primitive: Primitive): number {
  let found = thicknesses.get(primitive)
  if (found === undefined) thicknesses.set(primitive, found = measured(primitive))
  return found
}

const thicknesses = new WeakMap<Primitive, number>()

function measured(primitive: Primitive): number {
  if (primitive.radius === Infinity) return Infinity
  const { min, max } = primitive.bounds
  const polygon = primitive instanceof Polyhedron && primitive.prism !== null
  let least = Math.min(max[0] - min[0], polygon ? Infinity : max[1] - min[1], max[2] - min[2])
  if (!(primitive instanceof Polyhedron)) return least
  for (const { normal, offset } of primitive.faces) {
    least = Math.min(least, offset - primitive.vertices.reduce((lowest, vertex) => Math.min(lowest, dot(normal, vertex)), Infinity))
  }
  return least
}
