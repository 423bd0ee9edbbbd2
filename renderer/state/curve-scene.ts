/** Formulas of plots: the quantities that a run provides for them, and errors while typing. */

import { curveOf, type CurveScene } from '../../core/analysis/curve'
import { MeasureError } from '../../core/expression'
import type { Scene } from '../../core/scene'
import type { TrajectoryHeader } from '../../core/trajectory/frame'
import { jointsOf } from './scene-access'

export function curveScene({ bodyIds, jointIds, sensorIds, sensorTypes }: TrajectoryHeader, scene: Scene): CurveScene {
  const types = new Map(jointsOf(scene).map(joint => [joint.id, joint.type] as const))
  return { bodyIds, jointIds, sensorIds, sensorTypes, jointTypes: jointIds.map(id => types.get(id) ?? '') }
}

export interface FormulaFault { readonly message: string; readonly at: number; readonly allowed: string | null }

type ReadFormula = { readonly unit: string; readonly fault: null } | { readonly unit: null; readonly fault: FormulaFault }

export function readFormula(text: string, scene: CurveScene): ReadFormula {
  try {
    return { unit: curveOf(text, scene).unit, fault: null }
  } catch (error) {
    if (!(error instanceof MeasureError)) throw error
    return { unit: null, fault: { message: error.message, at: error.at, allowed: error.allowed ?? null } }
  }
}

/** Quantities of this scene as written in formulas, for completion; at most a few hundred. */
export function formulaNames({ bodyIds, jointIds, sensorIds }: CurveScene): readonly string[] {
  const of = (what: string, id: string, quantity: string) => `${what}${/^[A-Za-z_$][A-Za-z0-9_$-]*$/.test(id) ? `.${id}` : `["${id}"]`}.${quantity}`
  return [
    'time', 'energy.kinetic', 'energy.potential', 'energy.total', 'momentum.linear', 'momentum.angular', 'contacts.normalForce',
    ...bodyIds.slice(0, 60).flatMap(id => ['position', 'linearVelocity', 'angularVelocity', 'speed'].map(quantity => of('bodies', id, quantity))),
    ...jointIds.slice(0, 40).flatMap(id => ['position', 'velocity', 'force', 'torque', 'motorForce'].map(quantity => of('joints', id, quantity))),
    ...sensorIds.slice(0, 20).map(id => of('sensors', id, '')),
  ]
}
