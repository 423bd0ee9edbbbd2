/** Selects the touching points that take part in an island's forces at one instant, and determines their slip data. */

import type { SpinFriction, TouchingPoint } from '../../contact/constraints'
import type { Island } from '../../contact/island'
import { opposedPart } from '../../contact/island-spin'
import { buildIslands } from '../../contact/islands'
import { tangential } from '../../contact/slip'
import type { Snapshot } from '../../contact/snapshot'
import { velocityAt } from '../../geometry/motion'
import { dot, length, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import { stopWhereCancelled } from '../method'
import type { RunContext } from './context'
import { CRAWL_REACHED } from './tolerances'

/** A slow slip has left its assigned direction if the cosine between them is at most this. */
const LOST = 0.5

/** Islands of the points that neither separate nor approach, with their slip data. */
export function restingIslands(context: RunContext): Island[] {
  const { world, equations, tolerances } = context
  const { snapshot } = equations
  const resting: TouchingPoint[] = []
  for (const point of context.points) {
    const a = snapshot.motions[point.bodyA]!
    const b = snapshot.motions[point.bodyB]!
    const { normal, point: p } = point.features.locate(a.pose, b.pose)
    const velocity = sub(velocityAt(a, p), velocityAt(b, p))
    if (dot(velocity, normal) > tolerances.parting) {
      point.normal = 'parting'
      point.friction = 'none'
      continue
    }
    const slip = tangential(velocity, normal)
    const speed = length(slip)
    const slow = point.friction === 'sliding' && speed <= tolerances.onset
    const begun = slow && point.onset
    // A slow slip that has left its direction has no direction: sticking and slip direction are decided again, as from rest.
    const lost = slow && dot(slip, point.slip) <= LOST * speed
    if (speed > slipThreshold(context, point) && !begun && !lost) {
      point.friction = 'sliding'
      point.slip = scale(slip, 1 / speed)
      point.onset = false
    } else if (!begun) {
      point.friction = 'none'
      point.slip = ZERO
    }
    for (const spin of point.spins) classifySpin(context, spin, opposedPart(spin.kind, spinOf(snapshot, point.bodyA, point.bodyB), normal))
    resting.push(point)
  }
  for (const { element: { constraint, broken }, spin } of context.jointSpins) {
    if (broken) continue
    classifySpin(context, spin, spinOf(snapshot, constraint.bodyA, constraint.bodyB))
  }
  const limits = context.limits.filter(limit => {
    const { velocity } = equations.jointLoads.coordinate(limit.joint, limit.coordinate)
    return limit.side * velocity <= tolerances.approach
  })
  return buildIslands({
    world, snapshot, points: resting, limits, drives: context.drives.filter(drive => drive.state === 'holding' && !drive.element.broken),
    jointSpins: context.jointSpins.filter(({ element }) => !element.broken),
    jointPositions: equations.jointPositions, slowSlip: tolerances.onset, slowSpin: tolerances.onsetSpin,
    law: context.settings.friction, feedback: context.settings.feedback, interrupt: () => { stopWhereCancelled(context.environment) },
  })
}

/** m/s: a point slides above this speed. At the crawl threshold, which is reached only to rounding, the threshold moves to the other side. */
function slipThreshold({ tolerances, settings: { friction } }: RunContext, { friction: state }: TouchingPoint): number {
  if (friction.name !== 'crawl') return tolerances.slip
  return tolerances.slip * (state === 'sliding' ? 1 + CRAWL_REACHED : 1 - CRAWL_REACHED)
}

/** Decides whether torsional or rolling friction slides, by the component of the relative angular velocity along its axes. */
function classifySpin({ tolerances }: RunContext, spin: SpinFriction, omega: Vec3): void {
  const speed = length(omega)
  if (spin.friction === 'sliding' && spin.onset && speed <= tolerances.onsetSpin) return
  const sliding = speed > tolerances.stickSpin
  spin.friction = sliding ? 'sliding' : 'none'
  spin.slip = sliding ? scale(omega, 1 / speed) : ZERO
  if (sliding) spin.onset = false
}

function spinOf(snapshot: Snapshot, bodyA: number, bodyB: number): Vec3 {
  return sub(snapshot.motionOf(bodyA).angularVelocity, snapshot.motionOf(bodyB).angularVelocity)
}
