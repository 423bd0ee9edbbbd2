/** Mass properties of all bodies of a scene in columns, as used by the solver; required to interpret recorded frames. */

import { inverse } from '../math/matrix'
import type { ResolvedScene } from '../scene'
import { bodyMass, partsOf } from './solids'

export interface BodyMasses {
  /** 1/kg, by body; 0 unless dynamic. */
  readonly inverseMass: Float64Array
  /** m, 3 per body, in the body frame: the centre of mass of dynamic bodies, and the origin of others, at which frames give their velocity. */
  readonly centers: Float64Array
  /** 1/(kg m²), 9 per body, row-major, body axes; zero unless dynamic. */
  readonly inverseInertia: Float64Array
}

/** @throws ShapeError */
export function bodyMasses(scene: ResolvedScene): BodyMasses {
  const n = scene.bodies.length
  const masses = { inverseMass: new Float64Array(n), centers: new Float64Array(3 * n), inverseInertia: new Float64Array(9 * n) }
  scene.bodies.forEach((body, i) => {
    if (body.type !== 'dynamic') return
    const { mass, centerOfMass, inertia } = bodyMass(body, partsOf(body, scene))
    masses.inverseMass[i] = 1 / mass
    masses.centers.set(centerOfMass, 3 * i)
    masses.inverseInertia.set(inverse(inertia), 9 * i)
  })
  return masses
}
