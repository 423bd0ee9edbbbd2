/** The key to the engine: new for every start, passed to the user in the address's fragment, which is neither sent to servers nor logged. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 bits, in characters that need no escaping in an address. */
export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Compares in constant time, so that timing reveals nothing about the token. */
export function isToken(given: string | Uint8Array, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token))
}

function digest(data: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(data).digest()
}
