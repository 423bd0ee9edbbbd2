/** Decompression of files from outside: exact output, damage named, and never much more output than expected. */

import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../../../core/formats'
import { unpack } from '../../../../core/formats/shared/unpack'

const noise = (length: number) => Uint8Array.from({ length }, (_, k) => (Math.imul(k, 2_654_435_761) >>> 13) & 255)
const told = (data: Uint8Array, length: number): string => {
  try {
    unpack(data, length, 'here')
    return 'unpacked'
  } catch (error) {
    expect(error).toBeInstanceOf(FormatError)
    return (error as FormatError).message
  }
}

describe('a zlib stream', () => {
  it.each([[0, 0], [1, 9], [300_000, 0], [300_000, 1], [300_000, 9]])('of %s bytes at level %s unpacks to its bytes', (length, level) => {
    const bytes = noise(length)
    expect(Buffer.compare(unpack(deflateSync(bytes, { level }), length, 'here'), bytes)).toBe(0)
  })

  it('that is damaged, cut off or of another length is refused', () => {
    const packed = deflateSync(noise(5000))
    expect(told(packed.subarray(0, packed.length >> 1), 5000)).toBe('Its compressed data end too early.')
    expect(told(new Uint8Array(0), 5000)).toBe('Its compressed data are no zlib stream.')
    expect(told(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), 5000)).toBe('Its compressed data are no zlib stream.')
    expect(told(Uint8Array.of(0x78, 0x9c, 0x07, 0, 0, 0, 0, 0), 5000)).toBe('Its compressed data have an unknown block.')
    expect(told(packed, 4999)).toBe('Its compressed data are longer than the 4999 bytes of the picture.')
    expect(told(packed, 5001)).toBe('Its compressed data are shorter than the picture.')
  })

  it('that becomes much longer than expected is refused before it is read to its end', () => {
    // 200 MB of zeros; the end, which would be refused as damaged, is not reached.
    const bomb = deflateSync(new Uint8Array(200_000_000), { level: 9 })
    expect(bomb.length).toBeLessThan(200_000)
    expect(told(bomb.subarray(0, bomb.length - 100), 1_000_000)).toBe('Its compressed data are longer than the 1000000 bytes of the picture.')
  })
})
