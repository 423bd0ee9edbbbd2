/** Points along the curve of a bead-on-wire joint, for drawing; world frame, at the initial pose. */

import { curveOf } from '../../core/dynamics/joints/curve'
import { MeasureError } from '../../core/expression'
import { IDENTITY_ROTATION } from '../../core/math/quaternion'
import type { Vec3 } from '../../core/math/vector'
import type { Curve } from '../../core/scene'

const TURN = 2 * Math.PI
/** m: drawn length of an infinite line in each direction, and turns of an infinite helix. */
const REACH = 10
const HELIX_TURNS = 6
/** Points per turn, per half spline segment, and per parameter range. */
const PER_TURN = 48
const PER_PIECE = 8
const PER_RANGE = 256

/** Curves of the document are immutable. */
const known = new WeakMap<Curve, Vec3[]>()

/** Empty if the curve is invalid, which the check reports. */
export function curvePoints(curve: Curve): Vec3[] {
  let points = known.get(curve)
  if (points === undefined) known.set(curve, points = computed(curve))
  return points
}

function computed(curve: Curve): Vec3[] {
  try {
    const { at, pieces } = curveOf(complete(curve))
    return parametersOf(curve, pieces).map(u => at(u).position)
  } catch (error) {
    if (error instanceof RangeError || error instanceof MeasureError) return []
    throw error
  }
}

function complete(curve: Curve): Parameters<typeof curveOf>[0] {
  if (curve.type === 'spline') return { ...curve, closed: curve.closed ?? false }
  return curve.type === 'formula' ? { ...curve, orientation: curve.orientation ?? IDENTITY_ROTATION } : curve
}

function parametersOf(curve: Curve, pieces: readonly number[]): number[] {
  switch (curve.type) {
    case 'line': return [-REACH, REACH]
    case 'circle':
    case 'ellipse': return evenly(0, TURN, 2 * PER_TURN)
    case 'helix': return evenly(-TURN * HELIX_TURNS / 2, TURN * HELIX_TURNS / 2, PER_TURN * HELIX_TURNS)
    case 'spline': return [pieces[0]!, ...pieces.slice(1).flatMap((to, i) => evenly(pieces[i]!, to, PER_PIECE).slice(1))]
    case 'formula': return evenly(...curve.u, PER_RANGE)
  }
}

function evenly(from: number, to: number, count: number): number[] {
  return Array.from({ length: count + 1 }, (_, i) => i === count ? to : from + (to - from) * i / count)
}
