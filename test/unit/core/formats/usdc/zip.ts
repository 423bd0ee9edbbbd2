/** An archive of uncompressed files, as usdz. */

import type { FormatFile } from '../../../../../core/formats'

export function zipStored(files: readonly FormatFile[]): Uint8Array {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const { name, content } of files) {
    const [title, data] = [new TextEncoder().encode(name), typeof content === 'string' ? new TextEncoder().encode(content) : content]
    const header = (signature: number, rest: number): Uint8Array => {
      const bytes = new Uint8Array(rest)
      new DataView(bytes.buffer).setUint32(0, signature, true)
      return bytes
    }
    const local = header(0x04034b50, 30)
    new DataView(local.buffer).setUint32(18, data.length, true)
    new DataView(local.buffer).setUint32(22, data.length, true)
    new DataView(local.buffer).setUint16(26, title.length, true)
    const entry = header(0x02014b50, 46)
    new DataView(entry.buffer).setUint32(20, data.length, true)
    new DataView(entry.buffer).setUint32(24, data.length, true)
    new DataView(entry.buffer).setUint16(28, title.length, true)
    new DataView(entry.buffer).setUint32(42, at, true)
    parts.push(local, title, data)
    directory.push(entry, title)
    at += local.length + title.length + data.length
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const end = new Uint8Array(22)
  const view = new DataView(end.buffer)
  view.setUint32(0, 0x06054b50, true)
  view.setUint16(8, files.length, true)
  view.setUint16(10, files.length, true)
  view.setUint32(12, size, true)
  view.setUint32(16, at, true)
  const all = [...parts, ...directory, end]
  const bytes = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0))
  let filled = 0
  for (const part of all) {
    bytes.set(part, filled)
    filled += part.length
  }
  return bytes
}
