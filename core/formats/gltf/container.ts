/** glTF containers: JSON with embedded or separate buffers, or packed into a glb. */

import type { FormatFile, Resolve } from '../format'
import { fromBase64 } from '../../math/base64'
import { FormatError } from '../shared/error'
import { isRemote, relativePath } from '../shared/paths'
import { decodeUtf8 } from '../shared/utf8'
import { arrayOf, objectOf, type Gltf } from './json'

const GLB_MAGIC = 0x46546c67
const JSON_CHUNK = 0x4e4f534a
const BINARY_CHUNK = 0x004e4942
const MAX_BYTES = 512 * 1024 * 1024
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

export interface OpenedGltf {
  readonly json: Gltf
  /** Null for a buffer whose file was not found. */
  readonly buffers: readonly (Uint8Array | null)[]
  /** Bytes of an image by its index; null if they were not found. */
  readonly pictures: (index: number) => Uint8Array | null
}

/** @throws FormatError */
export function openGltf(file: FormatFile, resolve: Resolve, missing: (name: string) => void): OpenedGltf {
  const { name, content } = file
  if (content.length > MAX_BYTES) throw new FormatError('TooLarge', name, `"${name}" is ${content.length} bytes long.`, { allowed: `at most ${MAX_BYTES}` })
  const packed = typeof content !== 'string' && isGlb(content) ? unpack(content, name) : null
  const text = packed === null ? typeof content === 'string' ? content : decodeUtf8(content) : packed.text
  let json: Gltf
  try {
    json = JSON.parse(text, (key, value: unknown) => {
      if (FORBIDDEN.has(key)) throw new FormatError('ForbiddenKey', name, `"${key}" is not an allowed key in a glTF file.`, { value: key })
      return value
    }) as Gltf
  } catch (error) {
    if (error instanceof FormatError) throw error
    throw new FormatError('MalformedFile', name, `This is not JSON: ${error instanceof Error ? error.message : String(error)}.`)
  }
  if (typeof json !== 'object' || json === null || !/^2\./.test(String(json.asset?.version))) {
    throw new FormatError('Unsupported', 'asset.version', `"${name}" is not a glTF 2.0 file.`, { value: (json as Gltf | null)?.asset?.version, allowed: '2.0' })
  }
  const buffers = (json.buffers ?? []).map((buffer, i) => bytesOf(buffer.uri, `buffers[${i}]`, i === 0 ? packed?.binary ?? null : null, resolve, missing))
  const pictures = new Map<number, Uint8Array | null>()
  return {
    json, buffers,
    pictures: index => {
      const known = pictures.get(index)
      const found = known === undefined ? pictureBytes(json, buffers, index, resolve, missing) : known
      pictures.set(index, found)
      return found
    },
  }
}

function pictureBytes(
  json: Gltf, buffers: readonly (Uint8Array | null)[], index: number, resolve: Resolve, missing: (name: string) => void,
): Uint8Array | null {
  const { uri, bufferView } = objectOf(arrayOf(json.images)[index])
  if (typeof uri === 'string') return bytesOf(uri, `images[${index}]`, null, resolve, missing)
  const view = typeof bufferView === 'number' ? json.bufferViews?.[bufferView] : undefined
  const buffer = view === undefined ? null : buffers[view.buffer] ?? null
  if (view === undefined || buffer === null) return null
  const start = view.byteOffset ?? 0
  const end = start + view.byteLength
  if (!(start >= 0) || !(end >= start) || !(end <= buffer.length)) {
    throw new FormatError('InvalidValue', `images[${index}]`, 'The picture extends beyond its buffer.', { allowed: 'a picture within its buffer' })
  }
  return buffer.subarray(start, end)
}

function bytesOf(uri: string | undefined, where: string, binary: Uint8Array | null, resolve: Resolve, missing: (name: string) => void): Uint8Array | null {
  if (uri === undefined) return binary
  if (uri.startsWith('data:')) return base64(uri.slice(uri.indexOf(',') + 1), where)
  if (isRemote(uri)) return null
  const path = relativePath(decoded(uri), '', where)
  const file = resolve(path)
  if (file === null) missing(path)
  return file === null ? null : typeof file.content === 'string' ? Uint8Array.from([...file.content], c => c.charCodeAt(0)) : file.content
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}

function base64(text: string, where: string): Uint8Array {
  const bytes = fromBase64(text)
  if (bytes === null) throw new FormatError('MalformedFile', where, 'Its data are not valid base64.')
  return bytes
}

export function isGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 12 && new DataView(bytes.buffer, bytes.byteOffset, 12).getUint32(0, true) === GLB_MAGIC
}

function unpack(bytes: Uint8Array, name: string): { readonly text: string; readonly binary: Uint8Array | null } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let text: string | null = null
  let binary: Uint8Array | null = null
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = view.getUint32(at, true)
    const kind = view.getUint32(at + 4, true)
    if (at + 8 + length > bytes.length) throw new FormatError('MalformedFile', name, 'A chunk extends beyond the end of the file.')
    const chunk = bytes.subarray(at + 8, at + 8 + length)
    if (kind === JSON_CHUNK) text ??= decodeUtf8(chunk)
    else if (kind === BINARY_CHUNK) binary ??= chunk
    at += 8 + length + (4 - length % 4) % 4
  }
  if (text === null) throw new FormatError('MalformedFile', name, 'The file has no JSON chunk.')
  return { text, binary }
}

/** A glb of JSON and one buffer. @param json as UTF-8 */
export function packGlb(json: Uint8Array, binary: Uint8Array): Uint8Array {
  const padded = (length: number): number => length + (4 - length % 4) % 4
  const chunks = binary.length > 0 ? [[JSON_CHUNK, json, 0x20], [BINARY_CHUNK, binary, 0]] as const : [[JSON_CHUNK, json, 0x20]] as const
  const total = chunks.reduce((sum, [, data]) => sum + 8 + padded(data.length), 12)
  const bytes = new Uint8Array(total)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, GLB_MAGIC, true)
  view.setUint32(4, 2, true)
  view.setUint32(8, total, true)
  let at = 12
  for (const [kind, data, filler] of chunks) {
    view.setUint32(at, padded(data.length), true)
    view.setUint32(at + 4, kind, true)
    bytes.set(data, at + 8)
    bytes.fill(filler, at + 8 + data.length, at + 8 + padded(data.length))
    at += 8 + padded(data.length)
  }
  return bytes
}
