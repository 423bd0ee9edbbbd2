import type { ShapeOf } from '../../core/scene'
import { sphereMesh } from '../viewport/geometry/round'
import type { ShapeDescription } from './description'
import { all, round } from './drawing'
import { radial, radii } from './sizes'

export const sphere: ShapeDescription<ShapeOf<'sphere'>> = {
  label: 'Sphere',
  stem: 'sphere',
  planar: true,
  initial: material => ({ type: 'sphere', radius: 0.25, material }),
  restingHeight: ({ radius }) => radius,
  drawing: ({ radius }) => round('sphere', all(radius), sphereMesh),
  sizes: shape => [radial(shape.radius, radius => ({ ...shape, radius }))],
}

export const ellipsoid: ShapeDescription<ShapeOf<'ellipsoid'>> = {
  label: 'Ellipsoid',
  stem: 'ellipsoid',
  planar: false,
  initial: material => ({ type: 'ellipsoid', radii: [0.35, 0.25, 0.2], material }),
  restingHeight: ({ radii: [, , height] }) => height,
  drawing: shape => round('sphere', shape.radii, sphereMesh),
  sizes: shape => radii(shape.radii, of => ({ ...shape, radii: of })),
}
