/** Distant bodies have no effect, bit for bit: neither their number, size or speed, nor a pile of their own. */

import { describe, expect, it } from 'vitest'
import { bodyAt, box, floor, recorded, sceneOf, turn, type BodyState } from './support'

const FAR = 200
const SECONDS = 0.25

/** Boxes that tumble onto each other. */
function pile(name: string, x: number): object[] {
  return Array.from({ length: 6 }, (_, i) => box(`${name}${i}`, [0.3, 0.25, 0.2], [x + 0.05 * (i % 2), 0.03 * i, 0.25 + 0.46 * i], {
    orientation: turn([1, 0.3, 0.2 * i], 0.4 * i), angularVelocity: [1, 2 - i, 0.5], linearVelocity: [0, 0, -1 - i],
  }))
}

function statesOf(near: readonly object[], far: readonly object[], contactModel: string): BodyState[] {
  const run = recorded(sceneOf([floor, ...near, ...far], 0.4, {
    method: 'time-stepping', duration: SECONDS, outputRate: 60, timeStepping: { step: 1 / 120, contactModel },
  }, {}, 0.3))
  expect(run.end.status).toBe('completed')
  return near.map((_, i) => bodyAt(run.frames.at(-1)!, i + 1))
}

describe.each(['standard', 'peg'])('by the %s model', contactModel => {
  const near = pile('near', 0)
  const alone = statesOf(near, [], contactModel)

  describe.each([1, 70, 200])('%i bodies', count => {
    it('200 m away change nothing', { tags: count > 1 ? ['long'] : [] }, () => {
      const far = Array.from({ length: count }, (_, i) => box(`far${i}`, [2, 2, 2], [FAR + 4 * (i % 15), 4 * Math.floor(i / 15), 1], { linearVelocity: [30, 0, 0] }))
      expect(statesOf(near, far, contactModel)).toEqual(alone)
    })
  })

  it('a second pile changes nothing', { tags: 'long' }, () => {
    expect(statesOf(near, pile('far', FAR), contactModel)).toEqual(alone)
  })
})
