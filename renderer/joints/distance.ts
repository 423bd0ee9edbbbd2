import type { JointOf } from '../../core/scene'
import { carryPoint } from './carrier'
import type { JointDescription } from './description'

export const distance: JointDescription<JointOf<'distance'>> = {
  label: 'Distance',
  help: 'A rigid rod between two points.',
  axis: '',
  hasTwoAnchors: true,
  make: (joined, _, __, anchorB) => ({ ...joined, type: 'distance', anchorB }),
  draw({ anchorB }, { b, anchor }, pen) {
    const other = carryPoint(b, anchorB)
    pen.dot(other)
    pen.line(anchor, other, pen.color, pen.width + 1)
  },
}
