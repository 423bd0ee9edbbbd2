/** Known answers with every tolerance of the methods ten times larger and ten times smaller: an answer that depended on a tolerance would not be one. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as eventDriven from '../../core/methods/event-driven/tolerances'
import * as timeStepping from '../../core/methods/time-stepping/tolerances'

/** Short scenes with closed forms that rest, stick, slip, roll, collide and swing. */
const ANSWERS: readonly string[] = [
  'stack-of-10', 'rolling-or-slipping', 'push-at-45-degrees', 'ball-joint-friction', 'bouncing-ball-0.5', 'compound-pendulum', 'newtons-cradle',
]
/** Tolerances of many bodies only. */
const OF_HEAPS: ReadonlySet<string> = new Set([
  'PILE_GAP', 'PILE_ACCURACY', 'BALANCED_IN_PILE', 'HEAP_ACCURACY', 'HEAP_FLOOR', 'HEAP_FLOOR_AT_REST', 'ITERATIVE_GAP',
])

/** Layers of twelve cubes, 72 in all, that fall on each other and on the floor. */
function heap(): object {
  const cubes = Array.from({ length: 72 }, (_, k) => ({
    id: `cube${k}`, position: [0.21 * (k % 4), 0.21 * (Math.floor(k / 4) % 3), 0.3 + 0.21 * Math.floor(k / 12)],
    shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'm' }],
  }))
  return {
    format: 'cairn-scene', version: 1, materials: [{ id: 'm', density: 1000, friction: { static: 0.5, dynamic: 0.5 } }],
    bodies: [{ id: 'floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'm' }] }, ...cubes],
    simulation: { method: 'time-stepping', duration: 0.4, outputRate: 20, timeStepping: { step: 0.01 } },
  }
}

describe.each([
  { method: 'time-stepping', table: timeStepping as Readonly<Record<string, number>>, path: '../../core/methods/time-stepping/tolerances' },
  { method: 'event-driven', table: eventDriven as Readonly<Record<string, number>>, path: '../../core/methods/event-driven/tolerances' },
])('$method', { tags: 'long' }, ({ method, table, path }) => {
  describe.each(Object.keys(table).flatMap(name => [10, 0.1].map(factor => ({ name, factor }))))('$name × $factor', ({ name, factor }) => {
    beforeAll(() => {
      vi.resetModules()
      vi.doMock(path, () => ({ ...table, [name]: factor * table[name]! }))
    })
    afterAll(() => { vi.doUnmock(path) })

    it('changes no known answer', async () => {
      const [{ allCases, comparedWith, sceneOfCase }, { recorded, worst }] = [await import('./run-cases'), await import('./support')]
      if (OF_HEAPS.has(name)) {
        const run = recorded(heap())
        expect(run.end.status).toBe('completed')
        expect(worst(run, ({ maxPenetration }) => maxPenetration)).toBeLessThanOrEqual(1e-9)
        expect(worst(run, ({ energy }) => energy.residual)).toBeLessThanOrEqual(0.02)
        return
      }
      const cases = (await allCases()).filter(known => known.method === method && ANSWERS.includes(known.scene))
      expect(cases.length).toBeGreaterThanOrEqual(5)
      for (const known of cases) {
        for (const { quantity, expected, got, error, tolerance } of comparedWith(known, recorded(sceneOfCase(known)))) {
          expect(error, `${known.scene}, ${quantity}: expected ${expected}, got ${got}`).toBeLessThanOrEqual(tolerance)
        }
      }
    })
  })
})
