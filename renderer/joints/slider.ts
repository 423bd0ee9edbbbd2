import { addScaled, cross, dot, normalize, perpendicular, scale, sub } from '../../core/math/vector'
import type { JointOf } from '../../core/scene'
import { carryDirection, carryPoint } from './carrier'
import type { JointDescription } from './description'

export const slider: JointDescription<JointOf<'slider'>> = {
  label: 'Slider',
  help: 'Slides along one axis without turning.',
  axis: 'Axis',
  make: (joined, axis) => ({ ...joined, type: 'slider', axis }),
  /** Draws two rails over the allowed range, with a cross at each end. */
  draw(joint, { a, b, anchor, size }, pen) {
    const axis = carryDirection(b, normalize(joint.axis))
    const zero = carryPoint(b, joint.anchor)
    const { lower, upper } = joint.limits ?? {}
    const present = dot(sub(a.body >= 0 ? anchor : carryPoint(a, joint.anchor), zero), axis)
    const from = addScaled(zero, axis, lower ?? Math.min(-size, present - size))
    const to = addScaled(zero, axis, upper ?? Math.max(size, present + size))
    const side = perpendicular(axis)
    const other = cross(axis, side)
    const mark = size * 0.16
    for (const rail of [side, scale(side, -1)]) pen.line(addScaled(from, rail, mark * 0.5), addScaled(to, rail, mark * 0.5))
    for (const [end, given] of [[from, lower], [to, upper]] as const) {
      if (given === undefined) continue
      for (const d of [side, other]) pen.line(addScaled(end, d, -mark), addScaled(end, d, mark), pen.limit, 2)
    }
  },
}
