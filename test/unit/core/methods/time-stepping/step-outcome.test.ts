/** Outcome of a step taken in parts: all recorded works add up. */

import { expect, it } from 'vitest'
import { StepOutcome } from '../../../../../core/methods/time-stepping/step-outcome'

function outcome(size: number): StepOutcome {
  const made = new StepOutcome()
  made.works.forEach((_, k) => { made.works[k] = size * (k + 1) })
  made.impactWork = 10 * size
  made.load.along = 20 * size
  made.load.gained = 30 * size
  made.degraded = size
  made.reports.push({ time: size })
  return made
}

it('sums the work, loads and reports of both parts, and keeps the harder solve', () => {
  const sum = outcome(1)
  const other = outcome(2)
  other.hardest = { history: [1, 0.5] } as unknown as StepOutcome['hardest']
  sum.add(other)
  expect([...sum.works]).toEqual([...sum.works].map((_, k) => 3 * (k + 1)))
  expect(sum.works.length).toBeGreaterThan(0)
  expect(sum).toMatchObject({ impactWork: 30, load: { along: 60, gained: 90 }, degraded: 3 })
  expect(sum.reports.map(({ time }) => time)).toEqual([1, 2])
  expect(sum.hardest).toBe(other.hardest)
})
