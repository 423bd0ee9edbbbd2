/** Strains, tensions and energies of deformables at one instant. */

import { elementWorkspace, storedEnergy } from '../../deformables'
import type { ParticleBlock } from '../../dynamics/blocks'
import type { Deformables } from '../../dynamics/deformable'
import type { SolvedDeformables } from './solved'
import type { OwnEnergy } from './system'

/** Kinds of conditions whose elements have a strain, with the definition of the strain: change of length, or warp, weft and angle. */
const STRAINED: Readonly<Record<string, 'length' | 'sheet'>> = { distance: 'length', stretch: 'sheet' }

/** @param rods tensions of the inextensible segments, in their order, N */
export function elementValues(own: readonly OwnEnergy[], { list }: Deformables, particles: ParticleBlock, rods: readonly number[]): Pick<SolvedDeformables,
  'strain' | 'tension' | 'energy'> {
  const { position: x, mass, velocity } = particles
  const workspace = elementWorkspace(own.map(({ energy }) => energy.condition))
  const { C, J } = workspace
  const strained = own.filter(({ energy, added }) => !added && STRAINED[energy.condition.kind] !== undefined)
  const count = strained.reduce((sum, { energy }) => sum + energy.condition.count, 0)
  const strain = new Float64Array(count)
  const tension = new Float64Array(count).fill(NaN)
  const energy = new Float64Array(3 * list.length)
  list.forEach(({ first, count: n }, d) => {
    let sum = 0
    for (let i = 3 * first; i < 3 * (first + n); i++) sum += velocity[i]! * velocity[i]! * mass[Math.floor(i / 3)]!
    energy[3 * d] = sum / 2
  })
  for (const { energy: one, deformable, kind } of own) {
    const at = 3 * deformable + (kind === 'stretch' ? 1 : 2)
    energy[at] = energy[at]! + storedEnergy(one, x, workspace)
  }
  let at = 0
  let rod = 0
  for (const { deformable, energy: { condition, stiffness } } of strained) {
    const sheet = STRAINED[condition.kind] === 'sheet'
    for (let e = 0; e < condition.count; e++, at++) {
      condition.evaluate(e, x, C, J)
      if (sheet) {
        strain[at] = Math.abs(C[0]!) > Math.abs(workspace.C[1]!) ? C[0]! : workspace.C[1]!
        continue
      }
      const [a, b] = [3 * condition.vertices[2 * e]!, 3 * condition.vertices[2 * e + 1]!]
      const [dx, dy, dz] = [x[a]! - x[b]!, x[a + 1]! - x[b + 1]!, x[a + 2]! - x[b + 2]!]
      strain[at] = C[0]! / (Math.sqrt(dx * dx + dy * dy + dz * dz) - C[0]!)
      tension[at] = stiffness[e] === 0 && list[deformable]!.strands.some(({ inextensible }) => inextensible) ? rods[rod++] ?? 0 : stiffness[e]! * C[0]!
    }
  }
  return { strain, tension, energy }
}
