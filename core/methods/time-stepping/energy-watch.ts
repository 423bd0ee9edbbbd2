/**
 * Whether a step gained energy out of nothing. Springs, damping, drag and scripts act with their values at the ends of a step, which is stable only while the
 * step is short beside their time scales; one that is not multiplies the energy, so it is refused and taken in shorter ones.
 */

import { kineticEnergy } from '../../dynamics/body'
import type { StepContext } from './context'

/** × the largest energies so far: more than the steps' errors where they resolve what acts, less than they gain where they do not. */
const GAIN = 0.4
/** × the energies at the ends of a step that dissipates: one that gains more is too long for the rate at which damping acts, and its works say nothing. */
const DAMPED_GAIN = 0.1
/** The same for a step longer than those that were found short enough last. */
const CAUTIOUS_GAIN = 0.05
/** × the work of a typical force over the scene's size: smaller gains are ignored. */
const FLOOR = 1e-3

/** Constant forces, and hands: what these bring in a long session is many times the energy that is there at once, against which gains are measured. */
const UNWATCHED: readonly string[] = ['gravity', 'gravityChange', 'uniform', 'guide']

export class EnergyWatch {
  /** Whether anything acts but constant forces and hands. */
  private readonly needed: boolean
  private kinetic = 0
  private potential = 0
  private works = 0
  /** J: largest kinetic energy, largest change of the potential one in a step, and gains, summed, so far. */
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
   * The step ends at this state, works included, with the impact works that the context has by now.
   * @param cautious for a step whose length is tried again after it was too long before
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
    if (!(excess <= GAIN * peak + FLOOR * force * size)) return true
    if (works < this.works && gain > DAMPED_GAIN * own + FLOOR * force * size) return true
    if (cautious && gain > CAUTIOUS_GAIN * own) return true
    this.peak = peak
    this.excess = excess
    return false
  }

  private energies(state: Float64Array): [kinetic: number, potential: number, works: number] {
    const { equations, world, impactWork, kinematicImpactWork } = this.context
    const { snapshot: { motions, exists }, layout: { bodyLength } } = equations
    let kinetic = 0
    for (const body of world.bodies) if (exists[body.index]) kinetic += kineticEnergy(body, motions[body.index]!)
    return [kinetic, equations.potential(), state.subarray(bodyLength).reduce((sum, work) => sum + work, impactWork + kinematicImpactWork)]
  }
}
