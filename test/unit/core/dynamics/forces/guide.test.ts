import { expect, it } from 'vitest'
import { GuideTrack, type GuideKey } from '../../../../../core/dynamics/forces'

const key = (time: number, x: number, more: Partial<GuideKey> = {}): GuideKey => ({
  time, body: 0, particle: -1, point: [0, 0, 0], target: [x, 0, 0], on: -1, length: null, stiffness: 60, damping: 6, ...more,
})

it('a hand begins with no force, and has its stiffness after a thirtieth of a second', () => {
  const track = new GuideTrack([key(1, 5)])
  expect(track.at(0.999)).toBeNull()
  expect(track.at(1)).toMatchObject({ target: [5, 0, 0], stiffness: 0, damping: 0 })
  expect(track.at(1 + 1 / 60)!.stiffness).toBeCloseTo(30, 9)
  expect(track.at(2)).toMatchObject({ stiffness: 60, damping: 6 })
})

it('a target that is moved before the hand reaches it continues from the hand\'s position', () => {
  const track = new GuideTrack([key(1, 0), key(2, 6), key(2 + 1 / 60, 9)])
  expect(track.at(2 + 1 / 60)!.target[0]).toBeCloseTo(3, 9)
  expect(track.at(2 + 2 / 60)!.target[0]).toBeCloseTo(6, 9)
  expect(track.at(3)!.target[0]).toBe(9)
})

it('release is immediate, and another body is grasped without force', () => {
  const track = new GuideTrack([key(1, 0), key(2, 0, { body: -1 }), key(3, 4, { body: 2 })])
  expect(track.at(2)).toBeNull()
  expect(track.at(3)).toMatchObject({ body: 2, target: [4, 0, 0], stiffness: 0 })
})
