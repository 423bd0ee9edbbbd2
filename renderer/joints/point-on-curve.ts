import type { JointOf } from '../../core/scene'
import { carryPoint } from './carrier'
import { curvePoints } from './curve-points'
import { curveThrough } from './curves'
import type { JointDescription } from './description'

export const pointOnCurve: JointDescription<JointOf<'pointOnCurve'>> = {
  label: 'Point on a curve',
  help: 'A point of A slides along a curve of B, like a bead on a wire.',
  axis: 'Direction',
  make: (joined, axis, curve) => ({ ...joined, type: 'pointOnCurve', curve: curveThrough(curve, joined.anchor, axis) }),
  draw: ({ curve }, { b }, pen) => pen.polyline(curvePoints(curve).map(point => carryPoint(b, point))),
}
