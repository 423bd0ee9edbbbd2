/** glTF containers: JSON with embedded or separate buffers, or packed into a glb. */

import type { FormatFile, Resolve } from '../format'
import { FormatError } from '../shared/error'
import { isRemote, relativePath } from '../shared/paths'
import { decodeUtf8 } from '../shared/utf8'
import type { Gltf } from './json'

const GLB_MAGIC = 0x46546c67
const JSON_CHUNK = 0x4e4f534a
const BINARY_CHUNK = 0x004e4942
const MAX_BYTES = 512 * 1024 * 1024
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

export interface OpenedGltf {
  readonly json: Gltf
  /** Null for a buffer whose file was not found. */
  readonly buffers: readonly (Uint8Array | null)[]
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
  const buffers = (json.buffers ?? []).map((buffer, i) => bytesOf(buffer.uri, i, packed?.binary ?? null, resolve, missing))
  return { json, buffers }
}

function bytesOf(uri: string | undefined, index: number, binary: Uint8Array | null, resolve: Resolve, missing: (name: string) => void): Uint8Array | null {
  const where = `buffers[${index}]`
  if (uri === undefined) return index === 0 ? binary : null
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

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function base64(text: string, where: string): Uint8Array {
  const digits = text.replace(/=+$/, '')
  const bytes = new Uint8Array(Math.floor(digits.length * 3 / 4))
  let bits = 0
  let held = 0
  let next = 0
  for (const digit of digits) {
    const value = DIGITS.indexOf(digit)
    if (value < 0) throw new FormatError('MalformedFile', where, 'Its data are not valid base64.')
    bits = (bits << 6) | value
    held += 6
    if (held >= 8) {
      held -= 8
      bytes[next++] = (bits >> held) & 0xff
    }
  }
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
