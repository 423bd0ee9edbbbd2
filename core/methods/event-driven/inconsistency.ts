/**
 * Inconsistent configurations: no contact forces satisfy Coulomb's law with dynamic friction (Painlevé's rod). Along Lemke's unbounded ray the forces
 * grow without limit, so they give an impulse in zero time. The impulse acts until the first sliding contact comes to rest, and resulting collisions
 * are resolved as impacts [Baraff92 §10.3, §12, §13.2].
 */

import { applyImpulse } from '../../contact/impact'
import type { Island } from '../../contact/island'
import { pointForce } from '../../contact/island-forces'
import { tangential } from '../../contact/slip'
import { copySnapshot } from '../../contact/snapshot'
import { dot, length, scale, add, type Vec3 } from '../../math/vector'
import type { RunContext } from './context'

/** Applies α × `ray` to the state; α is the smallest value that stops a sliding contact. @returns false if the ray stops none */
export function applyRay(context: RunContext, island: Island, ray: Float64Array): boolean {
  const { equations, state, time, environment } = context
  const { problem } = island
  let alpha = Infinity
  let stopped = -1
  island.points.forEach((_, i) => {
    if (problem.friction[island.coneIndex[i]!]?.state !== 'sliding') return
    const { relativeVelocity, location, tangent1, tangent2 } = island.geometry[i]!
    const v = tangential(relativeVelocity, location.normal)
    const speed = length(v)
    if (speed === 0) return
    const direction = scale(v, 1 / speed)
    const row = island.pointRow[i]!
    const rate = rateAlong(problem.A, problem.size, row + 1, ray) * dot(direction, tangent1)
      + rateAlong(problem.A, problem.size, row + 2, ray) * dot(direction, tangent2)
    if (rate < 0 && speed / -rate < alpha) {
      alpha = speed / -rate
      stopped = i
    }
  })
  if (stopped < 0) return false
  const before = copySnapshot(equations.snapshot, state)
  const impulse = Float64Array.from(ray, value => alpha * value)
  const energyBefore = island.bodies.reduce((sum, body) => sum + equations.kineticEnergyOf(body), 0)
  applyImpulse(island, equations.snapshot, impulse, state)
  equations.loads(time, state)
  const energyAfter = island.bodies.reduce((sum, body) => sum + equations.kineticEnergyOf(body), 0)
  context.impactWork += energyAfter - energyBefore
  const after = copySnapshot(equations.snapshot, state)
  island.points.forEach((point, i) => {
    const { normalForce, friction } = pointForce(island, i, impulse)
    if (normalForce <= 0) return
    const { location } = island.geometry[i]!
    const total: Vec3 = add(scale(location.normal, normalForce), friction)
    environment.observer.event({
      kind: 'inconsistent', time, bodyA: point.bodyA, bodyB: point.bodyB, shapeA: point.shapeA, shapeB: point.shapeB,
      featureA: point.features.featureA, featureB: point.features.featureB, point: location.point, normal: location.normal, impulse: total,
      before, after, energyLoss: energyBefore - energyAfter,
      message: 'no contact forces satisfy Coulomb\'s law here: a contact impulse stops the slip',
    })
  })
  return true
}

/** (A f)_row. */
function rateAlong(A: Float64Array, n: number, row: number, f: Float64Array): number {
  let sum = 0
  for (let k = 0; k < n; k++) sum += A[row * n + k]! * f[k]!
  return sum
}
