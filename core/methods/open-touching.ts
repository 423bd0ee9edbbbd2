/**
 * Moves bodies apart that touch or overlap by little more than rounding, such as the bricks of a wall: all gaps of a heap are opened together, by one
 * linear problem in the displacements d of its bodies,
 *
 *   minimise ½ dᵀ M d   such that   gap_i + J_i d ≥ aim   at every touching point i,
 *
 * solved for its multipliers. Sweeps that evaluate every pair again for each correction (`separate.ts`) need as
 * many rounds, each at a hundred times the cost.
 */

import { BodyGroups } from '../contact/body-groups'
import type { ContactSet } from '../contact/contact-set'
import { Rows } from '../contact/rows'
import type { Snapshot } from '../contact/snapshot'
import type { World } from '../contact/world'
import { bodiesOfJoint } from '../dynamics/joints'
import { JACOBIAN_WIDTH } from '../dynamics/joints/joint'
import { hypot } from '../math/elementary'
import type { Vec3 } from '../math/vector'

/** × scene size: for deeper overlaps the directions change with the displacements. */
const SHALLOW = 1e-6
/** × aim: the gap at which a pair is open. The rest is for the curvature that the linear problem neglects. */
const OPEN = 0.5
/** × aim: largest correction of a gap in the last iteration; after many iterations open gaps suffice. */
const SETTLED = 0.02
/** Iterations after which open gaps suffice. */
const PATIENCE = 300
/** With the masses of the bodies, and then with equal masses. */
const MAX_ITERATIONS = 3000
/** Iterations for the largest eigenvalue, and a factor on what they find. */
const POWERS = 20
const MARGIN = 1.2
const GOLDEN = (Math.sqrt(5) - 1) / 2
/**
 * × the aim: pairs with smaller gaps take part. Bodies in the middle of a wide wall are moved by many times the aim, and must not be moved into others. A
 * heap with displacements of more than half of the reach is solved again with a reach as many times larger.
 */
const REACH = 8
const MAX_ROUNDS = 5

interface Touching {
  readonly bodyA: number
  readonly bodyB: number
  readonly point: Vec3
  readonly normal: Vec3
  readonly gap: number
}

interface TouchingHeap {
  readonly bodies: readonly number[]
  readonly points: readonly Touching[]
}

/**
 * Displacements that open the gaps of all heaps with an overlap, each on its own. Heaps with joints are left out, and those for which no solution is
 * found.
 *
 * @param least m: a heap with a smaller gap is opened
 * @param aim m: smallest gap afterwards, up to its half
 * @returns m and rad, 6 a body, null if no heap is opened; and whether a solution was found for every heap
 */
export function openTouching(
  world: World, contacts: ContactSet, snapshot: Snapshot, least: number, aim: number, interrupt: () => void,
): { moves: Float64Array | null, solved: boolean } {
  const moves = new Float64Array(6 * snapshot.motions.length)
  let [any, pending, solved] = [false, true, true]
  const done = new Set<number>()
  for (let [round, reach] = [0, REACH * aim]; pending && round < MAX_ROUNDS; round++, reach *= REACH) {
    pending = false
    for (const heap of openableHeaps(world, snapshot, pointsWithin(reach, contacts, snapshot), least)) {
      if (heap.bodies.every(body => done.has(body))) continue
      const found = solveHeap(heap, snapshot, aim, interrupt)
      for (const body of heap.bodies) done.add(body)
      if (found === null) {
        solved = false
        continue
      }
      if (2 * largestWay(found) > reach) {
        pending = true
        for (const body of heap.bodies) done.delete(body)
        continue
      }
      any = true
      heap.bodies.forEach((body, slot) => { moves.set(found.subarray(6 * slot, 6 * slot + 6), 6 * body) })
    }
  }
  return { moves: any ? moves : null, solved }
}

/** @returns m and rad, 6 a body of the heap; null without a solution */
function solveHeap({ bodies, points }: TouchingHeap, snapshot: Snapshot, aim: number, interrupt: () => void): Float64Array | null {
  const rows = new Rows(points.length)
  for (const { bodyA, bodyB, point, normal } of points) rows.pushPoint(snapshot, bodyA, bodyB, point, normal, 0)
  rows.weigh(snapshot)
  // From here on, bodies are numbered within the heap; immovable ones are none.
  const slots = new Map(bodies.map((body, slot) => [body, slot]))
  for (const side of [rows.bodyA, rows.bodyB]) side.forEach((body, row) => { side[row] = slots.get(body) ?? -1 })
  const missing = Float64Array.from(points, ({ gap }) => aim - gap)
  const found = solve(rows, missing, aim, 6 * bodies.length, interrupt)
  if (found !== null) return found
  weighEqually(rows, bodies.map(body => snapshot.inverseMass[body]!))
  return solve(rows, missing, aim, 6 * bodies.length, interrupt)
}

/** m: largest displacement of a centre. */
function largestWay(moves: Float64Array): number {
  let way = 0
  for (let at = 0; at < moves.length; at += 6) way = Math.max(way, hypot(moves[at]!, moves[at + 1]!, moves[at + 2]!))
  return way
}

/** The points of bodies with gaps below `reach`, m. */
function pointsWithin(reach: number, contacts: ContactSet, snapshot: Snapshot): Touching[] {
  return contacts.nearAt(snapshot, reach).flatMap(({ bodyA, bodyB, collider }) => {
    const a = snapshot.motions[bodyA]!.pose
    const b = snapshot.motions[bodyB]!.pose
    const { separation, normal, point } = collider.separating(a, b)
    if (separation >= reach) return []
    const points = separation < -reach ? [] : collider.region(a, b, reach)
    if (points.length === 0) return [{ bodyA, bodyB, point, normal, gap: separation }]
    return points.map(features => ({ bodyA, bodyB, ...features.locate(a, b) }))
  })
}

