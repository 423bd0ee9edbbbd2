/** The hash of a frame: equal for equal states of the same bodies, independent of the document order. */

import { StateHash } from '../math/hash'
import { BODY_STRIDE } from './frame'

/** Indices of bodies in the order of their ids, which is their order in a frame's hash. */
export function hashOrder(ids: readonly string[]): readonly number[] {
  return ids.map((_, index) => index).sort((a, b) => ids[a]! < ids[b]! ? -1 : 1)
}

/**
 * @param bodies `BODY_STRIDE` numbers per body, as in a frame
 * @param order from `hashOrder`
 * @param further states of other blocks: positions and velocities of particles
 * @returns 16 hexadecimal digits
 */
export function frameHash(bodies: Float64Array, order: readonly number[], further: readonly Float64Array[] = []): string {
  const hash = new StateHash()
  for (const body of order) hash.addAll(bodies, body * BODY_STRIDE, (body + 1) * BODY_STRIDE)
  for (const block of further) hash.addAll(block, 0, block.length)
  return hash.digest()
}
