import { addScaled, normalize, perpendicular } from '../../core/math/vector'
import type { JointOf } from '../../core/scene'
import { carryDirection } from './carrier'
import type { JointDescription } from './description'
import { onArc } from './pen'

export const hinge: JointDescription<JointOf<'hinge'>> = {
  label: 'Hinge',
  help: 'Turns about one axis, like a door.',
  axis: 'Axis',
  make: (joined, axis) => ({ ...joined, type: 'hinge', axis }),
  /** Draws the axis, the allowed range (on B), and the hand that turns with A. */
  draw(joint, { a, b, anchor, size }, pen) {
    const initial = normalize(joint.axis)
    const axis = carryDirection(b, initial)
    const zero = perpendicular(initial)
    const onB = carryDirection(b, zero)
    const radius = size * 0.6
    pen.axis(anchor, axis, size)
    const { lower, upper } = joint.limits ?? {}
    if (lower === undefined && upper === undefined) {
      pen.circle(anchor, axis, radius, pen.muted)
    } else {
      const from = lower ?? -Math.PI
      const to = upper ?? Math.PI
      pen.arc(anchor, axis, onB, radius, from, to)
      for (const [end, given] of [[from, lower], [to, upper]] as const) {
        if (given !== undefined) pen.line(anchor, onArc(anchor, axis, onB, radius * 1.12, end), pen.limit, 1.6)
      }
    }
    pen.line(anchor, addScaled(anchor, carryDirection(a, zero), radius))
  },
}
