import type { ContactFrame } from '../../core/trajectory/frame'
import type { Vec3 } from '../../core/math/vector'

/** Sum of the recorded contact forces on a body, N, world frame, and how many contacts it has. */
export function bodyForces(contacts: ContactFrame, body: number): { readonly count: number; readonly force: Vec3 } {
  let count = 0
  const sum: [number, number, number] = [0, 0, 0]
  for (let i = 0; i < contacts.count; i++) {
    const sign = contacts.bodyA[i] === body ? 1 : contacts.bodyB[i] === body ? -1 : 0
    if (sign === 0) continue
    count++
    for (const k of [0, 1, 2] as const) {
      sum[k] += sign * (contacts.normalForce[i]! * contacts.normal[3 * i + k]! + contacts.frictionForce[3 * i + k]!)
    }
  }
  return { count, force: sum }
}
