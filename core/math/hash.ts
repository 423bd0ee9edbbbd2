/** Platform-independent hashes: SHA-256 names scenes in the cache, a 64-bit hash of raw state compares frames. */

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes [FIPS 180-4 §4.2.2].
const ROUND = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
])

const rotate = (x: number, n: number) => (x >>> n) | (x << (32 - n))

/** Processes one block of 64 bytes into the state [FIPS 180-4 §6.2.2]. */
function compress(state: Int32Array, schedule: Int32Array, bytes: Uint8Array, start: number): void {
  for (let t = 0; t < 16; t++) {
    const at = start + 4 * t
    schedule[t] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
  }
  for (let t = 16; t < 64; t++) {
    const x = schedule[t - 15]!
    const y = schedule[t - 2]!
    schedule[t] = (schedule[t - 16]! + (rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3))
      + schedule[t - 7]! + (rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10))) | 0
  }
  let a = state[0]!
  let b = state[1]!
  let c = state[2]!
  let d = state[3]!
  let e = state[4]!
  let f = state[5]!
  let g = state[6]!
  let h = state[7]!
  for (let t = 0; t < 64; t++) {
    const t1 = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[t]! + schedule[t]!) | 0
    const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  state[0]! += a
  state[1]! += b
  state[2]! += c
  state[3]! += d
  state[4]! += e
  state[5]! += f
  state[6]! += g
  state[7]! += h
}

/** SHA-256 of bytes, or of a string's UTF-8, as 64 hex digits [FIPS 180-4]. */
export function sha256(message: Uint8Array | string): string {
  const bytes = typeof message === 'string' ? utf8(message) : message
  const state = new Int32Array([
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  ])
  const schedule = new Int32Array(64)
  const whole = bytes.length - (bytes.length % 64)
  for (let start = 0; start < whole; start += 64) compress(state, schedule, bytes, start)
  const rest = bytes.length - whole
  const tail = new Uint8Array(rest < 56 ? 64 : 128)
  tail.set(bytes.subarray(whole))
  tail[rest] = 0x80
  const length = new DataView(tail.buffer)
  length.setUint32(tail.length - 8, Math.floor(bytes.length / 0x20000000))
  length.setUint32(tail.length - 4, (bytes.length << 3) >>> 0)
  for (let start = 0; start < tail.length; start += 64) compress(state, schedule, tail, start)
  return Array.from(state, hex32).join('')
}

const hex32 = (word: number) => (word >>> 0).toString(16).padStart(8, '0')

/** UTF-8 of a string; an unpaired surrogate becomes U+FFFD, as in the encoding standard. */
export function utf8(text: string): Uint8Array {
  let bytes = new Uint8Array(text.length + 16)
  let n = 0
  for (let i = 0; i < text.length; i++) {
    if (n + 4 > bytes.length) {
      const larger = new Uint8Array(bytes.length * 2)
      larger.set(bytes)
      bytes = larger
    }
    let code = text.charCodeAt(i)
    if (code < 0x80) {
      bytes[n++] = code
      continue
    }
    if (code >= 0xd800 && code < 0xe000) {
      const next = code < 0xdc00 && i + 1 < text.length ? text.charCodeAt(i + 1) : 0
      if (next >= 0xdc00 && next < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00)
        i++
      } else {
        code = 0xfffd
      }
    }
    if (code < 0x800) {
      bytes[n++] = 0xc0 | (code >> 6)
    } else {
      if (code < 0x10000) {
        bytes[n++] = 0xe0 | (code >> 12)
      } else {
        bytes[n++] = 0xf0 | (code >> 18)
        bytes[n++] = 0x80 | ((code >> 12) & 0x3f)
      }
      bytes[n++] = 0x80 | ((code >> 6) & 0x3f)
    }
    bytes[n++] = 0x80 | (code & 0x3f)
  }
  return bytes.subarray(0, n)
}

/** Length of a string in UTF-8, bytes. */
export function utf8Length(text: string): number {
  let n = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) continue
    n += code < 0x800 ? 1 : 2
    if (code >= 0xd800 && code < 0xdc00 && i + 1 < text.length && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      i++
    }
  }
  return n
}

const value = new Float64Array(1)
const words = new Uint32Array(value.buffer)
value[0] = 1
const HIGH = words[1] === 0 ? 0 : 1

/** The finaliser of MurmurHash3: each bit of the argument changes about half of the result's bits. */
function avalanche(x: number): number {
  let h = x
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/**
 * 64-bit hash of doubles by their bits, with −0 as 0 and all NaNs equal: the same for equal states on every machine. Two 32-bit lanes of
 * MurmurHash3's mixer with different multipliers, joined at the end. Not cryptographic.
 */
export class StateHash {
  private a = 0x9747b28c | 0
  private b = 0x2f0b4c47 | 0
  private count = 0

  add(x: number): void {
    value[0] = x === 0 ? 0 : x
    const isNaN = Number.isNaN(x)
    this.mix(isNaN ? 0x7ff80000 : words[HIGH]!, isNaN ? 0 : words[1 - HIGH]!)
  }

  addAll(values: ArrayLike<number>, from = 0, to = values.length): void {
    for (let i = from; i < to; i++) this.add(values[i]!)
  }

  /** 16 hex digits; more may be added afterwards. */
  digest(): string {
    const a = avalanche(this.a ^ this.count)
    const b = avalanche(this.b ^ Math.imul(this.count, 0x27d4eb2f))
    const first = avalanche((a + b) | 0)
    return hex32(first) + hex32(avalanche((b + Math.imul(first, 5)) | 0))
  }

  private mix(high: number, low: number): void {
    let a = this.a
    let b = this.b
    a ^= scramble(high, 0xcc9e2d51, 0x1b873593)
    a = Math.imul((a << 13) | (a >>> 19), 5) + 0xe6546b64 | 0
    a ^= scramble(low, 0xcc9e2d51, 0x1b873593)
    a = Math.imul((a << 13) | (a >>> 19), 5) + 0xe6546b64 | 0
    b ^= scramble(low, 0x239b961b, 0xab0e9789)
    b = Math.imul((b << 17) | (b >>> 15), 9) + 0x561ccd1b | 0
    b ^= scramble(high, 0x239b961b, 0xab0e9789)
    b = Math.imul((b << 17) | (b >>> 15), 9) + 0x561ccd1b | 0
    this.a = a
    this.b = b
    this.count++
  }
}

function scramble(word: number, first: number, second: number): number {
  const k = Math.imul(word, first)
  return Math.imul((k << 15) | (k >>> 17), second)
}
