/** A run can be cancelled within a failing step, which is solved in repeated halves before the run gives up. */

import { expect, it } from 'vitest'
import { Random } from '../../../../fuzz/random'
import { randomScene } from '../../../../fuzz/scene'
import { noScripts, recorded } from '../../../../verification/support'

it('between two solves of one step', { tags: 'long' }, () => {
  // A hull on a hinge that jams against a moving cone: its step is halved down to a microsecond, in some 300 solves.
  let asked = 0
  const run = recorded(randomScene(new Random(7542)), noScripts, () => ++asked > 30)
  expect(run.end.status).toBe('cancelled')
  expect(asked).toBe(31)
  expect(run.frames).toHaveLength(1)
})
