/** A curve S(u) by formulas, with its first three derivatives. Beyond its range it continues by its formulas. */

import { FormulaDerivatives } from '../../expression'
import { rotate, type Quat } from '../../math/quaternion'
import { add, type Vec3 } from '../../math/vector'

export interface CurveFormulas {
  /** m, in u. */
  readonly x: string
  readonly y: string
  readonly z: string
  readonly u: readonly [number, number]
  /** Directions of the x, y and z axes in the frame in which the curve is given. */
  readonly center: Vec3
  readonly orientation: Quat
}

export interface FormulaCurvePoint {
  readonly position: Vec3
  readonly first: Vec3
  readonly second: Vec3
  readonly third: Vec3
}

export interface FormulaCurve {
  at(u: number): FormulaCurvePoint
  readonly pieces: readonly number[]
  readonly stretch: number
}

/** Pieces of the range: the search for the closest point starts from each, and each has its own quadrature for the length. */
const PIECES = 64

/** @throws MeasureError if a formula cannot be parsed */
export function formulaCurve({ x, y, z, u: [from, to], center, orientation }: CurveFormulas): FormulaCurve {
  const courses = [new FormulaDerivatives(x, 'u'), new FormulaDerivatives(y, 'u'), new FormulaDerivatives(z, 'u')] as const
  const stretch = (to - from) / PIECES
  return {
    pieces: Array.from({ length: PIECES + 1 }, (_, i) => from + i * stretch),
    stretch,
    at(u) {
      const [a, b, c] = [courses[0].at(u), courses[1].at(u), courses[2].at(u)]
      const derivative = (k: number): Vec3 => rotate(orientation, [a[k]!, b[k]!, c[k]!])
      return { position: add(center, derivative(0)), first: derivative(1), second: derivative(2), third: derivative(3) }
    },
  }
}
