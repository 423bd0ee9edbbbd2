import type { JointOf } from '../../core/scene'
import { carryDirection } from './carrier'
import type { JointDescription } from './description'

export const ball: JointDescription<JointOf<'ball'>> = {
  label: 'Ball joint',
  help: 'Turns freely about one point.',
  axis: '',
  make: joined => ({ ...joined, type: 'ball' }),
  draw(_, { main, anchor, size }, pen) {
    for (const axis of [[1, 0, 0], [0, 1, 0], [0, 0, 1]] as const) pen.circle(anchor, carryDirection(main, axis), size * 0.28)
  },
}
