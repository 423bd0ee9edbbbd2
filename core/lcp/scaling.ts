/**
 * Equilibration: f = s f̂ and a = â / s turn A into Â = S A S with a diagonal near 1. Forces and accelerations of all rows (translational or rotational,
 * light or heavy) then have one unit, and one tolerance applies to all. The three rows of a frictional contact share the mean of their diagonal elements,
 * which is invariant under rotation of the tangents; so the friction cone keeps its shape. The rows of one spin also share one scale.
 */

import type { ContactProblem, FrictionRows } from './problem'

export interface ScaledProblem {
  readonly size: number
  readonly A: Float64Array
  readonly b: Float64Array
  readonly kind: Uint8Array
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly friction: readonly FrictionRows[]
  readonly level: 'acceleration' | 'velocity'
  /** s of each row: f = s f̂, a = â / s. */
  readonly scale: Float64Array
  /** Contact of each row, as an index into `friction`; −1 for the other rows. */
  readonly contactOf: Int32Array
  readonly interrupt: (() => void) | undefined
}

/** s of each row. A row with a zero diagonal element keeps 1. */
export function rowScales(problem: ContactProblem): Float64Array {
  const { size: n, A, friction } = problem
  const scale = new Float64Array(n)
  for (let i = 0; i < n; i++) scale[i] = A[i * n + i]!
  for (const { normal, tangent1, tangent2 } of friction) {
    const mean = (scale[normal]! + scale[tangent1]! + scale[tangent2]!) / 3
    scale[normal] = mean
    scale[tangent1] = mean
    scale[tangent2] = mean
  }
  for (const { rows } of problem.spin ?? []) {
    const mean = rows.reduce((sum, row) => sum + scale[row]!, 0) / rows.length
    for (const row of rows) scale[row] = mean
  }
  for (let i = 0; i < n; i++) scale[i] = scale[i]! > 0 ? 1 / Math.sqrt(scale[i]!) : 1
  return scale
}

/** The equilibrated problem: Â = S A S, b̂ = S b, and bounds divided by s. */
export function scaleProblem(problem: ContactProblem): ScaledProblem {
  const { size: n, friction } = problem
  const scale = rowScales(problem)
  const A = new Float64Array(n * n)
  const b = new Float64Array(n)
  const lower = new Float64Array(n)
  const upper = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const s = scale[i]!
    for (let j = 0; j < n; j++) A[i * n + j] = problem.A[i * n + j]! * s * scale[j]!
    b[i] = problem.b[i]! * s
    lower[i] = problem.lower[i]! / s
    upper[i] = problem.upper[i]! / s
  }
  return {
    size: n, A, b, kind: problem.kind, lower, upper, friction, level: problem.level, scale, contactOf: contactOfRows(n, friction),
    interrupt: problem.interrupt,
  }
}

/** By row: index of its frictional contact, or −1. @param n number of rows */
export function contactOfRows(n: number, friction: readonly FrictionRows[]): Int32Array {
  const contactOf = new Int32Array(n).fill(-1)
  friction.forEach((contact, c) => {
    contactOf[contact.normal] = c
    contactOf[contact.tangent1] = c
    contactOf[contact.tangent2] = c
  })
  return contactOf
}

/** The coefficient of a sticking contact: μ_s. */
export function stickingFriction(contact: FrictionRows): number {
  return contact.staticFriction
}

/** The coefficient of a slipping contact: μ_d, but μ_s for a static contact at the velocity level, where one coefficient serves both. */
export function slippingFriction(contact: FrictionRows, level: 'acceleration' | 'velocity'): number {
  return contact.state === 'static' && level === 'velocity' ? contact.staticFriction : contact.dynamicFriction
}
