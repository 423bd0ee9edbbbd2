/**
 * Boxes rotated relative to each other rest on crossings of edges alone: these constraints have to be active from the start of a step, not only after
 * they are violated.
 */

import { expect, it } from 'vitest'
import { box, floor, recorded, sceneOf, worst } from '../../../../../verification/support'

it.each(['peg', 'standard'])('a column of turned boxes comes to rest, each step in one solve at most by %s', contactModel => {
  const boxes = Array.from({ length: 4 }, (_, i) => {
    const half = 0.05 * (i + 1)
    return box(`b${i}`, [1, 1, 1], [0, 0, 0.501 + 1.001 * i], { orientation: [0, 0, Math.sin(half), Math.cos(half)] })
  })
  const run = recorded(sceneOf([floor, ...boxes], 0.5, {
    method: 'time-stepping', duration: 0.5, outputRate: 60, timeStepping: { step: 1 / 60, contactModel },
  }))
  expect(run.events.filter(({ kind }) => kind === 'degraded')).toEqual([])
  expect(worst(run, c => c.maxPenetration)).toBe(0)
  // Four vertices on the floor, and eight crossings between each two boxes, one of which is redundant.
  for (const { contacts, solverCalls } of run.certificates.slice(15)) {
    expect(contacts).toBeGreaterThanOrEqual(4 + 3 * 7)
    expect(solverCalls).toBeLessThanOrEqual(1)
  }
})
