/** Half rows: the six doubles of a constraint row that belong to one body, linear then angular. */

import type { Vec3 } from '../math/vector'
import type { Snapshot } from './snapshot'

/** Writes the half row of a direction d at the world point p: (d, (p − c) × d). */
export function writePoint(
  J: Float64Array, at: number, center: Vec3, px: number, py: number, pz: number, dx: number, dy: number, dz: number,
): void {
  const rx = px - center[0]
  const ry = py - center[1]
  const rz = pz - center[2]
  J[at] = dx
  J[at + 1] = dy
  J[at + 2] = dz
  J[at + 3] = ry * dz - rz * dy
  J[at + 4] = rz * dx - rx * dz
  J[at + 5] = rx * dy - ry * dx
}

/** Velocity of a body along its half row, m/s or rad/s; 0 for the world. */
export function velocityHalf(snapshot: Snapshot, body: number, J: Float64Array, at: number): number {
  if (body < 0) return 0
  const { velocity, angularVelocity } = snapshot.motions[body]!
  return J[at]! * velocity[0] + J[at + 1]! * velocity[1] + J[at + 2]! * velocity[2] +
    J[at + 3]! * angularVelocity[0] + J[at + 4]! * angularVelocity[1] + J[at + 5]! * angularVelocity[2]
}

/** Multiplies six doubles by M⁻¹ of one body, into `out`, which may be the input. */
export function weighHalf(snapshot: Snapshot, body: number, J: Float64Array, from: number, out: Float64Array, at: number): void {
  const m = body < 0 ? 0 : snapshot.inverseMass[body]!
  if (m === 0) {
    out.fill(0, at, at + 6)
    return
  }
  const I = snapshot.inverseInertia
  const w = 9 * body
  out[at] = m * J[from]!
  out[at + 1] = m * J[from + 1]!
  out[at + 2] = m * J[from + 2]!
  const x = J[from + 3]!
  const y = J[from + 4]!
  const z = J[from + 5]!
  out[at + 3] = I[w]! * x + I[w + 1]! * y + I[w + 2]! * z
  out[at + 4] = I[w + 3]! * x + I[w + 4]! * y + I[w + 5]! * z
  out[at + 5] = I[w + 6]! * x + I[w + 7]! * y + I[w + 8]! * z
}

/** Product of six components of x from index i and six of y from index j. */
export function dot6(x: Float64Array, i: number, y: Float64Array, j: number): number {
  return x[i]! * y[j]! + x[i + 1]! * y[j + 1]! + x[i + 2]! * y[j + 2]! +
    x[i + 3]! * y[j + 3]! + x[i + 4]! * y[j + 4]! + x[i + 5]! * y[j + 5]!
}
