/**
 * Acceleration of a fixed-point iteration x ← x + f(x) [Anderson 1965; Walker and Ni 2011, type II]: the next iterate is the combination of the last ones
 * whose residuals f cancel best.
 */

/** Earlier iterates that are combined. */
const DEPTH = 5
/** Share of the Gram matrix's diagonal below which a difference depends on the others. */
const DEPENDENT = 1e-14

export class Anderson {
  private readonly x: Float64Array[] = []
  private readonly f: Float64Array[] = []

  /** Replaces x by the next iterate. @param f residual at x; kept */
  advance(x: Float64Array, f: Float64Array): void {
    const { x: xs, f: fs } = this
    xs.push(x.slice())
    fs.push(f)
    if (xs.length > DEPTH + 1) {
      xs.shift()
      fs.shift()
    }
    const m = xs.length - 1
    const n = x.length
    const weights = this.weights(m)
    for (let i = 0; i < n; i++) {
      let next = x[i]! + f[i]!
      for (let k = 0; k < m; k++) next -= weights[k]! * (xs[k + 1]![i]! - xs[k]![i]! + fs[k + 1]![i]! - fs[k]![i]!)
      x[i] = next
    }
  }

  /** γ that minimises |f − Σ γ_k (f_{k+1} − f_k)|, by Cholesky of the Gram matrix from the newest difference on. */
  private weights(m: number): Float64Array {
    const fs = this.f
    const last = fs[m]!
    const n = last.length
    const gram = new Float64Array(m * m)
    const right = new Float64Array(m)
    const difference = (k: number, i: number): number => fs[m - k]![i]! - fs[m - k - 1]![i]!
    for (let a = 0; a < m; a++) {
      for (let b = 0; b <= a; b++) {
        let sum = 0
        for (let i = 0; i < n; i++) sum += difference(a, i) * difference(b, i)
        gram[a * m + b] = sum
      }
      let sum = 0
      for (let i = 0; i < n; i++) sum += difference(a, i) * last[i]!
      right[a] = sum
    }
    let rank = 0
    for (; rank < m; rank++) {
      const own = gram[rank * m + rank]!
      for (let j = 0; j <= rank; j++) {
        let sum = gram[rank * m + j]!
        for (let k = 0; k < j; k++) sum -= gram[rank * m + k]! * gram[j * m + k]!
        if (j < rank) gram[rank * m + j] = sum / gram[j * m + j]!
        else gram[rank * m + rank] = sum
      }
      if (!(gram[rank * m + rank]! > DEPENDENT * own)) break
      gram[rank * m + rank] = Math.sqrt(gram[rank * m + rank]!)
    }
    const found = new Float64Array(m)
    for (let a = 0; a < rank; a++) {
      let sum = right[a]!
      for (let k = 0; k < a; k++) sum -= gram[a * m + k]! * found[k]!
      found[a] = sum / gram[a * m + a]!
    }
    for (let a = rank - 1; a >= 0; a--) {
      let sum = found[a]!
      for (let k = a + 1; k < rank; k++) sum -= gram[k * m + a]! * found[k]!
      found[a] = sum / gram[a * m + a]!
    }
    return found.reverse()
  }
}
