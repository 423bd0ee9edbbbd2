/**
 * Multipliers of an island with its index sets frozen. The work is done in the space of body motions (`row-space.ts`); where that finds no solution
 * (contradicting rows, friction that wedges), the dense least-squares form of `core/lcp/frozen` answers, and its residual says how well.
 */

import { JACOBIAN_WIDTH } from '../dynamics/joints/joint'
import { solveFrozen } from '../lcp/frozen'
import { BASIS_CLAMPED, BASIS_CONE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, type ContactProblem } from '../lcp/problem'
import type { RowBlock, RowSpace } from './row-space'
import { spinsOf } from '../lcp/spin'
import type { Rows } from './rows'
import type { Snapshot } from './snapshot'

/** Relative residual beyond which the dense form is asked. */
const CONSISTENT = 1e-10

/** What of an island counts here. */
export interface FrozenRows {
  /** Dynamic bodies. */
  readonly bodies: readonly number[]
  readonly rows: Rows
  readonly problem: ContactProblem
  /** Present slip directions, 2 a frictional point, and of the spins. */
  readonly slip: Float64Array
  fillDelassus(snapshot: Snapshot): void
  /** The island's solver, kept for its storage. */
  spaceOf(snapshot: Snapshot): RowSpace
}

export interface FrozenMultipliers {
  /** One a row of the island. */
  readonly f: Float64Array
  readonly rank: number
}

/**
 * @param b right-hand side: J M⁻¹ Jᵀ f = b on the rows that hold
 * @param rank of the rows that hold, kept from the restart; found when absent
 * @param reference multipliers of the restart. Where friction slides, different forces with the same normal accelerations give different motions
 *   (Coulomb's law does not choose), so forces then go on from those of the restart: they stay nearest to them.
 */
export function frozenMultipliers(
  island: FrozenRows, snapshot: Snapshot, basis: Uint8Array, b: Float64Array, rank?: number, reference?: Float64Array,
): FrozenMultipliers {
  const f = new Float64Array(island.rows.count)
  const hold: number[] = []
  const push: number[] = []
  let bounded = false
  const slaves = slavedRows(island, basis)
  for (let row = 0; row < basis.length; row++) {
    const place = basis[row]!
    if (place === BASIS_CLAMPED || place === BASIS_CONE) hold.push(row)
    if (place === BASIS_CLAMPED) push.push(row)
    if (place === BASIS_LOWER || place === BASIS_UPPER) {
      f[row] = place === BASIS_LOWER ? island.problem.lower[row]! : island.problem.upper[row]!
      bounded ||= f[row] !== 0
    }
  }
  for (const { spin: { normal, rows, limit }, at } of spinsOf(island.problem)) {
    if (normal >= 0 || basis[rows[0]!] !== BASIS_LIMITED) continue
    rows.forEach((row, k) => { f[row] = -limit * island.slip[at + k]! })
    bounded = true
  }
  const rhs = Float64Array.from(hold, row => b[row]!)
  if (bounded) subtractKnown(island, snapshot, f, hold, rhs)
  const held = block(island, hold)
  const space = island.spaceOf(snapshot)
  space.update()
  const from = slaves.size === 0 || reference === undefined ? undefined
    : Float64Array.from(push, row => reference[row]! * (slaves.get(row)?.weight ?? 1))
  const found = space.solve(held, slaves.size === 0 ? held : slavedBlock(island, push, slaves), rhs, rank, from)
  if (found.f === null || found.residual > CONSISTENT) {
    island.fillDelassus(snapshot)
    return solveFrozen({ ...island.problem, b }, basis, island.slip, rank, reference)
  }
  push.forEach((row, k) => {
    const slave = slaves.get(row)
    f[row] = found.f![k]! / (slave?.weight ?? 1)
    slave?.rows.forEach((follower, i) => { f[follower] = slave.values[i]! * f[row]! })
  })
  return { f, rank: found.rank }
}

