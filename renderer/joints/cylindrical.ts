import { addScaled, normalize } from '../../core/math/vector'
import type { JointOf } from '../../core/scene'
import { carryDirection } from './carrier'
import type { JointDescription } from './description'

export const cylindrical: JointDescription<JointOf<'cylindrical'>> = {
  label: 'Cylindrical joint',
  help: 'Turns about an axis and slides along it.',
  axis: 'Axis',
  make: (joined, axis) => ({ ...joined, type: 'cylindrical', axis }),
  draw(joint, { b, anchor, size }, pen) {
    const axis = carryDirection(b, normalize(joint.axis))
    pen.axis(anchor, axis, size * 1.4)
    for (const along of [0, size * 0.5]) pen.circle(addScaled(anchor, axis, along), axis, size * 0.4)
  },
}
