/** Events of contacts and impacts. */

import type { MethodEvent, MethodEventKind } from '../method'
import type { ActiveConstraint } from './active-constraint'
import type { StepContext } from './context'
import type { StepProblem } from './step-problem'

export type Contact = Required<Pick<MethodEvent, 'bodyA' | 'bodyB' | 'shapeA' | 'shapeB' | 'featureA' | 'featureB' | 'point' | 'normal'>>

/** Bodies, features, point and normal of a constraint's active candidate. */
export function contactOf({ constraint: { pair: { bodyA, bodyB, shapeA, shapeB }, candidates }, choice, at: { point, normal } }: ActiveConstraint): Contact {
  const { featureA, featureB } = candidates[choice]!
  return { bodyA, bodyB, shapeA, shapeB, featureA, featureB, point, normal }
}

export function contactEvent(kind: MethodEventKind, contact: Contact, time: number): MethodEvent {
  return { kind, time, ...contact, message: '' }
}

/** The restitution of an island's impacts was scaled. */
export function energyScaled({ world }: StepContext, bodies: readonly number[], share: number, time: number): MethodEvent {
  const ids = bodies.map(body => world.bodies[body]!.id).join(', ')
  return { kind: 'energyScaled', time, message: `Newton's hypothesis with friction would gain energy: restitution was scaled by ${share} (${ids})` }
}

/** An impact at a contact. @param velocity of the bodies after it */
export function impactOf(velocity: Float64Array, active: ActiveConstraint, { p, rows }: StepProblem, time: number): MethodEvent {
  const { row, normalVelocity } = active
  const after = rows.along(row, velocity)
  return {
    ...contactEvent('impact', contactOf(active), time), impulse: active.impulse(p), approachSpeed: -normalVelocity, reboundSpeed: Math.max(0, after),
    energyLoss: -p[row]! * (normalVelocity + after) / 2,
  }
}
