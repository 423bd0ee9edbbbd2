import type { BodyMotion } from '../../geometry/motion'
import { log, pow } from '../../math/elementary'
import { dot, negate, scale, sub, type Vec3 } from '../../math/vector'
import type { RigidBody } from '../body'
import type { ForceElement } from './force'
import { bodyPoint, dynamicTargets } from './targets'

export interface AttractorSpec {
  readonly id: string
  readonly type: 'attractor'
  /** Indices; absent: every dynamic body. The body that carries the centre is never attracted by it. */
  readonly bodies?: readonly number[]
  /** m, in the frame of `body`, or world frame. */
  readonly center: Vec3
  /** Index of the body that carries the centre; −1 is the world. */
  readonly body: number
  /** m^(exponent + 1)/s² */
  readonly strength: number
  readonly exponent: number
  /** m */
  readonly softening: number
}

/**
 * Attraction to a centre: with d from the centre to the centre of mass and ρ² = |d|² + softening²,
 *
 *   F = −m k d ρ^−(n+1),   V = m k ρ^(1−n)/(1−n), or m k log ρ for n = 1
 *
 * The body that carries the centre gets the opposite force there. Exactly at an unsoftened centre the direction is undefined, and the force is zero.
 */
export function attractor(spec: AttractorSpec, bodies: readonly RigidBody[]): ForceElement {
  const { id, body: carrier, center, strength, exponent, softening } = spec
  const targets = dynamicTargets(bodies, spec.bodies).filter(body => body.index !== carrier)
  const offset = (motions: readonly BodyMotion[], index: number) =>
    sub(motions[index]!.center, carrier < 0 ? center : bodyPoint(motions[carrier]!, center))
  const reach2 = (d: Vec3) => dot(d, d) + softening * softening
  return {
    id, type: 'attractor', breakpoints: [],
    bodies: [...targets.map(body => body.index), ...(carrier < 0 ? [] : [carrier])],
    potential(motions, exists) {
      if (carrier >= 0 && !exists[carrier]) return 0
      let sum = 0
      for (const { index, mass } of targets) {
        if (!exists[index]) continue
        const rho2 = reach2(offset(motions, index))
        sum += mass * strength * (exponent === 1 ? 0.5 * log(rho2) : pow(rho2, 0.5 * (1 - exponent)) / (1 - exponent))
      }
      return sum
    },
    apply(_time, motions, exists, sink) {
      if (carrier >= 0 && !exists[carrier]) return
      for (const { index, mass } of targets) {
        if (!exists[index]) continue
        const d = offset(motions, index)
        const rho2 = reach2(d)
        if (rho2 === 0) continue
        const force = scale(d, -mass * strength * pow(rho2, -0.5 * (exponent + 1)))
        sink.force(index, force, motions[index]!.center, 'potential')
        if (carrier >= 0) sink.force(carrier, negate(force), bodyPoint(motions[carrier]!, center), 'potential')
      }
    },
  }
}
