import { expect, it } from 'vitest'
import { laterKeys } from '../../../../renderer/fields/later-keys'

it('gives a key that is added a time after the last, or midway to the next', () => {
  expect(laterKeys([{ time: 0 }])).toEqual([{ time: 1 }])
  expect(laterKeys([{ time: 2, target: 1 }, { time: 2, target: 1 }])).toEqual([{ time: 2, target: 1 }, { time: 3, target: 1 }])
  expect(laterKeys([{ time: 1 }, { time: 1 }, { time: 2 }])).toEqual([{ time: 1 }, { time: 1.5 }, { time: 2 }])
})
