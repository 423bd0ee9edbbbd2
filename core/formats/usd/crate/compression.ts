/** Compression in usdc files: LZ4 blocks in chunks, and delta-coded integers [OpenUSD: pxr/base/tf/fastCompression.h, usd/integerCoding.cpp]. */

import { malformed, u16At } from './bytes'

/** Unpacked size of a chunk, at most (LZ4_MAX_INPUT_SIZE); larger data has several chunks. */
const CHUNK = 0x7e00_0000
const WHERE = 'compressed data'

/**
 * @param most largest allowed unpacked size, bytes
 * @returns the unpacked bytes
 * @throws FormatError
 */
export function unpack(packed: Uint8Array, most: number): Uint8Array {
  const chunks = packed[0] ?? 0
  const output = new Uint8Array(most)
  if (chunks === 0) return output.subarray(0, unpackBlock(packed, 1, packed.length, output, 0))
  let at = 1
  let filled = 0
  for (let i = 0; i < chunks; i++) {
    if (at + 4 > packed.length) throw malformed('a chunk ends too early', WHERE)
    const size = (u16At(packed, at) | (u16At(packed, at + 2) << 16)) >>> 0
    at += 4
    if (size > CHUNK || at + size > packed.length) throw malformed('a chunk ends too early', WHERE)
    filled = unpackBlock(packed, at, at + size, output, filled)
    at += size
  }
  return output.subarray(0, filled)
}

/** One LZ4 block [lz4_Block_format.md]. Returns where the output ends. */
function unpackBlock(input: Uint8Array, start: number, end: number, output: Uint8Array, outputStart: number): number {
  let at = start
  let filled = outputStart
  const extended = (length: number): number => {
    let sum = length
    for (let more = 255; more === 255;) {
      if (at >= end) throw malformed('a length ends too early', WHERE)
      more = input[at++]!
      sum += more
    }
    return sum
  }
  while (at < end) {
    const token = input[at++]!
    const literals = token >> 4 === 15 ? extended(15) : token >> 4
    if (at + literals > end || filled + literals > output.length) throw malformed('it decompresses to more bytes than stated', WHERE)
    output.set(input.subarray(at, at + literals), filled)
    at += literals
    filled += literals
    // The last sequence of a block has literals only.
    if (at >= end) break
    if (at + 2 > end) throw malformed('a copy breaks off', WHERE)
    const from = filled - u16At(input, at)
    at += 2
    const length = ((token & 15) === 15 ? extended(15) : token & 15) + 4
    if (from < outputStart || from >= filled || filled + length > output.length) throw malformed('it copies bytes before its start', WHERE)
    if (from + length <= filled) output.copyWithin(filled, from, from + length)
    else for (let i = 0; i < length; i++) output[filled + i] = output[from + i]!
    filled += length
  }
  return filled
}

/**
 * Two bits a number select the encoding of its difference to the previous one: the most common difference, or 1, 2 or 4 bytes (2, 4 or 8 for 64-bit
 * numbers).
 */
const WIDTHS = { 32: [0, 1, 2, 4], 64: [0, 2, 4, 8] } as const

/**
 * @param packed differences, packed
 * @param bits of each number; those of 64 bits are the nearest double
 * @throws FormatError
 */
export function unpackIntegers(packed: Uint8Array, count: number, bits: 32 | 64): Int32Array | Float64Array {
  const result = bits === 32 ? new Int32Array(count) : new Float64Array(count)
  if (count === 0) return result
  const codes = Math.ceil(count / 4)
  const common = bits / 8
  const bytes = unpack(packed, common + codes + count * common)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = common + codes
  if (bytes.length < at) throw malformed('there are fewer numbers than stated', WHERE)
  const commonest = bits === 32 ? view.getInt32(0, true) : Number(view.getBigInt64(0, true))
  let sum = 0
  for (let i = 0; i < count; i++) {
    const width = WIDTHS[bits][(bytes[common + (i >> 2)]! >> (2 * (i & 3))) & 3]!
    if (at + width > bytes.length) throw malformed('there are fewer numbers than stated', WHERE)
    sum += width === 0 ? commonest
      : width === 1 ? view.getInt8(at) : width === 2 ? view.getInt16(at, true) : width === 4 ? view.getInt32(at, true) : Number(view.getBigInt64(at, true))
    at += width
    if (bits === 32) sum |= 0
    result[i] = sum
  }
  return result
}
