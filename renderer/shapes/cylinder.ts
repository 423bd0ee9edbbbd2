/** Shapes of revolution about their z axis. */

import type { ShapeOf } from '../../core/scene'
import { capsuleMesh, coneMesh, cylinderMesh } from '../viewport/geometry/round'
import type { ShapeDescription } from './description'
import { all, round } from './drawing'
import { ends, radial } from './sizes'

export const cylinder: ShapeDescription<ShapeOf<'cylinder'>> = {
  label: 'Cylinder',
  stem: 'cylinder',
  planar: true,
  initial: material => ({ type: 'cylinder', radius: 0.25, height: 0.5, material }),
  restingHeight: ({ orientation, height, radius }) => orientation === undefined ? height / 2 : radius,
  drawing: ({ radius, height }) => round('cylinder', [radius, radius, height], cylinderMesh),
  sizes: shape => [radial(shape.radius, radius => ({ ...shape, radius })), ...ends(shape.height / 2, shape.height, height => ({ ...shape, height }))],
}

export const capsule: ShapeDescription<ShapeOf<'capsule'>> = {
  label: 'Capsule',
  stem: 'capsule',
  planar: true,
  initial: material => ({ type: 'capsule', radius: 0.15, height: 0.4, material }),
  restingHeight: ({ radius, height }) => radius + height / 2,
  drawing: ({ radius, height }) => {
    const ratio = height / radius
    return round(`capsule:${ratio}`, all(radius), detail => capsuleMesh(ratio, detail))
  },
  sizes: shape => [
    radial(shape.radius, radius => ({ ...shape, radius })), ...ends(shape.height / 2 + shape.radius, shape.height, height => ({ ...shape, height })),
  ],
}

export const cone: ShapeDescription<ShapeOf<'cone'>> = {
  label: 'Cone',
  stem: 'cone',
  planar: false,
  initial: material => ({ type: 'cone', radius: 0.25, height: 0.5, material }),
  restingHeight: () => 0,
  drawing: ({ radius, height }) => round('cone', [radius, radius, height], coneMesh),
  sizes: shape => [
    radial(shape.radius, radius => ({ ...shape, radius })),
    {
      at: [0, 0, shape.height], axis: 2, label: 'height', unit: 'm', value: shape.height, rate: 1, oneSided: false,
      resized: height => ({ ...shape, height }),
    },
  ],
}
