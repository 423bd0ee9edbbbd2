/**
 * Moves apart what a crowd's contacts leave overlapping at the end of a step. Among hundreds of bodies there is always one that turns so far within a step that
 * its features at the start say nothing about the end; halving the step for all that it is piled up with would cost the more the larger the pile is.
 *
 * Pair by pair, each along the direction in which it overlaps least, in the metric of the masses, and again whatever then overlaps with those that were moved,
 * until nothing does. Velocities and impulses stay what the step's problem made them: the next step meets bodies that touch.
 */

import type { PrimitivePair } from '../../contact/contact-set'
import { worldInverseInertia } from '../../dynamics/body'
import { transform, type Mat3 } from '../../math/matrix'
import { toMatrix } from '../../math/quaternion'
import { cross, dot, length, scale, sub, type Vec3 } from '../../math/vector'
import type { BodyMotions } from './body-motions'
import { clearanceOf } from './clearance'

/** Looks at pairs, × the pairs that overlap at first. */
const LOOKS = 30000
/** rad: the farthest that one correction turns a body. */
const LONGEST_TURN = 0.1

export interface MovedApart {
  /** Bodies that were moved. */
  readonly bodies: ReadonlySet<number>
  /** m: the longest way of one of their centres. */
  readonly most: number
}

/**
 * @param pairs all that may touch
 * @param overlapping those of them that overlap, but none that only passed through each other
 * @param end state at the end of the step
 * @param gap m, to which pairs are moved apart
 * @returns null where they still overlap after all looks
 */
export function moveApart(
  motions: BodyMotions, pairs: readonly PrimitivePair[], overlapping: readonly PrimitivePair[], end: Float64Array, gap: number,
): MovedApart | null {
  const { poses, snapshot: { inverseMass } } = motions
  const pairsOf = new Map<number, PrimitivePair[]>()
  for (const pair of pairs) {
    for (const body of [pair.bodyA, pair.bodyB]) {
      if (inverseMass[body] === 0) continue
      const list = pairsOf.get(body)
      if (list === undefined) pairsOf.set(body, [pair])
      else list.push(pair)
    }
  }
  const from = new Map<number, Vec3>()
  /** m, by body: how far its points have been moved; by pair: how far those of both may have been, and leave it apart. */
  const ways = new Float64Array(poses.length)
  const room = new Map<PrimitivePair, number>()
  const queue = [...overlapping]
  const queued = new Set(queue)
  const most = LOOKS * (1 + overlapping.length)
  for (let looks = 0; looks < queue.length; looks++) {
    if (looks > most) return null
    const pair = queue[looks]!
    queued.delete(pair)
    const { bodyA, bodyB } = pair
    const apart = clearanceOf(pair).separating(poses[bodyA]!, poses[bodyB]!).separation
    if (apart >= 0) {
      room.set(pair, apart + ways[bodyA]! + ways[bodyB]!)
      continue
    }
    const { separation, point, normal } = pair.collider.separating(poses[bodyA]!, poses[bodyB]!)
    for (const body of push(motions, pair, point, normal, gap - separation, end, from, ways)) {
      for (const other of pairsOf.get(body)!) {
        if (ways[other.bodyA]! + ways[other.bodyB]! <= (room.get(other) ?? -1) || queued.has(other)) continue
        queued.add(other)
        queue.push(other)
      }
    }
  }
  let farthest = 0
  for (const [body, center] of from) farthest = Math.max(farthest, length(sub(motions.centerAt(body, end), center)))
  return { bodies: new Set(from.keys()), most: farthest }
}

/**
 * Parts two bodies by `amount` along a normal out of B.
 *
 * @param from where bodies that are moved were at first
 * @param ways what is added to by how far their points are moved, m
 * @returns those that were moved
 */
function push(
  motions: BodyMotions, { bodyA, bodyB }: PrimitivePair, point: Vec3, normal: Vec3, amount: number, end: Float64Array, from: Map<number, Vec3>,
  ways: Float64Array,
): number[] {
  const { snapshot: { inverseMass, bodies }, poses } = motions
  const moved: { body: number, sign: number, turn: Vec3 }[] = []
  let compliance = 0
  let turning = 0
  for (const [body, sign] of [[bodyA, 1], [bodyB, -1]] as const) {
    const m = inverseMass[body]!
    if (m === 0) continue
    const center = motions.centerAt(body, end)
    if (!from.has(body)) from.set(body, center)
    const moment = cross(sub(point, center), normal)
    const inertia = worldInverseInertia(bodies[body]!, toMatrix(poses[body]!.orientation)) as Mat3
    const turn = transform(inertia, moment)
    compliance += m + dot(moment, turn)
    turning = Math.max(turning, length(turn))
    moved.push({ body, sign, turn })
  }
  const impulse = Math.min(amount / compliance, turning === 0 ? Infinity : LONGEST_TURN / turning)
  for (const { body, sign, turn } of moved) {
    motions.correct(body, scale(normal, sign * impulse * inverseMass[body]!), scale(turn, sign * impulse), end)
    ways[body] = ways[body]! + impulse * (inverseMass[body]! + length(turn) * bodies[body]!.boundingRadius)
  }
  return moved.map(({ body }) => body)
}
