/** Bodies that leave a heap, are hit in their sleep, move in a plane, or need their step divided by an impact. */

import { describe, expect, it } from 'vitest'
import { ball, bodyIn, box, floor, recorded, sceneOf, turn } from '../../../../verification/support'

it('a box that is thrown off a heap lands on the floor', () => {
  const cubes = Array.from({ length: 72 }, (_, k) => box(`cube${k}`, [0.2, 0.2, 0.2], [0.21 * (k % 4), 0.21 * (Math.floor(k / 4) % 3), 0.101 + 0.201 * Math.floor(k / 12)]))
  const thrown = { ...cubes[71]!, linearVelocity: [4, 0, 0] }
  const run = recorded(sceneOf([floor, ...cubes.slice(0, 71), thrown], 0.3, { method: 'time-stepping', duration: 0.8, outputRate: 100, timeStepping: { step: 0.01 } }))
  expect(run.end.status).toBe('completed')
  const { position } = bodyIn(run, 'cube71')
  expect(position[0]).toBeGreaterThan(1.5)
  expect(position[2]).toBeGreaterThan(0.099)
  expect(position[2]).toBeLessThan(0.18)
})

it('a ball that crosses its own length five times in a step wakes the box that it hits in that step', () => {
  const shot = ball('shot', 0.1, [-60, 0, 4.93], { linearVelocity: [60, 0, 0] })
  const run = recorded(sceneOf([floor, box('box', [1, 1, 1], [0, 0, 0.5]), shot], 0.5, {
    method: 'time-stepping', duration: 1.1, outputRate: 60, timeStepping: { step: 1 / 60, sleep: true },
  }))
  expect(run.events.filter(({ kind }) => kind === 'sleep' || kind === 'wake').map(({ kind }) => kind)).toStrictEqual(['sleep', 'wake'])
  expect(Math.max(...run.certificates.map(({ maxPenetration }) => maxPenetration))).toBe(0)
  expect(bodyIn(run, 'box').position[0]).toBeGreaterThan(0)
  expect(bodyIn(run, 'shot').position[0]).toBeLessThan(-0.5)
})

it('boxes that tumble in the plane y = 0 do not leave it by rounding', () => {
  const boxes = Array.from({ length: 6 }, (_, i) => box(`box-${i}`, [0.3, 0.2, 0.2 + 0.03 * i], [0.17 * (i % 3), 0, 0.4 + 0.45 * i], { orientation: turn([0, 1, 0], 0.3 * i + 0.2) }))
  const run = recorded(sceneOf([floor, ...boxes], 0.4, { method: 'time-stepping', dimensions: 2, duration: 1, outputRate: 50, timeStepping: { step: 0.01 } }))
  expect(run.end.status).toBe('completed')
  for (const frame of run.frames) {
    for (const { id } of boxes as { id: string }[]) {
      const { position, orientation, linearVelocity, angularVelocity } = bodyIn(run, id, frame)
      const out = [position[1], orientation[0], orientation[2], linearVelocity[1], angularVelocity[0], angularVelocity[2]]
      expect(out.every(value => value === 0), `${id}: ${out.join()}`).toBe(true)
    }
  }
})

describe('a step that impacts divide for some bodies', () => {
  const simulation = { method: 'time-stepping', duration: 0.6, outputRate: 100, timeStepping: { step: 0.01 } }
  const drag = (...bodies: string[]) => ({ id: `drag-${bodies.join('-')}`, type: 'drag', bodies, linear: 1, angular: 0.01 })
  const groups: readonly { bodies: object[]; forces: object[]; joints: object[] }[] = [
    { // Bounces, and carries another by a spring.
      bodies: [ball('a', 0.1, [0, 0, 0.4]), ball('b', 0.1, [0.5, 0, 1])],
      forces: [{ id: 'spring', type: 'spring', bodyA: 'a', bodyB: 'b', stiffness: 200, damping: 1, restLength: 0.6 }, drag('a', 'b')], joints: [],
    },
    { // Bounces, and carries another by a joint.
      bodies: [ball('c', 0.1, [3, 0, 0.36]), ball('d', 0.1, [3.3, 0, 0.5])], forces: [drag('c', 'd')],
      joints: [{ id: 'joint', type: 'ball', bodyA: 'c', bodyB: 'd', anchor: [3.15, 0, 0.45] }],
    },
    { bodies: [ball('e', 0.1, [6, 0, 0.1], { linearVelocity: [2, 0, 0] })], forces: [drag('e')], joints: [] },
    { bodies: [ball('f', 0.1, [9, 0, 3], { linearVelocity: [0.3, 0, 0], angularVelocity: [0, 3, 0] })], forces: [drag('f')], joints: [] },
  ]
  const stepped = (some: typeof groups, friction: number) => recorded(sceneOf([floor, ...some.flatMap(({ bodies }) => bodies)], friction, simulation, {
    forces: some.flatMap(({ forces }) => forces), joints: some.flatMap(({ joints }) => joints),
  }, 0.8))

  it('moves every group as if it were alone, and counts the work of its forces once', () => {
    const [together, ...alone] = [groups, ...groups.map(group => [group])].map(some => stepped(some, 0.3))
    expect(together!.events.filter(({ kind }) => kind === 'impact').length).toBeGreaterThan(3)
    for (const [i, run] of alone.entries()) {
      for (const { id } of groups[i]!.bodies as { id: string }[]) expect(bodyIn(together!, id)).toEqual(bodyIn(run, id))
    }
    const work = (run: typeof together) => run!.certificates.at(-1)!.energy!.drag
    expect(work(together)).toBeLessThan(-1)
    expect(Math.abs(work(together) - alone.reduce((sum, run) => sum + work(run), 0))).toBeLessThan(1e-12 * Math.abs(work(together)))
  })

  it('keeps the horizontal momentum of bodies on a spring, of which one bounces without friction', () => {
    const run = stepped([{ ...groups[0]!, forces: groups[0]!.forces.slice(0, 1) }], 0)
    expect(run.events.filter(({ kind }) => kind === 'impact').length).toBeGreaterThan(0)
    for (const frame of run.frames) {
      const [a, b] = ['a', 'b'].map(id => bodyIn(run, id, frame).linearVelocity) as [readonly number[], readonly number[]]
      expect(Math.abs(a[0]! + b[0]!)).toBeLessThan(1e-13)
    }
  })

  it('counts the work of a force on bodies of which one bounces to second order in the step', () => {
    const bodies = [ball('a', 0.1, [0, 0, 0.4]), ball('b', 0.1, [2, 0, 3], { linearVelocity: [4, 0, 0] }), ball('c', 0.1, [4, 0, 0.6], { linearVelocity: [1, 0, 0] })]
    const worst = [0.02, 0.01].map(step => {
      const run = recorded(sceneOf([floor, ...bodies], 0.3, { ...simulation, outputRate: 1 / step, timeStepping: { step } }, { forces: [drag('a', 'b', 'c')] }, 0.8))
      expect(run.events.filter(({ kind }) => kind === 'impact').length).toBeGreaterThan(1)
      return Math.max(...run.certificates.map(({ energy }) => Math.abs(energy!.residual)))
    })
    expect(worst[1]).toBeLessThan(5e-5)
    expect(worst[0]! / worst[1]!).toBeGreaterThan(3)
  })
})
