/** Mass properties of a body as the document stands, for the inspector and the viewport's ellipsoids. */

import { massesOf } from '../../core/analysis/solids'
import { combineMass } from '../../core/geometry/mass'
import { SHAPE_TYPES } from '../../core/geometry/primitives'
import { ShapeError } from '../../core/geometry/shape'
import type { Mat3 } from '../../core/math/matrix'
import type { Vec3 } from '../../core/math/vector'
import type { Body, Scene } from '../../core/scene'
import { bodiesOf, materialsOf, poseOf, shapesOf, typeOf } from './scene-access'
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

const centers = new WeakMap<Scene, Float64Array>()

/** Centre of mass of every body in its own frame, 3 doubles a body, m; zero for bodies without one. */
export function massCenters(scene: Scene): Float64Array {
  let known = centers.get(scene)
  if (!known) {
    known = Float64Array.from(bodiesOf(scene).flatMap(body => [...massOf(body, scene).properties?.centerOfMass ?? [0, 0, 0]]))
    centers.set(scene, known)
  }
  return known
}

export function massOf(body: Body, scene: Scene): BodyMassResult {
  if (typeOf(body) === 'fixed') return { properties: null, reason: 'A fixed body has no mass: it does not move.' }
  const fromShapes = massOfShapes(body, scene)
  if (typeof fromShapes === 'string' && !(body.mass?.mass && body.mass.inertia)) return { properties: null, reason: fromShapes }
  const base = typeof fromShapes === 'string' ? { mass: 0, centerOfMass: [0, 0, 0] as const, inertia: [0, 0, 0, 0, 0, 0, 0, 0, 0] as Mat3 } : fromShapes
  const mass = body.mass?.mass ?? base.mass
  const centerOfMass = body.mass?.centerOfMass ?? base.centerOfMass
  const scaled = base.inertia.map(x => base.mass > 0 ? x * mass / base.mass : x) as unknown as Mat3
  const inertia = body.mass?.inertia ? matrixOf(body.mass.inertia) : scaled
  const principal = principalMoments(inertia)
  return { properties: { mass, centerOfMass, inertia, principal }, warning: warningOf(mass, principal) }
}

function massOfShapes(body: Body, scene: Scene) {
  const parts = []
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
  return combineMass(parts)
}

const matrixOf = ([xx, yy, zz, xy, xz, yz]: readonly [number, number, number, number, number, number]): Mat3 =>
  [xx, xy, xz, xy, yy, yz, xz, yz, zz]

function warningOf(mass: number, [a, b, c]: Vec3): string {
  if (!(mass > 0)) return 'The mass must be above zero.'
  if (!(a > 0)) return 'The inertia is not positive definite.'
  if (a + b < c * (1 - 1e-9)) return 'No solid has this inertia: of the principal moments, A + B ≥ C must hold.'
  return ''
}
