import type { ShapeOf } from '../../core/scene'
import { superquadricMesh } from '../viewport/geometry/round'
import type { ShapeDescription } from './description'
import { round } from './drawing'
import { radii } from './sizes'

export const superquadric: ShapeDescription<ShapeOf<'superquadric'>> = {
  label: 'Superquadric',
  stem: 'superquadric',
  planar: false,
  initial: material => ({ type: 'superquadric', radii: [0.3, 0.3, 0.3], exponents: [0.4, 0.4], material }),
  restingHeight: ({ radii: [, , height] }) => height,
  drawing: ({ exponents, radii: of }) => round(`superquadric:${exponents.join(':')}`, of, detail => superquadricMesh(exponents, detail)),
  sizes: shape => radii(shape.radii, of => ({ ...shape, radii: of })),
}
