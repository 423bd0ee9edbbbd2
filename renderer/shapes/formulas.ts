/** Surfaces by formulas, which contain their dimensions. */

import { builtSolid } from '../../core/analysis/solids'
import type { Shape, ShapeOf } from '../../core/scene'
import { supportMesh } from '../viewport/geometry/round'
import type { ShapeDescription } from './description'
import { all, placeholderMesh, round, type ShapeDrawing } from './drawing'

export const implicit: ShapeDescription<ShapeOf<'implicit'>> = {
  label: 'Implicit surface',
  stem: 'implicit',
  planar: false,
  initial: material => ({ type: 'implicit', formula: 'x^2 + y^2 - (0.09 - z^2)*(1 - z)^2', material }),
  restingHeight: lowest,
  drawing: shape => bySupport(shape, `implicit|${shape.formula}`),
  sizes: () => [],
}

export const parametric: ShapeDescription<ShapeOf<'parametric'>> = {
  label: 'Parametric surface',
  stem: 'parametric',
  planar: false,
  initial: material => ({
    type: 'parametric', x: '0.3*cos(u)*cos(v)*(1 - 0.3*sin(u))', y: '0.3*cos(u)*sin(v)*(1 - 0.3*sin(u))', z: '0.3*sin(u)', u: [-Math.PI / 2, Math.PI / 2],
    v: [-Math.PI, Math.PI], material,
  }),
  restingHeight: lowest,
  drawing: shape => bySupport(shape, `parametric|${[shape.x, shape.y, shape.z, ...shape.u, ...shape.v].join('|')}`),
  sizes: () => [],
}

function lowest(shape: Shape): number {
  return -(builtSolid(shape)?.support([0, 0, -1])[2] ?? 0)
}

function bySupport(shape: Shape, key: string): ShapeDrawing {
  const solid = builtSolid(shape)
  return round(key, all(1), detail => solid === null ? placeholderMesh() : supportMesh(m => solid.support(m), detail))
}
