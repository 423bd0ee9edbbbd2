/**
 * Position correction of a pile with overlaps at the end of a step. Among hundreds of bodies some always rotate so far within a step that their
 * features at the start are meaningless at the end; halving the step of the whole pile would cost more the larger the pile.
 *
 * Each pair is separated along its direction of least overlap, in the metric of the masses; pairs that overlap as a result follow, until none does.
 * Velocities and impulses stay as solved: in the next step the bodies just touch.
 */

import type { PrimitivePair } from '../../contact/contact-set'
import { worldInverseInertia } from '../../dynamics/body'
import { transform, type Mat3 } from '../../math/matrix'
import { toMatrix } from '../../math/quaternion'
import { cross, dot, length, scale, sub, type Vec3 } from '../../math/vector'
import type { BodyMotions } from './body-motions'
import { clearanceOf } from './clearance'

/** Most checks of pairs, × the pairs that overlap at first. */
export const MAX_CHECKS = 30000
/** rad: largest rotation of a body in one correction. */
export const MAX_ROTATION = 0.1
/**
 * Over-relaxation factor. In a column, plain Gauss–Seidel needs a number of rounds that is quadratic in the height. Over-relaxation needs far fewer, but each
 * over-relaxed separation exceeds its overlap by up to 0.8 of it. The factor must be below 2: with 2.4, ninety discs that pile up take longer.
 */
const OVER_RELAXATION = 1.8
/**
 * Separations of a pair before over-relaxation starts. The checks of the discs fall to a third. With a start at the second separation they would fall to a
 * seventh, but columns of three would be lifted by 40 % more than their overlap, instead of less than 10 %.
 */
const PATIENCE = 24
/**
 * × the largest overlap before the correction: larger overlaps are not over-relaxed. A body between two others that are too close moves back and forth by the
 * sum of its two overlaps. With over-relaxation it would move five times as far, and could pass through one of them.
 */
const LARGE = 2

/**
 * Factor of a pair's next separation after `tries` others.
 *
 * @param overlap m
 * @param largest m: the largest overlap of a pair before the correction
 */
export function relaxationAfter(tries: number, overlap: number, largest: number): number {
  return tries < PATIENCE || overlap > LARGE * largest ? 1 : OVER_RELAXATION
}

export interface PositionCorrection {
  /** Bodies that were moved. */
  readonly bodies: ReadonlySet<number>
  /** m: largest displacement of one of their centres. */
  readonly most: number
}

/** Combines corrections in two places. */
export function combineCorrections(a: PositionCorrection | null, b: PositionCorrection | null): PositionCorrection | null {
  if (a === null || b === null) return a ?? b
  return { bodies: new Set([...a.bodies, ...b.bodies]), most: Math.max(a.most, b.most) }
}

/**
 * @param pairs all that may touch
 * @param overlapping those of them that overlap, without pairs that only passed through each other
 * @param end state at the end of the step
 * @param gapOf m, target separation of a pair
 * @param held bodies that stay where they are, because joints hold them
 * @param interrupt called for every pair; throws where the run was cancelled
 * @returns null if overlaps remain after the limit of checks
 */
