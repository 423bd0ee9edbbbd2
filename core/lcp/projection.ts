/**
 * The admissible set of each force for the motion of a solution, and the projection onto it:
 *
 *   equality              all of R
 *   normal without friction   f ≥ 0 where a = 0, else 0
 *   box                   [lower, upper] where a = 0, else the bound
 *   sticking contact      the cone |f_t| ≤ μ_s f_N
 *   slipping contact      the ray f_N (1, −μ ŝ), f_N ≥ 0
 *   spins of a contact    discs and rays with the same f_N
 *   spin with a constant bound   the ball |τ| ≤ bound, or its point where it slides
 *   separating contact    0
 */

export type ForceSet =
  | { readonly kind: 'free'; readonly row: number }
  | {
    readonly kind: 'interval'
    readonly row: number
    readonly lower: number
    readonly upper: number
    /** The bound of a moving row: lower = upper. */
    readonly bound?: 'lower' | 'upper'
  }
  | CoupledForces
  | {
    readonly kind: 'ball'
    readonly rows: readonly number[]
    /** Index in the problem. */
    readonly spin: number
    readonly radius: number
  }
  | { readonly kind: 'fixed'; readonly rows: readonly number[]; readonly spin: number; readonly values: readonly number[] }

/** f_N ≥ 0 with the forces that it bounds or that are slaved to it. */
export interface CoupledForces {
  readonly kind: 'coupled'
  readonly normal: number
  /** Rows with f = x f_N. */
  readonly slaved: readonly { readonly row: number; readonly x: number }[]
  /** Rows with |f| ≤ μ f_N as a vector. */
  readonly discs: readonly ForceDisc[]
  /** Indices in the problem of the frictional contact and of the spins, to find their rows. */
  readonly contact: number
  readonly slides: boolean
  readonly spins: readonly { readonly spin: number; readonly slides: boolean }[]
}

/** Friction |f| ≤ μ f_N of some rows; μ in m for rows of torques. */
export interface ForceDisc {
  readonly rows: readonly number[]
  readonly mu: number
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
    if (set.kind === 'fixed') {
      set.rows.forEach((row, k) => {
        const force = f[row] = set.values[k]!
        envelope += force * z[row]! - 0.5 * force * force
      })
      continue
    }
    if (set.kind === 'ball') {
      const size = sizeAt(set.rows, z)
      const shrink = size > set.radius ? set.radius / size : 1
      for (const row of set.rows) {
        f[row] = shrink * z[row]!
        envelope += 0.5 * (z[row]! * z[row]! - (z[row]! - f[row]!) * (z[row]! - f[row]!))
      }
      continue
    }
    const { fn: unbounded, active } = coupledNormal(set, z)
    const fn = f[set.normal] = Math.max(0, unbounded)
    let square = fn * fn
    for (const { row, x } of set.slaved) square += (f[row] = x * fn) * f[row]!
    set.discs.forEach(({ rows, mu }, k) => {
      const size = sizeAt(rows, z)
      for (const row of rows) {
        f[row] = !active[k] ? z[row]! : size > 0 ? mu * fn * (z[row]! / size) : 0
        square += f[row]! * f[row]!
      }
    })
    envelope += 0.5 * square // |z|² − |z − f|² = |f|² on a cone, where f ⟂ z − f
  }
  return envelope
}

/**
 * f_N of the projection of z onto coupled forces (0 if negative), the discs at whose bounds it lies, and the weight 1 + Σ x² + Σ μ² of the forces
 * proportional to it. It is the minimum of a function of f_N that is quadratic between the bounds of the discs. The bounds are passed in descending order of
 * |z| / μ.
 */
export function coupledNormal({ normal, slaved, discs }: CoupledForces, z: Float64Array): { fn: number; weight: number; active: boolean[] } {
  let push = z[normal]!
  let weight = 1
  for (const { row, x } of slaved) {
    push += x * z[row]!
    weight += x * x
  }
  const active = discs.map(() => false)
  const sizes = discs.map(({ rows }) => sizeAt(rows, z))
  for (;;) {
    const fn = push / weight
    let next = -1
    discs.forEach(({ mu }, k) => {
      if (active[k] || !(sizes[k]! > mu * fn)) return
      if (next < 0 || sizes[k]! * discs[next]!.mu > sizes[next]! * mu) next = k
    })
    if (next < 0) return { fn, weight, active }
    const { mu } = discs[next]!
    active[next] = true
    push += mu * sizes[next]!
    weight += mu * mu
  }
}

/** Adds Qᵀ P′(z) Q to the lower triangle of `H` (rank × rank), with P′ the generalised derivative of the projection and Q an n × rank matrix. */
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
    if (set.kind === 'fixed') continue
    if (set.kind === 'ball') {
      const { rows, radius } = set
      const size = sizeAt(rows, z)
      const share = size > radius ? radius / size : 1
      for (const row of rows) addOuter(Q, row * rank, share)
      if (share === 1) continue
      combine(u, Q, rank, rows, rows.map(row => z[row]! / size))
      addOuter(u, 0, -share)
      continue
    }
    const { fn, weight, active } = coupledNormal(set, z)
    if (fn <= 0) continue
    const rows = [set.normal, ...set.slaved.map(({ row }) => row)]
    const values = [1, ...set.slaved.map(({ x }) => x)]
    set.discs.forEach((disc, k) => {
      if (!active[k]) {
        for (const row of disc.rows) addOuter(Q, row * rank, 1)
        return
      }
      const size = sizeAt(disc.rows, z)
      const direction = disc.rows.map(row => z[row]! / size)
      if (size === 0) return
      rows.push(...disc.rows)
      values.push(...direction.map(d => disc.mu * d))
      if (disc.rows.length === 1) return
      combine(v, Q, rank, disc.rows, [-direction[1]!, direction[0]!])
      addOuter(v, 0, disc.mu * fn / size)
    })
    combine(u, Q, rank, rows, values)
    addOuter(u, 0, 1 / weight)
  }
}

/** √Σ z² over some rows. */
function sizeAt(rows: readonly number[], z: Float64Array): number {
  let sum = 0
  for (const row of rows) sum += z[row]! * z[row]!
  return Math.sqrt(sum)
}

/** out = Σ values × rows of Q. */
function combine(out: Float64Array, Q: Float64Array, rank: number, rows: readonly number[], values: readonly number[]): void {
  out.fill(0)
  rows.forEach((row, k) => {
    const value = values[k]!
    for (let j = 0; j < rank; j++) out[j]! += value * Q[row * rank + j]!
  })
}