/** Rows that follow a normal force, f = value × f_N: friction on its cone, spins at their bounds; `weight` is |(1, values)|. */
interface Slave {
  readonly rows: number[]
  readonly values: number[]
  weight: number
}

/** By normal row. */
function slavedRows(island: FrozenRows, basis: Uint8Array): Map<number, Slave> {
  const slaves = new Map<number, Slave>()
  const slave = (normal: number, row: number, value: number): void => {
    let found = slaves.get(normal)
    if (found === undefined) slaves.set(normal, found = { rows: [], values: [], weight: 1 })
    found.rows.push(row)
    found.values.push(value)
  }
  island.problem.friction.forEach((friction, index) => {
    const place = basis[friction.tangent1]!
    if (basis[friction.normal] !== BASIS_CLAMPED || (place !== BASIS_LIMITED && place !== BASIS_CONE)) return
    const mu = place === BASIS_CONE ? friction.staticFriction : friction.dynamicFriction
    slave(friction.normal, friction.tangent1, -mu * island.slip[2 * index]!)
    slave(friction.normal, friction.tangent2, -mu * island.slip[2 * index + 1]!)
    slaves.get(friction.normal)!.weight = Math.sqrt(1 + mu * mu)
  })
  for (const { spin: { normal, rows, limit }, at } of spinsOf(island.problem)) {
    const place = basis[rows[0]!]!
    if (normal < 0 || basis[normal] !== BASIS_CLAMPED || (place !== BASIS_LIMITED && place !== BASIS_CONE)) continue
    rows.forEach((row, k) => slave(normal, row, -limit * island.slip[at + k]!))
    const found = slaves.get(normal)!
    found.weight = Math.sqrt(found.weight * found.weight + limit * limit)
  }
  return slaves
}

function block(island: FrozenRows, rows: readonly number[]): RowBlock {
  const { rows: all } = island
  const own = picked(all, rows)
  if (all.second === null) return own
  const coupled = [...all.owners.keys()].filter(k => rows.includes(all.owners[k]!))
  return { ...own, second: picked(all.second, coupled), owners: coupled.map(k => rows.indexOf(all.owners[k]!)) }
}

function picked({ jacobian: J, bodyA, bodyB }: Rows, rows: readonly number[]): RowBlock {
  const jacobian = new Float64Array(rows.length * JACOBIAN_WIDTH)
  rows.forEach((row, k) => jacobian.set(J.subarray(row * JACOBIAN_WIDTH, (row + 1) * JACOBIAN_WIDTH), k * JACOBIAN_WIDTH))
  return { count: rows.length, jacobian, bodyA: Int32Array.from(rows, row => bodyA[row]!), bodyB: Int32Array.from(rows, row => bodyB[row]!) }
}

/** Rows that push: a slaved contact's along n̂ and what follows it, per unit of its whole force. */
function slavedBlock(island: FrozenRows, rows: readonly number[], slaves: ReadonlyMap<number, Slave>): RowBlock {
  const pushing = block(island, rows)
  const J = island.rows.jacobian
  rows.forEach((row, k) => {
    const slave = slaves.get(row)
    if (slave === undefined) return
    for (let i = 0; i < JACOBIAN_WIDTH; i++) {
      let sum = J[row * JACOBIAN_WIDTH + i]!
      slave.rows.forEach((follower, p) => { sum += slave.values[p]! * J[follower * JACOBIAN_WIDTH + i]! })
      pushing.jacobian[k * JACOBIAN_WIDTH + i] = sum / slave.weight
    }
  })
  return pushing
}

/** Takes the effect of forces at their bounds off the right-hand side. */
function subtractKnown(island: FrozenRows, snapshot: Snapshot, f: Float64Array, hold: readonly number[], rhs: Float64Array): void {
  const motion = new Float64Array(6 * snapshot.motions.length)
  island.rows.weigh(snapshot)
  island.rows.addMotion(f, motion)
  hold.forEach((row, k) => { rhs[k] = rhs[k]! - island.rows.along(row, motion) })
}
