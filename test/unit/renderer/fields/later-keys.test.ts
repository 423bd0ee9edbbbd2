import { expect, it } from 'vitest'
import { laterKeys } from '../../../../renderer/fields/later-keys'

it('gives an added key a time after the last one, or midway to the next one', () => {
  expect(laterKeys([{ time: 0 }])).toEqual([{ time: 1 }])
  expect(laterKeys([{ time: 2, target: 1 }, { time: 2, target: 1 }])).toEqual([{ time: 2, target: 1 }, { time: 3, target: 1 }])
  expect(laterKeys([{ time: 1 }, { time: 1 }, { time: 2 }])).toEqual([{ time: 1 }, { time: 1.5 }, { time: 2 }])
})
