/**
 * Zeroth-order impacts [Baraff92 §6.7]: a contact point crosses a spot of zero curvature, such as the pole of x⁴ + y⁴ + z⁴ = 1 on a plane. The
 * contact position p is continuous there. Its speed is unbounded, and the normal force R = O(|ṗ| + 1) grows without bound, while
 *
 *   ∫ R dt = H(p(t₁)) − H(p(t₀))                                                                   [Baraff92 eq. 6-41]
 *
 * stays finite and vanishes with t₁ − t₀. Integrator steps therefore cannot resolve the crossing, and need not. Let t₀ be an instant shortly before
 * the spot, and t₁ the instant behind it at which the point is as fast as at t₀. Between them the contact gives one impulse P that keeps the
 * constraint at both ends,
 *
 *   M (u₁ − u₀) = W₀ᵀ ρ P₀ + W₁ᵀ P₁,      J₁ u₁ = 0,      P₀ the impulse that would keep it alone
 *
 * The share ρ of P₀ acts at the contact position before the spot, and the rest acts at the position after it. In W friction is a function of the
 * normal force, as between events. The share ρ is such that the constraints do no work: ρ = ½ if the motion is symmetric about the spot.
 */

import { applyImpulse, applyImpulsiveWrench } from '../../contact/impact'
import { WORKS } from '../../contact/works'
import { FrozenSystem } from '../../contact/frozen'
import type { Island } from '../../contact/island'
import { pointForce } from '../../contact/island-forces'
import { copySnapshot, type Snapshot } from '../../contact/snapshot'
import type { DenseOutput } from '../../dynamics/integrator'
import { renormalize } from '../../dynamics/state-layout'
import { BASIS_FREE, BASIS_LIMITED, BASIS_LOWER, BASIS_UPPER, ROW_FRICTION, ROW_SPIN } from '../../lcp/problem'
import { add, distance, scale, type Vec3 } from '../../math/vector'
import type { RunContext } from './context'
import { holdingByCurvature, isFlat, type HoldingContact } from './flat-spots'
import { CROSSING_STEP } from './tolerances'

/** × rounding of the time: the length of shorter crossings would be lost in rounding. */
const ROUNDED = 1e4
/** Doublings of the step until the point is slow again, and bisections to that instant. */
const MAX_DOUBLINGS = 40
const BISECTIONS = 12
/** Fraction of the crossing over which the point's speed is measured at either end. */
const ENDS = 0.1
const FRICTION = WORKS.indexOf('friction')
const KINEMATIC = WORKS.indexOf('kinematic')

export interface Crossing {
  /** s */
  readonly end: number
  readonly island: Island
  readonly contact: HoldingContact
  /** Of the island's rows, N s. */
  readonly impulse: Float64Array
  readonly before: Snapshot
}

/** s: shorter steps at a flat spot are replaced by a crossing. */
export function crossingStep({ world: { scales }, time }: RunContext): number {
  return Math.max(CROSSING_STEP * scales.size / scales.speed, ROUNDED * Number.EPSILON * time)
}

/**
 * Moves the context's state across the flat spot ahead of it, into `out`.
 *
 * @param step s, the step size that was not accepted
 * @param stop s, upper limit of the crossing's end
 * @returns null if there is no flat spot
 */
export function crossFlatSpot(context: RunContext, step: number, stop: number, out: Float64Array): Crossing | null {
  const { equations, state, time } = context
  equations.snapshot.update(state)
  const [contact] = holdingByCurvature(context)
  if (!isFlat(context, contact)) return null
  const all = equations.islands
  const island = all.find(({ points, equilibrium }) => points.includes(contact.point) && equilibrium === null)
  if (island === undefined) return null
  const rate = new Float64Array(state.length)
  // All other contacts keep their forces, which are finite, and the time is short.
  equations.islands = all.filter(other => other !== island)
  equations.derivative(time, state, rate)
  equations.islands = all
  const length = crossingTime(context, contact, rate, step)
  if (length === null || time + length > stop) return null
  drift(context, rate, length, out)
  const before = copySnapshot(equations.snapshot, state)
  return { end: time + length, island, contact, impulse: new Crosser(context, island, out).cross(), before }
}

