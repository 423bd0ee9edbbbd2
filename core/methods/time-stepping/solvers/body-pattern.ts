/**
 * Which blocks a matrix of bodies has, and what factoring it takes: bodies are eliminated by least degree, the first of those that have it, so that chains,
 * stacks and rings fill few blocks beyond those of the pairs that push each other.
 */

export class BodyPattern {
  /** Of blocks, to factor the matrix; where that is more than allowed, so many were counted. */
  readonly products: number
  /** Whether factoring takes no more products of blocks than allowed; otherwise the pattern is not to be used. */
  readonly sparse: boolean
  /** Bodies in the order in which they are eliminated, and of each its neighbours that come later. */
  readonly order: Int32Array
  readonly later: readonly (readonly number[])[]

  /**
   * @param slotA of each row its two bodies, −1 for one that nothing moves
   * @param most products of blocks
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

/** Of each body those that it pushes, each once. */
function neighbours(count: number, slotA: Int32Array, slotB: Int32Array): number[][] {
  const near: number[][] = Array.from({ length: count }, () => [])
  let [lastA, lastB] = [-1, -1]
  for (let row = 0; row < slotA.length; row++) {
    const a = slotA[row]!
    const b = slotB[row]!
    // The rows of a pair mostly follow one another.
    if (a < 0 || b < 0 || a === b || a === lastA && b === lastB) continue
    lastA = a
    lastB = b
    if (near[a]!.includes(b)) continue
    near[a]!.push(b)
    near[b]!.push(a)
  }
  return near
}

/** Takes out the first body of least degree; those with one neighbour or none fill nothing, so that the search ends at them. */
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
