/** Sparse symmetric linear algebra: 3 × 3 block matrices, conjugate gradients with two preconditioners, and the direct L D Lᵀ. */

export { addElement, blockAt, blockMatrix, blockPattern, elementSlots, holdRows, multiply, type BlockMatrix, type BlockPattern, type Stencils } from './block-matrix'
export { blockJacobi, type BlockJacobi } from './block-jacobi'
export { blockLDL, type BlockLDL } from './block-ldl'
export type { FactorArrays } from './factor-memory'
export { conjugateGradients, iterationWorkspace, type Iterated, type IterationLimits, type IterationWorkspace, type Preconditioner } from './conjugate-gradients'
export { incompleteCholesky } from './incomplete-cholesky'
export { sparseLDL, type SparseLDL } from './ldl'
export { graphOf, minimumDegree, type Graph } from './ordering'
