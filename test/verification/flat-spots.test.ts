import { describe, expect, it } from 'vitest'
import { floor, recorded, sceneOf, turn, worst } from './support'

const pebble = (exponents: readonly number[], rest: object = {}): object =>
  ({ id: 'pebble', position: [0, 0, 0.52], shapes: [{ type: 'superquadric', radii: [0.5, 0.5, 0.5], exponents, material: 'stone' }], ...rest })

describe('a superquadric', () => {
  it('that rocks on a flat spot keeps its energy, or says why it stops', () => {
    for (const exponents of [[0.5, 0.5], [0.25, 1]]) {
      const run = recorded(sceneOf([floor, pebble(exponents, { orientation: turn([1, 0.3, 0], 0.05) })], 0.6, { duration: 0.5, outputRate: 20 }))
      expect(run.end.status === 'completed' || run.end.reason !== '').toBe(true)
      expect(worst(run, c => c.energy.residual)).toBeLessThan(1e-6)
      expect(worst(run, c => c.maxPenetration)).toBeLessThan(1e-9)
      expect(worst(run, c => c.maxComplementarity)).toBeLessThan(1e-10)
    }
  })
})
