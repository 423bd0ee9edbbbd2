/**
 * The building block of all energies, behaviours and constraints: functions C of the positions of a few particles that vanish in the desired state.
 *
 * The same C gives an energy ½ k C·C with damping [PBM01-C eq. 2] (`energy.ts`) or, by multipliers, a constraint [PBM01-F eq. 11] (`constraints`). A
 * set of conditions of one kind is plain data in closures; its elements are numbered.
 */

import type { Stencils } from '../sparse'

export interface StageSums {
  /** N */
  largest: number
  /** J */
  potential: number
}

/** The elements of one energy in an implicit stage of length a. */
export interface StageElements {
  /**
   * Adds −(k C + d (C − C*) / a) ∂C/∂x at x to `f`, N, and its potential and magnitude to `sums`.
   *
   * @param before C* of all elements
   */
  addForces(x: Float64Array, before: Float64Array, a: number, f: Float64Array, sums: StageSums): void
  /**
   * Adds Σ (k + d/a) ∇C ∇Cᵀ + w ∇²C to the entries of a block matrix.
   *
   * @param semidefinite whether to make each element's part positive semidefinite, as `stageHessian` does
   */
  addMatrix(x: Float64Array, before: Float64Array, a: number, semidefinite: boolean, values: Float64Array): void
}

/** @param slots positions of the elements' blocks in the matrix [elementSlots]. @returns null if the formulas do not cover these stiffnesses */
export type StageFormulas = (stiffness: Float64Array, damping: Float64Array, slots: Int32Array) => StageElements | null

export interface Condition extends Stencils {
  /** Name of the kind, for energies by kind and in errors. */
  readonly kind: string
  /** Elements. */
  readonly count: number
  /** Components of C of one element. */
  readonly rows: number
  /** The first `convexRows` components have a positive semidefinite ∇²C everywhere. */
  readonly convexRows: number
  /**
   * C of element `e` (rows numbers) and, in `J`, ∂C/∂x: rows × 3·arity, row-major.
   *
   * @param x positions of all particles, m
   */
  evaluate(e: number, x: Float64Array, C: Float64Array, J: Float64Array): void
  /** C alone, if that is much cheaper. */
  readonly values?: (e: number, x: Float64Array, C: Float64Array) => void
  /** Adds Σ w_r ∇²C_r to `H`, 3·arity × 3·arity, row-major and symmetric. Null if C is linear. */
  readonly curvature: ((e: number, x: Float64Array, w: Float64Array, H: Float64Array) => void) | null
  /** Removes from the multipliers w of element e, at index `at`, the part that exerts no force; absent if its rows are independent. */
  readonly reduce?: (e: number, x: Float64Array, w: Float64Array, at: number) => void
  /** By element: state of a search that later evaluations start from. */
  readonly parameters?: Float64Array
  /** Formulas of all elements at once in an implicit stage. */
  readonly stage?: StageFormulas
}

/** Invalid data of a deformable. */
export class DeformableError extends Error {
  override readonly name = 'DeformableError'
  constructor(
    /** Path of the datum: 'vertices[3]', 'stiffness[0]' … */
    readonly path: string,
    readonly value: number,
    /** What is allowed. */
    readonly allowed: string,
  ) {
    super(`${path} is ${value}; allowed: ${allowed}.`)
  }
}

/** Throws if an element refers to a particle that does not exist, or to the same one twice. */
export function checkVertices({ arity, vertices }: Stencils, particles: number): void {
  for (let k = 0; k < vertices.length; k++) {
    const v = vertices[k]!
    if (!(v >= 0 && v < particles)) throw new DeformableError(`vertices[${k}]`, v, `0 to ${particles - 1}`)
    for (let other = k - (k % arity); other < k; other++) {
      if (vertices[other] === v) throw new DeformableError(`vertices[${k}]`, v, 'each particle once in an element')
    }
  }
}
