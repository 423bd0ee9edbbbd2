/**
 * Conditions that an implicit stage holds exactly by multipliers, one λ for each component of C [PBM01-F]:
 *
 *   force  p ∂C/∂x,   p = λ − ρ (C − c),   potential p² / 2ρ
 *
 * This is the augmented Lagrangian of the links (`links.ts`), with any number of particles in a condition. With the direct linear solver multipliers are
 * unknowns of Newton's method in the same way: (H + σ JᵀJ) d = r − σ Jᵀ (C − c), δλ = −σ (C − c + J d), and H contains −p ∇²C.
 *
 * Points of carriers may take part too: their derivatives are mapped to the blocks of their carriers (`body-points.ts`).
 *
 * The value c is 0; the state at the end of every step is then on the constraint. With feedback it follows C̈ + k_d Ċ + k_s C = 0 as implicit Euler solves
 * it from C and Ċ = J v at the start of the step (a stage: from its start, for its length):  c = C + h Ċ₁,  Ċ₁ = (Ċ − h k_s C) / (1 + h k_d + h² k_s).
 */

import type { StageSums } from '../condition'
import { conditionRates, conditionValues, elementWorkspace, spread } from '../energy'
import type { StageOfStep } from './stage-of-step'
import type { BodyPoints } from './body-points'
import { addCurved, reduce, rowsOf, writeBlocks, type HeldCondition, type Rows } from './held-rows'
import { CONDITIONS, ENTRY } from './link-memory'
import { HOLD, PENALTY } from './penalties'

export class HeldConditions {
  /** Conditions and their columns, in the order given. */
  readonly sets: readonly Rows[]
  private readonly workspace: ReturnType<typeof elementWorkspace>
  private readonly block = new Float64Array(9)
  /** Second derivatives by blocks. */
  private readonly matrix: Float64Array
  /** Positions of the last evaluation. */
  private last: Float64Array = new Float64Array(0)

  /** @param held 1 for particles that forces do not move */
  constructor(conditions: readonly HeldCondition[], private readonly held: Uint8Array, readonly points: BodyPoints) {
    this.workspace = elementWorkspace(conditions.map(({ condition }) => condition))
    this.sets = conditions.map(one => rowsOf(one, points))
    this.matrix = new Float64Array(this.sets.reduce((most, { arity }) => Math.max(most, 9 * arity * arity), 9))
  }

  /** Whether there are any. */
  get any(): boolean {
    return this.sets.length > 0
  }

  /** Starts a step or stage of length h, with the multipliers of the last. */
  begin(x0: Float64Array, v0: Float64Array, h: number, stage?: StageOfStep): void {
    for (const set of this.sets) {
      const { condition, feedback, targets, values, rates, firsts, firstRates, penalties } = set
      this.evaluate(set, x0, true)
      reduce(set, x0)
      penalties.fill(0)
      targets.fill(0)
      if (feedback === null) continue
      const { stiffness, damping } = feedback
      if (stage?.index !== 2) {
        conditionValues(condition, x0, firsts, this.workspace)
        conditionRates(condition, x0, v0, firstRates, this.workspace)
      }
      for (let r = 0; r < targets.length; r++) {
        let [C, rate] = [firsts[r]!, firstRates[r]!]
        if (stage?.index === 1) {
          C += h * firstRates[r]!
          rate -= h * (damping * firstRates[r]! + stiffness * firsts[r]!)
        } else if (stage !== undefined) {
          C += stage.part * (values[r]! - firsts[r]!)
          rate += stage.part * (rates[r]! - firstRates[r]!)
        }
        rates[r] = (rate - h * stiffness * C) / (1 + h * damping + h * h * stiffness)
        targets[r] = C + h * (rate - h * stiffness * C) / (1 + h * damping + h * h * stiffness)
      }
    }
  }

  /** Adds the forces of the multipliers at x0. */
  addHeld(x0: Float64Array, f: Float64Array): void {
    for (const set of this.sets) {
      this.evaluate(set, x0, true)
      set.presses.set(set.pressures)
      set.presses.forEach((p, row) => { this.spread(set, row, p, f) })
    }
  }

