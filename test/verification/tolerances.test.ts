/** Known answers with every tolerance of the methods ten times larger and ten times smaller: a right answer does not depend on a tolerance. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as eventDriven from '../../core/methods/event-driven/tolerances'
import * as timeStepping from '../../core/methods/time-stepping/tolerances'
import type { VerificationCase } from './cases/case'

/** Short scenes with closed forms that rest, stick, slip, come to rest, roll, collide and swing. */
const ANSWERS: readonly string[] = [
  'stack-of-10', 'rolling-or-slipping', 'push-at-45-degrees', 'ball-joint-friction', 'bouncing-ball-0.5', 'compound-pendulum', 'newtons-cradle',
  'sliding-block-stops', 'impact-pile-up', 'gears-on-moving-frames',
]
/** Tolerances of many bodies only. */
const OF_HEAPS: ReadonlySet<string> = new Set(['PILE_GAP', 'BALANCED_IN_PILE', 'HEAP_ACCURACY', 'HEAP_FLOOR', 'ITERATIVE_GAP'])
/** Tolerances of sleep, limits and bodies without room. */
const OF_YARD: ReadonlySet<string> = new Set(['JOINT_ALLOWED', 'LIMIT_REACHED', 'STILL_SPEED', 'BALANCE', 'SAME_FORCE', 'NARROW_GAP'])
/** Tolerances that no run of this file reads, so that it cannot test them. */
const NOT_READ: ReadonlySet<string> = new Set([
  'FIRST_ACCURACY', 'PILE_ACCURACY', 'HEAP_FLOOR_AT_REST', 'SMALL_GAIN', 'MAX_IMPACT_GAIN', 'MAX_IMPACT_LOSS', 'ENERGY_FLOOR', 'MAX_DAMPED_GAIN', 'MAX_CAUTIOUS_GAIN',
  'REACTION_ROUNDING', 'FLAT',
])

/** Cubes that come to rest and fall asleep, balls that bounce, a hinge that reaches its limit, and two cubes that fill the space between walls. */
function yard(): object {
  const body = (id: string, position: number[], shape: object, rest: object = {}) => ({ id, position, shapes: [{ ...shape, material: 'm' }], ...rest })
  const cube = { type: 'box', size: [0.2, 0.2, 0.2] }
  const sphere = { type: 'sphere', radius: 0.1 }
  return {
    format: 'cairn-scene', version: 1, materials: [{ id: 'm', density: 1000, friction: { static: 0.5, dynamic: 0.4 }, restitution: 0.4 }],
    bodies: [
      { id: 'floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'm' }] },
      body('low', [0, 0, 0.1], cube), body('middle', [0, 0, 0.3], cube), body('high', [0, 0, 0.5], cube),
      body('left', [2, 0, 0.1], sphere), body('right', [2.21, 0, 0.1], sphere), body('falling', [2.1, 0, 0.6], sphere),
      body('door', [4, 0, 1], cube, { linearVelocity: [0, 0.8, 0], angularVelocity: [0, 0, 4] }),
      body('wall', [5.8, 0, 0.1], cube, { type: 'fixed' }), body('opposite', [6.4, 0, 0.1], cube, { type: 'fixed' }),
      body('between', [6, 0, 0.1], cube), body('beside', [6.2, 0, 0.1], cube),
    ],
    joints: [{ id: 'hinge', type: 'hinge', bodyA: 'door', bodyB: null, anchor: [3.8, 0, 1], axis: [0, 0, 1], limits: { lower: -0.3, upper: 0.3 } }],
    simulation: { method: 'time-stepping', duration: 1.2, outputRate: 20, timeStepping: { step: 0.01, sleep: true } },
  }
}

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
  /** Values that the engine reads instead of those of the table. */
  const changed = new Map<string, number>()
  /** Names that the engine has read since the set was cleared. */
  const read = new Set<string>()
  /** The engine with a table whose values can change between runs, so that it is loaded and compiled once. */
  let engine: typeof import('./run-cases') & typeof import('./support')
  /** Cases, each with the tolerances that its run reads: the others cannot change its answer. */
  const answers: { readonly known: VerificationCase; readonly reads: ReadonlySet<string> }[] = []

  /** Scenes without a closed form, whose certificate has to hold, each with the tolerances that it is run for and those that its run reads. */
  const certified: { readonly names: ReadonlySet<string>; readonly scene: object; readonly reads: ReadonlySet<string> }[] = []

  function expectAnswer(known: VerificationCase): void {
    for (const { quantity, expected, got, error, tolerance } of engine.comparedWith(known, engine.recorded(engine.sceneOfCase(known)))) {
      expect(error, `${known.scene}, ${quantity}: expected ${expected}, got ${got}`).toBeLessThanOrEqual(tolerance)
    }
  }

  function expectCertificate(scene: object): void {
    const run = engine.recorded(scene)
    expect(run.end.status).toBe('completed')
    expect(engine.worst(run, ({ maxPenetration }) => maxPenetration)).toBeLessThanOrEqual(1e-9)
    expect(engine.worst(run, ({ energy }) => energy.residual)).toBeLessThanOrEqual(0.02)
  }

  beforeAll(async () => {
    vi.resetModules()
    vi.doMock(path, () => Object.defineProperties({}, Object.fromEntries(Object.entries(table).map(([name, value]) => [name, {
      enumerable: true, get: () => {
        read.add(name)
        return changed.get(name) ?? value
      },
    }]))))
    engine = { ...await import('./run-cases'), ...await import('./support') }
    const cases = await engine.allCases()
    // A constant that a module computes from a tolerance while it is loaded would keep its value.
    expect([...read]).toEqual([])
    for (const known of cases.filter(({ method: own, scene }) => own === method && ANSWERS.includes(scene))) {
      read.clear()
      expectAnswer(known)
      answers.push({ known, reads: new Set(read) })
    }
    expect(answers.length).toBeGreaterThanOrEqual(5)
    if (method !== 'time-stepping') return
    for (const [names, scene] of [[OF_HEAPS, heap()], [OF_YARD, yard()]] as const) {
      read.clear()
      expectCertificate(scene)
      certified.push({ names, scene, reads: new Set(read) })
    }
  }, 60_000)
  afterAll(() => {
    vi.doUnmock(path)
    vi.resetModules()
  })

  describe.each(Object.keys(table).flatMap(name => [10, 0.1].map(factor => ({ name, factor }))))('$name × $factor', ({ name, factor }) => {
    beforeAll(() => { changed.set(name, factor * table[name]!) })
    afterAll(() => { changed.clear() })

    if (NOT_READ.has(name)) {
      it('is read by no run', () => {
        expect([...answers, ...certified].filter(({ reads }) => reads.has(name))).toEqual([])
      })
      return
    }

    it('changes no known answer', () => {
      const own = certified.find(({ names }) => names.has(name))
      if (own) {
        expect(own.reads).toContain(name)
        expectCertificate(own.scene)
        return
      }
      const affected = answers.filter(({ reads }) => reads.has(name))
      expect(affected).not.toEqual([])
      for (const { known } of affected) expectAnswer(known)
    })
  })
})
