/** Formulas for all elements of an energy at once in an implicit stage, against those of single elements. */

import { describe, expect, it } from 'vitest'
import { blockPattern, elementSlots } from '../../../../core/sparse'
import {
  angleCondition, distanceCondition, energyOf, oneByOne, sheetEnergies, stageElements, type Energy,
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
function sheet(painted = false): { energies: Energy[]; count: number; rest: Float64Array } {
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
  const factors = (seed: number) => painted ? Float64Array.from({ length: triangles.length / 3 }, (_, t) => (seed * (t + 1)) % 7) : null
  const paint = { stretchFactors: factors(3), shearFactors: factors(2), bendFactors: factors(5) }
  return { energies: sheetEnergies({ ...material, ...paint, triangles: Int32Array.from(triangles), restUV }, 0.03, rest), count: n * n, rest }
}

function springs(): { energies: Energy[]; count: number; rest: Float64Array } {
  const condition = distanceCondition(Int32Array.of(0, 1, 2, 1, 3, 0, 2, 3), Float64Array.of(0.3, 0.2, 0.4, 0))
  const rest = Float64Array.of(0, 0, 0, 0.3, 0, 0, 0.3, 0.2, 0, 0, 0, 0.4)
  return { energies: [energyOf(condition, Float64Array.of(10, 20, 0, 5), Float64Array.of(0.1, 0, 3, 1), 4)], count: 4, rest }
}

function corners(): { energies: Energy[]; count: number; rest: Float64Array } {
  const condition = angleCondition(Int32Array.of(0, 1, 2, 3, 2, 1, 2, 3, 0, 1, 0, 3), Float64Array.of(1.2, 2.5, 0.7, 1))
  const rest = Float64Array.of(0, 0, 0, 0.3, 0, 0.1, 0.3, 0.2, 0, 0.1, 0.1, 0.4)
  return { energies: [energyOf(condition, Float64Array.of(10, 20, 0, 5), Float64Array.of(0.1, 0, 3, 1), 4)], count: 4, rest }
}

describe.each([['sheet', sheet()], ['painted sheet', sheet(true)], ['springs', springs()], ['corners', corners()]] as const)('stage formulas of %s', (_what, { energies, count, rest }) => {
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

describe.each(['flat', 'not flat'] as const)('a painted sheet that is %s at rest', shape => {
  const { count, rest } = sheet()
  const curved = rest.map((value, k) => k % 3 === 2 ? 0.3 * rest[k - 2]! ** 2 : value)
  const triangles = Int32Array.of(0, 4, 5, 0, 5, 1, 4, 8, 9, 4, 9, 5, 1, 5, 6, 1, 6, 2, 5, 9, 10, 5, 10, 6, 8, 12, 13, 8, 13, 9)
  const restUV = Float64Array.from([...triangles].flatMap(v => [rest[3 * v]!, rest[3 * v + 1]!]))
  const material = { flat: shape === 'flat', stretchWarp: 200, stretchWeft: 90, shear: 20, bendWarp: 1e-2, bendWeft: 4e-3, triangles, restUV }
  const factors = Float64Array.from({ length: 10 }, (_, t) => t % 4)
  const energies = sheetEnergies({ ...material, stretchFactors: factors, shearFactors: factors.map(f => 3 - f), bendFactors: factors.map(f => f / 2) }, 0.03, curved)

  it.each(energies.map(energy => [energy.condition.kind, energy] as const))('%s: forces are the gradient of its potential, matrices that of its forces', (_kind, energy) => {
    const pattern = blockPattern(count, [energy.condition])
    const elements = stageElements(energy, elementSlots(pattern, energy.condition))
    const before = new Float64Array(energy.stiffness.length)
    const at = (x: Float64Array) => {
      const f = new Float64Array(3 * count)
      const sums = { largest: 0, potential: 0 }
      elements.addForces(x, before, 1 / 60, f, sums)
      return { f, potential: sums.potential }
    }
    const next = random(3)
    const x = curved.map(value => value + 0.01 * next())
    const matrix = new Float64Array(9 * pattern.columns.length)
    elements.addMatrix(x, before, 1 / 60, false, matrix)
    const { f } = at(x)
    const [force, entry] = [f, matrix].map(values => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)) as [number, number]
    const h = 1e-6
    for (let k = 0; k < x.length; k++) {
      const [ahead, behind] = [1, -1].map(sign => at(x.map((value, i) => i === k ? value + sign * h : value))) as [ReturnType<typeof at>, ReturnType<typeof at>]
      expect(Math.abs((behind.potential - ahead.potential) / (2 * h) - f[k]!)).toBeLessThan(1e-6 * force)
      // Rows of the lower triangle of blocks.
      for (let row = Math.floor(k / 3); row < count; row++) {
        for (let slot = pattern.starts[row]!; slot < pattern.starts[row + 1]!; slot++) {
          if (pattern.columns[slot] !== Math.floor(k / 3)) continue
          for (let c = 0; c < 3; c++) {
            const slope = (behind.f[3 * row + c]! - ahead.f[3 * row + c]!) / (2 * h)
            expect(Math.abs(slope - matrix[9 * slot + 3 * c + (k % 3)]!)).toBeLessThan(1e-6 * entry)
          }
        }
      }
    }
  })

  it('has the stiffness of its parts: each factor multiplies its triangle', () => {
    const plain = sheetEnergies(material, 0.03, curved)
    for (const r of [0, 1, 2]) for (let t = 0; t < 10; t++) {
      expect(energies[0]!.stiffness[3 * t + r]).toBeCloseTo(plain[0]!.stiffness[3 * t + r]! * (r === 2 ? 3 - factors[t]! : factors[t]!), 12)
      expect(energies[0]!.damping[3 * t + r]).toBeCloseTo(0.03 * energies[0]!.stiffness[3 * t + r]!, 12)
    }
    const whole = sheetEnergies({ ...material, stretchFactors: new Float64Array(10).fill(2), shearFactors: new Float64Array(10).fill(2), bendFactors: new Float64Array(10).fill(2) }, 0.03, curved)
    whole.forEach((energy, i) => energy.stiffness.forEach((k, r) => expect(k).toBeCloseTo(2 * plain[i]!.stiffness[r]!, 10)))
  })
})

it('takes bending whose stiffness differs by axis element by element', () => {
  const bend = sheet().energies[1]!
  const stiffness = bend.stiffness.map((k, r) => (r % 3 === 0 ? 2 * k : k))
  expect(bend.condition.stage!(stiffness, bend.damping, new Int32Array(0))).toBeNull()
})
