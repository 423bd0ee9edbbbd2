/** Extent of the closed or bounded curves that bodies and vertices slide on. Lines and helices have no end and do not count. */

import type { Vec3 } from '../../core/math/vector'
import type { Curve, Deformable } from '../../core/scene'
import { carryPoint } from '../joints/carrier'
import { curvePoints } from '../joints/curve-points'
import { jointsOf } from '../state/scene-access'
import { sidesOf } from './glyphs/joint-pose'
import { cornersOf, type PosedScene } from './posed-scene'

/** Curves of the document are immutable. */
const known = new WeakMap<Curve, readonly Vec3[]>()

/** Corners of the box of a curve, in its own frame. */
function cornersOfCurve(curve: Curve): readonly Vec3[] {
  let corners = known.get(curve)
  if (corners === undefined) known.set(curve, corners = computed(curve))
  return corners
}

function computed(curve: Curve): readonly Vec3[] {
  const points = curve.type === 'line' || curve.type === 'helix' ? [] : curvePoints(curve)
  if (points.length === 0) return []
  const low: [number, number, number] = [Infinity, Infinity, Infinity]
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity]
  for (const point of points) {
    for (const k of [0, 1, 2] as const) {
      low[k] = Math.min(low[k], point[k])
      high[k] = Math.max(high[k], point[k])
    }
  }
  return cornersOf({ low: low, high: high })
}

/** World: corners of the boxes of the curves that vertices of these deformables are held on or drawn to. */
export function cornersOfConditions(deformables: readonly Deformable[]): Vec3[] {
  return deformables.flatMap(({ constraints = [], behaviours = [] }) =>
    [...constraints, ...behaviours].flatMap(({ condition }) => condition.type === 'curve' ? cornersOfCurve(condition.curve) : []))
}

/** World: corners of the boxes of all curves of a scene, those of joints where their bodies have them. */
export function curveCorners(posed: PosedScene): Vec3[] {
  const ofJoints = jointsOf(posed.scene).flatMap(joint => {
    const b = joint.type === 'pointOnCurve' ? sidesOf(posed, joint)?.b : undefined
    return b && joint.type === 'pointOnCurve' ? cornersOfCurve(joint.curve).map(corner => carryPoint(b, corner)) : []
  })
  return [...ofJoints, ...cornersOfConditions(posed.scene.deformables ?? [])]
}
