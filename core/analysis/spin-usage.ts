import { addScaled, dot, length } from '../math/vector'
import type { ContactFrame } from '../trajectory/frame'
import { vectorAt } from './force-balance'

/** Torsional and rolling torque of contact k as fractions of their limits, coefficient × normal force; 0 without such friction. */
export function spinUsage(contacts: ContactFrame, k: number): { readonly torsionUsage: number; readonly rollingUsage: number } {
  const torque = vectorAt(contacts.frictionTorque, 3 * k)
  const normal = vectorAt(contacts.normal, 3 * k)
  const torsion = dot(torque, normal)
  const share = (size: number, coefficient: number): number => {
    const limit = coefficient * contacts.normalForce[k]!
    return limit > 0 ? size / limit : 0
  }
  return {
    torsionUsage: share(Math.abs(torsion), contacts.torsionalFriction[k]!),
    rollingUsage: share(length(addScaled(torque, normal, -torsion)), contacts.rollingFriction[k]!),
  }
}
