/** Decompression of zlib streams [RFC 1950] from files from outside, by fflate. */

import { FlateErrorCode, Unzlib, type FlateError } from 'fflate'
import { FormatError } from './error'

/** Bytes given to the decompressor at once: they become at most 1,032 times as many, 17 MB, before their number is checked. */
const PIECE = 16 * 1024

const TOLD = new Map<number, string>([
  [FlateErrorCode.UnexpectedEOF, 'end too early'], [FlateErrorCode.InvalidBlockType, 'have an unknown block'],
  [FlateErrorCode.InvalidLengthLiteral, 'have an unknown code'], [FlateErrorCode.InvalidDistance, 'refer to bytes before their beginning'],
  [FlateErrorCode.InvalidHeader, 'are no zlib stream'],
])

/**
 * Stops as soon as there are more bytes than expected, whatever the stream would become.
 * @param length expected, in bytes
 * @throws FormatError if the stream is damaged or has another length
 */
export function unpack(data: Uint8Array, length: number, where: string): Uint8Array {
  const refuse = (what: string) => new FormatError('MalformedFile', where, `Its compressed data ${what}.`)
  const out = new Uint8Array(length)
  let filled = 0
  const stream = new Unzlib(part => {
    if (filled + part.length > length) throw refuse(`are longer than the ${length} bytes of the picture`)
    out.set(part, filled)
    filled += part.length
  })
  try {
    for (let at = 0; at === 0 || at < data.length; at += PIECE) stream.push(data.subarray(at, at + PIECE), at + PIECE >= data.length)
  } catch (error) {
    const told = TOLD.get((error as Partial<FlateError>).code ?? -1)
    throw told === undefined ? error : refuse(told)
  }
  if (filled < length) throw refuse('are shorter than the picture')
  return out
}
