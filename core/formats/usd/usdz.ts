/** usdz: a ZIP archive with uncompressed files [USDZ specification]. */

import { FormatError } from '../shared/error'
import { decodeUtf8 } from '../shared/utf8'
import type { FormatFile } from '../format'

const CENTRAL_ENTRY = 0x02014b50
const END_OF_DIRECTORY = 0x06054b50
const LOCAL_ENTRY = 0x04034b50
const END_SIZE = 22
/** Longest comment after the directory. */
const MAX_COMMENT_LENGTH = 65_535
const MAX_FILES = 10_000

/** The archive's files in order; the first is the layer to open. @throws FormatError */
export function readUsdz(bytes: Uint8Array, name: string): FormatFile[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const refused = (message: string) => new FormatError('MalformedFile', name, `This is not a usdz archive: ${message}.`, { allowed: 'a ZIP archive of stored files' })
  const end = endOfDirectory(view)
  if (end < 0) throw refused('it has no directory')
  const count = view.getUint16(end + 10, true)
  if (count > MAX_FILES) throw new FormatError('TooMany', name, `The archive has ${count} files.`, { allowed: `at most ${MAX_FILES}` })
  const files: FormatFile[] = []
  let at = view.getUint32(end + 16, true)
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== CENTRAL_ENTRY) throw refused('its directory is damaged')
    const method = view.getUint16(at + 10, true)
    const size = view.getUint32(at + 20, true)
    const nameLength = view.getUint16(at + 28, true)
    const local = view.getUint32(at + 42, true)
    const file = decodeUtf8(bytes.subarray(at + 46, at + 46 + nameLength))
    if (method !== 0) throw refused(`"${file.slice(0, 100)}" is compressed`)
    if (local + 30 > bytes.length || view.getUint32(local, true) !== LOCAL_ENTRY) throw refused(`"${file.slice(0, 100)}" is not at the offset given in the directory`)
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    if (start + size > bytes.length) throw refused(`"${file.slice(0, 100)}" extends beyond the end of the archive`)
    files.push({ name: file, content: bytes.subarray(start, start + size) })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return files
}

function endOfDirectory(view: DataView): number {
  for (let at = view.byteLength - END_SIZE; at >= Math.max(0, view.byteLength - END_SIZE - MAX_COMMENT_LENGTH); at--) {
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at
  }
  return -1
}
