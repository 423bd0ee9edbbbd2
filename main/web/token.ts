/** The key to the engine: made anew for every start, given to the person in the address's fragment, which no server and no log sees. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 bits, in characters that need no escape in an address. */
export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Takes equally long whatever is given, so that nothing about the token can be learnt by the clock. */
export function isToken(given: string | Uint8Array, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token))
}

function digest(data: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(data).digest()
}
