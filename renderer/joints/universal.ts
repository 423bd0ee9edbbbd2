import { normalize } from '../../core/math/vector'
import type { JointOf } from '../../core/scene'
import { carryDirection } from './carrier'
import type { JointDescription } from './description'
import { perpendicularTo } from './directions'

export const universal: JointDescription<JointOf<'universal'>> = {
  label: 'Universal joint',
  help: 'Turns about two axes that stay perpendicular.',
  axis: 'Axis on A',
  make: (joined, axis) => ({ ...joined, type: 'universal', axisA: axis, axisB: perpendicularTo(axis) }),
  draw({ axisA, axisB }, { a, b, anchor, size }, pen) {
    for (const axis of [carryDirection(a, normalize(axisA)), carryDirection(b, normalize(axisB))]) {
      pen.axis(anchor, axis, size)
      pen.circle(anchor, axis, size * 0.35)
    }
  },
}
