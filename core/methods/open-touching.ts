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
const PATIENCE = 300
/** With the masses of the bodies, and then with equal masses. */
const MAX_ITERATIONS = 3000
/** Iterations for the largest eigenvalue, and a factor on what they find. */
const POWERS = 20
const MARGIN = 1.2
const GOLDEN = (Math.sqrt(5) - 1) / 2
/**
 * × the largest displacement: pairs with smaller gaps take part. Bodies in the middle of a wide wall are moved by many times the aim, and must not be
 * moved into others. If displacements exceed half of the reach, the problem is solved again with more pairs.
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

/**
 * Displacements that open the gaps of all heaps with an overlap. Heaps with joints are left out.
 *
 * @param least m: a heap with a smaller gap is opened
 * @param aim m: smallest gap afterwards, up to its half
 * @returns m and rad, 6 a body; null if there is nothing to open, or no solution was found
 */
export function openTouching(world: World, contacts: ContactSet, snapshot: Snapshot, least: number, aim: number, interrupt: () => void): Float64Array | null {
  for (let [round, way] = [0, aim]; round < MAX_ROUNDS; round++) {
    const reach = REACH * way
    const touching = ofOpenableHeaps(world, snapshot, pointsWithin(reach, contacts, snapshot), least)
    if (touching.length === 0) return null
    const moves = solveAll(touching, snapshot, aim, interrupt)
    if (moves === null) return null
    way = largestWay(moves)
    if (2 * way <= reach) return moves
  }
  return null
}

function solveAll(touching: readonly Touching[], snapshot: Snapshot, aim: number, interrupt: () => void): Float64Array | null {
  const rows = new Rows(touching.length)
  for (const { bodyA, bodyB, point, normal } of touching) rows.pushPoint(snapshot, bodyA, bodyB, point, normal, 0)
  rows.weigh(snapshot)
  const missing = Float64Array.from(touching, ({ gap }) => aim - gap)
  const length = 6 * snapshot.motions.length
  const found = solve(rows, missing, aim, length, interrupt)
  if (found !== null) return found
  weighEqually(rows, snapshot)
  return solve(rows, missing, aim, length, interrupt)
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

/** The points of heaps that have a gap below `least`, none that is too deep, and no joint. */
function ofOpenableHeaps({ joints, scales }: World, snapshot: Snapshot, touching: readonly Touching[], least: number): Touching[] {
  const groups = new BodyGroups(snapshot)
  for (const { bodyA, bodyB } of touching) groups.join(bodyA, bodyB)
  const smallest = new Map<number, number>()
  for (const { bodyA, bodyB, gap } of touching) {
    const home = groups.homeOf(bodyA, bodyB)
    smallest.set(home, Math.min(gap, smallest.get(home) ?? Infinity))
  }
  const jointed = new Set(joints.flatMap(({ constraint, broken }) => broken ? [] : bodiesOfJoint(constraint).map(body => groups.homeOf(body))))
  return touching.filter(({ bodyA, bodyB }) => {
    const home = groups.homeOf(bodyA, bodyB)
    const gap = smallest.get(home)!
    return home >= 0 && gap < least && gap > -SHALLOW * scales.size && !jointed.has(home)
  })
}

/** Replaces M⁻¹ Jᵀ by that of bodies of 1 kg with the same radii of gyration. */
function weighEqually(rows: Rows, { inverseMass }: Snapshot): void {
  const { bodyA, bodyB, inverseMassJacobian: W } = rows
  for (let row = 0; row < rows.count; row++) {
    for (const [at, body] of [[JACOBIAN_WIDTH * row, bodyA[row]!], [JACOBIAN_WIDTH * row + 6, bodyB[row]!]] as const) {
      if (inverseMass[body]! > 0) for (let k = at; k < at + 6; k++) W[k]! /= inverseMass[body]!
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
    for (let k = 0; k < 6; k++) {
      out[a + k] = out[a + k]! + W[at + k]! * value
      out[b + k] = out[b + k]! + W[at + 6 + k]! * value
    }
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
