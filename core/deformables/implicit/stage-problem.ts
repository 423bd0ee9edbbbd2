/** The equation of a stage, M (V − v*) = a f(X, V, t): its residual, its potential, and the rounding errors of both. */

import type { StageElements, StageSums } from '../condition'
import type { ParticleSystem } from '../system'

/** Initial data of a stage. */
export interface StageStart {
  /** x*, v*: 3n; held particles have none. */
  readonly positions: Float64Array
  readonly velocities: Float64Array
  /** C* of every energy. */
  readonly conditions: readonly Float64Array[]
  /** m/s: velocities of the first iterate, if not v*. */
  readonly guess?: Float64Array
}

/** Forces other than those of energies and loads. */
export interface OtherForces {
  /** Adds the forces at X to f, and their magnitude and potential to the sums. */
  addForces(X: Float64Array, f: Float64Array, sums: StageSums): void
  /** Adds to c the part of the forces f that is not the gradient of their potential. */
  addTurning(X: Float64Array, f: Float64Array, c: Float64Array): void
}

/**
 * Rounding error of a position, × the largest, and of a velocity. Multiplied by the largest stiffness, or by mass ÷ a, it gives a force that no
 * iteration can remove.
 */
const ROUNDING = 4 * 2.220446049250313e-16

export class StageProblem {
  /** −M (V − v*) / a + f at X: the residual for Newton's method; `loose` for free particles only. */
  readonly g: Float64Array
  readonly loose: Float64Array
  /** N: the same without inertia. */
  readonly force: Float64Array
  /** N: largest force of an element, load, link or inertia. */
  scale = 0
  readonly sums: StageSums = { largest: 0, potential: 0 }
  /** N, and sums: of loads and elements. */
  private readonly own: Float64Array
  private readonly ownSums: StageSums = { largest: 0, potential: 0 }
  /**
   * Current loads; and the forces without a potential at the start of a Newton step (loads and a part of the moments). Along the step they count as constant
   * forces. Without that part of the moments, the potential rose along correct Newton steps of a body that rotated on a net, and the step took 200 iterations.
   */
  private readonly loaded: Float64Array
  private readonly constant: Float64Array
  private readonly heaviest: number

  /** @param elements of each of the system's energies */
  constructor(private readonly system: ParticleSystem, private readonly elements: readonly StageElements[]) {
    const three = (): Float64Array => new Float64Array(3 * system.masses.length)
    this.g = three()
    this.loose = three()
    this.force = three()
    this.own = three()
    this.loaded = three()
    this.constant = three()
    this.heaviest = system.masses.reduce((most, m) => Math.max(most, m), 0)
  }

  /**
   * Evaluates at V, and writes X.
   *
   * @param again whether V is that of the last evaluation, after which only the other forces have changed
   * @returns the largest component on a free particle
   */
  residual(t: number, a: number, { positions, velocities, conditions }: StageStart, X: Float64Array, V: Float64Array, others: OtherForces | null,
    again = false): number {
    const { system: { masses, loads, held }, elements, force, sums, own, ownSums, loaded, constant, g, loose } = this
    const n = masses.length
    if (!again) {
      // V is the unknown and X follows: inertia computed from positions would lose digits, because m/a² is large.
      for (let i = 0; i < n; i++) if (!held[i]) for (let k = 3 * i; k < 3 * i + 3; k++) X[k] = positions[k]! + a * V[k]!
      own.fill(0)
      for (const load of loads) if (load.pairs === undefined) load.addForces(t, X, V, own)
      ownSums.largest = 0
      ownSums.potential = 0
      for (let k = 0; k < 3 * n; k++) {
        ownSums.largest = Math.max(ownSums.largest, Math.abs(own[k]!))
        ownSums.potential -= constant[k]! * (X[k]! - positions[k]!)
      }
      loaded.set(own)
      this.addPairs(X)
      for (let e = 0; e < elements.length; e++) elements[e]!.addForces(X, conditions[e]!, a, own, ownSums)
    }
    force.set(own)
    sums.largest = ownSums.largest
    sums.potential = ownSums.potential
    others?.addForces(X, force, sums)
    let scale = sums.largest
    let largest = 0
    for (let i = 0; i < n; i++) {
      for (let k = 3 * i; k < 3 * i + 3; k++) {
        const change = V[k]! - velocities[k]!
        const inertia = held[i] ? 0 : (masses[i]! * change) / a
        if (!held[i]) sums.potential += 0.5 * masses[i]! * change * change
        scale = Math.max(scale, Math.abs(inertia))
        g[k] = force[k]! - inertia
        loose[k] = held[i] ? 0 : g[k]!
        largest = Math.max(largest, Math.abs(loose[k]!))
      }
    }
    this.scale = scale
    return largest
  }

  /** Interactions of pairs, as energies: the line search has to see their potential, which may be infinite. */
  private addPairs(X: Float64Array): void {
    const { system: { loads }, own, ownSums, loaded } = this
    let some = false
    for (const { pairs } of loads) {
      if (pairs === undefined) continue
      ownSums.potential += pairs.addForces(X, own)
      some = true
    }
    if (some) for (let k = 0; k < own.length; k++) ownSums.largest = Math.max(ownSums.largest, Math.abs(own[k]! - loaded[k]!))
  }

  /** Adds forces to the last residual. @param f N, 3n. @returns the largest component on a free particle */
  add(f: Float64Array): number {
    const { system: { held }, force, g, loose } = this
    let largest = 0
    for (let k = 0; k < f.length; k++) {
      force[k]! += f[k]!
      g[k]! += f[k]!
      if (held[Math.floor(k / 3)]) continue
      loose[k]! += f[k]!
      largest = Math.max(largest, Math.abs(loose[k]!))
    }
    return largest
  }

  /** g · d over the free particles: minus the slope of the stage's potential along d. */
  slope(d: Float64Array): number {
    let sum = 0
    for (let k = 0; k < d.length; k++) sum += this.loose[k]! * d[k]!
    return sum
  }

  /** Starts a Newton step, along which loads are constant. @returns the potential at its start, J */
  hold(positions: Float64Array, X: Float64Array, others: OtherForces | null): number {
    const { constant, loaded, force, sums } = this
    let before = sums.potential
    for (let k = 0; k < X.length; k++) before += constant[k]! * (X[k]! - positions[k]!)
    constant.set(loaded)
    others?.addTurning(X, force, constant)
    for (let k = 0; k < X.length; k++) before -= constant[k]! * (X[k]! - positions[k]!)
    return before
  }

  /** N: force errors due to the rounding of positions and velocities. @param stiffest N/m */
  rounding(a: number, { positions, velocities }: StageStart, X: Float64Array, V: Float64Array, stiffest: number): number {
    let far = 0
    let fast = 0
    for (let k = 0; k < X.length; k++) {
      const x = Math.abs(X[k]!), x0 = Math.abs(positions[k]!), v = Math.abs(V[k]!), v0 = Math.abs(velocities[k]!)
      if (x > far) far = x
      if (x0 > far) far = x0
      if (v > fast) fast = v
      if (v0 > fast) fast = v0
    }
    return ROUNDING * (stiffest * far + (this.heaviest / a) * fast)
  }
}
