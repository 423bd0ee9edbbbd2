/**
 * Pairs of particles closer than a distance, in O(n). Particles are sorted into cubic cells of that size, kept in a hash table of fixed length, and
 * only neighbouring cells are searched [PBM01-C §4.3]. The order of the pairs depends on positions only.
 */

export interface Buckets {
  /** Sorts the particles into buckets. */
  fill(x: Float64Array): void
  /** Calls `visit` once for each pair closer than the size, with the components of x_i − x_j and the square of their length, m². */
  eachPair(x: Float64Array, visit: (i: number, j: number, dx: number, dy: number, dz: number, square: number) => void): void
}

/** Neighbouring cells after a particle's own in lexicographic order, so that each pair of cells is visited once. */
const AHEAD = [
  [1, 0, 0], [-1, 1, 0], [0, 1, 0], [1, 1, 0], [-1, -1, 1], [0, -1, 1], [1, -1, 1],
  [-1, 0, 1], [0, 0, 1], [1, 0, 1], [-1, 1, 1], [0, 1, 1], [1, 1, 1],
] as const

/** @param size m: the cut-off */
export function buckets(particles: number, size: number): Buckets {
  let length = 16
  while (length < 2 * particles) length *= 2
  const mask = length - 1
  const starts = new Int32Array(length + 1)
  const next = new Int32Array(length)
  const order = new Int32Array(particles)
  const cells = new Int32Array(3 * particles)
  const hash = (i: number, j: number, k: number): number => (Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791)) & mask
  const limit = size * size
  return {
    fill(x) {
      starts.fill(0)
      for (let p = 0; p < particles; p++) {
        for (let k = 0; k < 3; k++) cells[3 * p + k] = Math.floor(x[3 * p + k]! / size)
        starts[hash(cells[3 * p]!, cells[3 * p + 1]!, cells[3 * p + 2]!) + 1]!++
      }
      for (let b = 0; b < length; b++) starts[b + 1]! += starts[b]!
      next.set(starts.subarray(0, length))
      for (let p = 0; p < particles; p++) order[next[hash(cells[3 * p]!, cells[3 * p + 1]!, cells[3 * p + 2]!)]!++] = p
    },
    eachPair(x, visit) {
      for (let at = 0; at < particles; at++) {
        const p = order[at]!
        const ci = cells[3 * p]!
        const cj = cells[3 * p + 1]!
        const ck = cells[3 * p + 2]!
        // First the particle's own cell, then the cells after it. Cells with the same hash are distinguished by their coordinates.
        for (let a = -1; a < AHEAD.length; a++) {
          const di = a < 0 ? ci : ci + AHEAD[a]![0]
          const dj = a < 0 ? cj : cj + AHEAD[a]![1]
          const dk = a < 0 ? ck : ck + AHEAD[a]![2]
          const bucket = hash(di, dj, dk)
          const end = starts[bucket + 1]!
          for (let q = a < 0 ? at + 1 : starts[bucket]!; q < end; q++) {
            const other = order[q]!
            if (cells[3 * other] !== di || cells[3 * other + 1] !== dj || cells[3 * other + 2] !== dk) continue
            const dx = x[3 * p]! - x[3 * other]!
            const dy = x[3 * p + 1]! - x[3 * other + 1]!
            const dz = x[3 * p + 2]! - x[3 * other + 2]!
            const square = dx * dx + dy * dy + dz * dz
            if (square < limit) visit(p, other, dx, dy, dz, square)
          }
        }
      }
    },
  }
}
