/** Base64 [RFC 4648, section 4]. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES = new Int8Array(128).fill(-1)
for (let k = 0; k < 64; k++) VALUES[DIGITS.charCodeAt(k)] = k

/** The bytes of a text; null if a character is no digit. Padding may be absent. */
export function fromBase64(text: string): Uint8Array | null {
  let length = text.length
  while (length > 0 && text[length - 1] === '=') length--
  const bytes = new Uint8Array(Math.floor(length * 3 / 4))
  let bits = 0
  let held = 0
  let next = 0
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    const value = code < 128 ? VALUES[code]! : -1
    if (value < 0) return null
    bits = (bits << 6) | value
    held += 6
    if (held < 8) continue
    held -= 8
    bytes[next++] = (bits >> held) & 0xff
  }
  return bytes
}

export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = []
  let part = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i
    const bits = bytes[i]! << 16 | (left > 1 ? bytes[i + 1]! << 8 : 0) | (left > 2 ? bytes[i + 2]! : 0)
    part += DIGITS[bits >> 18]! + DIGITS[bits >> 12 & 63]! + (left > 1 ? DIGITS[bits >> 6 & 63]! : '=') + (left > 2 ? DIGITS[bits & 63]! : '=')
    if (part.length < 8192) continue
    parts.push(part)
    part = ''
  }
  return parts.join('') + part
}
