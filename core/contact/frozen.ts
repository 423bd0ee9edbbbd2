/**
 * Multipliers of an island with a frozen index set, needed at every integrator stage.
 *
 * min |f̂ − f̂₀|   with   J M⁻¹ Wᵀ f̂ = b
 *
 * J holds the rows with prescribed acceleration, W the directions of the unknown multipliers: the same rows, except for sliding friction, which acts along n̂ −
 * μ ŝ while n̂ is clamped [Baraff92 §9.3] (there f̂ = √(1 + μ²) f_N, so that friction counts in the norm).
 *
 * The independent rows R of J are chosen once, at the restart: integrator stages lie slightly off the contact manifold, where redundant rows look independent
 * by the square of that deviation. With C = J_R M⁻¹ Wᵀ
 *
 * f̂ = f̂₀ + Cᵀ (C Cᵀ)⁻¹ (b_R − C f̂₀)
 *
 * refined to rounding: smooth in the data and independent of the choice of R. Without redundant and slaved rows C is square and symmetric and f̂ = C⁻¹ b. The
 * residual of the other rows of J measures the consistency of the equations; if they contradict the result (friction that wedges, contradicting constraints),
 * the dense least-squares form of `core/lcp/frozen` is used.
 *
 * Shapes are computed once an index set; `solve` allocates nothing.
 */

import { JACOBIAN_WIDTH } from '../dynamics/joints/joint'
import { solveFrozen } from '../lcp/frozen'
import { BASIS_CLAMPED, BASIS_CONE } from '../lcp/problem'
import { addScaledRow } from '../math/factor'
import { inBandOrder } from './band-order'
import { FrozenFactor } from './frozen-factor'
import {
  followersOf, halvesOf, knownForces, movedHalves, type Follower, type FrozenRows, type KnownForce, type MovedHalves, type RowHalves,
} from './frozen-shape'
import { dot6, weighHalf } from './half-row'
import { independentByMass, independentRows } from './independent-rows'
import { looseDiagonal } from './rows'
import type { Snapshot } from './snapshot'

/** Relative residual above which the dense form is used. */
const CONSISTENT = 1e-10
/** Relative residual of the independent rows above which another choice is tried. */
const SETTLED = 1e-12
const REFINEMENTS = 5

export class FrozenSystem {
  /** Rows with a prescribed acceleration, and rows with their own multiplier. */
  private readonly hold: RowHalves
  private readonly push: RowHalves
  /** Bodies moved by each row with a multiplier: its own bodies, and all bodies of their trees. */
  private readonly moved: MovedHalves
  /** Followers of each row with a multiplier. */
  private readonly followers: readonly (readonly Follower[])[]
  /** Whether friction follows normal forces. */
  readonly slaved: boolean
  private readonly known: readonly KnownForce[]
  /** Factor for the independent rows, which the first solve chooses. */
  private factor: FrozenFactor | null = null
  /** M⁻¹ Wᵀ, 6 for each half of the moved bodies. */
  private readonly weighed: Float64Array
  /** |(1, followers)| of each row with a multiplier. */
  private readonly weights: Float64Array
  private readonly unknowns: Float64Array
  private readonly rhs: Float64Array
  private readonly rest: Float64Array
  private readonly motion: Float64Array
  private readonly f: Float64Array
  /** Wrench on one body. */
  private readonly wrench = new Float64Array(6)

