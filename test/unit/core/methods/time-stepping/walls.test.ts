import { describe, expect, it } from 'vitest'
import { bodyAt, box, contactForceOn, floor, recorded, sceneOf } from '../../../../verification/support'

const STEPPING = { method: 'time-stepping', duration: 1 / 60, outputRate: 60, timeStepping: { step: 1 / 60 } }

/** 300 bricks in running bond; those at the ends of every other course stand on their edges. */
const wall = Array.from({ length: 300 }, (_, k) => {
  const course = Math.floor(k / 20)
  return box(`brick-${k}`, [0.4, 0.2, 0.2], [(k % 20 + (course % 2) / 2) * 0.4, 0, (course + 0.5) * 0.2])
})

describe('a standing wall of hundreds of bricks', () => {
  it('balances to rounding from the first frame on, and asks between the steps of its solution whether the run was cancelled', () => {
    let asked = 0
    const run = recorded(sceneOf([floor, ...wall], 0.5, STEPPING), undefined, () => {
      asked++
      return false
    })
    expect([run.end.status, run.end.warnings, run.events.filter(({ kind }) => kind === 'degraded')]).toEqual(['completed', [], []])
    const weight = 9.81 * 1000 * 0.4 * 0.2 * 0.2
    for (const contacts of run.contacts) {
      wall.forEach((_, k) => {
        const { total } = contactForceOn(contacts, k + 1)
        expect(Math.hypot(total[0]!, total[1]!, total[2]! - weight) / (300 * weight)).toBeLessThan(1e-11)
      })
    }
    for (const { maxComplementarity, maxConeViolation, maxPenetration } of run.certificates) {
      expect(maxPenetration).toBe(0)
      expect(maxComplementarity).toBeLessThan(1e-9)
      expect(maxConeViolation).toBeLessThan(1e-10)
    }
    const ends = run.frames.map(frame => bodyAt(frame, 300).position)
    expect(Math.hypot(...ends[1]!.map((x, i) => x - ends[0]![i]!))).toBeLessThan(1e-9)
    // 70 factorisations and more before the first frame.
    expect(asked).toBeGreaterThan(50)
  })
})
