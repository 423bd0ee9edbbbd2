/**
 * Moves bodies apart that touch or overlap by little more than rounding, such as the bricks of a wall: all gaps of a heap are opened together, by one
 * linear problem in the displacements d of its bodies,
 *
 *   minimise ½ dᵀ M d   such that   gap_i + J_i d ≥ aim   at every touching point i,
 *
 * solved by projected successive over-relaxation on its multipliers. Sweeps that evaluate every pair again for each correction (`separate.ts`) need as
 * many rounds, each at a hundred times the cost.
 */

import { BodyGroups } from '../contact/body-groups'
import type { ContactSet } from '../contact/contact-set'
import { Rows } from '../contact/rows'
import type { Snapshot } from '../contact/snapshot'
import type { World } from '../contact/world'
import { bodiesOfJoint } from '../dynamics/joints'
import { JACOBIAN_WIDTH } from '../dynamics/joints/joint'
import type { Vec3 } from '../math/vector'

/** × scene size: for deeper overlaps the directions change with the displacements. */
const SHALLOW = 1e-6
/** × aim: the gap at which a pair is open. The rest is for the curvature that the linear problem neglects. */
const OPEN = 0.5
/** × aim: largest correction of a gap in the last sweep. */
const SETTLED = 0.02
/** Over-relaxation begins after these sweeps: few bodies need no more, and are not moved too far. */
const PATIENCE = 24
const OVER_RELAXATION = 1.8
/** Sweeps over all points with the masses of the bodies, and then with equal masses; the wall of a thousand bricks needs 200. */
const MAX_SWEEPS = 2000

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
  const touching = ofOpenableHeaps(world, snapshot, touchingPoints(contacts, snapshot, aim), least)
  if (touching.length === 0) return null
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

/** All points at which bodies come within the aim. */
function touchingPoints(contacts: ContactSet, snapshot: Snapshot, aim: number): Touching[] {
  return contacts.nearAt(snapshot, aim).flatMap(({ bodyA, bodyB, collider }) => {
    const a = snapshot.motions[bodyA]!.pose
    const b = snapshot.motions[bodyB]!.pose
    const { separation, normal, point } = collider.separating(a, b)
    if (separation >= aim) return []
    const points = separation < -aim ? [] : collider.region(a, b, aim)
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

/** Projected over-relaxation of 0 ≤ p ⟂ J M⁻¹ Jᵀ p − missing ≥ 0. @returns the displacements once every gap exceeds its share of the aim, or null */
function solve(rows: Rows, missing: Float64Array, aim: number, length: number, interrupt: () => void): Float64Array | null {
  const { count, bodyA, bodyB, inverseMassJacobian: W } = rows
  const moves = new Float64Array(length)
  const p = new Float64Array(count)
  const inverse = Float64Array.from(p, (_, row) => 1 / rows.diagonal(row))
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    interrupt()
    const relaxation = sweep < PATIENCE ? 1 : OVER_RELAXATION
    let largest = 0
    for (let row = 0; row < count; row++) {
      const before = p[row]!
      const after = Math.max(0, before + relaxation * (missing[row]! - rows.along(row, moves)) * inverse[row]!)
      if (after === before) continue
      p[row] = after
      largest = Math.max(largest, Math.abs(after - before) / inverse[row]!)
      const [at, a, b] = [JACOBIAN_WIDTH * row, 6 * bodyA[row]!, 6 * bodyB[row]!]
      for (let k = 0; k < 6; k++) {
        moves[a + k] = moves[a + k]! + W[at + k]! * (after - before)
        moves[b + k] = moves[b + k]! + W[at + 6 + k]! * (after - before)
      }
    }
    if (largest <= SETTLED * aim && open(rows, missing, moves, aim)) return moves
  }
  return null
}

function open(rows: Rows, missing: Float64Array, moves: Float64Array, aim: number): boolean {
  for (let row = 0; row < rows.count; row++) if (rows.along(row, moves) - missing[row]! < (OPEN - 1) * aim) return false
  return true
}
