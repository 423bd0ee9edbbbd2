/** Skipping islands at rest does not change the results. */

import { afterEach, describe, expect, it, vi } from 'vitest'
import { Sleepers } from '../../../../../core/methods/time-stepping/sleep'
import { ball, box, contactForceOn, floor, recorded, sceneOf, worst, type Recorded } from '../../../../verification/support'

/** A wall that stands, and a ball that rolls into it. */
const scene = sceneOf([
  floor,
  ...Array.from({ length: 9 }, (_, i) => box(`b${i}`, [0.4, 0.2, 0.2], [0.4 * (i % 3), 0, 0.1 + 0.2 * Math.floor(i / 3)])),
  ball('ball', 0.1, [0.4, -1.6, 0.1], { linearVelocity: [0, 3, 0] }),
], 0.5, { method: 'time-stepping', duration: 0.8, outputRate: 60, timeStepping: { step: 1 / 60, contactModel: 'standard' } })

const solves = (run: Recorded): number => run.certificates.reduce((sum, { solverCalls }) => sum + solverCalls, 0)

describe('a resting scene', () => {
  afterEach(() => { vi.restoreAllMocks() })

  it('needs no solve until it is struck, and then moves, bit for bit, as if no solve had been skipped', () => {
    const skipping = recorded(scene)
    vi.spyOn(Sleepers.prototype, 'rest').mockImplementation(() => undefined)
    const stepping = recorded(scene)
    expect(solves(skipping)).toBeLessThan(solves(stepping))
    expect(skipping.end.finalHash).toBe(stepping.end.finalHash)
    expect(skipping.frames.map(({ bodies }) => [...bodies])).toEqual(stepping.frames.map(({ bodies }) => [...bodies]))
    expect(skipping.events).toEqual(stepping.events)
    const weight = ({ contacts }: Recorded): number[] => contacts.map(frame => contactForceOn(frame, 2).total[2]!)
    weight(skipping).forEach((force, k) => { expect(Math.abs(force - weight(stepping)[k]!)).toBeLessThan(1e-9) })
  })

  it('does not move at all, and its forces are still recorded', () => {
    const run = recorded(sceneOf([floor, box('a', [1, 1, 1], [0, 0, 0.5]), box('b', [1, 1, 1], [0.2, 0, 1.5])], 0.5, {
      method: 'time-stepping', duration: 0.3, outputRate: 60, timeStepping: { step: 1 / 60 },
    }))
    const last = run.frames.at(-1)!
    expect([...last.bodies]).toEqual([...run.frames.at(-3)!.bodies])
    expect(run.contacts.at(-1)!.normalForce.reduce((sum, force) => sum + force, 0)).toBeCloseTo(3000 * 9.81, 6)
    expect(worst(run, c => c.energy.residual)).toBeLessThan(1e-9)
  })
})
