import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256, StateHash, utf8, utf8Length } from '../../../../core/math/hash'

describe('SHA-256', () => {
  it('gives the published digests', () => {
    expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(sha256('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'))
      .toBe('248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1')
  })
  it('agrees with the platform on every length around the block size', () => {
    for (let n = 0; n < 200; n++) {
      const bytes = Uint8Array.from({ length: n }, (_, i) => (i * 7 + n) & 255)
      expect(sha256(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'))
    }
  })
  it('agrees with the platform on any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => {
      expect(utf8(text)).toEqual(new Uint8Array(new TextEncoder().encode(text)))
      expect(utf8Length(text)).toBe(utf8(text).length)
      expect(sha256(text)).toBe(createHash('sha256').update(new TextEncoder().encode(text)).digest('hex'))
    }))
  })
  it('encodes an unpaired surrogate as the replacement character', () => {
    for (const text of ['\ud800', 'a\udc00b', '\ud800\ud800\udc00']) {
      expect(utf8(text)).toEqual(new Uint8Array(new TextEncoder().encode(text)))
      expect(utf8Length(text)).toBe(utf8(text).length)
    }
  })
})

function hashOf(...values: number[]): string {
  const hash = new StateHash()
  hash.addAll(values)
  return hash.digest()
}

describe('the state hash', () => {
  it('is the same for −0 and 0, and for every NaN', () => {
    expect(hashOf(-0, 1)).toBe(hashOf(0, 1))
    const payload = new Float64Array(new Uint32Array([1, 0xfff80000]).buffer)[0]!
    expect(hashOf(payload)).toBe(hashOf(NaN))
  })
  it('has fixed values', () => {
    expect(hashOf()).toBe('9a8f9798886e44ff')
    expect(hashOf(1, 2, 3)).toBe('b91f3b0a62658f02')
    expect(hashOf(0.1, -9.81, Infinity, NaN)).toBe('3b09e92e8257454a')
  })
  it('differs for one unit in the last place, for another order, and for an additional zero', () => {
    expect(hashOf(1)).not.toBe(hashOf(1 + Number.EPSILON))
    expect(hashOf(1, 2)).not.toBe(hashOf(2, 1))
    expect(hashOf(0)).not.toBe(hashOf(0, 0))
  })
  it('has no collision among 200,000 neighbouring states, in either half', () => {
    const seen = new Set<string>()
    let firstHalves = 0
    const first = new Set<string>()
    for (let i = 0; i < 200_000; i++) {
      const digest = hashOf(1 + i * Number.EPSILON, i % 7)
      seen.add(digest)
      if (first.has(digest.slice(0, 8))) firstHalves++
      first.add(digest.slice(0, 8))
    }
    expect(seen.size).toBe(200_000)
    // 200,000² / 2³³ ≈ 4.7 expected of a random function.
    expect(firstHalves).toBeLessThan(20)
  })
})
