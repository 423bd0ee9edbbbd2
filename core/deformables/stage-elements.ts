/**
 * Elements of an implicit stage. The elements of any condition can give their forces and matrices one by one. Conditions with tens of thousands of
 * elements have specialised formulas, which tests compare with the general ones.
 */

import { addElement } from '../sparse'
import type { StageElements } from './condition'
import { addStageForces, elementWorkspace, stageHessian, type Energy } from './energy'

/** @param slots of the condition's stencils in the matrix's pattern */
export function stageElements(energy: Energy, slots: Int32Array): StageElements {
  return energy.condition.stage?.(energy.stiffness, energy.damping, slots) ?? oneByOne(energy, slots)
}

export function oneByOne(energy: Energy, slots: Int32Array): StageElements {
  const { condition, condition: { count, arity } } = energy
  const pairs = (arity * (arity + 1)) / 2
  const workspace = elementWorkspace([condition])
  return {
    addForces: (x, before, a, f, sums) => { addStageForces(energy, x, before, a, f, workspace, sums) },
    addMatrix(x, before, a, semidefinite, values) {
      for (let e = 0; e < count; e++) {
        stageHessian(energy, e, x, before, a, semidefinite, workspace)
        addElement(values, slots, e * pairs, arity, workspace.H)
      }
    },
  }
}
