/** Steps of deformables that no length makes solvable end the run with a reason. */

import { expect, it } from 'vitest'
import { recorded, sceneOf } from './support'

it('a particle so fast that its spring’s force is no number stops the run', () => {
  const { end } = recorded(sceneOf([], 0.3, { duration: 0.1, outputRate: 60, timeStepping: { step: 1 / 60 } }, {
    deformables: [{
      id: 'pair', type: 'particles', material: 'stone', springs: [{ a: 0, b: 1, restLength: 1, stiffness: 100 }],
      particles: [{ position: [0, 0, 0], mass: 1 }, { position: [1, 0, 0], mass: 1, velocity: [1e200, 0, 0] }],
    }],
  }))
  expect(end).toMatchObject({ status: 'stopped', reason: 'StepSizeUnderflow', ids: ['pair'] })
  // 1/60 s, halved twelve times.
  expect(end.message).toMatch(/^deformables: At t = 0 s no step of 0\.00000406\d+ s or more could be taken/)
})
