/**
 * Which particles touch rigid surfaces within an implicit stage, and how: the active set of the complementarity between gap and normal force, and of Coulomb's
 * law, renewed at every Newton step [semismooth Newton; Alart & Curnier 91]. A particle that touches is held in the normal direction; one that sticks, in all
 * three; one that slides feels friction μ λ against its slip. What a new contact has to be moved by is part of the same linear solve, so that nothing
 * jumps and the gap is 0 exactly [slides SH, "Combine information about displacements with implicit step method"; Baraff & Witkin 98 §5].
 */

import type { BlockMatrix } from '../../sparse'
import type { Surface } from './surface'

/** How a particle touches. */
export const APART = 0
export const SLIDES = 1
export const STICKS = 2

export interface Touching {
  /** APART, SLIDES or STICKS, by particle. */
  readonly modes: Uint8Array
  /** Outward normals, 3n. */
  readonly normals: Float64Array
  /** What the held components have to move by in the next Newton step, m, 3n. */
  readonly shifts: Float64Array
  /** Which surface each particle touches; −1 for none. */
  readonly surfaces: Int32Array
  /** Normal forces, N. */
  readonly pressures: Float64Array
  /** Sliding friction, N, 3n. */
  readonly frictions: Float64Array
  /** Forgets what touches: a stage begins from the gaps. */
  reset(): void
  /**
   * Decides anew at X with the residual g (N: all forces, friction included, less inertia).
   *
   * @param impedances what ties force to displacement at each particle, N/m: weighs slip against friction
   * @returns what is open: the largest force by which friction or a release changed, N
   */
  decide(a: number, X: Float64Array, V: Float64Array, g: Float64Array, impedances: Float64Array): number
  /** Largest |gap| of touching particles, or depth of others, m, when last decided. */
  readonly violation: number
  /** Adds what sliding friction resists a turn of the slip with. */
  addStiffness(a: number, matrix: BlockMatrix): void
}

/** A particle that has been taken and released so often in a stage is kept: the active set went in circles. */
const CHANGES = 12

/** Gap, × the radius, at which a stage begins with a particle touching if it is pressed: what rounding left of the stage before. */
const NEAR = 1e-6

/** @param radii distance at which each particle touches, m */
export function touching(surfaces: readonly Surface[], radii: Float64Array, held: Uint8Array): Touching {
  const n = radii.length
  const modes = new Uint8Array(n)
  const normals = new Float64Array(3 * n)
  const shifts = new Float64Array(3 * n)
  const touched = new Int32Array(n).fill(-1)
  const pressures = new Float64Array(n)
  const frictions = new Float64Array(3 * n)
  const changes = new Uint8Array(n)
  const resistances = new Float64Array(n)
  const normal = new Float64Array(3)
  const nearest = new Float64Array(3)
  const drift = new Float64Array(3)
  let violation = 0
  let first = true

  function clear(i: number): void {
    modes[i] = APART
    pressures[i] = 0
    touched[i] = -1
    frictions[3 * i] = frictions[3 * i + 1] = frictions[3 * i + 2] = 0
    shifts[3 * i] = shifts[3 * i + 1] = shifts[3 * i + 2] = 0
  }

  /** Coulomb's law at a particle that touches with a normal force λ. @returns the change of its friction, N */
  function rub(i: number, lambda: number, a: number, V: Float64Array, X: Float64Array, g: Float64Array, impedance: number): number {
    const surface = surfaces[touched[i]!]!
    const k = 3 * i
    const [nx, ny, nz] = [normals[k]!, normals[k + 1]!, normals[k + 2]!]
    surface.velocity(X[k]!, X[k + 1]!, X[k + 2]!, drift)
    const [ux, uy, uz] = [V[k]! - drift[0]!, V[k + 1]! - drift[1]!, V[k + 2]! - drift[2]!]
    const un = ux * nx + uy * ny + uz * nz
    const gn = g[k]! * nx + g[k + 1]! * ny + g[k + 2]! * nz
    // What friction is now: of a sticking particle what the residual lacks, of a sliding one its own.
    const sticks = modes[i] === STICKS
    const [fx, fy, fz] = sticks ? [gn * nx - g[k]!, gn * ny - g[k + 1]!, gn * nz - g[k + 2]!] : [frictions[k]!, frictions[k + 1]!, frictions[k + 2]!]
    const rho = impedance * a
    const [zx, zy, zz] = [fx - rho * (ux - un * nx), fy - rho * (uy - un * ny), fz - rho * (uz - un * nz)]
    const size = Math.sqrt(zx * zx + zy * zy + zz * zz)
    const limit = surface.friction * lambda
    if (size <= limit) {
      modes[i] = STICKS
      shifts[k]! -= a * (ux - un * nx)
      shifts[k + 1]! -= a * (uy - un * ny)
      shifts[k + 2]! -= a * (uz - un * nz)
      frictions[k] = frictions[k + 1] = frictions[k + 2] = 0
      return sticks ? 0 : limit
    }
    // Against the slip, with Newton's derivative μ λ / |u|; a particle that only begins to slide has no slip yet and goes where it was pushed.
    const slip = Math.sqrt(Math.max(ux * ux + uy * uy + uz * uz - un * un, 0))
    const begins = modes[i] !== SLIDES || slip === 0
    modes[i] = SLIDES
    const s = begins ? limit / size : -limit / slip
    const [px, py, pz] = begins ? [zx, zy, zz] : [ux - un * nx, uy - un * ny, uz - un * nz]
    const change = Math.max(Math.abs(s * px - fx), Math.abs(s * py - fy), Math.abs(s * pz - fz))
    frictions[k] = s * px
    frictions[k + 1] = s * py
    frictions[k + 2] = s * pz
    resistances[i] = begins ? s * rho : -s
    return change
  }

  return {
    modes, normals, shifts, surfaces: touched, pressures, frictions,
    get violation() { return violation },
    reset() {
      for (let i = 0; i < n; i++) clear(i)
      changes.fill(0)
      first = true
    },
    decide(a, X, V, g, impedances) {
      let open = 0
      const fresh = first
      first = false
      violation = 0
      resistances.fill(0)
      for (let i = 0; i < n; i++) {
        if (held[i]) continue
        const k = 3 * i
        let gap = Infinity
        let which = -1
        for (let s = 0; s < surfaces.length; s++) {
          const d = surfaces[s]!.distance(X[k]!, X[k + 1]!, X[k + 2]!, 2 * radii[i]!, normal) - radii[i]!
          if (d >= gap) continue
          gap = d
          which = s
          nearest.set(normal)
        }
        const before = modes[i]!
        const near = before !== APART || (fresh && gap <= NEAR * radii[i]!)
        // The force that keeps it where it is, outwards: what the residual lacks along the normal.
        const lambda = !near ? 0 : -(g[k]! * nearest[0]! + g[k + 1]! * nearest[1]! + g[k + 2]! * nearest[2]!)
        const touches = lambda - impedances[i]! * gap > 0 || (before !== APART && changes[i]! >= CHANGES)
        if (!touches) {
          if (before !== APART) {
            open = Math.max(open, Math.abs(lambda))
            changes[i]!++
          }
          clear(i)
          continue
        }
        if (before === APART) {
          modes[i] = SLIDES
          changes[i]!++
        }
        violation = Math.max(violation, Math.abs(gap))
        touched[i] = which
        pressures[i] = Math.max(lambda, 0)
        for (let c = 0; c < 3; c++) {
          normals[k + c] = nearest[c]!
          shifts[k + c] = -gap * nearest[c]!
        }
        if (surfaces[which]!.friction > 0) open = Math.max(open, rub(i, pressures[i]!, a, V, X, g, impedances[i]!))
      }
      return open
    },
    addStiffness(a, { starts, values }) {
      for (let i = 0; i < n; i++) {
        const r = resistances[i]! / a
        if (modes[i] !== SLIDES || r === 0) continue
        const square = frictions[3 * i]! * frictions[3 * i]! + frictions[3 * i + 1]! * frictions[3 * i + 1]! + frictions[3 * i + 2]! * frictions[3 * i + 2]!
        const at = 9 * (starts[i + 1]! - 1)
        for (let c = 0; c < 3; c++) {
          for (let d = 0; d < 3; d++) {
            const along = square > 0 ? (frictions[3 * i + c]! * frictions[3 * i + d]!) / square : 0
            values[at + 3 * c + d]! += r * ((c === d ? 1 : 0) - normals[3 * i + c]! * normals[3 * i + d]! - along)
          }
        }
      }
    },
  }
}

