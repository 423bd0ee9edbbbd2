/**
 * Position correction of a heap at the end of a substep. Overlapping pairs are separated along their direction of least overlap, in the metric of the
 * masses; pairs that overlap as a result follow, until none does. Velocities and impulses stay as solved: in the next substep the bodies just touch.
 */

import { MAX_CHECKS, MAX_ROTATION, relaxationAfter } from '../position-correction'
import type { HeapBodies } from './heap-bodies'
import type { HeapPairs } from './heap-pairs'

/** Separating direction and point of the current pair. */
const facing = new Float64Array(6)
/** Rotations of the pair's bodies by a unit impulse, three doubles each. */
const turns = new Float64Array(6)

export class PositionCorrection {
  /** Bodies corrected since the step began, and m: the largest displacement of their centres in a substep. */
  readonly moved = new Set<number>()
  most = 0
  /** J s: potential energy gained in the last substep, × its length. */
  gain = 0
  /** By body: start of its pairs in `neighbours`; one more entry at the end. */
  private readonly first: Int32Array
  private neighbours = new Int32Array(64)
  /** Queue of indices into the list of pairs. */
  private queue = new Int32Array(64)
  private queued = new Uint8Array(64)
  /** By index into the list: how often the pair was separated in this correction. */
  private tries = new Int32Array(64)
  /** m, by body: centre before the correction; and the bodies for which it is stored. */
  private readonly from: Float64Array
  private readonly corrected: number[] = []
  private readonly isCorrected: Uint8Array

  constructor(private readonly pairs: HeapPairs, private readonly bodies: HeapBodies) {
    const { length: n } = bodies.bodies
    this.first = new Int32Array(n + 2)
    this.from = new Float64Array(3 * n)
    this.isCorrected = new Uint8Array(n)
  }

  /**
   * Prepares for a step of a heap.
   *
   * @param list handles of the pairs that may come into contact in it
   */
  begin(list: Int32Array, count: number): void {
    this.moved.clear()
    this.most = 0
    const { first, pairs: { bodyA, bodyB } } = this
    if (this.queued.length < count) {
      this.queued = new Uint8Array(2 * count)
      this.tries = new Int32Array(2 * count)
    }
    if (this.neighbours.length < 2 * count) this.neighbours = new Int32Array(4 * count)
    first.fill(0)
    for (let k = 0; k < count; k++) {
      first[bodyA[list[k]!]! + 2]!++
      first[bodyB[list[k]!]! + 2]!++
    }
    for (let body = 2; body < first.length; body++) first[body]! += first[body - 1]!
    for (let k = 0; k < count; k++) {
      this.neighbours[first[bodyA[list[k]!]! + 1]!++] = k
      this.neighbours[first[bodyB[list[k]!]! + 1]!++] = k
    }
  }

  /** @returns whether all overlaps were removed */
  correct(list: Int32Array, count: number): boolean {
    const { pairs, bodies, queued, tries, corrected } = this
    const { end, turned, kick } = bodies
    this.gain = 0
    let size = 0
    let largest = 0
    for (let k = 0; k < count; k++) {
      const pair = list[k]!
      if (pairs.least(pair, end, turned) > 0) continue
      const separation = this.separation(pair)
      if (separation >= 0) continue
      largest = Math.max(largest, -separation)
      this.enqueue(k, size++)
    }
    if (size === 0) return true
    const most = MAX_CHECKS * (1 + size)
    corrected.length = 0
    tries.fill(0, 0, count)
    let checks = 0
    // The queue is a ring buffer; new pairs join at its tail.
    let waiting = size
    let head = 0
    while (waiting > 0 && checks <= most) {
      checks++
      const k = this.queue[head]!
      head = head + 1 === this.queue.length ? 0 : head + 1
      waiting--
      queued[k] = 0
      const pair = list[k]!
      const separation = this.separation(pair)
      if (separation >= 0) continue
      this.separate(pair, relaxationAfter(tries[k]!++, -separation, largest) * (pairs.gap[pair]! - separation))
      for (let side = 0; side < 2; side++) {
        const body = (side === 0 ? pairs.bodyA : pairs.bodyB)[pair]!
        if (bodies.inverseMass[body] === 0) continue
        for (let n = this.first[body]!; n < this.first[body + 1]!; n++) {
          const other = this.neighbours[n]!
          if (queued[other] === 1 || pairs.least(list[other]!, end, turned) > 0) continue
          if (waiting === this.queue.length) head = this.widen(head)
          let at = head + waiting
          if (at >= this.queue.length) at -= this.queue.length
          this.enqueue(other, at)
          waiting++
        }
      }
    }
    for (let n = 0; n < waiting; n++) queued[this.queue[(head + n) % this.queue.length]!] = 0
    for (const body of corrected) {
      this.isCorrected[body] = 0
      this.moved.add(body)
      let way = 0
      for (let j = 0; j < 3; j++) {
        const shift = end.center[3 * body + j]! - this.from[3 * body + j]!
        way += shift * shift
        this.gain -= kick[6 * body + j]! * shift
      }
      this.most = Math.max(this.most, Math.sqrt(way))
    }
    return waiting === 0
  }

