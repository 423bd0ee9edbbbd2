import { scale, type Vec3 } from '../../core/math/vector'
import type { ShapeOf } from '../../core/scene'
import { CUBE_FACES, CUBE_VERTICES, polyhedronMesh } from '../viewport/geometry/faceted'
import { replaced } from '../viewport/gizmos/snapping'
import type { ShapeDescription } from './description'
import { flat } from './drawing'

export const box: ShapeDescription<ShapeOf<'box'>> = {
  label: 'Box',
  stem: 'box',
  planar: true,
  initial: material => ({ type: 'box', size: [0.5, 0.5, 0.5], material }),
  restingHeight: ({ size }) => size[2] / 2,
  drawing: ({ size }) => flat('box', size, () => polyhedronMesh(CUBE_VERTICES, CUBE_FACES)),
  sizes: shape => ([0, 1, 2] as const).flatMap(k => [1, -1].map(sign => {
    const side: Vec3 = [k === 0 ? sign : 0, k === 1 ? sign : 0, k === 2 ? sign : 0]
    return {
      at: scale(side, shape.size[k] / 2), direction: side, axis: k, label: `size ${'xyz'[k]}`, unit: 'm', value: shape.size[k], rate: 1, oneSided: true,
      resized: value => ({ ...shape, size: replaced(shape.size, k, value) }),
    }
  })),
}
