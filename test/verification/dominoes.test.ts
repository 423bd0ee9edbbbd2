/** What is its own mirror image stays so: nothing in a step prefers one side, though forces, and friction with them, are far from unique. */

import { expect, it } from 'vitest'
import { bodyAt, box, floor, recorded, sceneOf, worst } from './support'
import { cos, sin } from '../../core/math/elementary'

/** Half sizes, m, as of the first domino's foot. */
const [THICK, HIGH] = [0.05, 0.5]

function dominoes(count: number): object[] {
  const tilt = 0.152
  const orientation = [0, sin(tilt / 2), 0, cos(tilt / 2)]
  const foot: number[] = [THICK * cos(tilt) - HIGH * sin(tilt), 0, THICK * sin(tilt) + HIGH * cos(tilt) - 1e-12]
  return Array.from({ length: count }, (_, k) => box(`d${k}`, [2 * THICK, 0.5, 2 * HIGH], k === 0 ? [0.05 - foot[0]!, 0, foot[2]!] : [0.4 * k, 0, HIGH],
    k === 0 ? { orientation } : {}))
}

it('a row of ten dominoes falls, and stays in its plane to 2e-8 m', () => {
  const run = recorded(sceneOf([floor, ...dominoes(10)], 0.4, {
    method: 'time-stepping', duration: 2.5, outputRate: 60, timeStepping: { step: 1 / 60, contactModel: 'standard' },
  }))
  expect(run.end.status).toBe('completed')
  expect(worst(run, c => c.maxPenetration)).toBe(0)
  expect(worst(run, c => c.degraded)).toBe(0)
  for (const frame of run.frames) {
    for (let body = 1; body <= 10; body++) {
      const { position } = bodyAt(frame, body)
      expect(Math.abs(position[1]!)).toBeLessThanOrEqual(2e-8)
    }
  }
  for (let body = 1; body <= 10; body++) expect(bodyAt(run.frames.at(-1)!, body).position[2]!).toBeLessThanOrEqual(0.35)
})

it('a tilted domino that overlaps the floor by rounding is lifted as it stands, and falls in its plane', () => {
  const run = recorded(sceneOf([floor, ...dominoes(1)], 0.4, {
    method: 'time-stepping', duration: 0.1, outputRate: 60, timeStepping: { step: 1 / 60, contactModel: 'standard' },
  }))
  for (const frame of run.frames) {
    const { position, angularVelocity } = bodyAt(frame, 1)
    expect(Math.abs(position[1]!)).toBeLessThanOrEqual(1e-15)
    expect(Math.abs(angularVelocity[0]!)).toBeLessThanOrEqual(1e-14)
  }
})
