/**
 * Frames of rigid shapes within an implicit stage (carriers): the world, kinematic bodies, and dynamic bodies that the stage moves together with the
 * particles.
 *
 * A dynamic body has two blocks of three unknowns, and moves as particles do, c₁ = c₀ + h v₁:
 *
 *   X = h V,   m (V − v*) = h f,      v* = v₀ + h a, where a is the acceleration by everything outside the stage.
 *
 * Rotation is treated likewise, in coordinates in which the inertia is the unit matrix: I = L Lᵀ, w = Lᵀ ω. If the displacement contained a share of
 * v₀, a body that is stopped would end the step with a spurious velocity backwards.
 */

import { sin } from '../../math/elementary'
import type { BodyMotion } from '../../geometry/motion'
import { cross, dot, type Vec3 } from '../../math/vector'

export interface Carriers {
  readonly count: number
  /** First block of a carrier that the stage moves; −1 for the others. */
  readonly blocks: Int32Array
  /** Pose at the end of the step, as iterated, and at its start: rotation, 9, and the frame's origin, 3. */
  readonly rotations: Float64Array
  readonly origins: Float64Array
  readonly startRotations: Float64Array
  readonly startOrigins: Float64Array
  /** Pose to which the unknowns of dynamic carriers are displacements: that at the start of the whole step, of which this may be the second stage. */
  readonly baseRotations: Float64Array
  readonly baseOrigins: Float64Array
  readonly baseCenters: Float64Array
  /** Centres of mass at the end of the step and at its start, 3. */
  readonly centers: Float64Array
  readonly startCenters: Float64Array
  /** Angular and linear velocity at the start, 6. */
  readonly velocities: Float64Array
  /** L⁻¹ of dynamic carriers, 9, row-major, lower. */
  readonly inverseRoots: Float64Array
}

export function carriers(blocks: readonly number[]): Carriers {
  const count = blocks.length
  const unit = (): Float64Array => Float64Array.from({ length: 9 * count }, (_, k) => (k % 9) % 4 === 0 ? 1 : 0)
  return {
    count, blocks: Int32Array.from(blocks), rotations: unit(), origins: new Float64Array(3 * count), startRotations: unit(),
    startOrigins: new Float64Array(3 * count), baseRotations: unit(), baseOrigins: new Float64Array(3 * count), baseCenters: new Float64Array(3 * count),
    centers: new Float64Array(3 * count), startCenters: new Float64Array(3 * count),
    velocities: new Float64Array(6 * count), inverseRoots: unit(),
  }
}

/** Sets the pose and velocity of a carrier at the start of the step. */
export function setStart(all: Carriers, c: number, motion: BodyMotion): void {
  all.startRotations.set(motion.rotation, 9 * c)
  all.startOrigins.set(motion.pose.position, 3 * c)
  all.startCenters.set(motion.center, 3 * c)
  all.baseRotations.set(motion.rotation, 9 * c)
  all.baseOrigins.set(motion.pose.position, 3 * c)
  all.baseCenters.set(motion.center, 3 * c)
  all.velocities.set(motion.velocity, 6 * c)
  all.velocities.set(motion.angularVelocity, 6 * c + 3)
  setEnd(all, c, motion)
}

/** A second stage starts where the first has ended. */
export function restart({ rotations, origins, centers, startRotations, startOrigins, startCenters }: Carriers): void {
  startRotations.set(rotations)
  startOrigins.set(origins)
  startCenters.set(centers)
}

/** Sets the pose of a carrier at the end of the step. */
export function setEnd(all: Carriers, c: number, motion: BodyMotion): void {
  all.rotations.set(motion.rotation, 9 * c)
  all.origins.set(motion.pose.position, 3 * c)
  all.centers.set(motion.center, 3 * c)
}

/** Whether a carrier's pose changes within the step. */
export function moves({ rotations, startRotations, origins, startOrigins }: Carriers, c: number): boolean {
  for (let k = 3 * c; k < 3 * c + 3; k++) if (origins[k] !== startOrigins[k]) return true
  for (let k = 9 * c; k < 9 * c + 9; k++) if (rotations[k] !== startRotations[k]) return true
  return false
}

const turn = new Float64Array(9)

/** Moves the carriers of the stage to the end poses that the unknowns give. */
export function moveCarriers(all: Carriers, X: Float64Array): void {
  const { count, blocks, rotations, origins, centers, baseRotations, baseOrigins, baseCenters, inverseRoots: B } = all
  for (let c = 0; c < count; c++) {
    const block = blocks[c]!
    if (block < 0) continue
    const [x, y, z] = [X[3 * block + 3]!, X[3 * block + 4]!, X[3 * block + 5]!]
    const b = 9 * c
    writeTurn(B[b]! * x + B[b + 3]! * y + B[b + 6]! * z, B[b + 1]! * x + B[b + 4]! * y + B[b + 7]! * z, B[b + 2]! * x + B[b + 5]! * y + B[b + 8]! * z)
    for (let r = 0; r < 3; r++) {
      centers[3 * c + r] = baseCenters[3 * c + r]! + X[3 * block + r]!
      origins[3 * c + r] = centers[3 * c + r]!
      for (let k = 0; k < 3; k++) {
        origins[3 * c + r] = origins[3 * c + r]! + turn[3 * r + k]! * (baseOrigins[3 * c + k]! - baseCenters[3 * c + k]!)
        let sum = 0
        for (let e = 0; e < 3; e++) sum += turn[3 * r + e]! * baseRotations[b + 3 * e + k]!
        rotations[b + 3 * r + k] = sum
      }
    }
  }
}

