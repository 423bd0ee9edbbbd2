/**
 * The set of forces that a solution's motion allows, row by row, and the projection onto it:
 *
 *   equality              all of R
 *   normal without friction   f ≥ 0 where a = 0, else 0
 *   box                   [lower, upper] where a = 0, else the bound
 *   sticking contact      the cone |f_t| ≤ μ_s f_N
 *   slipping contact      the ray f_N (1, −μ ŝ), f_N ≥ 0
 *   parting contact       0
 */

export type ForceSet =
  | { readonly kind: 'free'; readonly row: number }
  | {
    readonly kind: 'interval'
    readonly row: number
    readonly lower: number
    readonly upper: number
    /** The bound that a moving row is at: lower = upper. */
    readonly bound?: 'lower' | 'upper'
  }
  | { readonly kind: 'cone'; readonly contact: number; readonly rows: readonly [number, number, number]; readonly mu: number }
  | {
    readonly kind: 'ray'
    readonly contact: number
    readonly rows: readonly [number, number, number]
    /** f_t = (x, y) f_N. */
    readonly x: number
    readonly y: number
  }

/** Projects z onto the sets, into `f`; returns Σ ½|z|² − ½|z − f|² over them, whose gradient is f. */
export function projectOnto(sets: readonly ForceSet[], z: Float64Array, f: Float64Array): number {
  let envelope = 0
  for (const set of sets) {
    if (set.kind === 'free' || set.kind === 'interval') {
      const value = z[set.row]!
      const force = set.kind === 'free' ? value : Math.min(Math.max(value, set.lower), set.upper)
      f[set.row] = force
      envelope += 0.5 * (value * value - (value - force) * (value - force))
      continue
    }
    const [n, t1, t2] = set.rows
    const zn = z[n]!
    const z1 = z[t1]!
    const z2 = z[t2]!
    let fn = zn
    let f1 = z1
    let f2 = z2
    if (set.kind === 'ray') {
      fn = Math.max(0, (zn + set.x * z1 + set.y * z2) / (1 + set.x * set.x + set.y * set.y))
      f1 = set.x * fn
      f2 = set.y * fn
    } else {
      const size = Math.sqrt(z1 * z1 + z2 * z2)
      if (size > set.mu * zn) {
        fn = Math.max(0, (zn + set.mu * size) / (1 + set.mu * set.mu))
        f1 = size > 0 ? set.mu * fn * (z1 / size) : 0
        f2 = size > 0 ? set.mu * fn * (z2 / size) : 0
      }
    }
    f[n] = fn
    f[t1] = f1
    f[t2] = f2
    envelope += 0.5 * (fn * fn + f1 * f1 + f2 * f2) // |z|² − |z − f|² = |f|² on a cone, where f ⟂ z − f
  }
  return envelope
}

/**
 * Adds Qᵀ P′(z) Q to the lower triangle of `H` (rank × rank), where P′ is the projection's (generalised) derivative and Q is n × rank.
 */
export function addProjectedGram(sets: readonly ForceSet[], z: Float64Array, Q: Float64Array, rank: number, H: Float64Array): void {
  const u = new Float64Array(rank)
  const v = new Float64Array(rank)
  const addOuter = (x: Float64Array, at: number, weight: number): void => {
    for (let i = 0; i < rank; i++) {
      const left = weight * x[at + i]!
      if (left === 0) continue
      for (let j = 0; j <= i; j++) H[i * rank + j]! += left * x[at + j]!
    }
  }
  for (const set of sets) {
    if (set.kind === 'free' || set.kind === 'interval') {
      if (set.kind === 'free' || (z[set.row]! > set.lower && z[set.row]! < set.upper)) addOuter(Q, set.row * rank, 1)
      continue
    }
    const [n, t1, t2] = set.rows
    const zn = z[n]!
    const z1 = z[t1]!
    const z2 = z[t2]!
    if (set.kind === 'ray') {
      if (zn + set.x * z1 + set.y * z2 <= 0) continue
      for (let j = 0; j < rank; j++) u[j] = Q[n * rank + j]! + set.x * Q[t1 * rank + j]! + set.y * Q[t2 * rank + j]!
      addOuter(u, 0, 1 / (1 + set.x * set.x + set.y * set.y))
      continue
    }
    const size = Math.sqrt(z1 * z1 + z2 * z2)
    if (size <= set.mu * zn) {
      addOuter(Q, n * rank, 1)
      addOuter(Q, t1 * rank, 1)
      addOuter(Q, t2 * rank, 1)
    } else if (zn + set.mu * size > 0 && size > 0) {
      const d1 = z1 / size
      const d2 = z2 / size
      const fn = (zn + set.mu * size) / (1 + set.mu * set.mu)
      for (let j = 0; j < rank; j++) {
        u[j] = Q[n * rank + j]! + set.mu * (d1 * Q[t1 * rank + j]! + d2 * Q[t2 * rank + j]!)
        v[j] = d1 * Q[t2 * rank + j]! - d2 * Q[t1 * rank + j]!
      }
      addOuter(u, 0, 1 / (1 + set.mu * set.mu))
      addOuter(v, 0, set.mu * fn / size)
    }
  }
}
