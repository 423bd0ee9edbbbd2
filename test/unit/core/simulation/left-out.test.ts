/** Parts of a scene that a method does not support are reported, not silently ignored. */
import { expect, it } from 'vitest'
import { ball, floor, recorded, sceneOf } from '../../../verification/support'

const warned = (method: string, friction: { static: number; dynamic: number }, restitution: number, simulation: object = {}): readonly string[] => {
  const { end } = recorded(sceneOf([floor, ball('ball', 0.1, [0, 0, 0.2])], friction, { duration: 0.01, outputRate: 100, method, ...simulation }, {}, restitution))
  return end.warnings.filter(warning => warning.includes('ignores'))
}

it('the penalty method reports that it ignores restitution and static friction', () => {
  expect(warned('penalty', { static: 0.6, dynamic: 0.5 }, 0.5)).toEqual([
    'the penalty method ignores restitution', 'the penalty method ignores static friction: its contacts hold by dynamic friction only',
  ])
  expect(warned('penalty', { static: 0.5, dynamic: 0.5 }, 0)).toEqual([])
})

it('other methods report that they ignore a branch', () => {
  const branch = { branch: [{ event: 1, solution: 0 }] }
  for (const method of ['time-stepping', 'penalty']) {
    expect(warned(method, { static: 0.5, dynamic: 0.5 }, 0, branch)).toEqual([`the ${method} method ignores the choice among several motions`])
  }
  expect(warned('event-driven', { static: 0.6, dynamic: 0.5 }, 0.5, branch)).toEqual([])
})