/** Writes the rotation by a vector, rad, to `turn` [Rodrigues]. */
function writeTurn(x: number, y: number, z: number): void {
  const square = x * x + y * y + z * z
  const angle = Math.sqrt(square)
  const s = square < 1e-12 ? 1 - square / 6 : sin(angle) / angle
  const half = sin(angle / 2)
  const t = square < 1e-12 ? 0.5 - square / 24 : (2 * half * half) / square
  turn[0] = 1 - t * (y * y + z * z)
  turn[4] = 1 - t * (x * x + z * z)
  turn[8] = 1 - t * (x * x + y * y)
  turn[1] = t * x * y - s * z
  turn[3] = t * x * y + s * z
  turn[2] = t * x * z + s * y
  turn[6] = t * x * z - s * y
  turn[5] = t * y * z - s * x
  turn[7] = t * y * z + s * x
}

/**
 * Adds to c the difference between the gradient forces of rotation blocks and their forces f. The force on such a block is L⁻¹ × the moment, which conserves
 * angular momentum. The gradient of the potential with respect to the rotation vector φ = L⁻ᵀ x is L⁻¹ J(φ)ᵀ × the moment, where ω = J(φ) φ̇ [left Jacobian
 * of SO(3)]. They differ by about half the angle × the moment: 0.4 % at 1 rad/s and 1/120 s.
 *
 * @param X, f, c of all blocks
 */
export function addTurning(all: Carriers, X: Float64Array, f: Float64Array, c: Float64Array): void {
  const { count, blocks, inverseRoots: B } = all
  for (let carrier = 0; carrier < count; carrier++) {
    if (blocks[carrier]! < 0) continue
    const [b, at] = [9 * carrier, 3 * blocks[carrier]! + 3]
    const [x, y, z] = [X[at]!, X[at + 1]!, X[at + 2]!]
    const angle = [0, 1, 2].map(k => B[b + k]! * x + B[b + 3 + k]! * y + B[b + 6 + k]! * z) as unknown as Vec3
    // L⁻¹ is lower triangular.
    const mx = f[at]! / B[b]!
    const my = (f[at + 1]! - B[b + 3]! * mx) / B[b + 4]!
    const mz = (f[at + 2]! - B[b + 6]! * mx - B[b + 7]! * my) / B[b + 8]!
    const square = dot(angle, angle)
    const size = Math.sqrt(square)
    const half = sin(size / 2)
    const once = square < 1e-12 ? 0.5 - square / 24 : (2 * half * half) / square
    const twice = square < 1e-12 ? 1 / 6 - square / 120 : (1 - sin(size) / size) / square
    const turned = cross(angle, [mx, my, mz])
    const again = cross(angle, turned)
    const [u, v, w] = [twice * again[0] - once * turned[0], twice * again[1] - once * turned[1], twice * again[2] - once * turned[2]]
    c[at]! -= B[b]! * u
    c[at + 1]! -= B[b + 3]! * u + B[b + 4]! * v
    c[at + 2]! -= B[b + 6]! * u + B[b + 7]! * v + B[b + 8]! * w
  }
}

/** Transforms from the frame at the end of the step, or at its start, to the world. */
export function outward(R: Float64Array, p: Float64Array, c: number, x: number, y: number, z: number, out: Float64Array): void {
  const r = 9 * c
  out[0] = p[3 * c]! + R[r]! * x + R[r + 1]! * y + R[r + 2]! * z
  out[1] = p[3 * c + 1]! + R[r + 3]! * x + R[r + 4]! * y + R[r + 5]! * z
  out[2] = p[3 * c + 2]! + R[r + 6]! * x + R[r + 7]! * y + R[r + 8]! * z
}

/** Transforms from the world to the frame. */
export function inward(R: Float64Array, p: Float64Array, c: number, x: number, y: number, z: number, out: Float64Array): void {
  const r = 9 * c
  const dx = x - p[3 * c]!
  const dy = y - p[3 * c + 1]!
  const dz = z - p[3 * c + 2]!
  out[0] = R[r]! * dx + R[r + 3]! * dy + R[r + 6]! * dz
  out[1] = R[r + 1]! * dx + R[r + 4]! * dy + R[r + 7]! * dz
  out[2] = R[r + 2]! * dx + R[r + 5]! * dy + R[r + 8]! * dz
}

/** Transforms a direction of the frame to the world. */
export function turned(R: Float64Array, c: number, v: Float64Array): void {
  const r = 9 * c
  const [x, y, z] = [v[0]!, v[1]!, v[2]!]
  v[0] = R[r]! * x + R[r + 1]! * y + R[r + 2]! * z
  v[1] = R[r + 3]! * x + R[r + 4]! * y + R[r + 5]! * z
  v[2] = R[r + 6]! * x + R[r + 7]! * y + R[r + 8]! * z
}

/** m, or × the radius of gyration: largest displacement of a dynamic carrier within a stage of length a by forces f on all blocks. */
export function displacementBy({ blocks }: Carriers, f: Float64Array, masses: Float64Array, a: number): number {
  let most = 0
  for (const block of blocks) {
    if (block < 0) continue
    for (let k = 3 * block; k < 3 * block + 6; k++) most = Math.max(most, Math.abs(f[k]!) * a * a / masses[Math.floor(k / 3)]!)
  }
  return most
}