/** v ← S v in place: takes from a 3n vector what touching particles cannot do. */
export function projectTouching({ modes, normals }: Touching, v: Float64Array): void {
  for (let i = 0; i < modes.length; i++) {
    if (modes[i] === APART) continue
    const k = 3 * i
    if (modes[i] === STICKS) {
      v[k] = v[k + 1] = v[k + 2] = 0
      continue
    }
    const along = v[k]! * normals[k]! + v[k + 1]! * normals[k + 1]! + v[k + 2]! * normals[k + 2]!
    for (let c = 0; c < 3; c++) v[k + c]! -= along * normals[k + c]!
  }
}

/** A ← S A S + (I − S): a matrix that leaves the held components alone, for direct solution. */
export function projectMatrix({ modes, normals }: Touching, { n, starts, columns, values }: BlockMatrix): void {
  for (let i = 0; i < n; i++) {
    for (let b = starts[i]!; b < starts[i + 1]!; b++) {
      const j = columns[b]!
      projectRows(modes[i]!, normals, 3 * i, values, 9 * b, 3, 1)
      projectRows(modes[j]!, normals, 3 * j, values, 9 * b, 1, 3)
      if (i !== j || modes[i] === APART) continue
      for (let c = 0; c < 3; c++) {
        for (let d = 0; d < 3; d++) values[9 * b + 3 * c + d]! += modes[i] === STICKS ? (c === d ? 1 : 0) : normals[3 * i + c]! * normals[3 * i + d]!
      }
    }
  }
}

/** Projects the three vectors of a block whose components lie `step` apart and that themselves lie `next` apart. */
function projectRows(mode: number, normals: Float64Array, k: number, values: Float64Array, at: number, step: number, next: number): void {
  if (mode === APART) return
  for (let v = at; v < at + 3 * next; v += next) {
    if (mode === STICKS) {
      values[v] = values[v + step] = values[v + 2 * step] = 0
      continue
    }
    const along = values[v]! * normals[k]! + values[v + step]! * normals[k + 1]! + values[v + 2 * step]! * normals[k + 2]!
    for (let c = 0; c < 3; c++) values[v + c * step]! -= along * normals[k + c]!
  }
}
