/** From the scene's shapes to solids, and from a body's shapes and override to its mass properties [scene-format: mass]. */

import { combineMass, type BodyMass, type SolidPart } from '../geometry/mass'
import { createPrimitives, SHAPE_TYPES, type ShapeSpec } from '../geometry/primitives'
import type { Primitive } from '../geometry/shape'
import { scaleMatrix, symmetric } from '../math/matrix'
import type { ResolvedBody, ResolvedScene, ResolvedShape } from '../scene'

/** Whether this version knows the shape as a solid. */
export function isKnownShape(shape: ResolvedShape): boolean {
  return (SHAPE_TYPES as readonly string[]).includes(shape.type)
}

/** The convex solids of a shape, in the shape's own axes. @throws ShapeError */
export function solidsOf(shape: ResolvedShape): readonly Primitive[] {
  return createPrimitives(shape as unknown as ShapeSpec)
}

/** Every solid of a body with its pose in the body frame and its density. @throws ShapeError */
export function partsOf(body: ResolvedBody, scene: ResolvedScene): SolidPart[] {
  return body.shapes.flatMap(shape => {
    const { density } = scene.materials.find(material => material.id === shape.material)!
    return solidsOf(shape).map(primitive => ({ primitive, pose: { position: shape.position, orientation: shape.orientation }, density }))
  })
}

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
