/** Impulses of a step are where the next one begins: of every row of a joint, of limits and drives, scaled by the steps' lengths. */

import { expect, it } from 'vitest'
import type { LocalScales } from '../../../../../core/methods/time-stepping/local-scales'
import { ImpulseMemory } from '../../../../../core/methods/time-stepping/memory'
import type { StepIsland } from '../../../../../core/methods/time-stepping/step-island'

/** Two joints, of three rows and of two, a drive and a limit; `p` of its rows. */
function island(h: number, p: Float64Array): StepIsland {
  const problem = { p, basis: Uint8Array.from(p, (_, i) => i % 2), slip: new Float64Array(0), warm: true, spin: [] }
  return {
    h, mode: 'contact', constraints: [], problem,
    joints: [{ index: 4, element: { constraint: { rows: 3 } }, firstRow: 1 }, { index: 9, element: { constraint: { rows: 2 } }, firstRow: 5 }],
    drives: [{ drive: { source: 'motor', joint: 4, coordinate: 0 }, row: 4 }], limits: [{ joint: 9, coordinate: 0, side: 'upper', row: 0 }],
  } as unknown as StepIsland
}

it('recalls every row, and knows nothing of what is new', () => {
  const memory = new ImpulseMemory({} as LocalScales)
  const solved = island(0.5, Float64Array.from([1, 2, 3, 4, 5, 6, 7]))
  memory.keep([solved], [])
  const next = island(0.25, new Float64Array(7))
  memory.recall(next)
  expect([...next.problem!.p]).toEqual([0.5, 1, 1.5, 2, 2.5, 3, 3.5])
  expect([...next.problem!.basis]).toEqual([0, 1, 0, 1, 0, 1, 0])
  expect(next.problem!.warm).toBe(true)
  memory.keep([], [solved])
  const fresh = island(0.01, new Float64Array(7))
  memory.recall(fresh)
  expect([...fresh.problem!.p]).toEqual([0, 0, 0, 0, 0, 0, 0])
  expect(fresh.problem!.warm).toBe(false)
})
