/** Decompression of zlib streams [RFC 1950, RFC 1951], for files from outside: the output never exceeds the length that the caller expects. */

import { FormatError } from './error'

const LENGTHS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258] as const
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0] as const
const DISTANCES = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
] as const
const DISTANCE_BITS = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13] as const
/** In which a block lists the code lengths of its code lengths. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const
const MOST_BITS = 15

/** A canonical Huffman code: how many codes each length has, and the symbols in order of their codes. */
interface Code {
  readonly counts: Uint16Array
  readonly symbols: Uint16Array
}

function codeOf(lengths: readonly number[]): Code {
  const counts = new Uint16Array(MOST_BITS + 1)
  for (const length of lengths) counts[length]!++
  counts[0] = 0
  const next = new Uint16Array(MOST_BITS + 2)
  for (let bits = 1; bits <= MOST_BITS; bits++) next[bits + 1] = next[bits]! + counts[bits]!
  const symbols = new Uint16Array(lengths.length)
  lengths.forEach((length, symbol) => { if (length > 0) symbols[next[length]!++] = symbol })
  return { counts, symbols }
}

const FIXED = {
  literals: codeOf(Array.from({ length: 288 }, (_, k) => k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8)),
  distances: codeOf(Array.from({ length: 30 }, () => 5)),
}

/** @param length expected, in bytes @throws FormatError if the stream is damaged or has another length */
export function inflate(data: Uint8Array, length: number, where: string): Uint8Array {
  const refuse = (what: string) => new FormatError('MalformedFile', where, `Its compressed data ${what}.`)
  const out = new Uint8Array(length)
  let [at, filled, held, count] = [2, 0, 0, 0]
  const bits = (wanted: number): number => {
    while (count < wanted) {
      if (at >= data.length) throw refuse('end too early')
      held |= data[at++]! << count
      count += 8
    }
    const value = held & ((1 << wanted) - 1)
    held >>>= wanted
    count -= wanted
    return value
  }
  const symbolOf = ({ counts, symbols }: Code): number => {
    let [code, first, index] = [0, 0, 0]
    for (let k = 1; k <= MOST_BITS; k++) {
      code |= bits(1)
      if (code - counts[k]! < first) return symbols[index + code - first]!
      index += counts[k]!
      first = (first + counts[k]!) << 1
      code <<= 1
    }
    throw refuse('have an unknown code')
  }
  const put = (byte: number) => {
    if (filled >= length) throw refuse(`are longer than the ${length} bytes of the picture`)
    out[filled++] = byte
  }
  const stored = () => {
    held = count = 0
    const size = (data[at] ?? 0) | (data[at + 1] ?? 0) << 8
    if (at + 4 + size > data.length || (size ^ 0xffff) !== ((data[at + 2] ?? 0) | (data[at + 3] ?? 0) << 8)) throw refuse('have a damaged block')
    at += 4
    for (let k = 0; k < size; k++) put(data[at++]!)
  }
  const compressed = (literals: Code, distances: Code) => {
    for (let symbol = symbolOf(literals); symbol !== 256; symbol = symbolOf(literals)) {
      if (symbol < 256) {
        put(symbol)
        continue
      }
      if (symbol > 285) throw refuse('have an unknown length')
      const run = LENGTHS[symbol - 257]! + bits(LENGTH_BITS[symbol - 257]!)
      const far = symbolOf(distances)
      if (far > 29) throw refuse('have an unknown distance')
      const back = DISTANCES[far]! + bits(DISTANCE_BITS[far]!)
      if (back > filled) throw refuse('refer to bytes before their beginning')
      for (let k = 0; k < run; k++) put(out[filled - back]!)
    }
  }
  const dynamic = () => {
    const [literals, distances, given] = [257 + bits(5), 1 + bits(5), 4 + bits(4)]
    const own = new Array<number>(19).fill(0)
    for (let k = 0; k < given; k++) own[ORDER[k]!] = bits(3)
    const code = codeOf(own)
    const lengths: number[] = []
    while (lengths.length < literals + distances) {
      const symbol = symbolOf(code)
      if (symbol < 16) lengths.push(symbol)
      else {
        const repeated = symbol === 16 ? lengths.at(-1) : 0
        if (repeated === undefined) throw refuse('repeat nothing')
        for (let k = symbol === 16 ? 3 + bits(2) : symbol === 17 ? 3 + bits(3) : 11 + bits(7); k > 0; k--) lengths.push(repeated)
      }
    }
    if (lengths.length > literals + distances) throw refuse('have too many code lengths')
    compressed(codeOf(lengths.slice(0, literals)), codeOf(lengths.slice(literals)))
  }
  if (data.length < 2 || (data[0]! & 15) !== 8 || (data[0]! << 8 | data[1]!) % 31 !== 0) throw refuse('are no zlib stream')
  for (let last = 0; last === 0;) {
    last = bits(1)
    const kind = bits(2)
    if (kind === 0) stored()
    else if (kind === 1) compressed(FIXED.literals, FIXED.distances)
    else if (kind === 2) dynamic()
    else throw refuse('have an unknown block')
  }
  if (filled < length) throw refuse('are shorter than the picture')
  return out
}
