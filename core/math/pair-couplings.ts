/** Interactions of pairs of particles that change with their positions, with a potential. */
export interface PairCouplings {
  /** Adds its forces at x to `f`, N. @returns its potential, J */
  addForces(x: Float64Array, f: Float64Array): number
  /**
   * Passes the blocks of its Hessian at x to `add`, i ≥ j, row-major; a block that is passed is overwritten by the next.
   *
   * @param semidefinite whether to make each pair's part positive semidefinite
   */
  addBlocks(x: Float64Array, semidefinite: boolean, add: (i: number, j: number, block: Float64Array) => void): void
}
