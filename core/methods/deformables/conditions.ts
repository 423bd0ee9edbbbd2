/** Conditions of the scene on particles, as functions C of positions. */

import {
  angleCondition, areaCondition, centreCondition, coincideCondition, distanceCondition, onCurveCondition, onLineCondition, onPlaneCondition, pointCondition,
  volumeCondition, type Condition, type HeldCondition, type NearCurve,
} from '../../deformables'
import type { Deformables, ParticleCondition } from '../../dynamics/deformable'
import { closestOfAll, closestParameter, type Curve } from '../../dynamics/joints/parametric-curve'
import { dot } from '../../math/vector'

/** @param masses kg, of all particles */
export function conditionOf(condition: ParticleCondition, masses: Float64Array): Condition {
  const { particles } = condition
  switch (condition.type) {
    case 'coincide': return coincideCondition(particles)
    case 'distance': return distanceCondition(particles, Float64Array.of(condition.distance))
    case 'point': return pointCondition(particles, Float64Array.from(condition.point))
    case 'centre': return centreCondition(particles, masses, condition.point)
    case 'line': return onLineCondition(particles, condition.point, condition.direction)
    case 'plane': {
      const { normal, point } = condition
      const normals = Float64Array.from({ length: 3 * particles.length }, (_, k) => normal[k % 3]!)
      return onPlaneCondition(particles, normals, new Float64Array(particles.length).fill(dot(normal, point)))
    }
    case 'curve': return onCurveCondition(particles, nearCurve(condition.curve))
    case 'angle': return angleCondition(particles, Float64Array.of(condition.angle))
    case 'area': return areaCondition(particles, Float64Array.of(condition.area))
    case 'volume': return volumeCondition(particles, Float64Array.of(condition.volume))
  }
}

/** Exact constraints, in the order of the deformables. */
export function heldConditions({ list, mass }: Deformables): HeldCondition[] {
  return list.flatMap(({ constraints }) => constraints.map(({ condition, feedback }) => ({ condition: conditionOf(condition, mass), feedback })))
}

function nearCurve(curve: Curve): NearCurve {
  return {
    at: u => curve.at(u),
    nearest: (x, y, z, start) => Number.isNaN(start) ? closestOfAll(curve, [x, y, z]) : closestParameter(curve, [x, y, z], start),
  }
}
