/**
 * Encodes plain data as bytes and decodes it, for messages over a WebSocket: null, undefined, booleans, numbers (exactly, including −0 and NaN), strings,
 * arrays, objects, and typed arrays as raw bytes. One tag byte precedes a fixed-size value or a 32-bit count; little-endian.
 *
 * Decoding trusts no input. It refuses a count larger than the remaining bytes, an unknown tag, nesting beyond `maxDepth`, a key that could reach a
 * prototype, and remaining bytes. So memory use stays proportional to the message.
 */

/** Nesting of arrays and objects in one message. */
export const maxDepth = 64

export class WireFormatError extends Error {
  override readonly name = 'WireFormatError'
}

const tags = {
  null: 0, undefined: 1, false: 2, true: 3, integer: 4, double: 5, string: 6, array: 7, object: 8, bytes: 9,
  float64: 10, float32: 11, int32: 12, uint32: 13,
} as const

const typedArrays = [
  { tag: tags.float64, of: Float64Array },
  { tag: tags.float32, of: Float32Array },
  { tag: tags.int32, of: Int32Array },
  { tag: tags.uint32, of: Uint32Array },
] as const

/** Keys with which an assignment or a merge could change a prototype. */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

const utf8Encoder = new TextEncoder()

class Writer {
  private bytes = new Uint8Array(1024)
  private view = new DataView(this.bytes.buffer)
  private length = 0

  private reserve(count: number): number {
    const start = this.length
    this.length += count
    if (this.length > this.bytes.length) {
      const grown = new Uint8Array(Math.max(this.length, 2 * this.bytes.length))
      grown.set(this.bytes.subarray(0, start))
      this.bytes = grown
      this.view = new DataView(grown.buffer)
    }
    return start
  }

  byte(value: number): void {
    const at = this.reserve(1)
    this.bytes[at] = value
  }

  count(value: number): void {
    const at = this.reserve(4)
    this.view.setUint32(at, value, true)
  }

  integer(value: number): void {
    const at = this.reserve(4)
    this.view.setInt32(at, value, true)
  }

  double(value: number): void {
    const at = this.reserve(8)
    this.view.setFloat64(at, value, true)
  }

  raw(data: Uint8Array): void {
    const at = this.reserve(data.length)
    this.bytes.set(data, at)
  }

  text(value: string): void {
    const data = utf8Encoder.encode(value)
    this.count(data.length)
    this.raw(data)
  }

  take(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length)
  }
}

/** @throws WireFormatError for anything but plain data (functions, symbols, bigints, class instances) or for too deep nesting. */
export function encodeBinary(value: unknown): Uint8Array<ArrayBuffer> {
  const writer = new Writer()
  write(writer, value, 0)
  return writer.take()
}

function write(writer: Writer, value: unknown, depth: number): void {
  if (value === null) return writer.byte(tags.null)
  if (value === undefined) return writer.byte(tags.undefined)
  if (typeof value === 'boolean') return writer.byte(value ? tags.true : tags.false)
  if (typeof value === 'number') return writeNumber(writer, value)
  if (typeof value === 'string') {
    writer.byte(tags.string)
    return writer.text(value)
  }
  if (typeof value !== 'object') throw new WireFormatError(`A ${typeof value} cannot cross the wire.`)
  if (depth >= maxDepth) throw new WireFormatError(`Data nests deeper than ${maxDepth} levels.`)
  if (ArrayBuffer.isView(value)) return writeTyped(writer, value)
  if (Array.isArray(value)) {
    writer.byte(tags.array)
    writer.count(value.length)
    for (const element of value) write(writer, element, depth + 1)
    return
  }
  writeObject(writer, value, depth)
}

function writeNumber(writer: Writer, value: number): void {
  if (Number.isInteger(value) && value === (value | 0) && !Object.is(value, -0)) {
    writer.byte(tags.integer)
    writer.integer(value)
  } else {
    writer.byte(tags.double)
    writer.double(value)
  }
}

