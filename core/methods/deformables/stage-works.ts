/**
 * Works of links in a step of two stages. Their mean forces on particles are summed by account; the work follows with the displacement of the whole step.
 * Contacts rub with the slip of their stage.
 */

import { addConditionForces, CONTACT, ROD, type Carriers, type HeldConditions, type Links } from '../../deformables'

export class StageWorks {
  /** N, 3 a block: means of rods and of conditions without feedback, of conditions with it, of links with prescribed carriers, and of others. */
  readonly rods: Float64Array
  readonly feedback: Float64Array
  readonly led: Float64Array
  readonly others: Float64Array
  /** J: friction, and work of contacts with prescribed carriers along their slips. */
  rubbed = 0
  slipped = 0

  /** @param count of particles; @param blocks of particles and bodies */
  constructor(private readonly count: number, blocks: number) {
    [this.rods, this.feedback, this.led, this.others] = [0, 1, 2, 3].map(() => new Float64Array(3 * blocks)) as [Float64Array, Float64Array, Float64Array,
      Float64Array]
  }

  begin(): void {
    for (const forces of [this.rods, this.feedback, this.led, this.others]) forces.fill(0)
    this.rubbed = this.slipped = 0
  }

  /** Adds the present forces. @param held share of ties, rods and conditions in the mean of the step; @param contact share of contacts */
  add(links: Links, all: Carriers, conditions: HeldConditions, held: number, contact: number): void {
    const { particles, weights, frictionWeights, kinds, carriers, presses, normals, forces, slips } = links
    for (let i = 0; i < links.count; i++) {
      const isContact = kinds[i] === CONTACT
      const share = isContact ? contact : held
      if (share === 0) continue
      const c = carriers[i]!
      const isLed = c >= 0 && all.blocks[c]! < 0
      const to = kinds[i] === ROD ? this.rods : isLed ? this.led : this.others
      let along = 0
      for (let k = 0; k < 3; k++) along += slips[3 * i + k]! * normals[3 * i + k]!
      for (let k = 0; k < 3; k++) {
        const force = forces[3 * i + k]!
        if (force === 0) continue
        const push = isContact ? presses[i]! * normals[3 * i + k]! : force
        for (let q = 4 * i; q < 4 * i + 4; q++) {
          const p = particles[q]!
          if (p >= 0) to[3 * p + k]! += share * (push * weights[q]! + (force - push) * frictionWeights[q]!)
        }
        if (!isContact) continue
        this.rubbed += (force - push) * (slips[3 * i + k]! - along * normals[3 * i + k]!)
        if (isLed) this.slipped += force * slips[3 * i + k]!
      }
    }
    addConditionForces(conditions, held, { still: this.rods, feedback: this.feedback, dynamic: this.others, prescribed: this.led })
  }

  /** J: work of some of the forces over the displacement of the step. */
  along(forces: Float64Array, before: Float64Array, after: Float64Array): number {
    let sum = 0
    for (let k = 0; k < 3 * this.count; k++) sum += forces[k]! * (after[k]! - before[k]!)
    return sum
  }
}
