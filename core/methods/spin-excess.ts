import { addScaled, dot, length } from '../math/vector'
import type { SolvedContact } from './method'

/** Largest excess of a contact's torsional or rolling torque, as N of normal force. */
export function spinExcess({ frictionTorque, normal, normalForce, torsionalFriction, rollingFriction }: SolvedContact): number {
  const torsional = dot(frictionTorque, normal)
  const rolling = length(addScaled(frictionTorque, normal, -torsional))
  return Math.max(
    torsionalFriction > 0 ? Math.abs(torsional) / torsionalFriction - normalForce : 0,
    rollingFriction > 0 ? rolling / rollingFriction - normalForce : 0)
}
