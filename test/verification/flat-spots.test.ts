import { describe, expect, it } from 'vitest'
import { bodyIn, floor, recorded, sceneOf, turn, worst } from './support'

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

  it('that slides to rest on its flat spot, where the least turn moves the contact without bound, says so', () => {
    const die = { id: 'die', position: [0, 0, 0.3], linearVelocity: [1, 0, 0], shapes: [{ type: 'superquadric', radii: [0.5, 0.4, 0.3], exponents: [0.4, 0.4], material: 'stone' }] }
    const run = recorded(sceneOf([floor, die], 0.3, { duration: 1, outputRate: 30 }))
    expect(run.end.status).toBe('completed')
    // Friction tips it off the spot at once, and it rocks across it and back until it is as good as at rest.
    const [jam] = run.events.filter(({ kind }) => kind === 'degraded')
    expect(jam!.time).toBeGreaterThan(1 / (0.3 * 9.81))
    expect(jam!.message).toMatch(/^at 0.36\d+ s the step became .* contact of "die" on "ground" \(surface 0 on face 0, curvature \S+ 1\/m\): on a flat spot/)
    expect(jam!.message).toMatch(/finished by time-stepping$/)
    expect(Number(/curvature (\S+)/.exec(jam!.message)![1])).toBeLessThan(1e-3)
    expect(run.end.fallbacks.count).toBeGreaterThan(0)
    const initial = run.certificates[0]!.energy.initial
    const before = run.certificates.filter(({ time }) => time < jam!.time)
    expect(Math.max(...before.map(({ energy }) => energy.residual))).toBeLessThan(1e-10 * initial)
    expect(worst(run, ({ energy }) => energy.residual)).toBeLessThan(1e-6 * initial)
    expect(worst(run, ({ maxPenetration }) => maxPenetration)).toBeLessThan(1e-9)
    expect(Math.abs(bodyIn(run, 'die').linearVelocity[0]!)).toBeLessThan(0.05)
    // Without friction nothing turns it.
    expect(recorded(sceneOf([floor, die], 0, { duration: 1, outputRate: 30 })).end.status).toBe('completed')
  })
})
