/** Forces at the points of an island, from its multipliers f. */

import { add, length, scale, ZERO, type Vec3 } from '../math/vector'
import type { Island } from './island'
import { POINT } from './point-kinematics'

/** Force on A of point `i`: normal part, and tangential part as a vector, N. */
export function pointForce({ pointRow, geometry, frictionIndex }: Island, i: number, f: Float64Array): { normalForce: number; friction: Vec3 } {
  const row = pointRow[i]!
  const { tangent1, tangent2 } = geometry[i]!
  const friction = frictionIndex[i]! < 0 ? ZERO : add(scale(tangent1, f[row + 1]!), scale(tangent2, f[row + 2]!))
  return { normalForce: f[row]!, friction }
}

/** Power of friction at point `i` on both bodies, W; never positive except for rounding. */
export function frictionPower({ pointRow, geometry, frictionIndex }: Island, i: number, f: Float64Array): number {
  if (frictionIndex[i]! < 0) return 0
  const row = pointRow[i]!
  const { values, at } = geometry[i]!
  let power = 0
  for (let k = 0; k < 3; k++) {
    const force = values[at + POINT.tangent1 + k]! * f[row + 1]! + values[at + POINT.tangent2 + k]! * f[row + 2]!
    power += force * values[at + POINT.relativeVelocity + k]!
  }
  return power
}

/** Used share of the friction limit of point `i` under the law in use; null for Coulomb's law, |f_t| ÷ (μ f_N). */
export function frictionUsage(island: Island, i: number, f: Float64Array): number | null {
  const axes = island.axes[i]!
  if (axes !== null) return axes.usage(f)
  if (island.law.name !== 'crawl' || island.frictionIndex[i]! < 0) return null
  const { normalForce, friction } = pointForce(island, i, f)
  const bound = island.points[i]!.material.dynamicFriction * normalForce
  return bound > 0 ? length(friction) / bound : 0
}

/** Whether static forces remain valid when Lötstedt's bounds are updated to the present normal forces. */
export function staticForcesLast({ law, points, pointRow, axes }: Island, f: Float64Array): boolean {
  return law.name !== 'lotstedt' || points.every(({ material: { staticFriction } }, i) => {
    const row = pointRow[i]!
    return axes[i] === null || Math.max(Math.abs(f[row + 1]!), Math.abs(f[row + 2]!)) <= staticFriction * Math.max(0, f[row]!)
  })
}

/** Torque on A of the spins of point `i`, N m. */
export function pointTorque({ points, spins }: Island, i: number, f: Float64Array): Vec3 {
  const point = points[i]!
  if (point.spins.length === 0) return ZERO
  return spins.reduce((sum: Vec3, spin) => spin.of.point === point ? add(sum, spin.torque(f)) : sum, ZERO)
}
