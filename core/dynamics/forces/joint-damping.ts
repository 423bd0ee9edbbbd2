import type { BodyMotion } from '../../geometry/motion'
import { negate, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import type { ForceElement } from './force'

export interface BallDampingSpec {
  /** Of the joint. */
  readonly id: string
  /** Indices; −1 is the world. */
  readonly bodyA: number
  readonly bodyB: number
  /** N m s/rad */
  readonly damping: number
  /** Whether the joint is broken. */
  broken(): boolean
}

/** Viscous damping of a ball joint, which has no coordinate for it: torque −damping (ω_A − ω_B) on A, its opposite on B. */
export function ballDamping({ id, bodyA, bodyB, damping, broken }: BallDampingSpec): ForceElement {
  const spin = (motions: readonly BodyMotion[], body: number): Vec3 => (body < 0 ? ZERO : motions[body]!.angularVelocity)
  return {
    id, type: 'ballDamping', bodies: [bodyA, bodyB].filter(body => body >= 0), breakpoints: [],
    potential: () => 0,
    apply(_time, motions, exists, sink) {
      if (broken() || (bodyA >= 0 && !exists[bodyA]) || (bodyB >= 0 && !exists[bodyB])) return
      const torque = scale(sub(spin(motions, bodyA), spin(motions, bodyB)), -damping)
      if (bodyA >= 0) sink.torque(bodyA, torque, 'drag')
      if (bodyB >= 0) sink.torque(bodyB, negate(torque), 'drag')
    },
  }
}
