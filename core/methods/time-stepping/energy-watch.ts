/**
 * Detects spurious energy gain of a step. Springs, damping, drag and scripts are evaluated at the ends of a step, which is stable only if the step is
 * short relative to their time scales. An unstable step multiplies the energy, so it is rejected and repeated in shorter ones.
 */

import { kineticEnergy } from '../../dynamics/body'
import type { StepContext } from './context'
import { MAX_CAUTIOUS_GAIN, MAX_DAMPED_GAIN, MAX_FORCE_GAIN } from './tolerances'

/** × the work of a typical force over the scene's size: smaller gains are ignored. */
const FLOOR = 1e-3

/** Constant forces and user interaction: over a long session they supply many times the present energy, against which gains are measured. */
const UNWATCHED: readonly string[] = ['gravity', 'gravityChange', 'uniform', 'guide']

export class EnergyWatch {
  /** Whether any other force acts. */
  private readonly needed: boolean
  private kinetic = 0
  private potential = 0
  private works = 0
  /** J: largest kinetic energy, largest change of potential energy in a step, and accumulated gains so far. */
  private peak = 0
  private excess = 0

  constructor(private readonly context: StepContext) {
    const { forces, joints } = context.world
    this.needed = forces.some(({ type }) => !UNWATCHED.includes(type))
      || joints.some(({ coordinates }) => coordinates.some(({ spring, damping }) => spring !== null || damping > 0))
  }

  /** J: largest energies, and gains, so far. */
  get past(): readonly [peak: number, excess: number] {
    return [this.peak, this.excess]
  }

  set past([peak, excess]: readonly [peak: number, excess: number]) {
    this.peak = peak
    this.excess = excess
  }

  /** The step starts at the context's state, which is that of the snapshot. */
  begin(): void {
    if (this.needed) [this.kinetic, this.potential, this.works] = this.energies(this.context.state)
  }

  /**
   * Ends the step at this state, including works, with the impact works of the context.
   * @param cautious for a step length that has failed before
   */
  gained(end: Float64Array, cautious: boolean): boolean {
    if (!this.needed) return false
    this.context.equations.snapshot.update(end)
    const [kinetic, potential, works] = this.energies(end)
    const gain = kinetic + potential - works - (this.kinetic + this.potential - this.works)
    const own = kinetic + this.kinetic + Math.abs(potential - this.potential)
    const peak = Math.max(this.peak, own)
    const excess = Math.max(0, this.excess + gain)
    const { force, size } = this.context.world.scales
    if (!(excess <= MAX_FORCE_GAIN * peak + FLOOR * force * size)) return true
    if (works < this.works && gain > MAX_DAMPED_GAIN * own + FLOOR * force * size) return true
    if (cautious && gain > MAX_CAUTIOUS_GAIN * own) return true
    this.peak = peak
    this.excess = excess
    return false
  }

  private energies(state: Float64Array): [kinetic: number, potential: number, works: number] {
    const { equations, world, impactWork, kinematicImpactWork, numericalWork } = this.context
    const { snapshot: { motions, exists }, layout: { bodyLength } } = equations
    let kinetic = 0
    for (const body of world.bodies) if (exists[body.index]) kinetic += kineticEnergy(body, motions[body.index]!)
    return [kinetic, equations.potential(), state.subarray(bodyLength).reduce((sum, work) => sum + work, impactWork + kinematicImpactWork + numericalWork)]
  }
}
