import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { frameIntervals } from '../../../../core/simulation'
import { parseScene, type ResolvedScene } from '../../../../core/scene'
import { box, floor, recorded, sceneOf, type Recorded } from '../../../verification/support'

const known = (name: string): object => JSON.parse(readFileSync(new URL(`../../../../scenes/verification/${name}.cairn.json`, import.meta.url), 'utf8')) as object

function resolved(scene: object): ResolvedScene {
  const parsed = parseScene(scene)
  if (!parsed.ok) throw new Error(parsed.problems[0]!.message)
  return parsed.resolved
}

const at = (scene: object, run: Recorded, frame: number) => frameIntervals(resolved(scene), {
  frame: run.frames[frame]!, contacts: run.contacts[frame]!, joints: run.joints[frame]!, forces: run.forces[frame]!,
})

/** Recorded intervals beside those found from the frame alone, N. */
function pairs(scene: object, run: Recorded): [number, number][] {
  return run.contacts.flatMap((contacts, frame) => {
    const { intervals } = at(scene, run, frame)
    return intervals.flatMap((interval, k): [number, number][] => {
      const recordedEnds = [contacts.interval[2 * k]!, contacts.interval[2 * k + 1]!]
      if (Number.isNaN(recordedEnds[0]!)) return []
      expect(interval).not.toBeNull()
      return recordedEnds.map((end, i): [number, number] => [end, interval![i]!])
    })
  })
}

describe('force intervals of a recorded frame', () => {
  it.each([['chair', 100], ['push-at-45-degrees', 1000], ['arm-on-a-drum', 100], ['stack-of-10', 1e4]])('are those of the run if it recorded some: %s', (name, weight) => {
    const scene = known(name)
    const compared = pairs(scene, recorded({ ...scene, simulation: { method: 'event-driven', duration: 0.1, outputRate: 10 } }))
    expect(compared.length).toBeGreaterThan(0)
    for (const [expected, got] of compared) expect(Math.abs(got - expected)).toBeLessThan(1e-6 * weight)
  })

  it.each([['block-at-rest', 'sign-guess', 1e4], ['friction-crawling', 'crawl', 5e3]] as const)('are those of the friction law in use: %s by %s', (name, law, weight) => {
    const base = known(name)
    const scene = { ...base, simulation: { duration: 0.05, outputRate: 20, method: 'event-driven', eventDriven: { staticFriction: law, crawlSpeed: 0.01 } } }
    const compared = pairs(scene, recorded(scene))
    expect(compared.length).toBeGreaterThan(0)
    for (const [expected, got] of compared) expect(Math.abs(got - expected)).toBeLessThan(1e-6 * weight)
  })

  it('are found for islands that move with many contacts, and hold the recorded forces', () => {
    const scene = sceneOf([
      floor, ...[0, 1, 2].map(k => box(`box-${k}`, [1, 1, 1], [0, 0, 0.5 + k], { linearVelocity: [2, 0, 0] })),
    ], 0.2, { duration: 0.2, outputRate: 20 })
    const run = recorded(scene)
    const contacts = run.contacts.at(-1)!
    expect(contacts.count).toBe(12)
    expect(contacts.interval.every(Number.isNaN)).toBe(true)
    const { intervals, reasons } = at(scene, run, run.frames.length - 1)
    expect(reasons).toEqual([])
    intervals.forEach((interval, k) => {
      expect(interval![0]).toBeLessThanOrEqual(contacts.normalForce[k]! + 1e-6)
      expect(interval![1]).toBeGreaterThanOrEqual(contacts.normalForce[k]! - 1e-6)
    })
    // The topmost box leans back as it is slowed, μ h/2 from its middle: two opposite corners may bear (1 ± μ)/2 of its weight, or none.
    const top = [...contacts.point.keys()].filter(i => i % 3 === 2 && contacts.point[i]! > 1.9).map(i => (i - 2) / 3)
    expect(top.length).toBe(4)
    for (const k of top) expect(intervals[k]![1] - intervals[k]![0]).toBeGreaterThan(0.1 * 1000 * 9.81)
  })

  const crate = box('crate', [1, 1, 1], [0, 0, 0.5])
  const hinge = { id: 'hinge', type: 'hinge', bodyA: 'crate', bodyB: null, anchor: [0.2, 0, 0.5], axis: [0, 1, 0] }
  const push = (force: readonly number[]) => ({ id: 'push', type: 'uniform', bodies: ['crate'], force })
  // Each supports the crate beside its four corners, which adds one degree of indeterminacy.
  it.each([
    ['friction of a joint', { joints: [{ ...hinge, friction: 500 }] }],
    ['a motor', { joints: [{ ...hinge, motor: { targetVelocity: 0, maxForce: 800 } }] }],
    ['a limit', { joints: [{ ...hinge, limits: { lower: 0 } }], forces: [{ id: 'turn', type: 'torque', body: 'crate', torque: [0, -9000, 0] }] }],
    ['friction of a ball joint', { joints: [{ id: 'ball', type: 'ball', bodyA: 'crate', bodyB: null, anchor: [0.2, 0, 0.5], friction: 400 }] }],
    ['a gear', {
      joints: [
        { ...hinge, type: 'slider', axis: [0, 0, 1] }, { id: 'other', type: 'slider', bodyA: 'weight', bodyB: null, anchor: [3, 0, 2], axis: [0, 0, 1] },
        { id: 'teeth', type: 'gear', jointA: 'hinge', jointB: 'other', ratio: -1 },
      ],
    }],
  ])('are those of the run with %s', (_, rest) => {
    const scene = sceneOf([crate, box('weight', [0.5, 0.5, 0.5], [3, 0, 2]), floor], 0.3, { duration: 0.1, outputRate: 10 }, { forces: [push([200, 0, 0])], ...rest })
    const run = recorded(scene)
    expect([run.end.status, run.end.message]).toEqual(['completed', ''])
    const compared = pairs(scene, run)
    expect(compared.length).toBeGreaterThan(0)
    for (const [expected, got] of compared) if (expected !== got) expect(Math.abs(got - expected)).toBeLessThan(1e-6 * 1e4)
    const open = compared.filter((_end, k) => k % 2 === 0).some(([least], k) => compared[2 * k + 1]![0] - least > 1)
    expect(open).toBe(true)
  })

  it('give a reason if there are none', () => {
    const scene = sceneOf([crate, floor], 0.2, { duration: 0.1, outputRate: 10 }, {
      joints: [{ ...hinge, friction: 100, motor: { targetVelocity: 0, maxForce: 50 } }],
    })
    const { intervals, reasons } = at(scene, recorded(scene), 0)
    expect(intervals.every(interval => interval === null)).toBe(true)
    expect(reasons).toEqual(['motor and friction of joint "hinge" act together'])
  })
})