  /** Sets ρ and σ of rows without them, the same for all rows of an element. @param impedances N/m, by block */
  weigh(impedances: Float64Array, direct: boolean): void {
    for (const { condition: { count, rows }, arity, vertices, jacobians, penalties, holds } of this.sets) {
      for (let e = 0; e < count; e++) {
        if (penalties[e * rows]! > 0) continue
        let mobility = 0
        for (let r = e * rows; r < (e + 1) * rows; r++) {
          let sum = 0
          for (let a = 0; a < arity; a++) {
            const p = vertices[e * arity + a]!
            if (this.held[p] === 0) sum += squareAt(jacobians, 3 * (r * arity + a)) / impedances[p]!
          }
          mobility = Math.max(mobility, sum)
        }
        const least = mobility > 0 ? 1 / mobility : 1
        penalties.fill(PENALTY * least, e * rows, (e + 1) * rows)
        holds.fill(direct ? HOLD * least : 0, e * rows, (e + 1) * rows)
      }
    }
  }

  /** @param start whether points of carriers are where they are at the start of the stage */
  private evaluate(set: Rows, x: Float64Array, start = false): void {
    const { condition, values, jacobians, on } = set
    const { count, rows, arity } = condition
    const { C, J } = this.workspace
    const size = rows * 3 * arity
    const places = on === null ? x : this.points.place(x, start)
    for (let e = 0; e < count; e++) {
      condition.evaluate(e, places, C, J)
      for (let r = 0; r < rows; r++) values[e * rows + r] = C[r]!
      if (on !== null) {
        writeBlocks(set, J, this.points)
        continue
      }
      for (let k = 0; k < size; k++) jacobians[e * size + k] = J[k]!
    }
  }

  addForces(X: Float64Array, f: Float64Array, sums: StageSums): void {
    this.last = X
    for (const set of this.sets) {
      const { values, targets, pressures, presses, penalties } = set
      this.evaluate(set, X)
      for (let row = 0; row < values.length; row++) {
        const p = pressures[row]! - penalties[row]! * (values[row]! - targets[row]!)
        presses[row] = p
        sums.potential += p * p / (2 * penalties[row]!)
        sums.largest = Math.max(sums.largest, Math.abs(p) * this.longest(set, row))
        this.spread(set, row, p, f)
      }
    }
  }

  private longest({ arity, jacobians }: Rows, row: number): number {
    let most = 0
    for (let k = 3 * arity * row; k < 3 * arity * (row + 1); k++) most = Math.max(most, Math.abs(jacobians[k]!))
    return most
  }

  /** Adds s ∂C/∂x of a row to f. */
  private spread(set: Rows, row: number, s: number, f: Float64Array): void {
    const { condition: { rows }, arity, jacobians } = set
    const e = Math.floor(row / rows)
    spread(set, e, 0, s, jacobians.subarray(3 * arity * row, 3 * arity * (row + 1)), f)
  }

  /** Adds to the right-hand side of a Newton step the errors of multipliers that are unknowns: −(σ − ρ) Jᵀ (C − c). */
  addErrors(b: Float64Array): void {
    for (const set of this.sets) {
      const { values, targets, penalties, holds } = set
      for (let row = 0; row < values.length; row++) {
        if (holds[row]! > 0) this.spread(set, row, (penalties[row]! - holds[row]!) * (values[row]! - targets[row]!), b)
      }
    }
  }

  /** Updates multipliers that are unknowns by their part of the Newton step whose other part is d. */
  step(d: Float64Array): void {
    const { last } = this
    for (const set of this.sets) {
      const { values, targets, holds, pressures } = set
      for (let row = 0; row < values.length; row++) {
        if (holds[row]! > 0) pressures[row]! -= holds[row]! * (values[row]! - targets[row]! + this.along(set, row, d))
      }
      // A part without force would grow with σ, and its rounding errors would exceed the other parts.
      reduce(set, last)
    }
  }

  /** J d of a row. */
  private along({ condition: { rows }, arity, vertices, jacobians }: Rows, row: number, d: Float64Array): number {
    const e = Math.floor(row / rows)
    let sum = 0
    for (let a = 0; a < arity; a++) {
      const i = 3 * vertices[e * arity + a]!
      const at = 3 * (row * arity + a)
      sum += jacobians[at]! * d[i]! + jacobians[at + 1]! * d[i + 1]! + jacobians[at + 2]! * d[i + 2]!
    }
    return sum
  }

