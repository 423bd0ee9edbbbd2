/** Seeded random numbers that are the same on every machine: xoshiro128** [Blackman, Vigna: Scrambled linear pseudorandom number generators, 2021]. */

/** Uniform in [0, 1), 53 bits. @param seed an integer */
export function randomNumbers(seed: number): () => number {
  const state = seeded(seed)
  const next = (): number => {
    const result = Math.imul(rotate(Math.imul(state[1]!, 5), 7), 9)
    const t = state[1]! << 9
    state[2]! ^= state[0]!
    state[3]! ^= state[1]!
    state[1]! ^= state[2]!
    state[0]! ^= state[3]!
    state[2]! ^= t
    state[3] = rotate(state[3]!, 11)
    return result >>> 0
  }
  return () => ((next() >>> 5) * 0x4000000 + (next() >>> 6)) / 0x20000000000000
}

/** A permutation of 0 … n − 1 [Durstenfeld 1964]. */
export function permutation(n: number, random: () => number): Uint32Array {
  const order = Uint32Array.from({ length: n }, (_, k) => k)
  for (let k = n - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1))
    const held = order[k]!
    order[k] = order[other]!
    order[other] = held
  }
  return order
}

function rotate(x: number, by: number): number {
  return (x << by) | (x >>> (32 - by))
}

/** Four words of a seed, by the finalizer of MurmurHash3 over a counter: never all zero. */
function seeded(seed: number): Int32Array {
  const low = seed | 0
  const high = Math.floor(seed / 0x100000000) | 0
  return Int32Array.from([1, 2, 3, 4], k => {
    let h = (low + Math.imul(k, 0x9e3779b9)) ^ Math.imul(high, 0x85ebca6b)
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
    return (h ^ (h >>> 16)) | (k === 1 ? 1 : 0)
  })
}
