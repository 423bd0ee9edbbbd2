/**
 * Where the energy of deformables goes: work of forces without a potential, damping, and what the implicit method takes. Particles that are fixed to something
 * count as held, on the way that they really took: what that does to the others is the work of what holds them.
 */

import { stepAudit, type ParticleState, type ParticleSystem, type StepAudit } from '../../deformables'
import type { ParticleForce } from '../../dynamics/forces/particles'

/** J since t = 0; what is lost is ≥ 0. */
export interface LossSums {
  readonly external: number
  readonly damped: number
  readonly numerical: number
}

export class StageLosses {
  sums: LossSums = { external: 0, damped: 0, numerical: 0 }
  private readonly audit: (before: ParticleState, after: ParticleState, t: number, h: number, reactions: Float64Array) => StepAudit
  private readonly before: ParticleState
  private readonly unused: Float64Array
  private readonly f: Float64Array
  /** Time and length of the step under way, s; null where there is none. */
  private step: { readonly t: number; readonly h: number } | null = null

  constructor(system: ParticleSystem, private readonly forces: readonly ParticleForce[], attached: readonly number[]) {
    const held = system.held.slice()
    for (const particle of attached) held[particle] = 1
    this.audit = stepAudit({ ...system, held, loads: [] })
    const three = (): Float64Array => new Float64Array(3 * held.length)
    this.before = { positions: three(), velocities: three() }
    this.unused = three()
    this.f = three()
  }

  begin({ positions, velocities }: ParticleState, t: number, h: number): void {
    this.before.positions.set(positions)
    this.before.velocities.set(velocities)
    this.step = { t, h }
  }

  /** The step was none. */
  drop(): void {
    this.step = null
  }

  /** The step that was begun last ends here; nothing where none was. */
  end(after: ParticleState): void {
    if (this.step === null) return
    const { step: { t, h }, before, sums: { external, damped, numerical }, f } = this
    const found = this.audit(before, after, t, h, this.unused)
    f.fill(0)
    for (const force of this.forces) if (force.potential === undefined) force.addForces(t + h, after.positions, after.velocities, f)
    let work = 0
    for (let k = 0; k < f.length; k++) work += f[k]! * (after.positions[k]! - before.positions[k]!)
    this.sums = { external: external + work, damped: damped + found.damped, numerical: numerical + found.numerical }
    this.step = null
  }
}
