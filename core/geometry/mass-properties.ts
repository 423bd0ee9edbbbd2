/** Conversions between second moments and inertia tensors. */

import { addMatrices, diagonal, multiply, outer, scaleMatrix, transpose, type Mat3 } from '../math/matrix'
import { dot, type Vec3 } from '../math/vector'

/** Inertia `tr(C) 1 − C` of second moments `C = ∫ x xᵀ`. */
export function inertiaOfMoments(moments: Mat3): Mat3 {
  const trace = moments[0] + moments[4] + moments[8]
  return addMatrices(diagonal(trace, trace, trace), scaleMatrix(moments, -1))
}

/** `mass (|d|² 1 − d dᵀ)`: the increase of an inertia about the centre of mass when its reference point moves by `d`, kg m². */
export function parallelAxis(mass: number, d: Vec3): Mat3 {
  const square = dot(d, d)
  return scaleMatrix(addMatrices(diagonal(square, square, square), scaleMatrix(outer(d, d), -1)), mass)
}

/** `R I Rᵀ`: an inertia given along the axes of an inner frame, along those of the outer frame. */
export function turnInertia(rotation: Mat3, inertia: Mat3): Mat3 {
  return multiply(multiply(rotation, inertia), transpose(rotation))
}
