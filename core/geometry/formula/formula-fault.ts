/** Reports a formula that cannot be parsed as a fault of its shape. */

import { MeasureError, type Jet } from '../../expression'
import { ShapeError } from '../shape'

/** @param field the shape's field that contains the formula @throws ShapeError */
export function compiled(shape: string, field: string, make: () => Jet): Jet {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof MeasureError)) throw error
    throw new ShapeError(shape, 'invalidFormula',
      `${field}: ${error.message} At character ${error.at + 1} of "${error.text}".${error.allowed === undefined ? '' : ` Allowed: ${error.allowed}.`}`, [], field)
  }
}
