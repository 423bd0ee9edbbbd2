/** A joint that appears between bodies with incompatible velocities: a plastic impact of all joints, without contacts. */

import { kineticEnergy } from '../dynamics/body'
import { BASIS_CLAMPED } from '../lcp'
import type { EquationsOfMotion } from './equations'
import { FrozenSystem } from './frozen'
import { applyImpulse } from './impact'
import { buildIslands } from './islands'

/** × the scene's speed: smaller velocities are the rounding errors of relative velocities, sums of a dozen products. */
const ROUNDING = 16 * Number.EPSILON

/**
 * Changes the velocities of a state by the smallest change in the mass metric that its joints require: impulses Jᵀ p with J M⁻¹ Jᵀ p = −J u, in
 * place.
 *
 * @returns the change of kinetic energy, J, ≤ 0
 */
export function applyJointImpact(equations: EquationsOfMotion, state: Float64Array): number {
  const { world, snapshot, jointPositions } = equations
  snapshot.update(state)
  const accuracy = ROUNDING * world.scales.speed
  let work = 0
  for (const island of buildIslands({ world, snapshot, points: [], limits: [], drives: [], jointSpins: [], jointPositions, slowSlip: 0, slowSpin: 0 })) {
    island.fillRows(snapshot)
    const b = Float64Array.from({ length: island.problem.size }, (_, row) => -island.rows.velocity(row, snapshot))
    if (b.every(rate => Math.abs(rate) <= accuracy)) continue
    const energy = (): number => island.bodies.reduce((sum, body) => sum + kineticEnergy(world.bodies[body]!, snapshot.motions[body]!), 0)
    const before = energy()
    const held = new Uint8Array(b.length).fill(BASIS_CLAMPED)
    applyImpulse(island, snapshot, new FrozenSystem(island, snapshot, held).solve(snapshot, b, undefined, accuracy), state)
    snapshot.update(state, island.bodies)
    work += energy() - before
  }
  return work
}
