import { expect, it } from 'vitest'
import { solverFor } from '../../../../../../core/methods/time-stepping/solvers'
import type { StepIsland } from '../../../../../../core/methods/time-stepping/step-island'
import type { TimeSteppingSettings } from '../../../../../../core/methods/time-stepping/settings'

const settings = { solver: 'auto', frictionDirections: 0 } as TimeSteppingSettings

/** A column: four contacts with friction, 12 rows, between each body and the next. The choice depends on nothing else. */
function column(bodies: number): StepIsland {
  const constraints = Array.from({ length: 4 * (bodies - 1) }, (_, i) => ({
    spins: [], constraint: { pair: { bodyA: i >> 2, bodyB: (i >> 2) + 1, material: { staticFriction: 0.5, torsionalFriction: 0, rollingFriction: 0 } } },
  }))
  return { inTrees: false, bodies: Array.from({ length: bodies }, (_, i) => i), constraints, joints: [], drives: [], limits: [], jointSpins: [] } as unknown as StepIsland
}

it.each([true, false])('solves the index set of small islands only: the dense matrix of a large one takes seconds (at rest: %s)', resting => {
  expect(solverFor(settings, column(21), resting, false, false).name).toBe('exact')
  expect(solverFor(settings, column(22), resting, false, false).name).toBe('newton')
})
