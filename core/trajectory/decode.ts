import {
  DELIMITED, FIXED32, FIXED64, littleEndian, reverseWords, VARINT, wireTypes,
  type Enumeration, type FieldSpec, type MessageSpec, type Values,
} from './wire-format'

/** Error for bytes that are not a message of the expected type. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError'
}

const unzigzag = (n: number) => (n >>> 1) ^ -(n & 1)

/**
 * Decodes a message. Columns are copies. Unknown fields are skipped; of a repeated scalar the last value counts.
 * @throws DecodeError if the bytes are truncated or not of this type
 */
export function decode(spec: MessageSpec, bytes: Uint8Array): Values {
  return new Reader(bytes, spec).message(spec)
}

function emptyMessage(spec: MessageSpec): Values {
  const values: Values = {}
  for (const field of spec.fields) values[field.name] = emptyField(field)
  return values
}

function emptyField(field: FieldSpec): unknown {
  switch (field.kind) {
    case 'uint32':
    case 'sint32':
    case 'double': return 0
    case 'string': return ''
    case 'enum': return field.enumeration.values[0]
    case 'doubles': return new Float64Array(0)
    case 'sints':
    case 'enums': return new Int32Array(0)
    case 'strings':
    case 'messages': return []
    case 'message': return emptyMessage(field.message)
  }
}

class Reader {
  private at = 0
  private readonly view: DataView
  constructor(private readonly bytes: Uint8Array, private readonly spec: MessageSpec, private readonly depth = 0) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  message(spec: MessageSpec): Values {
    const values = emptyMessage(spec)
    while (this.at < this.bytes.length) {
      const tag = this.varint()
      const wire = tag & 7
      const field = spec.fields.find(candidate => candidate.number === tag >>> 3)
      if (field) this.field(field, wire, values)
      else this.skip(wire)
    }
    return values
  }

  private field(field: FieldSpec, wire: number, values: Values): void {
    if (wire !== wireTypes[field.kind]) this.fail(`field "${field.name}" has wire type ${wire}`)
    switch (field.kind) {
      case 'uint32': values[field.name] = this.varint(); break
      case 'sint32': values[field.name] = unzigzag(this.varint()); break
      case 'enum': values[field.name] = this.enumName(field.enumeration); break
      case 'double': values[field.name] = this.view.getFloat64(this.advance(8), true); break
      case 'string': values[field.name] = fromUtf8(this.delimited()); break
      case 'strings': (values[field.name] as string[]).push(fromUtf8(this.delimited())); break
      case 'doubles':
        this.requireFirst(field, values)
        values[field.name] = this.doubles(this.delimited(), field.name)
        break
      case 'sints':
      case 'enums': {
        this.requireFirst(field, values)
        const column = this.integers(this.delimited())
        if (field.kind === 'sints') for (let i = 0; i < column.length; i++) column[i] = unzigzag(column[i]! >>> 0)
        values[field.name] = column
        break
      }
      case 'message': values[field.name] = this.nested(field.message); break
      case 'messages': (values[field.name] as Values[]).push(this.nested(field.message)); break
    }
  }

  /** Joining a column of many pieces could take very long; every writer of packed columns writes one piece. */
  private requireFirst(field: FieldSpec, values: Values): void {
    if ((values[field.name] as ArrayLike<number>).length > 0) this.fail(`column "${field.name}" is split`)
  }

  private nested(spec: MessageSpec): Values {
    if (this.depth > 16) this.fail('messages are nested too deeply')
    return new Reader(this.delimited(), spec, this.depth + 1).message(spec)
  }

  private enumName({ name, values }: Enumeration): string {
    const index = this.varint()
    const value = values[index]
    if (value === undefined) this.fail(`${name} has no value ${index}`)
    return value
  }

  /** The lower 32 bits of a varint; negative 32-bit numbers come as ten bytes. */
  private varint(): number {
    let value = 0
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= this.bytes.length) this.fail('a number is truncated')
      const byte = this.bytes[this.at++]!
      if (shift < 32) value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
    return this.fail('a number has more than ten bytes')
  }

  private delimited(): Uint8Array {
    const length = this.varint()
    const start = this.advance(length)
    return this.bytes.subarray(start, this.at)
  }

  /** Advances by this number of bytes; returns the position before. */
  private advance(length: number): number {
    const start = this.at
    if (length > this.bytes.length - start) this.fail(`${length} bytes are announced and ${this.bytes.length - start} are left`)
    this.at = start + length
    return start
  }

  private doubles(raw: Uint8Array, name: string): Float64Array {
    if (raw.length % 8 !== 0) this.fail(`column "${name}" has ${raw.length} bytes, not a multiple of 8`)
    const column = new Float64Array(raw.length / 8)
    const target = new Uint8Array(column.buffer)
    target.set(raw)
    if (!littleEndian) reverseWords(target)
    return column
  }

  private integers(raw: Uint8Array): Int32Array {
    let count = 0
    for (let i = 0; i < raw.length; i++) if (raw[i]! < 0x80) count++
    const column = new Int32Array(count)
    const reader = new Reader(raw, this.spec)
    for (let i = 0; i < count; i++) column[i] = reader.varint()
    if (reader.at < raw.length) this.fail('a number is truncated')
    return column
  }

  private skip(wire: number): void {
    if (wire === VARINT) this.varint()
    else if (wire === FIXED64) this.advance(8)
    else if (wire === FIXED32) this.advance(4)
    else if (wire === DELIMITED) this.delimited()
    else this.fail(`unknown wire type ${wire}`)
  }

  private fail(what: string): never {
    throw new DecodeError(`Not a ${this.spec.name} message: ${what} (byte ${this.at} of ${this.bytes.length})`)
  }
}

/** Decodes UTF-8; invalid sequences become U+FFFD. */
function fromUtf8(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length;) {
    const first = bytes[i++]!
    const more = first < 0x80 ? 0 : first < 0xc2 ? -1 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : -1
    let code = more === 0 ? first : more < 0 ? 0xfffd : first & (0x3f >> more)
    for (let k = 0; k < more; k++) {
      const next = bytes[i]
      if (next === undefined || (next & 0xc0) !== 0x80) {
        code = 0xfffd
        break
      }
      code = (code << 6) | (next & 0x3f)
      i++
    }
    const valid = code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000)
    text += String.fromCodePoint(valid ? code : 0xfffd)
  }
  return text
}
