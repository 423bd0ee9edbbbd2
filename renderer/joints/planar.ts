import { addScaled, cross, normalize, perpendicular, type Vec3 } from '../../core/math/vector'
import type { JointOf } from '../../core/scene'
import { carryDirection } from './carrier'
import type { JointDescription } from './description'

export const planar: JointDescription<JointOf<'planar'>> = {
  label: 'Planar joint',
  help: 'Moves in a plane and turns about its normal.',
  axis: 'Normal',
  make: (joined, axis) => ({ ...joined, type: 'planar', normal: axis }),
  draw(joint, { b, anchor, size }, pen) {
    const normal = carryDirection(b, normalize(joint.normal))
    const u = perpendicular(normal)
    const v = cross(normal, u)
    const corner = (i: number, j: number): Vec3 => addScaled(addScaled(anchor, u, i * size * 0.7), v, j * size * 0.7)
    pen.polyline([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)])
    pen.line(anchor, addScaled(anchor, normal, size * 0.5))
  },
}
