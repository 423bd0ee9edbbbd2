/**
 * Energy losses of deformables, J since t = 0: work of forces without a potential and of prescribed motion, friction and impacts with bodies, damping, and the
 * loss of the implicit method.
 */

import {
  conditionWorks, CONTACT, elementWorkspace, GAMMA, ROD, stepAudit, storedEnergy, twoStageAudit, WEIGHTS, type Carriers, type HeldConditions, type Links,
  type ParticleState, type ParticleSystem, type StepAudit, type TwoStages,
} from '../../deformables'
import type { ParticleForce } from '../../dynamics/forces/particles'
import type { StageWorks } from './stage-works'

export interface LossSums {
  readonly external: number
  /** Work of prescribed motion: of bodies through contacts and ties, and of particle supports. */
  readonly led: number
  readonly friction: number
  /** Work of contacts along their normals, and of ties, minus the work received by bodies. */
  readonly impacts: number
  /** ≥ 0. */
  readonly damped: number
  readonly numerical: number
}

const NOTHING: LossSums = { external: 0, led: 0, friction: 0, impacts: 0, damped: 0, numerical: 0 }

export class StageLosses {
  sums: LossSums = NOTHING
  private readonly audit: (before: ParticleState, after: ParticleState, t: number, h: number, reactions: Float64Array) => StepAudit
  private readonly auditOfTwo: ReturnType<typeof twoStageAudit>
  private readonly f: Float64Array

  /** @param system of the particles alone */
  constructor(private readonly system: ParticleSystem, private readonly forces: readonly ParticleForce[]) {
    this.audit = stepAudit({ ...system, loads: [] })
    this.auditOfTwo = twoStageAudit({ ...system, loads: [] })
    this.f = new Float64Array(3 * system.masses.length)
  }

  /** Adds an accepted step. @param reactions N on held particles at its end */
  book(before: ParticleState, after: ParticleState, t: number, h: number, reactions: Float64Array, links: Links, all: Carriers,
    conditions: HeldConditions): void {
    const { f, sums } = this
    const found = this.audit(before, after, t, h, reactions)
    f.fill(0)
    for (const force of this.forces) if (force.potential === undefined) force.addForces(t + h, after.positions, after.velocities, f)
    let external = sums.external
    for (let k = 0; k < f.length; k++) external += f[k]! * (after.positions[k]! - before.positions[k]!)
    let numerical = sums.numerical + found.numerical
    for (const { pairs, potential } of this.forces) {
      if (pairs === undefined) continue
      f.fill(0)
      numerical -= pairs.addForces(after.positions, f) - potential!(before.positions)
      for (let k = 0; k < f.length; k++) numerical -= f[k]! * (after.positions[k]! - before.positions[k]!)
    }
    // Like rods; those with feedback move what they hold.
    const work = conditionWorks(conditions, before, after)
    let [led, friction, impacts, rods] = [sums.led + found.led + work.feedback + work.prescribed, sums.friction, sums.impacts + work.dynamic, work.still]
    for (let i = 0; i < links.count; i++) {
      const c = links.carriers[i]!
      const isLed = c >= 0 && all.blocks[c]! < 0
      const isContact = links.kinds[i] === CONTACT
      let along = 0
      for (let k = 0; k < 3; k++) along += links.slips[3 * i + k]! * links.normals[3 * i + k]!
      for (let k = 0; k < 3; k++) {
        const force = links.forces[3 * i + k]!
        if (force === 0) continue
        const push = isContact ? links.presses[i]! * links.normals[3 * i + k]! : force
        const slip = links.slips[3 * i + k]!
        const work = push * this.moved(links, i, links.weights, k, before, after)
          + (force - push) * this.moved(links, i, links.frictionWeights, k, before, after)
        const rubbed = (force - push) * (slip - along * links.normals[3 * i + k]!)
        const carried = isLed ? work - (isContact ? force * slip : 0) : 0
        friction += rubbed
        led += carried
        // A rod that rotates in the step does a small amount of work along the chord, which counts as a loss of the method.
        if (links.kinds[i] === ROD) rods += work
        else impacts += work - rubbed - carried
      }
    }
    this.sums = { external, led, friction, impacts, damped: sums.damped + found.damped, numerical: numerical - rods }
  }

  /** Adds an accepted step of two stages. @param reactions N: means of the step; @param works of its links */
  bookTwo(before: ParticleState, after: ParticleState, stages: TwoStages, t: number, h: number, reactions: Float64Array, works: StageWorks): void {
    const { f, sums } = this
    const found = this.auditOfTwo(before, after, stages, t, h, reactions)
    const [x0, x1] = [before.positions, after.positions]
    const states = [before, stages.middle, after]
    const instants = [t, t + GAMMA * h, t + h]
    let [external, numerical] = [sums.external, sums.numerical + found.numerical]
    for (const force of this.forces) {
      if (force.potential !== undefined && force.pairs === undefined) continue
      let work = 0
      states.forEach(({ positions, velocities }, s) => {
        f.fill(0)
        if (force.pairs === undefined) force.addForces(instants[s]!, positions, velocities, f)
        else force.pairs.addForces(positions, f)
        work += WEIGHTS[s]! * works.along(f, x0, x1)
      })
      if (force.pairs === undefined) external += work
      else numerical -= force.potential!(x1) - force.potential!(x0) + work
    }
    const carried = works.along(works.led, x0, x1) - works.slipped
    this.sums = {
      external, led: sums.led + found.led + works.along(works.feedback, x0, x1) + carried, friction: sums.friction + works.rubbed,
      impacts: sums.impacts + works.along(works.others, x0, x1) + works.slipped - works.rubbed, damped: sums.damped + found.damped,
      numerical: numerical - works.along(works.rods, x0, x1),
    }
  }

  /** m: displacement of a link's particles along an axis. Work on held ones is in `led` with the opposite sign. */
  private moved({ particles }: Links, i: number, weights: Float64Array, axis: number, before: ParticleState, after: ParticleState): number {
    let moved = 0
    for (let q = 4 * i; q < 4 * i + 4; q++) {
      const p = particles[q]!
      if (p >= 0) moved += weights[q]! * (after.positions[3 * p + axis]! - before.positions[3 * p + axis]!)
    }
    return moved
  }

  /** J of positions: elastic energy and weight. */
  stored(x: Float64Array): number {
    const workspace = elementWorkspace(this.system.energies.map(({ condition }) => condition))
    return this.system.energies.reduce((sum, energy) => sum + storedEnergy(energy, x, workspace), 0)
      + this.forces.reduce((sum, force) => sum + (force.potential?.(x) ?? 0), 0)
  }

  /** Adds work of prescribed motion, J. */
  lead(work: number): void {
    this.sums = { ...this.sums, led: this.sums.led + work }
  }

  /** Work on bodies, J, and the part that they received: the remainder is a loss of the method. */
  gave(along: number, gained: number): void {
    this.sums = { ...this.sums, impacts: this.sums.impacts + along, numerical: this.sums.numerical + along - gained }
  }

  /** Positions were changed after the step: the resulting energy counts as the method's. */
  placed(gained: number): void {
    this.sums = { ...this.sums, numerical: this.sums.numerical - gained }
  }
}
