/** Buffers of the problem of a substep. */

import { expect, it } from 'vitest'
import { stateLayout } from '../../../../../../core/dynamics/state-layout'
import type { StepContext } from '../../../../../../core/methods/time-stepping/context'
import { HeapBodies } from '../../../../../../core/methods/time-stepping/heap/heap-bodies'
import type { HeapPairs } from '../../../../../../core/methods/time-stepping/heap/heap-pairs'
import { Substep } from '../../../../../../core/methods/time-stepping/heap/substep'
import { ProblemWorkspaces } from '../../../../../../core/methods/time-stepping/problem-workspace'

it('a workspace that was handed to an island is no longer the substep\'s, so that the next heap does not overwrite its rows', () => {
  const workspaces = new ProblemWorkspaces()
  // No step is taken: neither the context nor the pairs are used.
  const substep = new Substep({} as StepContext, new HeapBodies(stateLayout([])), {} as HeapPairs, workspaces)
  const workspace = substep.workspace = workspaces.take(9)
  expect(substep.releaseWorkspace()).toBe(workspace)
  expect(substep.workspace).toBeNull()
})
