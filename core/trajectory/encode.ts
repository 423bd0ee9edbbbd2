import { utf8, utf8Length } from '../math/hash'
import { littleEndian, reverseWords, wireTypes, type Enumeration, type FieldSpec, type MessageSpec, type Values } from './wire-format'

const zigzag = (n: number) => ((n << 1) ^ (n >> 31)) >>> 0

function varintSize(n: number): number {
  return n < 0x80 ? 1 : n < 0x4000 ? 2 : n < 0x200000 ? 3 : n < 0x10000000 ? 4 : 5
}

/** Encodes one message. All scalars are written, including zeros; empty columns are omitted. */
export function encode(spec: MessageSpec, message: object): Uint8Array {
  const writer = new Writer(new Uint8Array(sizeOf(spec, message as Values)))
  writer.message(spec, message as Values)
  return writer.bytes
}

function sizeOf(spec: MessageSpec, message: Values): number {
  let size = 0
  for (const field of spec.fields) {
    const tag = varintSize(field.number * 8)
    const delimited = (length: number) => tag + varintSize(length) + length
    switch (field.kind) {
      case 'uint32': size += tag + varintSize((message[field.name] as number) >>> 0); break
      case 'sint32': size += tag + varintSize(zigzag(message[field.name] as number)); break
      case 'enum': size += tag + varintSize(field.enumeration.values.indexOf(message[field.name] as string)); break
      case 'double': size += tag + 8; break
      case 'string': size += delimited(utf8Length(message[field.name] as string)); break
      case 'strings': for (const text of message[field.name] as string[]) size += delimited(utf8Length(text)); break
      case 'doubles': {
        const { length } = message[field.name] as Float64Array
        if (length > 0) size += delimited(8 * length)
        break
      }
      case 'sints':
      case 'enums': {
        const column = message[field.name] as Int32Array
        if (column.length > 0) size += delimited(columnSize(field.kind, column))
        break
      }
      case 'message': size += delimited(sizeOf(field.message, message[field.name] as Values)); break
      case 'messages': for (const item of message[field.name] as Values[]) size += delimited(sizeOf(field.message, item)); break
    }
  }
  return size
}

function columnSize(kind: 'sints' | 'enums', column: Int32Array): number {
  let size = 0
  for (let i = 0; i < column.length; i++) size += varintSize(kind === 'sints' ? zigzag(column[i]!) : column[i]! >>> 0)
  return size
}

class Writer {
  private at = 0
  constructor(readonly bytes: Uint8Array) {}

  message(spec: MessageSpec, message: Values): void {
    for (const field of spec.fields) this.field(field, message[field.name])
  }

  private field(field: FieldSpec, value: unknown): void {
    switch (field.kind) {
      case 'uint32': this.scalar(field, (value as number) >>> 0); break
      case 'sint32': this.scalar(field, zigzag(value as number)); break
      case 'enum': this.scalar(field, indexOfName(field.enumeration, value as string)); break
      case 'double':
        this.tag(field)
        this.doubles(Float64Array.of(value as number))
        break
      case 'string': this.string(field, value as string); break
      case 'strings': for (const text of value as string[]) this.string(field, text); break
      case 'doubles': {
        const column = value as Float64Array
        if (column.length === 0) break
        this.tag(field)
        this.varint(8 * column.length)
        this.doubles(column)
        break
      }
      case 'sints':
      case 'enums': {
        const column = value as Int32Array
        if (column.length === 0) break
        this.tag(field)
        this.varint(columnSize(field.kind, column))
        for (let i = 0; i < column.length; i++) this.varint(field.kind === 'sints' ? zigzag(column[i]!) : column[i]! >>> 0)
        break
      }
      case 'message': this.nested(field, field.message, value as Values); break
      case 'messages': for (const item of value as Values[]) this.nested(field, field.message, item); break
    }
  }

  private tag(field: FieldSpec): void {
    this.varint(field.number * 8 + wireTypes[field.kind])
  }

  private scalar(field: FieldSpec, value: number): void {
    this.tag(field)
    this.varint(value)
  }

  private string(field: FieldSpec, text: string): void {
    const encoded = utf8(text)
    this.tag(field)
    this.varint(encoded.length)
    this.bytes.set(encoded, this.at)
    this.at += encoded.length
  }

  private nested(field: FieldSpec, spec: MessageSpec, value: Values): void {
    this.tag(field)
    this.varint(sizeOf(spec, value))
    this.message(spec, value)
  }

  private varint(value: number): void {
    let n = value
    while (n >= 0x80) {
      this.bytes[this.at++] = (n & 0x7f) | 0x80
      n >>>= 7
    }
    this.bytes[this.at++] = n
  }

  private doubles(column: Float64Array): void {
    const raw = new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
    this.bytes.set(raw, this.at)
    if (!littleEndian) reverseWords(this.bytes.subarray(this.at, this.at + raw.length))
    this.at += raw.length
  }
}

function indexOfName(enumeration: Enumeration, name: string): number {
  const index = enumeration.values.indexOf(name)
  if (index < 0) throw new RangeError(`${enumeration.name} has no "${name}"; it is one of ${enumeration.values.join(', ')}`)
  return index
}
