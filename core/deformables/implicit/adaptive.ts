/**
 * Adaptive steps. A step is halved and repeated if a stage does not converge, if the estimated position error is too large, or if a condition (the
 * stretch of a triangle, the length of a spring) changes too much. The step is doubled if all three are far below their limits [Baraff & Witkin 98
 * §7].
 */

import { conditionValues, elementWorkspace } from '../energy'
import type { ParticleState, ParticleSystem } from '../system'
import type { ImplicitMethod } from './euler'
import type { StageReport } from './stage-settings'

export interface StepLimits {
  /** Largest estimated error of a position in one step, m; Infinity for none. */
  readonly error: number
  /** Largest change of a condition in one step, by energy; Infinity for none. */
  readonly changes: readonly number[]
  /** s */
  readonly shortest: number
}

export interface AdvanceReport {
  /** Accepted steps, and rejected ones that were repeated in halves. */
  steps: number
  refused: number
  /** Shortest step taken, s. */
  shortest: number
  iterations: number
  linearIterations: number
  /** Maximum over all steps. */
  residual: number
  indefinite: number
}

/** The step became too short. The state is that at `time`. */
export class StepTooShort extends Error {
  override readonly name = 'StepTooShort'
  constructor(
    /** s */
    readonly time: number,
    readonly step: number,
    readonly report: StageReport,
  ) {
    super(`At t = ${time} s no step of ${step} s or more could be taken: residual ${report.residual} after ${report.iterations} iterations.`)
  }
}

/** If a step uses less than this share of all limits, the next one may be twice as long: error and change grow with h² and h. */
const DOUBLING_SHARE = 0.25

/** Advances a state over any length of time and keeps the last suitable step length. */
export function adaptiveSteps(system: ParticleSystem, method: ImplicitMethod, limits: StepLimits) {
  const conditions = system.energies.map(({ condition }) => new Float64Array(condition.count * condition.rows))
  const after = conditions.map(values => values.slice())
  const workspace = elementWorkspace(system.energies.map(({ condition }) => condition))
  const old = { positions: new Float64Array(3 * system.masses.length), velocities: new Float64Array(3 * system.masses.length) }
  const watched = limits.changes.some(change => change < Infinity)
  let next = Infinity

  /** The largest of error and changes, relative to their limits. */
  function used(x: Float64Array): number {
    let share = method.error / limits.error
    if (!watched) return share
    system.energies.forEach(({ condition }, k) => {
      const allowed = limits.changes[k] ?? Infinity
      if (allowed === Infinity) return
      conditionValues(condition, x, after[k]!, workspace)
      for (let c = 0; c < after[k]!.length; c++) share = Math.max(share, Math.abs(after[k]![c]! - conditions[k]![c]!) / allowed)
    })
    return share
  }

  return {
    /** Advances `state` from t to t + duration. @throws StepTooShort */
    advance(state: ParticleState, t: number, duration: number, reactions: Float64Array): AdvanceReport {
      const report: AdvanceReport = { steps: 0, refused: 0, shortest: duration, iterations: 0, linearIterations: 0, residual: 0, indefinite: 0 }
      let done = 0
      while (done < duration) {
        const left = duration - done
        // Equal parts, so that the last step is not a tiny remainder.
        const h = left / Math.ceil(left / Math.min(next, left) - 1e-9)
        old.positions.set(state.positions)
        old.velocities.set(state.velocities)
        if (watched) system.energies.forEach(({ condition }, k) => conditionValues(condition, state.positions, conditions[k]!, workspace))
        const stage = method.step(state, t + done, h, reactions)
        report.iterations += stage.iterations
        report.linearIterations += stage.linearIterations
        report.indefinite += stage.indefinite
        const share = stage.converged ? used(state.positions) : Infinity
        if (share > 1) {
          state.positions.set(old.positions)
          state.velocities.set(old.velocities)
          report.refused++
          next = h / 2
          if (next < limits.shortest) throw new StepTooShort(t + done, limits.shortest, stage)
          continue
        }
        report.steps++
        report.residual = Math.max(report.residual, stage.residual)
        report.shortest = Math.min(report.shortest, h)
        done = h === left ? duration : done + h
        next = share < DOUBLING_SHARE ? 2 * h : h
      }
      return report
    },
  }
}