/** The state after `h` seconds at constant rates. */
function drift({ equations, state }: RunContext, rate: Float64Array, h: number, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] = state[i]! + h * rate[i]!
  renormalize(equations.layout, out)
}

/** s until the contact point is as slow as now, after a faster phase; null if this never happens. */
function crossingTime(context: RunContext, { point: { bodyA, bodyB, features } }: HoldingContact, rate: Float64Array, step: number): number | null {
  const { equations: { snapshot } } = context
  const scratch = new Float64Array(rate.length)
  const place = (h: number): Vec3 => {
    drift(context, rate, h, scratch)
    snapshot.update(scratch)
    return features.locate(snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose).point
  }
  const start = place(0)
  const slower = (h: number): boolean => distance(place(h), place(h * (1 - ENDS))) < distance(place(h * ENDS), start)
  let length = step
  // Behind a spot that has already been crossed the point only becomes slower.
  if (slower(length)) return null
  for (let k = 0; !slower(length); k++) {
    if (k === MAX_DOUBLINGS) return null
    length *= 2
  }
  let short = length / 2
  for (let k = 0; k < BISECTIONS; k++) {
    const middle = (short + length) / 2
    if (slower(middle)) length = middle
    else short = middle
  }
  return length
}

/** Velocities of one island across the spot; its poses are already those of `out`. */
class Crosser {
  private readonly basis: Uint8Array
  /** Impulses that act at the end alone, N s, by row. */
  private readonly alone: Float64Array
  /** Wrenches of the same impulses at the start, 6 doubles per body: of all rows, and of the rows that do no work. */
  private readonly all: Float64Array
  private readonly holding: Float64Array
  private readonly drifted: Float64Array
  private readonly before: Float64Array
  private readonly after: Float64Array

  constructor(private readonly context: RunContext, private readonly island: Island, private readonly out: Float64Array) {
    const { equations: { snapshot }, state } = context
    const count = 6 * snapshot.motions.length
    this.basis = impulsiveBasis(island)
    this.drifted = out.slice()
    this.before = new Float64Array(count)
    this.after = new Float64Array(count)
    this.place(out)
    this.alone = this.impulse()
    this.place(state)
    snapshot.velocities(this.before)
    this.all = this.wrenchOf(this.alone)
    this.holding = this.wrenchOf(this.withoutFriction(this.alone))
    this.place(out)
  }

  /** @returns impulses of all rows, N s */
  cross(): Float64Array {
    const { context, out, island, before, after, all, holding } = this
    const { equations: { snapshot, layout } } = context
    const share = rootNearHalf(this.go(0).work, this.go(0.5).work, this.go(1).work)
    const { rest } = this.go(share)
    const total = this.wrenchOf(rest)
    const held = this.wrenchOf(this.withoutFriction(rest))
    let friction = 0
    let kinematic = 0
    for (const body of island.bodies) {
      for (let k = 6 * body; k < 6 * body + 6; k++) {
        const mean = (before[k]! + after[k]!) / 2
        const impulse = share * all[k]! + total[k]!
        friction += (impulse - share * holding[k]! - held[k]!) * mean
        if (snapshot.inverseMass[body] === 0) kinematic -= impulse * mean
      }
    }
    out[layout.bodyLength + FRICTION]! += friction
    out[layout.bodyLength + KINEMATIC]! += kinematic
    return rest.map((value, row) => value + share * this.alone[row]!)
  }

  /** Crosses with a share of the impulse before the spot. @returns work of the constraints, J, and the remaining impulse, N s, by row */
  private go(share: number): { work: number; rest: Float64Array } {
    const { context: { equations: { snapshot } }, island, out, drifted, all, holding, before, after } = this
    out.set(drifted)
    applyImpulsiveWrench(island.bodies, snapshot, all.map(value => share * value), out)
    snapshot.update(out)
    const rest = this.impulse()
    applyImpulse(island, snapshot, rest, out)
    snapshot.update(out)
    snapshot.velocities(after)
    const end = this.wrenchOf(this.withoutFriction(rest))
    let work = 0
    // Constraints do not move at their own end.
    for (let k = 0; k < end.length; k++) work += (share * holding[k]! * after[k]! + end[k]! * before[k]!) / 2
    return { work, rest }
  }

