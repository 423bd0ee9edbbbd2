/** Integrators by the name that a scene gives them. */

import type { Integrator } from '../integrator'
import { dormandPrince } from './dormand-prince'
import { explicitEuler } from './explicit-euler'
import { midpoint } from './midpoint'
import { rk4 } from './rk4'

export { dormandPrince } from './dormand-prince'
export { explicitEuler } from './explicit-euler'
export { initialStep } from './initial-step'
export { midpoint } from './midpoint'
export { rk4 } from './rk4'

export const INTEGRATOR_NAMES = ['dormand-prince', 'rk4', 'midpoint', 'euler'] as const
export type IntegratorName = (typeof INTEGRATOR_NAMES)[number]

/** @param tolerance relative; used by adaptive integrators only */
export function integratorByName(name: IntegratorName, tolerance: number): Integrator {
  switch (name) {
    case 'dormand-prince': return dormandPrince(tolerance)
    case 'rk4': return rk4()
    case 'midpoint': return midpoint()
    case 'euler': return explicitEuler()
  }
}
