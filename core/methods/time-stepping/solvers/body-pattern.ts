/**
 * Sparsity pattern of a matrix of bodies, and the cost of factoring it. Bodies are eliminated by minimum degree, ties by index, so that chains,
 * stacks and rings have little fill-in.
 */

export class BodyPattern {
  /** Block products of the factorisation; if above the limit, the number counted until then. */
  readonly products: number
  /** Whether the factorisation stays within the allowed block products. Otherwise the pattern must not be used. */
  readonly sparse: boolean
  /** Elimination order of the bodies, and the later neighbours of each. */
  readonly order: Int32Array
  readonly later: readonly (readonly number[])[]

  /**
   * @param slotA, slotB the two bodies of each row, −1 for an immovable one
   * @param most block products allowed
   */
  constructor(readonly count: number, slotA: Int32Array, slotB: Int32Array, most: number) {
    const near = neighbours(count, slotA, slotB)
    const order = new Int32Array(count)
    const later: number[][] = Array.from({ length: count }, () => [])
    const left = Int32Array.from(near.keys())
    let products = 0
    for (let k = 0; k < count && products <= most; k++) {
      const body = takeLeast(left, count - k, near)
      const others = near[body]!
      order[k] = body
      later[body] = others
      products += 1 + others.length * (others.length + 1)
      for (const a of others) {
        const those = near[a]!
        those.splice(those.indexOf(body), 1)
        for (const b of others) if (a !== b && !those.includes(b)) those.push(b)
      }
    }
    this.order = order
    this.later = later
    this.sparse = products <= most
    this.products = products
  }
}

/** Neighbours of each body, each listed once. */
function neighbours(count: number, slotA: Int32Array, slotB: Int32Array): number[][] {
  const near: number[][] = Array.from({ length: count }, () => [])
  let [lastA, lastB] = [-1, -1]
  for (let row = 0; row < slotA.length; row++) {
    const a = slotA[row]!
    const b = slotB[row]!
    // Rows of a pair are mostly consecutive.
    if (a < 0 || b < 0 || a === b || a === lastA && b === lastB) continue
    lastA = a
    lastB = b
    if (near[a]!.includes(b)) continue
    near[a]!.push(b)
    near[b]!.push(a)
  }
  return near
}

/** Removes the first body of least degree. Bodies with at most one neighbour cause no fill-in, so the search stops at the first of these. */
function takeLeast(left: Int32Array, length: number, near: readonly (readonly number[])[]): number {
  let place = 0
  for (let k = 0; k < length; k++) {
    const degree = near[left[k]!]!.length
    if (degree < near[left[place]!]!.length) place = k
    if (degree <= 1) break
  }
  const body = left[place]!
  left.copyWithin(place, place + 1, length)
  return body
}
