import { add, addScaled, scale, sub, type Vec3 } from '../../core/math/vector'
import type { JointOf } from '../../core/scene'
import { carryDirection } from './carrier'
import type { JointDescription } from './description'

export const fixed: JointDescription<JointOf<'fixed'>> = {
  label: 'Fixed joint',
  help: 'Holds the two bodies together.',
  axis: '',
  make: joined => ({ ...joined, type: 'fixed' }),
  /** The edges of a small cube. */
  draw(_, { main, anchor, size }, pen) {
    const half = size * 0.16
    const [x, y, z] = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as const).map(axis => scale(carryDirection(main, axis), half)) as [Vec3, Vec3, Vec3]
    for (const [along, s, t] of [[x, y, z], [y, z, x], [z, x, y]] as const) {
      for (const i of [-1, 1]) {
        for (const j of [-1, 1]) {
          const middle = addScaled(addScaled(anchor, s, i), t, j)
          pen.line(sub(middle, along), add(middle, along))
        }
      }
    }
  },
}