export function correctOverlaps(
  motions: BodyMotions, pairs: readonly PrimitivePair[], overlapping: readonly PrimitivePair[], end: Float64Array,
  gapOf: (pair: PrimitivePair) => number, held: ReadonlySet<number> = new Set(), interrupt: () => void = () => undefined,
): PositionCorrection | null {
  const { poses } = motions
  const numbers = new Map(overlapping.map(pair => [pair, -1]))
  for (let k = 0; k < pairs.length; k++) if (numbers.has(pairs[k]!)) numbers.set(pairs[k]!, k)
  const queue = [...numbers.values()].filter(number => number >= 0)
  const queued = new Uint8Array(pairs.length)
  for (const number of queue) queued[number] = 1
  const neighbours = new Neighbours(pairs, poses.length)
  const from = new Map<number, Vec3>()
  /** m, by body: displacement of its points; by pair: displacement of both bodies up to which it stays separated. */
  const ways = new Float64Array(poses.length)
  const slack = new Float64Array(pairs.length).fill(-Infinity)
  /** By pair: how often it was separated. */
  const tries = new Int32Array(pairs.length)
  const most = MAX_CHECKS * (1 + overlapping.length)
  let largest = 0
  for (let checks = 0; checks < queue.length; checks++) {
    if (checks > most) return null
    interrupt()
    const number = queue[checks]!
    const pair = pairs[number]!
    queued[number] = 0
    const { bodyA, bodyB } = pair
    const { separation, normal, point } = clearanceOf(pair).separating(poses[bodyA]!, poses[bodyB]!)
    if (separation >= 0) {
      slack[number] = separation + ways[bodyA]! + ways[bodyB]!
      continue
    }
    if (checks < overlapping.length) largest = Math.max(largest, -separation)
    const amount = relaxationAfter(tries[number]!++, -separation, largest) * (gapOf(pair) - separation)
    for (const body of push(motions, pair, point!, normal, amount, end, from, ways, held)) {
      for (let k = neighbours.first[body]!; k < neighbours.first[body + 1]!; k++) {
        const other = neighbours.list[k]!
        if (queued[other] === 1) continue
        if (ways[pairs[other]!.bodyA]! + ways[pairs[other]!.bodyB]! <= slack[other]!) continue
        queued[other] = 1
        queue.push(other)
      }
    }
  }
  let farthest = 0
  for (const [body, center] of from) farthest = Math.max(farthest, length(sub(motions.centerAt(body, end), center)))
  return { bodies: new Set(from.keys()), most: farthest }
}

/** Numbers of the pairs of each body. */
class Neighbours {
  /** By body: start of its numbers in `list`; one more at the end. */
  readonly first: Int32Array
  readonly list: Int32Array

  constructor(pairs: readonly PrimitivePair[], bodies: number) {
    this.first = new Int32Array(bodies + 2)
    this.list = new Int32Array(2 * pairs.length)
    for (const { bodyA, bodyB } of pairs) {
      this.first[bodyA + 2]!++
      this.first[bodyB + 2]!++
    }
    for (let body = 2; body < this.first.length; body++) this.first[body]! += this.first[body - 1]!
    pairs.forEach(({ bodyA, bodyB }, number) => {
      this.list[this.first[bodyA + 1]!++] = number
      this.list[this.first[bodyB + 1]!++] = number
    })
  }
}

/**
 * Separates two bodies by `amount` along a normal out of B.
 *
 * @param from positions of the bodies before their first correction
 * @param ways m: updated by the displacement of their points
 * @returns the bodies that were moved
 */
function push(
  motions: BodyMotions, { bodyA, bodyB }: PrimitivePair, point: Vec3, normal: Vec3, amount: number, end: Float64Array, from: Map<number, Vec3>,
  ways: Float64Array, held: ReadonlySet<number>,
): number[] {
  const { snapshot: { inverseMass, bodies }, poses } = motions
  const moved: { body: number, sign: number, turn: Vec3 }[] = []
  let compliance = 0
  let turning = 0
  for (const [body, sign] of [[bodyA, 1], [bodyB, -1]] as const) {
    const m = inverseMass[body]!
    if (m === 0 || held.has(body)) continue
    const center = motions.centerAt(body, end)
    if (!from.has(body)) from.set(body, center)
    const moment = cross(sub(point, center), normal)
    const inertia = worldInverseInertia(bodies[body]!, toMatrix(poses[body]!.orientation)) as Mat3
    const turn = transform(inertia, moment)
    compliance += m + dot(moment, turn)
    turning = Math.max(turning, length(turn))
    moved.push({ body, sign, turn })
  }
  const impulse = Math.min(amount / compliance, turning === 0 ? Infinity : MAX_ROTATION / turning)
  for (const { body, sign, turn } of moved) {
    motions.correct(body, scale(normal, sign * impulse * inverseMass[body]!), scale(turn, sign * impulse), end)
    ways[body] = ways[body]! + impulse * (inverseMass[body]! + length(turn) * bodies[body]!.boundingRadius)
  }
  return moved.map(({ body }) => body)
}
