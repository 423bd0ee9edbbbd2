/** The energy audit of a run: kinetic + potential − initial − all known works; the remainder is the integrator's error. */

import type { RecordingState } from './checkpoint'
import type { AuditWatch } from './audit-watch'
import { WORKS } from '../contact/works'
import type { World } from '../contact/world'
import { BodyBlock, type StateBlock } from '../dynamics/blocks'
import type { MethodFrame } from '../methods/method'
import type { EnergyAudit } from '../trajectory/frame'

export class EnergyBalance {
  /** Energy at t = 0, J. */
  initial: RecordingState['initial'] = null
  /** The largest energies so far, J. */
  maxKinetic = 0
  maxPotentialChange = 0

  constructor(private readonly audit: AuditWatch) {}

  /** Continues the audit of a resumed run. */
  carry(initial: RecordingState['initial'], maxKinetic: number, maxPotentialChange: number): void {
    this.initial = initial
    this.maxKinetic = maxKinetic
    this.maxPotentialChange = maxPotentialChange
  }

  at(frame: MethodFrame, world: World): EnergyAudit {
    const { snapshot, deformables, impactWork, kinematicImpactWork, spawnedEnergy, numericalWork } = frame
    const blocks: readonly StateBlock[] = [new BodyBlock(world.bodies, snapshot), ...deformables === undefined ? [] : [deformables.particles]]
    const kinetic = blocks.reduce((sum, block) => sum + block.kineticEnergy(), 0)
    const potential = frame.potential + (deformables?.potential ?? 0)
    const elastic = deformables?.energy.reduce((sum, value, k) => k % 3 === 0 ? sum : sum + value, 0) ?? 0
    const impacts = impactWork + (deformables?.works.impacts ?? 0)
    const [damping, numerical] = [-(deformables?.works.damped ?? 0), numericalWork - (deformables?.works.numerical ?? 0)]
    this.initial ??= { energy: kinetic + potential + elastic - impactWork - kinematicImpactWork, potential: potential + elastic }
    const work = Object.fromEntries(WORKS.map((name, k) => [name, frame.works[k]!])) as Record<typeof WORKS[number], number>
    if (deformables !== undefined) {
      // Loads of deformables on bodies were counted as forces without a potential, but take their energy from the deformables.
      work.scripts -= deformables.works.bodies
      work.drag += deformables.works.external
      work.friction += deformables.works.friction
      work.kinematic += deformables.works.led
    }
    this.maxKinetic = Math.max(this.maxKinetic, kinetic)
    this.maxPotentialChange = Math.max(this.maxPotentialChange, Math.abs(potential + elastic - this.initial.potential))
    // If nothing moves, both values are rounding errors; the reference is then the work of a typical force over the scene's size.
    const { force, size } = world.scales
    const scale = Math.max(this.maxKinetic + this.maxPotentialChange, 1e-3 * force * size)
    const kinematic = work.kinematic + kinematicImpactWork
    const unexplained = kinetic + potential + elastic - this.initial.energy
      - (work.friction + impacts + work.drag + work.scripts + work.joints + kinematic + spawnedEnergy + damping + numerical)
    const residual = unexplained / scale
    this.audit.note(frame.time, unexplained, scale)
    return {
      kinetic, potential, initial: this.initial.energy, friction: work.friction, impacts, drag: work.drag, scripts: work.scripts,
      joints: work.joints, kinematic, spawned: spawnedEnergy, elastic, damping, numerical, residual,
    }
  }
}
