/** Solids whose surfaces are given by formulas. */

import { FormulaSurface } from './formula-surface'
import { ImplicitChart } from './implicit-chart'
import { ParametricChart, type ParametricFormulas } from './parametric-chart'

export type { ParametricFormulas }

/** Building and checking a surface takes a tenth of a second, and edits that move bodies do not change it. */
const REMEMBERED = 32
const known = new Map<string, FormulaSurface>()

/** @throws ShapeError */
export function implicitSurface(formula: string): FormulaSurface {
  return remembered(`implicit ${formula}`, () => new FormulaSurface('implicit', new ImplicitChart(formula)))
}

/** @throws ShapeError */
export function parametricSurface({ x, y, z, u, v }: ParametricFormulas): FormulaSurface {
  return remembered(JSON.stringify([x, y, z, u, v]), () => new FormulaSurface('parametric', new ParametricChart({ x, y, z, u, v })))
}

function remembered(key: string, make: () => FormulaSurface): FormulaSurface {
  const surface = known.get(key) ?? make()
  known.delete(key)
  known.set(key, surface)
  if (known.size > REMEMBERED) known.delete(known.keys().next().value!)
  return surface
}
