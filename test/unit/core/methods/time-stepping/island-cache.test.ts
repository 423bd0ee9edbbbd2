/** Cached islands are found by their bodies, and count as equal only if they do not differ. */

import { expect, it } from 'vitest'
import type { EquationsOfMotion } from '../../../../../core/contact/equations'
import type { AppliedWrenches } from '../../../../../core/contact/applied'
import { IslandCache } from '../../../../../core/methods/time-stepping/island-cache'
import { ProblemWorkspaces, type ProblemWorkspace } from '../../../../../core/methods/time-stepping/problem-workspace'
import { StepIsland } from '../../../../../core/methods/time-stepping/step-island'
import type { StepProblem } from '../../../../../core/methods/time-stepping/step-problem'

function island(bodies: readonly number[], push: number): StepIsland {
  const made = new StepIsland()
  made.bodies.push(...bodies)
  made.adopt({ p: Float64Array.of(push, 2), basis: Uint8Array.of(1, 0), slip: new Float64Array(0), warm: true } as unknown as StepProblem, null as unknown as ProblemWorkspace)
  return made
}

it('each of several, by its first body', () => {
  const kept = new IslandCache({ world: { bodies: [] } } as unknown as EquationsOfMotion, new ProblemWorkspaces())
  const starts = [[4, 5], [0, 2], [7], [1, 3, 6]]
  kept.keep(starts.map((bodies, k) => island(bodies, k)), [], new Uint8Array(8), null as unknown as AppliedWrenches)
  expect(kept.list.map(({ bodies }) => bodies[0])).toEqual([0, 1, 4, 7])
  starts.forEach((bodies, k) => {
    expect(kept.has(island(bodies, k))).toBe(true)
    expect(kept.has(island(bodies, k + 0.5))).toBe(false)
    expect(kept.has(island([...bodies, 9], k))).toBe(false)
  })
  expect(kept.has(island([2], 0))).toBe(false)
  expect(kept.has(island([8], 0))).toBe(false)
})