  constructor(private readonly island: FrozenRows, snapshot: Snapshot, private readonly basis: Uint8Array) {
    const hold: number[] = []
    const push: number[] = []
    basis.forEach((place, row) => {
      if (place === BASIS_CLAMPED || place === BASIS_CONE) hold.push(row)
      if (place === BASIS_CLAMPED) push.push(row)
    })
    const followers = followersOf(island.problem, basis)
    const pushing = inBandOrder(push, island.rows, snapshot)
    this.followers = [...pushing].map(row => followers.get(row) ?? [])
    this.slaved = followers.size > 0
    this.known = knownForces(island.problem, basis)
    const places = new Map<number, number>()
    this.hold = halvesOf(island.rows, inBandOrder(hold, island.rows, snapshot), snapshot, places)
    this.push = halvesOf(island.rows, pushing, snapshot, places)
    this.moved = movedHalves(this.push, snapshot, places)
    this.weighed = new Float64Array(6 * this.moved.place.length)
    this.weights = new Float64Array(push.length).fill(1)
    this.unknowns = new Float64Array(push.length)
    this.rhs = new Float64Array(hold.length)
    this.rest = new Float64Array(hold.length)
    this.motion = new Float64Array(6 * places.size)
    this.f = new Float64Array(basis.length)
  }

  /** Whether the clamped rows determined the forces uniquely in the last solve. */
  get unique(): boolean {
    return this.factor !== null && this.factor.independent.length === this.unknowns.length
  }

  /**
   * @param b right-hand side: J M⁻¹ Jᵀ f = b on the holding rows; one a row of the island
   * @param reference f₀, one a row. With sliding friction, different forces with the same normal accelerations give different motions, and Coulomb's
   *   law does not select one. The forces then stay nearest to those of the restart
   * @param accuracy in the units of b: smaller inconsistencies are rounding
   * @returns one multiplier a row of the island, in storage that the next `solve` overwrites
   */
  solve(snapshot: Snapshot, b: Float64Array, reference?: Float64Array, accuracy = 0): Float64Array {
    const { f, hold: { rows: hold }, rhs, island: { problem, slip } } = this
    f.fill(0)
    for (const known of this.known) f[known.row] = known.value(problem, slip)
    for (let i = 0; i < hold.length; i++) rhs[i] = b[hold[i]!]!
    if (this.known.length > 0) this.subtractKnown(snapshot)
    this.weigh(snapshot)
    if (this.factor === null) this.choose(snapshot, undefined)
    if (!this.refined(reference, accuracy)) {
      this.choose(snapshot, this.factor!.independent.length)
      if (!this.refined(reference, accuracy)) {
        this.island.fillDelassus(snapshot)
        return solveFrozen({ ...this.island.problem, b }, this.basis, this.island.slip, this.factor!.independent.length, reference).f
      }
    }
    this.spread()
    return f
  }

  /** Subtracts the effect of forces at their bounds from the right-hand side. */
  private subtractKnown(snapshot: Snapshot): void {
    const { rows } = this.island
    const motion = new Float64Array(6 * snapshot.motions.length)
    rows.weigh(snapshot)
    rows.addMotion(this.f, motion)
    for (let i = 0; i < this.rhs.length; i++) this.rhs[i] = this.rhs[i]! - rows.along(this.hold.rows[i]!, motion)
  }

  /** M⁻¹ Wᵀ: a slaved contact acts along n̂ and its followers, per unit of its whole force. */
  private weigh(snapshot: Snapshot): void {
    const { push: { rows, start, body, offset, source, jacobian }, moved, weighed, weights, wrench, island: { problem, slip } } = this
    for (let k = 0; k < rows.length; k++) {
      const followers = this.followers[k]!
      let square = 1
      for (const follower of followers) square += follower.bound(problem) * follower.bound(problem)
      const weight = weights[k] = Math.sqrt(square)
      const row = rows[k]! * JACOBIAN_WIDTH
      const own = moved === this.push
      if (!own) weighed.fill(0, 6 * moved.start[k]!, 6 * moved.start[k + 1]!)
      for (let h = start[k]!; h < start[k + 1]!; h++) {
        const J = jacobian[source[h]!]!
        for (let i = 0; i < 6; i++) wrench[i] = J[offset[h]! + i]! / weight
        for (const follower of followers) {
          const bound = follower.bound(problem) / weight
          for (let p = 0; p < follower.rows.length; p++) {
            // Followers act on the same bodies.
            addScaledRow(wrench, 0, J, follower.rows[p]! * JACOBIAN_WIDTH + offset[h]! - row, -bound * slip[follower.slip + p]!, 6)
          }
        }
        if (own) weighHalf(snapshot, body[h]!, wrench, 0, weighed, 6 * h)
        else moved.add!(snapshot, k, body[h]!, wrench, weighed)
      }
    }
  }

