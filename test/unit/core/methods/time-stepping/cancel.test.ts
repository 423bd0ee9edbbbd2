/** A run can be cancelled within a step: between the solves of one that fails, and within the solve of one with deformables. */

import { expect, it } from 'vitest'
import { Random } from '../../../../fuzz/random'
import { randomScene } from '../../../../fuzz/scene'
import { noScripts, recorded, sceneOf } from '../../../../verification/support'

it('between two solves of one step', { tags: 'long' }, () => {
  // A hull on a hinge that jams against a moving cone: its step is halved down to a microsecond, in some 300 solves.
  let asked = 0
  const run = recorded(randomScene(new Random(7542)), noScripts, () => ++asked > 30)
  expect(run.end.status).toBe('cancelled')
  expect(asked).toBe(31)
  expect(run.frames).toHaveLength(1)
})

it('within the solution of a cloth on a surface by formulas, whose distances are searched for', () => {
  const egg = { type: 'parametric', x: 'cos(u)*cos(v)', y: '0.8*cos(u)*sin(v)', z: '0.6*sin(u)', u: [-Math.PI / 2, Math.PI / 2], v: [-Math.PI, Math.PI], material: 'stone' }
  const cloth = { id: 'cloth', type: 'cloth', material: 'stone', vertices: [[-0.4, -0.4, 0.62], [0.4, -0.4, 0.62], [0.4, 0.4, 0.62], [-0.4, 0.4, 0.62]], triangles: [[0, 1, 2], [0, 2, 3]] }
  const scene = sceneOf([{ id: 'egg', type: 'fixed', shapes: [egg] }], 0.3, { method: 'time-stepping', duration: 0.1, outputRate: 10, timeStepping: { step: 0.1 } }, { deformables: [cloth] })
  let whole = 0
  expect(recorded(scene, noScripts, () => ++whole < 0).end.status).toBe('completed')
  // One step: without questions within it there are about ten.
  expect(whole).toBeGreaterThan(100)
  let asked = 0
  const run = recorded(scene, noScripts, () => ++asked > whole / 2)
  expect([run.end.status, run.frames.length]).toEqual(['cancelled', 1])
})
