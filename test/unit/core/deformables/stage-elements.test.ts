/** Formulas for all elements of an energy at once in an implicit stage, against those of single elements. */

import { describe, expect, it } from 'vitest'
import { blockPattern, elementSlots } from '../../../../core/sparse'
import {
  distanceCondition, energyOf, oneByOne, sheetEnergies, stageElements, type Energy,
} from '../../../../core/deformables'

/** Random numbers in (−1, 1), the same each time. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2147483648 - 1
  }
}

/** A sheet of 4 × 4 vertices of uneven cells, whose triangles name their corners in any order. */
function sheet(): { energies: Energy[]; count: number; rest: Float64Array } {
  const n = 4
  const rest = Float64Array.from({ length: 3 * n * n }, (_, k) => {
    const v = Math.floor(k / 3)
    return k % 3 === 0 ? Math.floor(v / n) * 0.1 + 0.002 * (v % 3) : k % 3 === 1 ? (v % n) * 0.13 : 0
  })
  const triangles: number[] = []
  for (let i = 0; i + 1 < n; i++) {
    for (let j = 0; j + 1 < n; j++) {
      const [a, b, c, d] = [i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1]
      triangles.push(...(i % 2 === 0 ? [c, a, b, a, c, d] : [d, a, b, c, d, b]))
    }
  }
  const restUV = Float64Array.from(triangles.flatMap(v => [rest[3 * v]!, rest[3 * v + 1]!]))
  const material = { flat: true, stretchWarp: 200, stretchWeft: 90, shear: 20, bendWarp: 1e-2, bendWeft: 4e-3 }
  return { energies: sheetEnergies({ ...material, triangles: Int32Array.from(triangles), restUV }, 0.03, rest), count: n * n, rest }
}

function springs(): { energies: Energy[]; count: number; rest: Float64Array } {
  const condition = distanceCondition(Int32Array.of(0, 1, 2, 1, 3, 0, 2, 3), Float64Array.of(0.3, 0.2, 0.4, 0))
  const rest = Float64Array.of(0, 0, 0, 0.3, 0, 0, 0.3, 0.2, 0, 0, 0, 0.4)
  return { energies: [energyOf(condition, Float64Array.of(10, 20, 0, 5), Float64Array.of(0.1, 0, 3, 1), 4)], count: 4, rest }
}

describe.each([['sheet', sheet()], ['springs', springs()]] as const)('stage formulas of %s', (_what, { energies, count, rest }) => {
  const a = 1 / 60
  const pattern = blockPattern(count, energies.map(({ condition }) => condition))
  const blocks = 9 * pattern.columns.length

  it.each(energies.map(energy => [energy.condition.kind, energy] as const))('%s: forces, potential and matrices', (_kind, energy) => {
    const slots = elementSlots(pattern, energy.condition)
    expect(energy.condition.stage!(energy.stiffness, energy.damping, slots)).not.toBeNull()
    const ways = [stageElements(energy, slots), oneByOne(energy, slots)]
    for (let seed = 1; seed <= 5; seed++) {
      const next = random(seed)
      const x = rest.map(value => value + 0.02 * next())
      const before = Float64Array.from({ length: energy.stiffness.length }, () => 0.05 * next())
      const found = ways.map(way => {
        const f = new Float64Array(3 * count)
        const sums = { largest: 0, potential: 0 }
        way.addForces(x, before, a, f, sums)
        const [exact, convex] = [new Float64Array(blocks), new Float64Array(blocks)]
        way.addMatrix(x, before, a, false, exact)
        way.addMatrix(x, before, a, true, convex)
        return { f, sums: Float64Array.of(sums.largest, sums.potential), exact, convex }
      })
      for (const what of ['f', 'sums', 'exact', 'convex'] as const) {
        const [own, known] = [found[0]![what], found[1]![what]]
        const size = known.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
        expect(size).toBeGreaterThan(0)
        for (let k = 0; k < known.length; k++) expect(Math.abs(own[k]! - known[k]!)).toBeLessThan(1e-11 * size)
      }
    }
  })
})

it('takes bending whose stiffness differs by axis element by element', () => {
  const bend = sheet().energies[1]!
  const stiffness = bend.stiffness.map((k, r) => (r % 3 === 0 ? 2 * k : k))
  expect(bend.condition.stage!(stiffness, bend.damping, new Int32Array(0))).toBeNull()
})
