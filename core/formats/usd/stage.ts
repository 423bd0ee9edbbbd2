/** The prims of a stage in world coordinates: metres, z up, with each one's transform and bindings. */

import type { Mat3 } from '../../math/matrix'
import { composeAffine, scaling, splitAffine, type Affine, type Split } from '../shared/affine'
import { apiSchemas, booleanOf, type UsdLayer, type UsdPrim } from './layer'
import { localTransform } from './transform'

export interface PlacedPrim {
  readonly prim: UsdPrim
  readonly parent: PlacedPrim | null
  /** Transform to the world of the scene, m. */
  readonly world: Affine
  /** The same as pose and scale; the scale includes metres per unit. */
  readonly split: Split
  readonly schemas: readonly string[]
}

export interface StageUnits {
  /** m a unit of length, kg a unit of mass. */
  readonly length: number
  readonly mass: number
  readonly up: 'Y' | 'Z'
}

/** From y up to z up: x stays. */
const Y_UP: Mat3 = [1, 0, 0, 0, 0, -1, 0, 1, 0]

/** All descendants, parents first. */
export function placePrims(stage: UsdLayer, units: StageUnits): PlacedPrim[] {
  const scale = scaling([units.length, units.length, units.length])
  const root: Affine = units.up === 'Z' ? scale : composeAffine({ m: Y_UP, t: [0, 0, 0] }, scale)
  const placed: PlacedPrim[] = []
  const add = (prim: UsdPrim, parent: PlacedPrim | null): void => {
    const { affine, resets } = localTransform(prim)
    const world = composeAffine(resets || parent === null ? root : parent.world, affine)
    const one: PlacedPrim = { prim, parent, world, split: splitAffine(world), schemas: apiSchemas(prim) }
    placed.push(one)
    for (const child of prim.children) add(child, one)
  }
  for (const prim of stage.prims) add(prim, null)
  return placed
}

/** Old files use other schema names. */
export function hasSchema(placed: PlacedPrim, name: string): boolean {
  return placed.schemas.includes(name)
}

/** The nearest rigid body among the prim and its ancestors, dynamic or not; null if there is none. */
export function bodyOf(placed: PlacedPrim): PlacedPrim | null {
  for (let at: PlacedPrim | null = placed; at !== null; at = at.parent) {
    if (hasSchema(at, 'PhysicsRigidBodyAPI')) return at
  }
  return null
}

export function isEnabledBody(placed: PlacedPrim): boolean {
  return booleanOf(placed.prim, 'physics:rigidBodyEnabled', true)
}