  private enqueue(k: number, at: number): void {
    if (at >= this.queue.length) {
      const longer = new Int32Array(2 * at)
      longer.set(this.queue)
      this.queue = longer
    }
    this.queue[at] = k
    this.queued[k] = 1
  }

  /** Copies a full ring buffer into a larger one. @returns its head */
  private widen(head: number): number {
    const { queue } = this
    const longer = new Int32Array(2 * queue.length)
    longer.set(queue.subarray(head))
    longer.set(queue.subarray(0, head), queue.length - head)
    this.queue = longer
    return 0
  }

  /** m: separation of a pair at the end of the substep; also stored as the pair's distance bound. */
  private separation(pair: number): number {
    const { pairs, bodies: { end, turned } } = this
    const separation = pairs.manifold(pair).separation(end, pairs.bodyA[pair]!, pairs.bodyB[pair]!, facing)
    pairs.bound(pair, separation, end, turned)
    return separation
  }

  /** Separates a pair by `amount`, m, along `facing`. */
  private separate(pair: number, amount: number): void {
    const { pairs: { bodyA, bodyB }, bodies, from, isCorrected, corrected } = this
    const { end: { center, rotation: R }, inverseMass } = bodies
    let compliance = 0
    let turning = 0
    for (let side = 0; side < 2; side++) {
      const body = (side === 0 ? bodyA : bodyB)[pair]!
      const m = inverseMass[body]!
      if (m === 0) continue
      const c = 3 * body
      if (isCorrected[body] === 0) {
        isCorrected[body] = 1
        corrected.push(body)
        for (let j = 0; j < 3; j++) from[c + j] = center[c + j]!
      }
      const [nx, ny, nz] = [facing[0]!, facing[1]!, facing[2]!]
      const rx = facing[3]! - center[c]!
      const ry = facing[4]! - center[c + 1]!
      const rz = facing[5]! - center[c + 2]!
      const mx = ry * nz - rz * ny
      const my = rz * nx - rx * nz
      const mz = rx * ny - ry * nx
      // R I_b⁻¹ Rᵀ m
      const r = 9 * body
      const x = R[r]! * mx + R[r + 3]! * my + R[r + 6]! * mz
      const y = R[r + 1]! * mx + R[r + 4]! * my + R[r + 7]! * mz
      const z = R[r + 2]! * mx + R[r + 5]! * my + R[r + 8]! * mz
      const { inverseInertia: I } = bodies.bodies[body]!
      const u = I[0] * x + I[1] * y + I[2] * z
      const v = I[3] * x + I[4] * y + I[5] * z
      const w = I[6] * x + I[7] * y + I[8] * z
      const o = 3 * side
      turns[o] = R[r]! * u + R[r + 1]! * v + R[r + 2]! * w
      turns[o + 1] = R[r + 3]! * u + R[r + 4]! * v + R[r + 5]! * w
      turns[o + 2] = R[r + 6]! * u + R[r + 7]! * v + R[r + 8]! * w
      compliance += m + mx * turns[o]! + my * turns[o + 1]! + mz * turns[o + 2]!
      turning = Math.max(turning, Math.sqrt(turns[o]! * turns[o]! + turns[o + 1]! * turns[o + 1]! + turns[o + 2]! * turns[o + 2]!))
    }
    const impulse = Math.min(amount / compliance, turning === 0 ? Infinity : MAX_ROTATION / turning)
    for (let side = 0; side < 2; side++) {
      const body = (side === 0 ? bodyA : bodyB)[pair]!
      if (inverseMass[body] === 0) continue
      const sign = side === 0 ? impulse : -impulse
      const shift = sign * inverseMass[body]!
      const o = 3 * side
      bodies.correct(body, shift * facing[0]!, shift * facing[1]!, shift * facing[2]!, sign * turns[o]!, sign * turns[o + 1]!, sign * turns[o + 2]!)
    }
  }
}
