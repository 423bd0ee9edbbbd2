/** Checks a run's energy balance against the error that its method explains; an excess is reported once, in one line. */

import { shortNumber } from '../math/short-number'

/**
 * Residuals of the energy balance that a method explains, by its name. Event-driven runs are integrated to a tolerance: every gallery scene and known answer
 * ends below 1e-6. Steps of a fixed length lose and gain unresolved energy in collisions: heaps end below 1e-2. Larger residuals indicate a fault.
 */
const EXPLAINED: Readonly<Record<string, number>> = { 'event-driven': 1e-4, 'time-stepping': 5e-2, penalty: 5e-2 }

export class AuditWatch {
  /** J */
  private worst = 0
  /** J: the largest energy of the whole run; the first frames know only part of it. */
  private scale = 0
  /** s */
  private time = 0

  /** State for a resumed run: the worst unexplained energy, J, its time, s, and the largest energy, J. */
  get past(): readonly [worst: number, time: number, scale: number] {
    return [this.worst, this.time, this.scale]
  }

  set past([worst, time, scale]: readonly [worst: number, time: number, scale: number]) {
    this.worst = worst
    this.time = time
    this.scale = scale
  }

  /** Unexplained energy at a frame, J, and the largest energy up to then, J. */
  note(time: number, unexplained: number, scale: number): void {
    this.scale = Math.max(this.scale, scale)
    const size = Math.abs(unexplained)
    // NaN is kept for the rest of the run.
    if (Number.isNaN(this.worst) || size <= this.worst) return
    this.worst = size
    this.time = time
  }

  /** The warning at the end; null if the balance holds. @param method the least exact one: time-stepping if it finished intervals */
  warning(method: string): string | null {
    const explained = EXPLAINED[method] ?? 0
    const residual = this.worst === 0 ? 0 : this.worst / this.scale
    if (residual <= explained) return null
    const off = Number.isNaN(residual) ? 'is not a number' : `has a residual of ${shortNumber(residual)} of the largest energy`
    return `the energy audit ${off} at ${shortNumber(this.time, 6)} s, and ${method} explains up to ${shortNumber(explained)}: the motion is unreliable from there on`
  }
}
