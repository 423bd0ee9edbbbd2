import { addScaled, length, scale } from '../../core/math/vector'
import type { ShapeOf } from '../../core/scene'
import { tidy } from '../viewport/gizmos/snapping'
import type { ShapeDescription } from './description'

export const halfSpace: ShapeDescription<ShapeOf<'halfSpace'>> = {
  label: 'Ground (half-space)',
  stem: 'ground',
  planar: true,
  initial: material => ({ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material }),
  restingHeight: () => 0,
  drawing: () => null,
  sizes: shape => {
    const l = length(shape.normal) || 1
    const foot = scale(shape.normal, shape.offset / (l * l))
    return [{
      at: addScaled(foot, shape.normal, 1e-9 / l), direction: shape.normal, axis: 2, label: 'offset', unit: 'm', value: shape.offset / l, rate: 1, oneSided: false,
      resized: value => ({ ...shape, offset: tidy(value * l) }),
    }]
  },
}
