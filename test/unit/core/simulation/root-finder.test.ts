import { expect, it } from 'vitest'
import { ball, floor, recorded, sceneOf } from '../../../verification/support'

it('bisection finds the same times of collision as prediction', () => {
  const impacts = (rootFinder: string) => recorded(sceneOf(
    [floor, ball('ball', 0.5, [0, 0, 1.5], { angularVelocity: [0, 3, 0] })], 0.3, { duration: 2, outputRate: 10, eventDriven: { rootFinder } }, {}, 0.7,
  )).events.filter(event => event.kind === 'impact').map(event => event.time)
  const [predicted, bisected] = [impacts('quadratic'), impacts('bisection')]
  expect(bisected.length).toBe(predicted.length)
  bisected.forEach((time, k) => expect(Math.abs(time - predicted[k]!)).toBeLessThanOrEqual(1e-12))
})