  /** λ ← p. @returns the largest change of a force, N */
  renew(): number {
    let open = 0
    for (const set of this.sets) {
      const { pressures, presses } = set
      for (let row = 0; row < presses.length; row++) {
        open = Math.max(open, Math.abs(presses[row]! - pressures[row]!) * this.longest(set, row))
        pressures[row] = presses[row]!
      }
    }
    return open
  }

  /** Stores the multipliers for `restore`. */
  keep(): void {
    for (const { pressures, kept } of this.sets) kept.set(pressures)
  }

  restore(): void {
    for (const { pressures, kept } of this.sets) pressures.set(kept)
  }

  /** Passes the blocks of their part of the matrix at X to `add`, i ≥ j. @param whole whether ∇²C is exact. @returns whether `add` always returned true */
  addBlocks(X: Float64Array, add: (i: number, j: number, block: Float64Array) => boolean, whole: boolean): boolean {
    const { block, points, matrix: H, workspace: { H: curvatures, w } } = this
    let taken = true
    for (const set of this.sets) {
      const { condition: { count, rows, convexRows, curvature }, arity, vertices, on, jacobians, presses, penalties, holds } = set
      const width = 3 * arity
      const places = on === null ? X : points.place(X, false)
      for (let e = 0; e < count; e++) {
        H.fill(0, 0, width * width)
        let curved = false
        for (let r = 0; r < rows; r++) {
          const row = e * rows + r
          const stiff = Math.max(penalties[row]!, holds[row]!)
          w[r] = whole ? -presses[row]! : r < convexRows ? Math.abs(presses[row]!) : 0
          curved ||= w[r] !== 0
          for (let i = 0; i < width; i++) {
            const s = stiff * jacobians[row * width + i]!
            for (let j = 0; j < width; j++) H[i * width + j]! += s * jacobians[row * width + j]!
          }
        }
        if (curved && on === null) curvature?.(e, X, w, H)
        else if (curved) {
          curvatures.fill(0)
          curvature?.(e, places, w, curvatures)
          addCurved(set, curvatures, points, H)
        }
        for (let a = 0; a < arity; a++) {
          for (let b = 0; b < arity; b++) {
            const [i, j] = [vertices[e * arity + a]!, vertices[e * arity + b]!]
            if (i < j) continue
            for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) block[3 * r + c] = H[(3 * a + r) * width + 3 * b + c]!
            taken = add(i, j, block) && taken
          }
        }
      }
    }
    return taken
  }

  /** N/m: greatest change of a component of a force for a change of all coordinates by the same amount, as by rounding. */
  get stiffest(): number {
    let most = 0
    for (const set of this.sets) {
      const { arity, jacobians, penalties } = set
      for (let row = 0; row < penalties.length; row++) {
        let all = 0
        for (let k = 3 * arity * row; k < 3 * arity * (row + 1); k++) all += Math.abs(jacobians[k]!)
        most = Math.max(most, penalties[row]! * this.longest(set, row) * all)
      }
    }
    return most
  }

  /** Multipliers, and the parameters of nearest points, in the form of the memory of links. */
  get memory(): number[] {
    return this.sets.flatMap(({ condition: { rows, parameters }, pressures }, k) => [...pressures].flatMap((lambda, row) =>
      [CONDITIONS, k, row, lambda, parameters?.[Math.floor(row / rows)] ?? 0, 0, 0, 0]))
  }

  /** Takes the multipliers of the last step from memory; 0 where it has none. */
  remember(memory: Float64Array): void {
    for (const { pressures } of this.sets) pressures.fill(0)
    for (let at = 0; at < memory.length; at += ENTRY) {
      const set = memory[at] === CONDITIONS ? this.sets[memory[at + 1]!] : undefined
      const row = memory[at + 2]!
      if (set === undefined || !(row < set.pressures.length)) continue
      set.pressures[row] = memory[at + 3]!
      if (set.condition.parameters) set.condition.parameters[Math.floor(row / set.condition.rows)] = memory[at + 4]!
    }
  }
}

function squareAt(v: Float64Array, k: number): number {
  return v[k]! * v[k]! + v[k + 1]! * v[k + 1]! + v[k + 2]! * v[k + 2]!
}
