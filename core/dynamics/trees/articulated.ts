/**
 * Articulated-body inertia: the inertia of a body of a tree with all its descendants, as it acts on the parent [Featherstone, Rigid Body Dynamics
 * Algorithms, 2008, §7.3], in world axes about the body's centre of mass:
 *
 *   Iᴬ = I + Σ Xᵀ Iᵃ X over its children,   Iᵃ = Iᴬ − Σ Uₖ Uₖᵀ / Dₖ,   Uₖ = Iᴬ sₖ,   Dₖ = sₖ·Uₖ
 *
 * The columns sₖ of a joint are eliminated one after another, as if massless bodies connected them. X transforms the velocity of the parent to that of
 * the body.
 */

/** Doubles of one 6 × 6 matrix, row-major: linear, then angular. */
export const SPATIAL = 36

/** Eliminates column `s` from I, in place; U into `U`. @returns D */
export function eliminate(I: Float64Array, at: number, s: Float64Array, from: number, U: Float64Array, to: number): number {
  let D = 0
  for (let i = 0; i < 6; i++) {
    let sum = 0
    for (let j = 0; j < 6; j++) sum += I[at + 6 * i + j]! * s[from + j]!
    U[to + i] = sum
    D += sum * s[from + i]!
  }
  for (let i = 0; i < 6; i++) {
    const factor = U[to + i]! / D
    for (let j = 0; j < 6; j++) I[at + 6 * i + j] = I[at + 6 * i + j]! - factor * U[to + j]!
  }
  return D
}

/**
 * Adds Xᵀ I X to the parent's matrix: with I = [[A, B], [Bᵀ, C]] and r from the parent's centre of mass to the body's,
 *
 *   [[A, B − A r×], [·, C − Bᵀ r× + r× B − r× A r×]]
 */
export function addShifted(I: Float64Array, at: number, rx: number, ry: number, rz: number, out: Float64Array, to: number): void {
  for (let i = 0; i < 6; i++) {
    // Row i of I X: (row of A) r× = row × r.
    const o = at + 6 * i
    const x = I[o]!
    const y = I[o + 1]!
    const z = I[o + 2]!
    SHIFTED[6 * i] = x
    SHIFTED[6 * i + 1] = y
    SHIFTED[6 * i + 2] = z
    SHIFTED[6 * i + 3] = I[o + 3]! - (y * rz - z * ry)
    SHIFTED[6 * i + 4] = I[o + 4]! - (z * rx - x * rz)
    SHIFTED[6 * i + 5] = I[o + 5]! - (x * ry - y * rx)
  }
  for (let j = 0; j < 6; j++) {
    const x = SHIFTED[j]!
    const y = SHIFTED[6 + j]!
    const z = SHIFTED[12 + j]!
    out[to + j] = out[to + j]! + x
    out[to + 6 + j] = out[to + 6 + j]! + y
    out[to + 12 + j] = out[to + 12 + j]! + z
    out[to + 18 + j] = out[to + 18 + j]! + SHIFTED[18 + j]! + ry * z - rz * y
    out[to + 24 + j] = out[to + 24 + j]! + SHIFTED[24 + j]! + rz * x - rx * z
    out[to + 30 + j] = out[to + 30 + j]! + SHIFTED[30 + j]! + rx * y - ry * x
  }
}

const SHIFTED = new Float64Array(SPATIAL)

/** Adds I x to `out`. */
export function addProduct(I: Float64Array, at: number, x: Float64Array, from: number, out: Float64Array, to: number): void {
  for (let i = 0; i < 6; i++) {
    let sum = 0
    for (let j = 0; j < 6; j++) sum += I[at + 6 * i + j]! * x[from + j]!
    out[to + i] = out[to + i]! + sum
  }
}

/** Factors a positive definite matrix in place: I = L Lᵀ. */
export function factorSpatial(I: Float64Array, at: number): void {
  for (let j = 0; j < 6; j++) {
    for (let i = j; i < 6; i++) {
      let sum = I[at + 6 * i + j]!
      for (let k = 0; k < j; k++) sum -= I[at + 6 * i + k]! * I[at + 6 * j + k]!
      I[at + 6 * i + j] = i === j ? Math.sqrt(sum) : sum / I[at + 6 * j + j]!
    }
  }
}

/** x = I⁻¹ x in place, by the factor. */
export function solveSpatial(L: Float64Array, at: number, x: Float64Array, from: number): void {
  for (let i = 0; i < 6; i++) {
    let sum = x[from + i]!
    for (let k = 0; k < i; k++) sum -= L[at + 6 * i + k]! * x[from + k]!
    x[from + i] = sum / L[at + 6 * i + i]!
  }
  for (let i = 5; i >= 0; i--) {
    let sum = x[from + i]!
    for (let k = i + 1; k < 6; k++) sum -= L[at + 6 * k + i]! * x[from + k]!
    x[from + i] = sum / L[at + 6 * i + i]!
  }
}

/** Adds a force at a node to its parent's, about the parent's centre of mass. */
export function addForce(p: Float64Array, at: number, arm: Float64Array, r: number, out: Float64Array, to: number): void {
  const x = p[at]!
  const y = p[at + 1]!
  const z = p[at + 2]!
  out[to] = out[to]! + x
  out[to + 1] = out[to + 1]! + y
  out[to + 2] = out[to + 2]! + z
  out[to + 3] = out[to + 3]! + p[at + 3]! + arm[r + 1]! * z - arm[r + 2]! * y
  out[to + 4] = out[to + 4]! + p[at + 4]! + arm[r + 2]! * x - arm[r]! * z
  out[to + 5] = out[to + 5]! + p[at + 5]! + arm[r]! * y - arm[r + 1]! * x
}

/** Motion of a node that is rigidly attached to its parent: v + ω × r, ω. */
export function shiftMotion(A: Float64Array, from: number, arm: Float64Array, r: number, out: Float64Array, to: number): void {
  const wx = A[from + 3]!
  const wy = A[from + 4]!
  const wz = A[from + 5]!
  out[to] = A[from]! + wy * arm[r + 2]! - wz * arm[r + 1]!
  out[to + 1] = A[from + 1]! + wz * arm[r]! - wx * arm[r + 2]!
  out[to + 2] = A[from + 2]! + wx * arm[r + 1]! - wy * arm[r]!
  out[to + 3] = wx
  out[to + 4] = wy
  out[to + 5] = wz
}
