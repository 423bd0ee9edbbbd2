/** Contacts for reports: points of an island with the forces of one solution. */

import type { TouchingPoint } from '../../contact/constraints'
import type { Island } from '../../contact/island'
import { frictionUsage, pointForce, pointTorque } from '../../contact/island-forces'
import { tangential } from '../../contact/slip'
import { velocityAt } from '../../geometry/motion'
import { BASIS_CLAMPED } from '../../lcp/problem'
import { add, length, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import { NOT_COMPUTED, type SolvedContact } from '../method'
import type { ContactMode } from '../../vocabulary'
import type { PointInterval, RunContext } from './context'

/** Angular velocity, × stick speed ÷ scene size, above which a sticking point rolls. */
const ROLLING = 1e3

/** Forces and accelerations of an island's rows, and its index set. */
export interface IslandForces {
  readonly f: Float64Array
  readonly a: Float64Array
  readonly basis: Uint8Array
}

/** Point `i` of an island; `number` is the island's number. */
export function solvedContact(
  island: Island, number: number, i: number, { f, a, basis }: IslandForces, mode: ContactMode, interval: PointInterval | null,
): SolvedContact {
  const point = island.points[i]!
  const row = island.pointRow[i]!
  const { location, relativeVelocity } = island.geometry[i]!
  const { normalForce, friction } = pointForce(island, i, f)
  const { tangent1, tangent2 } = island.geometry[i]!
  const frictional = island.frictionIndex[i]! >= 0
  // Fields are copied one by one for speed: frames have thousands of contacts.
  const { bodyA, bodyB, shapeA, shapeB, features, material } = point
  return {
    bodyA, bodyB, shapeA, shapeB, featureA: features.featureA, featureB: features.featureB,
    point: location.point, normal: location.normal, gap: location.gap,
    normalForce, frictionForce: friction, frictionTorque: pointTorque(island, i, f),
    staticFriction: material.staticFriction, dynamicFriction: material.dynamicFriction,
    torsionalFriction: material.torsionalFriction, rollingFriction: material.rollingFriction,
    mode, relativeVelocity, interval, clamped: basis[row] === BASIS_CLAMPED, frictionUsage: frictionUsage(island, i, f),
    island: number, normalAcceleration: a[row]!,
    tangentialAcceleration: frictional ? add(scale(tangent1, a[row + 1]!), scale(tangent2, a[row + 2]!)) : NOT_COMPUTED,
  }
}

/** A touching point that belongs to no island, because it separates. */
export function separatedContact({ equations: { snapshot }, tolerances }: RunContext, point: TouchingPoint): SolvedContact | null {
  const a = snapshot.motions[point.bodyA]!
  const b = snapshot.motions[point.bodyB]!
  const location = point.features.locate(a.pose, b.pose)
  if (location.gap > tolerances.gap) return null
  const { bodyA, bodyB, shapeA, shapeB, features, material } = point
  return {
    bodyA, bodyB, shapeA, shapeB, featureA: features.featureA, featureB: features.featureB, ...location,
    normalForce: 0, frictionForce: ZERO, frictionTorque: ZERO,
    staticFriction: material.staticFriction, dynamicFriction: material.dynamicFriction,
    torsionalFriction: material.torsionalFriction, rollingFriction: material.rollingFriction, mode: 'separating',
    relativeVelocity: sub(velocityAt(a, location.point), velocityAt(b, location.point)), clamped: false, frictionUsage: null,
    island: -1, normalAcceleration: NaN, tangentialAcceleration: NOT_COMPUTED, interval: null,
  }
}

/** Mode of a touching point for the frame. @param relativeVelocity of A relative to B at the point, m/s, world frame @param normal unit, from B to A */
export function modeOf(context: RunContext, point: TouchingPoint, relativeVelocity: Vec3, normal: Vec3): ContactMode {
  if (point.normal === 'parting') return 'separating'
  const { tolerances, world, equations: { snapshot } } = context
  const speed = length(tangential(relativeVelocity, normal))
  if (speed > tolerances.slip * (1 + 1e-9) || point.friction === 'sliding') return 'sliding'
  const spin = sub(snapshot.motions[point.bodyA]!.angularVelocity, snapshot.motions[point.bodyB]!.angularVelocity)
  const rolls = point.features.featureA.kind === 'surface' || point.features.featureB.kind === 'surface'
  return rolls && length(tangential(spin, normal)) * world.scales.size > ROLLING * tolerances.stick ? 'rolling' : 'sticking'
}