  private place(state: Float64Array): void {
    const { context: { equations: { snapshot } }, island } = this
    snapshot.update(state)
    island.fillRows(snapshot)
  }

  /** Impulse that maintains the constraints at the snapshot, N s, by row. */
  private impulse(): Float64Array {
    const { context: { equations: { snapshot } }, island, basis } = this
    const b = Float64Array.from({ length: island.problem.size }, (_, row) => -island.rows.velocity(row, snapshot))
    island.drives.forEach((drive, i) => { b[island.driveRow[i]!]! += drive.targetVelocity })
    return new FrozenSystem(island, snapshot, basis).solve(snapshot, b).slice()
  }

  private wrenchOf(impulse: Float64Array): Float64Array {
    const wrench = new Float64Array(this.before.length)
    this.island.rows.addWrench(impulse, wrench)
    return wrench
  }

  private withoutFriction(impulse: Float64Array): Float64Array {
    const { exact: { kind } } = this.island
    return impulse.map((value, row) => kind[row] === ROW_FRICTION || kind[row] === ROW_SPIN ? 0 : value)
  }
}

/** The frozen index set without rows of given force: these give no impulse in zero time. */
function impulsiveBasis({ basis, problem: { spin = [] } }: Island): Uint8Array {
  const impulsive = Uint8Array.from(basis!, place => place === BASIS_LOWER || place === BASIS_UPPER ? BASIS_FREE : place)
  for (const { normal, rows } of spin) if (normal < 0) for (const row of rows) if (impulsive[row] === BASIS_LIMITED) impulsive[row] = BASIS_FREE
  return impulsive
}

/** Zero nearest to ½ of the parabola through its values at 0, ½ and 1; its extremum if there is none. */
function rootNearHalf(at0: number, atHalf: number, at1: number): number {
  // Of t = s − ½: a t² + b t + c.
  const c = atHalf
  const b = at1 - at0
  const a = 2 * (at0 + at1 - 2 * c)
  if (c === 0 || b === 0 && a === 0) return 0.5
  const square = b * b - 4 * a * c
  if (square < 0) return 0.5 - b / (2 * a)
  return 0.5 - 2 * c / (b + (b < 0 ? -1 : 1) * Math.sqrt(square))
}

/** Interpolates linearly between the states at both ends of a crossing, which is very short. */
export function straight(start: number, end: number, from: Float64Array, to: Float64Array): DenseOutput {
  const [first, last] = [from.slice(), to.slice()]
  return {
    start, end,
    at(time, out) {
      const share = (time - start) / (end - start)
      for (let i = 0; i < out.length; i++) out[i] = first[i]! + share * (last[i]! - first[i]!)
    },
  }
}

/** Reports a crossing as an impact, from the snapshot at its end. */
export function reportCrossing(context: RunContext, { island, contact: { point }, impulse, before }: Crossing): void {
  const { environment, equations: { snapshot }, state, time } = context
  island.fillRows(snapshot)
  const i = island.points.indexOf(point)
  const { location } = island.geometry[i]!
  const { normalForce, friction } = pointForce(island, i, impulse)
  environment.observer.event({
    kind: 'impact', time, bodyA: point.bodyA, bodyB: point.bodyB, shapeA: point.shapeA, shapeB: point.shapeB,
    featureA: point.features.featureA, featureB: point.features.featureB, point: location.point, normal: location.normal,
    impulse: add(scale(location.normal, normalForce), friction), approachSpeed: 0, reboundSpeed: 0, before, after: copySnapshot(snapshot, state),
    energyLoss: 0, message: 'of zeroth order: the contact point crossed a flat spot',
  })
}
