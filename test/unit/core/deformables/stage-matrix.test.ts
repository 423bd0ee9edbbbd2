/** Which linear solver an implicit stage takes: sheets direct, because contacts make their multipliers unknowns; lattices of springs by iteration. */

import { expect, it } from 'vitest'
import { sheetEnergies, type ParticleSystem } from '../../../../core/deformables'
import { distanceCondition } from '../../../../core/deformables/conditions'
import { energyOf, type Energy } from '../../../../core/deformables/energy'
import { stageMatrix } from '../../../../core/deformables/implicit/stage-matrix'

const systemOf = (count: number, energies: readonly Energy[]): ParticleSystem => ({
  masses: new Float64Array(count).fill(0.01), held: new Uint8Array(count), loads: [], energies,
})

it('a sheet of 1,600 vertices is solved directly', () => {
  const side = 40
  const x = Float64Array.from(Array.from({ length: side * side }, (_, k) => [Math.floor(k / side), k % side, 0]).flat())
  const triangles = Int32Array.from(Array.from({ length: side * side }, (_, k) => k).flatMap(k => k % side === side - 1 || k >= side * (side - 1) ? []
    : [k, k + side, k + side + 1, k, k + side + 1, k + 1]))
  const restUV = Float64Array.from(Array.from(triangles).flatMap(v => [x[3 * v]!, x[3 * v + 1]!]))
  const energies = sheetEnergies({ triangles, restUV, flat: true, stretchWarp: 100, stretchWeft: 100, shear: 10, bendWarp: 1e-4, bendWeft: 1e-4 }, 0, x)
  expect(stageMatrix(systemOf(side * side, energies)).solver).toBe('direct')
})

it('a lattice of 1,728 particles with springs along edges and diagonals is solved by iteration', () => {
  const m = 12
  const pairs: number[] = []
  for (let i = 0; i < m ** 3; i++) {
    const at = [Math.floor(i / m / m), Math.floor(i / m) % m, i % m] as const
    for (const [x, y, z] of [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1]] as const) {
      if (at[0] + x < m && at[1] + y < m && at[2] + z < m) pairs.push(i, i + (x * m + y) * m + z)
    }
  }
  const springs = pairs.length / 2
  const stiffness = new Float64Array(springs).fill(100)
  const energies = [energyOf(distanceCondition(Int32Array.from(pairs), new Float64Array(springs).fill(1)), stiffness, new Float64Array(springs), m ** 3)]
  expect(stageMatrix(systemOf(m ** 3, energies)).solver).toBe('block-jacobi')
})
