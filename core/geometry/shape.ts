/**
 * Properties of a shape in its own frame.
 *
 * A new shape is one file with a `Primitive` and one line in `primitives.ts`; each of its pairs with other shapes is one
 * file in `core/collision`.
 */

import type { Mat3 } from '../math/matrix'
import type { Vec3 } from '../math/vector'

export const PRIMITIVE_KINDS = ['polyhedron', 'halfSpace', 'sphere', 'ellipsoid', 'superquadric', 'formula', 'capsule', 'cylinder', 'cone'] as const
/** Kinds distinguished by contact: boxes, hulls, polyhedra and the pieces of meshes are all polyhedra. */
export type PrimitiveKind = (typeof PRIMITIVE_KINDS)[number]

/** An axis-aligned box, m. */
export interface Bounds {
  readonly min: Vec3
  readonly max: Vec3
}

/** Mass properties of a solid of density 1 kg/m³. */
export interface MassProperties {
  /** m³ */
  readonly volume: number
  /** Centre of mass, m. */
  readonly centroid: Vec3
  /** About the centroid, along the frame's axes, kg m² at 1 kg/m³ (that is, m⁵). */
  readonly inertia: Mat3
}

/** A convex solid in its own frame. Immutable. */
export interface Primitive {
  readonly kind: PrimitiveKind
  /** Smallest axis-aligned box; infinite for a half-space. */
  readonly bounds: Bounds
  /** Largest distance of a point from the frame's origin, m; infinite for a half-space. */
  readonly radius: number
  /**
   * The solid is a ball swept over a core. This is the largest distance of the core's points from the origin, m, at most
   * `radius`. A rotation moves the core's points but not the ball, so it bounds how soon a rotating solid can touch: 0 for
   * a sphere.
   */
  readonly coreRadius: number
  /** `null` if the solid is infinite: such a body can only be fixed. */
  readonly massProperties: MassProperties | null
  /** A point of the solid farthest along `direction`, which is nonzero but need not be a unit vector. Not finite if unbounded. */
  support(direction: Vec3): Vec3
}

export type ShapeFault =
  | 'notFinite' | 'outOfRange' | 'tooFewPoints' | 'tooManyPoints' | 'tooManyFaces' | 'duplicatePoint' | 'coplanarPoints' | 'zeroVolume'
  | 'indexOutOfRange' | 'degenerateFace' | 'nonPlanarFace' | 'openSurface' | 'nonManifold' | 'inwardFaces' | 'nonConvex' | 'needsPieces' | 'invalidFormula' | 'offPlane'

/**
 * A shape that cannot be built. The message names its type and the fault; `indices` are the affected points or faces,
 * `field` is the faulty field.
 */
export class ShapeError extends Error {
  override readonly name = 'ShapeError'

  constructor(
    readonly shape: string,
    readonly fault: ShapeFault,
    message: string,
    readonly indices: readonly number[] = [],
    readonly field: string | null = null,
  ) {
    super(`${shape}: ${message}`)
  }
}

/** Throws `ShapeError` unless `value` is finite and greater than zero. */
export function requirePositive(shape: string, name: string, value: number): void {
  if (!Number.isFinite(value) || value <= 0) {
    throw new ShapeError(shape, Number.isFinite(value) ? 'outOfRange' : 'notFinite', `${name} is ${value}; it has to be a finite number greater than 0`)
  }
}
