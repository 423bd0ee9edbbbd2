import { addScaled, dot, length } from '../math/vector'
import type { SolvedContact } from './method'

/** N of normal force by which the torsional or rolling torque of a contact is too large, at most. */
export function spinExcess({ frictionTorque, normal, normalForce, torsionalFriction, rollingFriction }: SolvedContact): number {
  const torsional = dot(frictionTorque, normal)
  const rolling = length(addScaled(frictionTorque, normal, -torsional))
  return Math.max(
    torsionalFriction > 0 ? Math.abs(torsional) / torsionalFriction - normalForce : 0,
    rollingFriction > 0 ? rolling / rollingFriction - normalForce : 0)
}
