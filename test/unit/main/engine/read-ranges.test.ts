import { expect, it } from 'vitest'
import { readRanges } from '../../../../main/engine/read-ranges'

/** Ten messages on each channel: frames of 100 bytes, of everything else one byte. */
const reader = { count: () => 10, message: (channel: string, number: number) => new Uint8Array(channel === 'frames' ? 100 : 1).fill(number) }
const read = (bytes: number, messages = 100) => readRanges(reader, [
  { channel: 'frames', from: 2, to: 8 }, { channel: 'contacts', from: 2, to: 8 }, { channel: 'events', from: 9, to: 12 },
], { messages, bytes }).map(range => range.map(message => message[0]))

it('gives the messages of every range that exist', () => {
  expect(read(1e6)).toEqual([[2, 3, 4, 5, 6, 7], [2, 3, 4, 5, 6, 7], [9]])
})

it('limits the messages of a range', () => {
  expect(read(1e6, 2)).toEqual([[2, 3], [2, 3], [9]])
})

it('limits the bytes of a range, so that a large one takes nothing from the others', () => {
  expect(read(450)).toEqual([[2, 3], [2, 3, 4, 5, 6, 7], [9]])
})

it('gives at least one message of each range, however large', () => {
  expect(read(2)).toEqual([[2], [2], [9]])
})
