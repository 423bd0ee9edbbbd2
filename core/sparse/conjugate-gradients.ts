/**
 * Preconditioned conjugate gradients for A x = b with A symmetric positive definite and some given components of x: the iteration is projected onto
 * the free components [Baraff & Witkin 98 §5.2].
 *
 * The product, the preconditioner and the projection are parameters, so one iteration serves block matrices and J W Jᵀ.
 */

export interface Preconditioner {
  /** y = P⁻¹ x. */
  apply(x: Float64Array, y: Float64Array): void
}

/** Vectors for the iteration; allocated once. */
export interface IterationWorkspace {
  readonly r: Float64Array
  readonly z: Float64Array
  readonly p: Float64Array
  readonly q: Float64Array
}

export function iterationWorkspace(size: number): IterationWorkspace {
  return { r: new Float64Array(size), z: new Float64Array(size), p: new Float64Array(size), q: new Float64Array(size) }
}

export interface Iterated {
  iterations: number
  /** √(rᵀ P⁻¹ r) ÷ that of the right-hand side. */
  residual: number
  /** A direction with pᵀ A p ≤ 0 was found: A is not positive definite, and x is the last iterate. */
  negative: boolean
}

export interface IterationLimits {
  /** Relative residual to reach. */
  readonly tolerance: number
  readonly iterations: number
}

/**
 * Improves `x`; its prescribed components are kept.
 *
 * @param product y = A x
 * @param project zeroes, in place, the prescribed components of a vector
 */
export function conjugateGradients(
  product: (x: Float64Array, y: Float64Array) => void, b: Float64Array, x: Float64Array, preconditioner: Preconditioner,
  project: ((v: Float64Array) => void) | null, limits: IterationLimits, workspace: IterationWorkspace, result: Iterated,
): void {
  const { r, z, p, q } = workspace
  const size = b.length
  result.negative = false
  result.iterations = 0
  // The residual is relative to b, not to the first residual, so that a good start needs fewer iterations.
  r.set(b)
  if (project) project(r)
  preconditioner.apply(r, z)
  if (project) project(z)
  const scale = inner(r, z)
  product(x, q)
  for (let i = 0; i < size; i++) r[i] = b[i]! - q[i]!
  if (project) project(r)
  preconditioner.apply(r, z)
  if (project) project(z)
  p.set(z)
  let rz = inner(r, z)
  const enough = limits.tolerance * limits.tolerance * Math.max(scale, Number.MIN_VALUE)
  while (rz > enough && result.iterations < limits.iterations) {
    product(p, q)
    if (project) project(q)
    const curvature = inner(p, q)
    if (!(curvature > 0)) {
      result.negative = true
      break
    }
    const alpha = rz / curvature
    for (let i = 0; i < size; i++) {
      x[i]! += alpha * p[i]!
      r[i]! -= alpha * q[i]!
    }
    preconditioner.apply(r, z)
    if (project) project(z)
    const next = inner(r, z)
    const beta = next / rz
    rz = next
    for (let i = 0; i < size; i++) p[i] = z[i]! + beta * p[i]!
    result.iterations++
  }
  result.residual = scale > 0 ? Math.sqrt(Math.max(rz, 0) / scale) : 0
}

function inner(x: Float64Array, y: Float64Array): number {
  let s0 = 0
  let s1 = 0
  let i = 0
  for (; i + 1 < x.length; i += 2) {
    s0 += x[i]! * y[i]!
    s1 += x[i + 1]! * y[i + 1]!
  }
  if (i < x.length) s0 += x[i]! * y[i]!
  return s0 + s1
}