function writeTyped(writer: Writer, value: ArrayBufferView): void {
  const known = value instanceof Uint8Array ? tags.bytes : typedArrays.find(kind => value instanceof kind.of)?.tag
  if (known === undefined) throw new WireFormatError(`A ${value.constructor.name} cannot cross the wire.`)
  writer.byte(known)
  writer.count(value.byteLength)
  writer.raw(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
}

function writeObject(writer: Writer, value: object, depth: number): void {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) throw new WireFormatError(`A ${value.constructor.name} cannot cross the wire.`)
  const entries = Object.entries(value)
  writer.byte(tags.object)
  writer.count(entries.length)
  for (const [key, element] of entries) {
    writer.text(key)
    write(writer, element, depth + 1)
  }
}

/** @throws WireFormatError if the bytes are not exactly one value. */
export function decodeBinary(data: Uint8Array): unknown {
  const reader = new Reader(data)
  const value = reader.value(0)
  reader.finish()
  return value
}

class Reader {
  private at = 0
  private readonly view: DataView
  private readonly utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

  constructor(private readonly data: Uint8Array) {
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  }

  finish(): void {
    if (this.at !== this.data.length) throw new WireFormatError(`${this.data.length - this.at} bytes are left over.`)
  }

  private take(count: number): number {
    if (count > this.data.length - this.at) throw new WireFormatError(`The message ends early: ${count} bytes wanted at ${this.at}.`)
    const start = this.at
    this.at += count
    return start
  }

  /** A count of elements of at least `least` bytes each, which must still be present. */
  private count(least: number): number {
    const count = this.view.getUint32(this.take(4), true)
    if (count * least > this.data.length - this.at) throw new WireFormatError(`A count of ${count} exceeds the message.`)
    return count
  }

  private text(): string {
    const length = this.count(1)
    const start = this.take(length)
    try {
      return this.utf8.decode(this.data.subarray(start, start + length))
    } catch {
      throw new WireFormatError('A text is not UTF-8.')
    }
  }

  value(depth: number): unknown {
    const tag = this.view.getUint8(this.take(1))
    switch (tag) {
      case tags.null: return null
      case tags.undefined: return undefined
      case tags.false: return false
      case tags.true: return true
      case tags.integer: return this.view.getInt32(this.take(4), true)
      case tags.double: return this.view.getFloat64(this.take(8), true)
      case tags.string: return this.text()
      default: return this.composite(tag, depth)
    }
  }

  private composite(tag: number, depth: number): unknown {
    if (depth >= maxDepth) throw new WireFormatError(`The message nests deeper than ${maxDepth} levels.`)
    if (tag === tags.array) return this.array(depth)
    if (tag === tags.object) return this.object(depth)
    const length = this.count(1)
    const start = this.take(length)
    const bytes = this.data.slice(start, start + length)
    if (tag === tags.bytes) return bytes
    const kind = typedArrays.find(candidate => candidate.tag === tag)
    if (!kind) throw new WireFormatError(`Unknown tag ${tag}.`)
    if (length % kind.of.BYTES_PER_ELEMENT !== 0) throw new WireFormatError(`${length} bytes are not a whole number of elements.`)
    return new kind.of(bytes.buffer)
  }

  /** The array grows as elements arrive: a count alone allocates no memory. */
  private array(depth: number): unknown[] {
    const count = this.count(1)
    const result: unknown[] = []
    for (let i = 0; i < count; i++) result.push(this.value(depth + 1))
    return result
  }

  private object(depth: number): Record<string, unknown> {
    const count = this.count(5)
    const result: Record<string, unknown> = {}
    for (let i = 0; i < count; i++) {
      const key = this.text()
      if (forbiddenKeys.has(key)) throw new WireFormatError(`The key "${key}" is not allowed.`)
      result[key] = this.value(depth + 1)
    }
    return result
  }
}
