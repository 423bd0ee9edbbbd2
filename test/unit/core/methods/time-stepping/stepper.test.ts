/** Bodies that leave a heap, are hit in their sleep, or move in a plane. */

import { expect, it } from 'vitest'
import { ball, bodyIn, box, floor, recorded, sceneOf, turn } from '../../../../verification/support'

it('a box that is thrown off a heap lands on the floor', () => {
  const cubes = Array.from({ length: 72 }, (_, k) => box(`cube${k}`, [0.2, 0.2, 0.2], [0.21 * (k % 4), 0.21 * (Math.floor(k / 4) % 3), 0.101 + 0.201 * Math.floor(k / 12)]))
  const thrown = { ...cubes[71]!, linearVelocity: [4, 0, 0] }
  const run = recorded(sceneOf([floor, ...cubes.slice(0, 71), thrown], 0.3, { method: 'time-stepping', duration: 0.8, outputRate: 100, timeStepping: { step: 0.01 } }))
  expect(run.end.status).toBe('completed')
  const { position } = bodyIn(run, 'cube71')
  expect(position[0]).toBeGreaterThan(1.5)
  expect(position[2]).toBeGreaterThan(0.099)
  expect(position[2]).toBeLessThan(0.18)
})

it('a ball that crosses its own length five times in a step wakes the box that it hits in that step', () => {
  const shot = ball('shot', 0.1, [-60, 0, 4.93], { linearVelocity: [60, 0, 0] })
  const run = recorded(sceneOf([floor, box('box', [1, 1, 1], [0, 0, 0.5]), shot], 0.5, {
    method: 'time-stepping', duration: 1.1, outputRate: 60, timeStepping: { step: 1 / 60, sleep: true },
  }))
  expect(run.events.filter(({ kind }) => kind === 'sleep' || kind === 'wake').map(({ kind }) => kind)).toStrictEqual(['sleep', 'wake'])
  expect(Math.max(...run.certificates.map(({ maxPenetration }) => maxPenetration))).toBe(0)
  expect(bodyIn(run, 'box').position[0]).toBeGreaterThan(0)
  expect(bodyIn(run, 'shot').position[0]).toBeLessThan(-0.5)
})

it('boxes that tumble in the plane y = 0 do not leave it by rounding', () => {
  const boxes = Array.from({ length: 6 }, (_, i) => box(`box-${i}`, [0.3, 0.2, 0.2 + 0.03 * i], [0.17 * (i % 3), 0, 0.4 + 0.45 * i], { orientation: turn([0, 1, 0], 0.3 * i + 0.2) }))
  const run = recorded(sceneOf([floor, ...boxes], 0.4, { method: 'time-stepping', dimensions: 2, duration: 1, outputRate: 50, timeStepping: { step: 0.01 } }))
  expect(run.end.status).toBe('completed')
  for (const frame of run.frames) {
    for (const { id } of boxes as { id: string }[]) {
      const { position, orientation, linearVelocity, angularVelocity } = bodyIn(run, id, frame)
      const out = [position[1], orientation[0], orientation[2], linearVelocity[1], angularVelocity[0], angularVelocity[2]]
      expect(out.every(value => value === 0), `${id}: ${out.join()}`).toBe(true)
    }
  }
})
