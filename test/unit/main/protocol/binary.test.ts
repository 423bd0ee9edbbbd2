import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBinary, encodeBinary, maxDepth, WireFormatError } from '../../../../main/protocol/binary'

const plain = fc.letrec(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, undefined, true, false, NaN, -0, 0, Infinity, -Infinity, 2 ** 31, -(2 ** 31), 2 ** 53, 5e-324),
    fc.double(), fc.integer(), fc.string({ unit: 'binary' }).map(text => text.toWellFormed()),
    fc.uint8Array(), fc.float64Array(), fc.float32Array(), fc.int32Array(), fc.uint32Array(),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(fc.string().filter(key => !['__proto__', 'constructor', 'prototype'].includes(key)), tie('value'), { maxKeys: 6, noNullPrototype: true }),
  ),
})).value

describe('the binary form of messages', () => {
  it('gives back every plain value exactly, −0, NaN and typed arrays included', () => {
    fc.assert(fc.property(plain, value => {
      expect(decodeBinary(encodeBinary(value))).toStrictEqual(value)
    }), { numRuns: 500 })
    expect(Object.is(decodeBinary(encodeBinary(-0)), -0)).toBe(true)
  })

  it('encodes a view of a buffer without the rest of the buffer', () => {
    const view = new Float64Array([1, 2, 3, 4]).subarray(1, 3)
    expect(decodeBinary(encodeBinary(view))).toStrictEqual(new Float64Array([2, 3]))
    expect(encodeBinary(view).length).toBe(1 + 4 + 16)
  })

  it('refuses functions, symbols, bigints, instances and cycles', () => {
    const cycle: unknown[] = []
    cycle.push(cycle)
    for (const value of [() => 1, Symbol('s'), 1n, new Date(0), new Map(), new BigInt64Array(1), cycle]) {
      expect(() => encodeBinary({ value })).toThrow(WireFormatError)
    }
  })

  it('refuses every truncation of a message and any byte after it', () => {
    const message = encodeBinary({ a: [1, 2.5, 'text'], b: new Float64Array(3), c: { d: null } })
    for (let length = 0; length < message.length; length++) expect(() => decodeBinary(message.subarray(0, length))).toThrow(WireFormatError)
    expect(() => decodeBinary(new Uint8Array([...message, 0]))).toThrow('1 bytes are left over')
  })

  it('refuses a count larger than the message, so that five bytes cannot claim gigabytes', () => {
    for (const tag of [6, 7, 8, 9, 10]) expect(() => decodeBinary(new Uint8Array([tag, 255, 255, 255, 255]))).toThrow(WireFormatError)
  })

  it('refuses keys that reach a prototype, deep nesting and unknown tags', () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const bytes = new TextEncoder().encode(key)
      expect(() => decodeBinary(new Uint8Array([8, 1, 0, 0, 0, bytes.length, 0, 0, 0, ...bytes, 0]))).toThrow(`"${key}"`)
    }
    const nested = (levels: number) => new Uint8Array([...Array.from({ length: levels }, () => [7, 1, 0, 0, 0]).flat(), 0])
    expect(decodeBinary(nested(maxDepth))).toBeInstanceOf(Array)
    expect(() => decodeBinary(nested(maxDepth + 1))).toThrow('deeper')
    expect(() => decodeBinary(new Uint8Array([200]))).toThrow(WireFormatError)
  })

  it('decodes or refuses any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      try {
        decodeBinary(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(WireFormatError)
      }
    }), { numRuns: 2000 })
  })
})