  /** Chooses the independent rows. */
  private choose(snapshot: Snapshot, rank: number | undefined): void {
    const { hold, moved, push, unknowns: { length: p }, rhs } = this
    const independent = moved === push ? independentRows(hold, rank) : this.independentInTrees(snapshot, rank)
    const square = !this.slaved && independent.length === rhs.length && rhs.length === p
    this.factor = new FrozenFactor(hold, moved, independent, p, square)
  }

  /** For bodies of trees the masses determine which rows are independent: no row moves directions fixed by joints. */
  private independentInTrees(snapshot: Snapshot, rank: number | undefined): Int32Array {
    const { island, hold: { rows } } = this
    island.fillDelassus(snapshot)
    return independentByMass(island.problem.A, island.problem.size, rows, row => looseDiagonal(island.rows, row, snapshot), rank)
  }

  /** Solves for the unknowns. @returns whether the solution converged and all rows are consistent with it */
  private refined(reference: Float64Array | undefined, accuracy: number): boolean {
    const { unknowns, push: { rows: push }, weights, rhs, rest } = this
    const factor = this.factor!
    const { length: r } = factor.independent
    const p = push.length
    for (let k = 0; k < p; k++) unknowns[k] = this.slaved && reference !== undefined ? reference[push[k]!]! * weights[k]! : 0
    let scale = 0
    for (const value of rhs) scale = Math.max(scale, Math.abs(value))
    if (r > p || (r > 0 && !factor.factor(this.weighed))) return false
    let worst = this.remaining()
    for (let pass = 0; pass < REFINEMENTS && worst > 0; pass++) {
      factor.correct(rest, unknowns)
      const before = worst
      worst = this.remaining()
      if (worst <= 4 * Number.EPSILON * scale || (pass > 0 && worst > 0.1 * before)) break
    }
    if (!(worst <= Math.max(SETTLED * scale, accuracy))) return false
    let off = 0
    for (const value of rest) off = Math.max(off, Math.abs(value))
    return off <= Math.max(CONSISTENT * scale, accuracy)
  }

  /** b − J M⁻¹ Wᵀ f̂ into `rest`; its largest element among the independent rows. */
  private remaining(): number {
    const { motion, unknowns, weighed, moved, hold, rhs, rest } = this
    motion.fill(0)
    for (let k = 0; k < unknowns.length; k++) {
      const value = unknowns[k]!
      if (value === 0) continue
      for (let g = moved.start[k]!; g < moved.start[k + 1]!; g++) addScaledRow(motion, moved.place[g]!, weighed, 6 * g, value, 6)
    }
    for (let i = 0; i < rhs.length; i++) {
      let sum = 0
      for (let h = hold.start[i]!; h < hold.start[i + 1]!; h++) sum += dot6(hold.jacobian[hold.source[h]!]!, hold.offset[h]!, motion, hold.place[h]!)
      rest[i] = rhs[i]! - sum
    }
    let worst = 0
    for (const i of this.factor!.independent) worst = Math.max(worst, Math.abs(rest[i]!))
    return worst
  }

  /** Expands the unknowns to the multipliers of all rows. */
  private spread(): void {
    const { f, push: { rows }, unknowns, weights, island: { problem, slip } } = this
    for (let k = 0; k < rows.length; k++) {
      const force = unknowns[k]! / weights[k]!
      f[rows[k]!] = force
      for (const follower of this.followers[k]!) {
        const bound = follower.bound(problem)
        for (let p = 0; p < follower.rows.length; p++) f[follower.rows[p]!] = -bound * slip[follower.slip + p]! * force
      }
    }
  }
}
