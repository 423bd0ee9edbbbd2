import type { BlockMatrix } from './block-matrix'
import type { Preconditioner } from './conjugate-gradients'
import { invertBlock } from './small'

export interface BlockJacobi extends Preconditioner {
  /** Inverts the diagonal blocks of `A`. @returns whether all are positive definite */
  factor(A: BlockMatrix): boolean
}

/** The inverse of each diagonal block as preconditioner, for matrices of n block rows. */
export function blockJacobi(n: number): BlockJacobi {
  const inverses = new Float64Array(9 * n)
  return {
    factor({ starts, values }) {
      for (let i = 0; i < n; i++) if (!invertBlock(values, 9 * (starts[i + 1]! - 1), inverses, 9 * i)) return false
      return true
    },
    apply(x, y) {
      for (let i = 0; i < n; i++) {
        const a = 3 * i
        const v = 9 * i
        const x0 = x[a]!
        const x1 = x[a + 1]!
        const x2 = x[a + 2]!
        y[a] = inverses[v]! * x0 + inverses[v + 1]! * x1 + inverses[v + 2]! * x2
        y[a + 1] = inverses[v + 3]! * x0 + inverses[v + 4]! * x1 + inverses[v + 5]! * x2
        y[a + 2] = inverses[v + 6]! * x0 + inverses[v + 7]! * x1 + inverses[v + 8]! * x2
      }
    },
  }
}
