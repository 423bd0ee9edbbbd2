/** Constant part of a frozen index set: clamped rows, rows with multipliers, slaved rows, and the bodies of each. */

import { JACOBIAN_WIDTH } from '../dynamics/joints/joint'
import {
  BASIS_CLAMPED, BASIS_CONE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, type ContactProblem,
} from '../lcp/problem'
import { spinsOf } from '../lcp/spin'
import { weighHalf } from './half-row'
import type { SparseRows } from './independent-rows'
import type { Rows } from './rows'
import type { Snapshot } from './snapshot'

/** Input from an island. */
export interface FrozenRows {
  readonly rows: Rows
  readonly problem: ContactProblem
  /** Present slip directions, 2 a frictional point, and of the spins. */
  readonly slip: Float64Array
  fillDelassus(snapshot: Snapshot): void
}

/** Halves of rows with their bodies. */
export interface RowHalves extends SparseRows {
  readonly rows: Int32Array
  readonly body: Int32Array
}

/** Bodies moved by rows with multipliers, one half for each body. */
export interface MovedHalves {
  readonly start: Int32Array
  readonly place: Int32Array
  /** Adds the motion due to a wrench on a body of row k to `out`, 6 doubles a half; absent if each row moves its own bodies only. */
  add?(snapshot: Snapshot, k: number, body: number, wrench: Float64Array, out: Float64Array): void
}

/** Rows proportional to a normal force, f = −bound × slip × f_N: friction on its cone, a spin at its bound. */
export interface Follower {
  readonly rows: readonly number[]
  /** Index of its first direction in `slip`. */
  readonly slip: number
  /** The bound, m or 1, at present: the approximations of static friction change it from stage to stage. */
  bound(problem: ContactProblem): number
}

/** A row with a known force. */
export interface KnownForce {
  readonly row: number
  /** N or N m */
  value(problem: ContactProblem, slip: Float64Array): number
}

/** The halves of some rows that act on movable bodies. Bodies get offsets in a vector of motions in order of appearance. */
export function halvesOf(all: Rows, rows: Int32Array, snapshot: Snapshot, places: Map<number, number>): RowHalves {
  const start = [0]
  const place: number[] = []
  const body: number[] = []
  const offset: number[] = []
  const source: number[] = []
  const add = (from: Rows, row: number, which: number): void => {
    for (const [side, of] of [from.bodyA[row]!, from.bodyB[row]!].entries()) {
      if (of < 0 || snapshot.inverseMass[of] === 0) continue
      if (!places.has(of)) places.set(of, 6 * places.size)
      place.push(places.get(of)!)
      body.push(of)
      offset.push(row * JACOBIAN_WIDTH + 6 * side)
      source.push(which)
    }
  }
  for (const row of rows) {
    add(all, row, 0)
    const second = all.owners.indexOf(row)
    if (second >= 0) add(all.second!, second, 1)
    start.push(place.length)
  }
  return {
    rows, start: Int32Array.from(start), place: Int32Array.from(place), body: Int32Array.from(body), offset: Int32Array.from(offset),
    source: Uint8Array.from(source), jacobian: all.second === null ? [all.jacobian] : [all.jacobian, all.second.jacobian], size: 6 * places.size,
  }
}

/** @returns `push` itself if no row acts on a body of a tree */
export function movedHalves(push: RowHalves, snapshot: Snapshot, places: Map<number, number>): MovedHalves {
  const { trees } = snapshot
  if (trees === null || !push.body.some(body => trees.has(body))) return push
  const { nodes } = trees.forest
  const start = [0]
  const place: number[] = []
  /** By row: the first half of each tree, or the half of a body outside trees. */
  const halves: Map<number, number>[] = []
  const placeOf = (body: number): number => {
    if (!places.has(body)) places.set(body, 6 * places.size)
    return places.get(body)!
  }
  for (let k = 0; k < push.rows.length; k++) {
    const own = new Map<number, number>()
    for (let h = push.start[k]!; h < push.start[k + 1]!; h++) {
      const body = push.body[h]!
      const node = trees.nodeOf(body)
      const key = node < 0 ? -1 - body : trees.range(node)[0]
      if (own.has(key)) continue
      own.set(key, place.length)
      if (node < 0) place.push(placeOf(body))
      else for (const other of nodes.slice(...trees.range(node))) place.push(placeOf(other.body))
    }
    halves.push(own)
    start.push(place.length)
  }
  const response = new Float64Array(6 * Math.max(1, nodes.length))
  return {
    start: Int32Array.from(start), place: Int32Array.from(place),
    add(now, k, body, wrench, out) {
      const node = trees.nodeOf(body)
      const [first, end] = node < 0 ? [0, 1] : trees.range(node)
      if (node < 0) weighHalf(now, body, wrench, 0, response, 0)
      else now.trees!.respond(node, wrench, 0, response, 0)
      const at = 6 * halves[k]!.get(node < 0 ? -1 - body : first)!
      for (let i = 0; i < 6 * (end - first); i++) out[at + i] = out[at + i]! + response[6 * first + i]!
    },
  }
}

/** Followers of each normal row. */
export function followersOf(problem: ContactProblem, basis: Uint8Array): Map<number, Follower[]> {
  const followers = new Map<number, Follower[]>()
  const add = (normal: number, follower: Follower): void => {
    followers.set(normal, [...followers.get(normal) ?? [], follower])
  }
  problem.friction.forEach(({ normal, tangent1, tangent2 }, index) => {
    const place = basis[tangent1]!
    if (basis[normal] !== BASIS_CLAMPED || (place !== BASIS_LIMITED && place !== BASIS_CONE)) return
    add(normal, {
      rows: [tangent1, tangent2], slip: 2 * index,
      bound: ({ friction }) => place === BASIS_CONE ? friction[index]!.staticFriction : friction[index]!.dynamicFriction,
    })
  })
  spinsOf(problem).forEach(({ spin: { normal, rows }, at }, index) => {
    const place = basis[rows[0]!]!
    if (normal < 0 || basis[normal] !== BASIS_CLAMPED || (place !== BASIS_LIMITED && place !== BASIS_CONE)) return
    add(normal, { rows, slip: at, bound: ({ spin }) => spin![index]!.limit })
  })
  return followers
}

/** Forces at constant bounds, or at the present ones: drives, spins of joints, friction with separately bounded axes. */
export function knownForces(problem: ContactProblem, basis: Uint8Array): KnownForce[] {
  const known: KnownForce[] = []
  basis.forEach((place, row) => {
    if (place === BASIS_LOWER) known.push({ row, value: ({ lower }) => lower[row]! })
    else if (place === BASIS_UPPER) known.push({ row, value: ({ upper }) => upper[row]! })
  })
  spinsOf(problem).forEach(({ spin: { normal, rows }, at }, index) => {
    if (normal >= 0 || basis[rows[0]!] !== BASIS_LIMITED) return
    rows.forEach((row, k) => known.push({ row, value: ({ spin }, slip) => -spin![index]!.limit * slip[at + k]! }))
  })
  return known
}
