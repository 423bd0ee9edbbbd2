/** Dice on felt: bodies with several contacts that resist rolling have redundant rows, whose spins cannot be found by guessing. */

import { expect, it } from 'vitest'
import { floor, recorded, turn, worst } from './support'

const dice = Array.from({ length: 6 }, (_, k) => ({
  id: `die${k}`, position: [0.03 * k, 0, 0.2 + 0.02 * k], orientation: turn([1, 2, 3], 0.4 * k),
  shapes: [{ type: 'box', size: [0.016, 0.016, 0.016], material: 'stone' }],
  linearVelocity: [1, 0.1 * k, 0], angularVelocity: [17 - 9 * k, 5 * k - 12, 20 - 8 * k],
}))

// 5 mm hold a die on its edge. Where directions of spins were guessed, a quarter of a second took half a minute.
it('six dice with rolling friction bounce, tumble and come to rest', { timeout: 60_000 }, () => {
  const run = recorded({
    format: 'cairn-scene', version: 1,
    materials: [{ id: 'stone', density: 1000, friction: { static: 0.4, dynamic: 0.36, rolling: 0.005 }, restitution: 0.3 }],
    bodies: [floor, ...dice], simulation: { method: 'time-stepping', duration: 1.5 },
  })
  expect([run.end.status, run.end.message]).toEqual(['completed', ''])
  expect(worst(run, c => c.maxPenetration)).toBe(0)
  expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(1e-3)
  expect(run.certificates.at(-1)!.maxComplementarity).toBeLessThanOrEqual(1e-10)
  expect(run.certificates.at(-1)!.energy.kinetic).toBeLessThanOrEqual(1e-12)
})
