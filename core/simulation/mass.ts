/** Mass properties of a body of the scene: its override, or its shapes and their densities [scene-format: mass]. */

import { combineMass, type BodyMass, type SolidPart } from '../geometry/mass'
import { scaleMatrix, symmetric } from '../math/matrix'
import type { ResolvedBody } from '../scene'

/** Each key of the override counts alone: mass without inertia scales the shapes' inertia with the mass. */
export function bodyMass(body: ResolvedBody, parts: readonly SolidPart[]): BodyMass {
  const shapes = combineMass(parts)
  const { mass: override } = body
  if (override === undefined) return shapes
  const mass = override.mass ?? shapes.mass
  return {
    mass,
    centerOfMass: override.centerOfMass ?? shapes.centerOfMass,
    inertia: override.inertia ? symmetric(...override.inertia) : scaleMatrix(shapes.inertia, mass / shapes.mass),
  }
}