/** The heaps that have a gap below `least`, none that is too deep, and no joint. */
function openableHeaps({ joints, scales }: World, snapshot: Snapshot, points: readonly Touching[], least: number): TouchingHeap[] {
  const groups = new BodyGroups(snapshot)
  for (const { bodyA, bodyB } of points) groups.join(bodyA, bodyB)
  const heaps = new Map<number, { bodies: number[]; points: Touching[]; smallest: number }>()
  for (const point of points) {
    const home = groups.homeOf(point.bodyA, point.bodyB)
    if (home < 0) continue
    const heap = heaps.get(home) ?? { bodies: [], points: [], smallest: Infinity }
    heaps.set(home, heap)
    heap.points.push(point)
    heap.smallest = Math.min(heap.smallest, point.gap)
  }
  for (let body = 0; body < snapshot.motions.length; body++) if (groups.dynamic(body)) heaps.get(groups.find(body))?.bodies.push(body)
  for (const { constraint, broken } of joints) if (!broken) for (const body of bodiesOfJoint(constraint)) heaps.delete(groups.homeOf(body))
  return [...heaps.values()].filter(({ smallest }) => smallest < least && smallest > -SHALLOW * scales.size)
}

/** Replaces M⁻¹ Jᵀ by that of bodies of 1 kg with the same radii of gyration. */
function weighEqually({ count, bodyA, bodyB, inverseMassJacobian: W }: Rows, inverseMass: readonly number[]): void {
  for (let row = 0; row < count; row++) {
    for (const [at, body] of [[JACOBIAN_WIDTH * row, bodyA[row]!], [JACOBIAN_WIDTH * row + 6, bodyB[row]!]] as const) {
      if (body >= 0) for (let k = at; k < at + 6; k++) W[k]! /= inverseMass[body]!
    }
  }
}

/**
 * Accelerated projected gradients of the dual, 0 ≤ p ⟂ J M⁻¹ Jᵀ p − missing ≥ 0, in rows of unit diagonal, with restarts where the acceleration leads
 * uphill [Mazhar et al. 2015]. The number of iterations grows with the width of a heap, that of sweeps with its square.
 *
 * @returns the displacements once every gap exceeds its share of the aim, or null
 */
function solve(rows: Rows, missing: Float64Array, aim: number, length: number, interrupt: () => void): Float64Array | null {
  const { count } = rows
  const scales = Float64Array.from(missing, (_, row) => 1 / Math.sqrt(rows.diagonal(row)))
  const step = 1 / largestEigenvalue(rows, scales, length)
  let [p, before] = [new Float64Array(count), new Float64Array(count)]
  let [moves, movesBefore] = [new Float64Array(length), new Float64Array(length)]
  const ahead = new Float64Array(length)
  let momentum = 1
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    interrupt()
    const next = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2
    const share = (momentum - 1) / next
    for (let k = 0; k < length; k++) ahead[k] = moves[k]! + share * (moves[k]! - movesBefore[k]!)
    let [uphill, largest] = [0, 0]
    for (let row = 0; row < count; row++) {
      const gradient = scales[row]! * (rows.along(row, ahead) - missing[row]!)
      const from = p[row]! + share * (p[row]! - before[row]!)
      const to = Math.max(0, from - step * gradient)
      uphill += gradient * (to - p[row]!)
      largest = Math.max(largest, Math.abs(to - from) / (step * scales[row]!))
      before[row] = to
    }
    ;[p, before] = [before, p]
    ;[moves, movesBefore] = [movesBefore, moves]
    displacements(rows, scales, p, moves)
    momentum = uphill > 0 ? 1 : next
    if ((largest <= SETTLED * aim || iteration >= PATIENCE) && open(rows, missing, moves, aim)) return moves
  }
  return null
}

/** M⁻¹ Jᵀ p of scaled multipliers. */
function displacements({ count, bodyA, bodyB, inverseMassJacobian: W }: Rows, scales: Float64Array, p: Float64Array, out: Float64Array): void {
  out.fill(0)
  for (let row = 0; row < count; row++) {
    const value = scales[row]! * p[row]!
    if (value === 0) continue
    const [at, a, b] = [JACOBIAN_WIDTH * row, 6 * bodyA[row]!, 6 * bodyB[row]!]
    if (a >= 0) for (let k = 0; k < 6; k++) out[a + k] = out[a + k]! + W[at + k]! * value
    if (b >= 0) for (let k = 0; k < 6; k++) out[b + k] = out[b + k]! + W[at + 6 + k]! * value
  }
}

/** Of J M⁻¹ Jᵀ in rows of unit diagonal, by the power method, from above. */
function largestEigenvalue(rows: Rows, scales: Float64Array, length: number): number {
  // Rows of different size: equal ones may cancel each other.
  const vector = Float64Array.from(scales, (_, row) => 1 + (row * GOLDEN) % 1)
  const moves = new Float64Array(length)
  let value = 1
  for (let k = 0; k < POWERS; k++) {
    displacements(rows, scales, vector, moves)
    let square = 0
    for (let row = 0; row < rows.count; row++) {
      vector[row] = scales[row]! * rows.along(row, moves)
      square += vector[row]! * vector[row]!
    }
    value = Math.max(1, Math.sqrt(square))
    for (let row = 0; row < rows.count; row++) vector[row] = vector[row]! / value
  }
  return MARGIN * value
}

function open(rows: Rows, missing: Float64Array, moves: Float64Array, aim: number): boolean {
  for (let row = 0; row < rows.count; row++) if (!(rows.along(row, moves) - missing[row]! >= (OPEN - 1) * aim)) return false
  return true
}
