/** Mass properties of a body in the document, for the inspector and the viewport's ellipsoids. */

import { bodyMass, massesOf } from '../../core/analysis/solids'
import type { SolidPart } from '../../core/geometry/mass'
import { SHAPE_TYPES } from '../../core/geometry/primitives'
import { ShapeError } from '../../core/geometry/shape'
import type { Mat3 } from '../../core/math/matrix'
import type { Vec3 } from '../../core/math/vector'
import type { Body, Scene } from '../../core/scene'
import { materialsOf, poseOf, shapesOf, typeOf } from './scene-access'
import { principalMoments } from './principal-moments'

export interface MassSummary {
  readonly mass: number
  readonly centerOfMass: Vec3
  /** About the centre of mass, body axes, kg m². */
  readonly inertia: Mat3
  /** Ascending, kg m². */
  readonly principal: Vec3
}

export type BodyMassResult =
  | { readonly properties: MassSummary; readonly warning: string; readonly reason?: undefined }
  | { readonly properties: null; readonly reason: string; readonly warning?: undefined }

export function massOf(body: Body, scene: Scene): BodyMassResult {
  if (typeOf(body) === 'fixed') return { properties: null, reason: 'A fixed body has no mass: it does not move.' }
  const parts = partsIn(body, scene)
  const given = body.mass?.mass !== undefined && body.mass.inertia !== undefined
  if (typeof parts === 'string' && !given) return { properties: null, reason: parts }
  const properties = bodyMass(body, typeof parts === 'string' ? [] : parts)
  const principal = principalMoments(properties.inertia)
  return { properties: { ...properties, principal }, warning: warningOf(properties.mass, principal) }
}

/** As `partsOf`, but for documents with errors: returns the error message. */
function partsIn(body: Body, scene: Scene): SolidPart[] | string {
  const parts: SolidPart[] = []
  for (const shape of shapesOf(body)) {
    if (!SHAPE_TYPES.some(type => type === shape.type)) return `Mass properties of a ${shape.type} are computed by a later version.`
    const density = materialsOf(scene).find(material => material.id === shape.material)?.density ?? 1000
    try {
      for (const primitive of massesOf(shape)) parts.push({ primitive, pose: poseOf(shape), density })
    } catch (error) {
      if (error instanceof ShapeError) return error.message
      throw error
    }
  }
  if (parts.length === 0) return 'Without shapes, mass and inertia have to be given.'
  return parts
}

function warningOf(mass: number, [a, b, c]: Vec3): string {
  if (!(mass > 0)) return 'The mass must be above zero.'
  if (!(a > 0)) return 'The inertia is not positive definite.'
  if (a + b < c * (1 - 1e-9)) return 'No solid has this inertia: of the principal moments, A + B ≥ C must hold.'
  return ''
}
