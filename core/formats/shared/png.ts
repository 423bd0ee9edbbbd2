/** Heights from a PNG picture [W3C PNG, third edition]: its first channel, which is the grey value of a grey picture. */

import { FormatError } from './error'
import { unpack } from './unpack'

export interface GreyPicture {
  readonly columns: number
  readonly rows: number
  /** Row by row from the top, 0 … 1. */
  readonly values: Float64Array
}

/** Pixels along a side, and bytes that a picture may unpack to. */
const MOST_ALONG = 8192
const MOST_BYTES = 256 * 1024 * 1024
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const
/** Channels by colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

export const isPng = (data: Uint8Array): boolean => SIGNATURE.every((byte, k) => data[k] === byte)

/** @throws FormatError if it is damaged, too large or interlaced */
export function greyPng(data: Uint8Array, where: string): GreyPicture {
  const refuse = (what: string, allowed?: string) => new FormatError('MalformedFile', where, what, allowed === undefined ? {} : { allowed })
  if (!isPng(data)) throw refuse('This is no PNG picture.')
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  let [columns, rows, depth, kind] = [0, 0, 0, -1]
  const parts: Uint8Array[] = []
  let palette: Uint8Array | null = null
  for (let at = 8; at + 12 <= data.length;) {
    const size = view.getUint32(at)
    const name = String.fromCharCode(...data.subarray(at + 4, at + 8))
    if (size > data.length - at - 12) throw refuse('A part of the picture is missing.')
    const content = data.subarray(at + 8, at + 8 + size)
    if (name === 'IHDR' && size === 13) {
      columns = view.getUint32(at + 8)
      rows = view.getUint32(at + 12)
      depth = content[8]!
      kind = content[9]!
      if (content[12] !== 0) throw refuse('The picture is interlaced.', 'a PNG without interlacing')
    } else if (name === 'PLTE') palette = content
    else if (name === 'IDAT') parts.push(content)
    else if (name === 'IEND') break
    at += 12 + size
  }
  const channels = CHANNELS[kind]
  if (!(columns > 0 && rows > 0) || channels === undefined || ![1, 2, 4, 8, 16].includes(depth)) throw refuse('The picture has no valid header.')
  if (columns > MOST_ALONG || rows > MOST_ALONG) throw new FormatError('TooLarge', where, `The picture has ${columns} × ${rows} pixels.`, { allowed: `at most ${MOST_ALONG} along a side` })
  const stride = Math.ceil(columns * channels * depth / 8)
  if (rows * (stride + 1) > MOST_BYTES) throw new FormatError('TooLarge', where, 'The picture unpacks to too many bytes.', { allowed: `at most ${MOST_BYTES}` })
  const lines = unfiltered(unpack(joined(parts), rows * (stride + 1), where), rows, stride, Math.max(1, channels * depth / 8), refuse)
  const values = new Float64Array(columns * rows)
  const full = kind === 3 ? 255 : (1 << depth) - 1
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const sample = sampleAt(lines, r * stride, c * channels, depth)
      values[r * columns + c] = (kind === 3 ? palette?.[3 * sample] ?? 0 : sample) / full
    }
  }
  return { columns, rows, values }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function sampleAt(lines: Uint8Array, line: number, sample: number, depth: number): number {
  if (depth === 8) return lines[line + sample]!
  if (depth === 16) return lines[line + 2 * sample]! << 8 | lines[line + 2 * sample + 1]!
  const bit = sample * depth
  return lines[line + (bit >> 3)]! >> (8 - depth - (bit & 7)) & ((1 << depth) - 1)
}

/** Each line is stored as differences from its left, upper and upper left neighbour. */
function unfiltered(data: Uint8Array, rows: number, stride: number, pixel: number, refuse: (what: string) => FormatError): Uint8Array {
  const lines = new Uint8Array(rows * stride)
  for (let r = 0; r < rows; r++) {
    const filter = data[r * (stride + 1)]!
    if (filter > 4) throw refuse('The picture has an unknown filter.')
    for (let k = 0; k < stride; k++) {
      const to = r * stride + k
      const left = k >= pixel ? lines[to - pixel]! : 0
      const up = r > 0 ? lines[to - stride]! : 0
      const corner = k >= pixel && r > 0 ? lines[to - stride - pixel]! : 0
      const guess = filter === 1 ? left : filter === 2 ? up : filter === 3 ? (left + up) >> 1 : filter === 4 ? paeth(left, up, corner) : 0
      lines[to] = data[r * (stride + 1) + 1 + k]! + guess
    }
  }
  return lines
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}
