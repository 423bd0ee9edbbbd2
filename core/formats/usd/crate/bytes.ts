/** Little-endian numbers of a binary file, read sequentially. Reads outside the file are rejected with the byte position. */

import { FormatError } from '../../shared/error'

export class CrateBytes {
  private readonly view: DataView
  at = 0

  constructor(readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** @throws FormatError beyond the file */
  seek(offset: number): void {
    if (!(offset >= 0 && offset <= this.bytes.length)) this.fail(`an offset points to byte ${offset} of ${this.bytes.length}`)
    this.at = offset
  }

  /** Number of remaining bytes. */
  get left(): number {
    return this.bytes.length - this.at
  }

  /** The next bytes, not copied. */
  take(count: number): Uint8Array {
    const start = this.step(count)
    return this.bytes.subarray(start, start + count)
  }

  u8(): number {
    return this.view.getUint8(this.step(1))
  }

  i8(): number {
    return this.view.getInt8(this.step(1))
  }

  u16(): number {
    return this.view.getUint16(this.step(2), true)
  }

  i32(): number {
    return this.view.getInt32(this.step(4), true)
  }

  u32(): number {
    return this.view.getUint32(this.step(4), true)
  }

  f32(): number {
    return this.view.getFloat32(this.step(4), true)
  }

  f64(): number {
    return this.view.getFloat64(this.step(8), true)
  }

  /** As the nearest double: exact to 2⁵³; larger values are not valid counts or offsets. */
  u64(): number {
    const low = this.u32()
    return this.u32() * 0x1_0000_0000 + low
  }

  i64(): number {
    const low = this.u32()
    return this.i32() * 0x1_0000_0000 + low
  }

  /** A count of items that must fit into the remaining bytes at the given size each. */
  count(each: number): number {
    const count = this.u64()
    if (count * each > this.left) this.fail(`it claims ${count} elements, more than the file can contain`)
    return count
  }

  fail(message: string): never {
    throw malformed(message, `byte ${this.at}`)
  }

  private step(count: number): number {
    const start = this.at
    if (!(count >= 0 && start + count <= this.bytes.length)) this.fail('the file ends too early')
    this.at = start + count
    return start
  }
}

export function malformed(message: string, where: string): FormatError {
  return new FormatError('MalformedFile', where, `This usdc file is damaged: ${message}.`)
}

/** Little-endian 16-bit number at an offset of a byte array. */
export function u16At(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8)
}
