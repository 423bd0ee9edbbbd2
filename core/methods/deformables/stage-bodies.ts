/**
 * Bodies within the implicit steps of deformables. Prescribed bodies continue the motion that they had at the start. Dynamic bodies are unknowns like
 * the particles, with the acceleration that all other loads gave them in their last step. The remaining change is the impulse of the deformables on
 * the body [core/deformables/contact/carriers.ts].
 */

import type { World } from '../../contact/world'
import { carriers, setEnd, setStart, type Carriers } from '../../deformables'
import { motionAt, worldInertia } from '../../dynamics/body'
import type { BodyMotion } from '../../geometry/motion'
import { sin, cos } from '../../math/elementary'
import type { Mat3 } from '../../math/matrix'
import { multiplyQuaternions, rotate, type Quat } from '../../math/quaternion'
import { addScaled, length, sub, type Vec3 } from '../../math/vector'

export class StageBodies {
  /** Carrier 0 is the world, 1 + i body i. */
  readonly carriers: Carriers
  /** Dynamic bodies, in the order of their blocks (two each), which follow the particles. */
  readonly dynamic: readonly number[]
  /** N s and N m s about the centre of mass, from deformables in the current step: 6 per body. */
  readonly impulses: Float64Array
  /** Motion of each body in the current step. */
  private motions: BodyMotion[] = []

  constructor(private readonly world: World, private readonly particles: number) {
    this.dynamic = world.bodies.flatMap(({ type, index }) => type === 'dynamic' ? [index] : [])
    const places = new Map(this.dynamic.map((body, k) => [body, particles + 2 * k]))
    this.carriers = carriers([-1, ...world.bodies.map(({ index }) => places.get(index) ?? -1)])
    this.impulses = new Float64Array(6 * world.bodies.length)
  }

  /** Masses of the blocks, kg, for their unknowns: for positions, and for rotation, whose unknowns are scaled to unit inertia. */
  get masses(): number[] {
    return this.dynamic.flatMap(body => [this.world.bodies[body]!.mass, 1])
  }

  /** Starts a step of the run. */
  begin(motions: readonly BodyMotion[]): void {
    this.motions = [...motions]
    this.impulses.fill(0)
  }

  /** Starts an implicit step of length h. @param other m/s² and rad/s², 6 per body; @param x, v of all blocks: those of bodies are written */
  beginStage(h: number, other: Float64Array, x: Float64Array, v: Float64Array): void {
    const { world: { bodies }, carriers: all, motions } = this
    for (const { index, type } of bodies) {
      const motion = motions[index]!
      setStart(all, index + 1, motion)
      if (type !== 'dynamic') setEnd(all, index + 1, led(bodies[index]!.centerOfMass, motion, h))
    }
    this.dynamic.forEach((index, k) => {
      const { velocity, angularVelocity, rotation } = motions[index]!
      const root = rootOf(worldInertia(bodies[index]!, rotation))
      writeInverse(root, all.inverseRoots, 9 * (index + 1))
      const at = 3 * (this.particles + 2 * k)
      const w = rooted(root, angularVelocity)
      const a = rooted(root, [other[6 * index + 3]!, other[6 * index + 4]!, other[6 * index + 5]!])
      for (let c = 0; c < 3; c++) {
        x[at + c] = x[at + 3 + c] = 0
        v[at + c] = velocity[c]! + h * other[6 * index + c]!
        v[at + 3 + c] = w[c]! + h * a[c]!
      }
    })
  }

  /** Writes the blocks' accelerations by all other loads, with the frames of the last `beginStage`. @param other m/s² and rad/s², 6 per body */
  accelerate(other: Float64Array, out: Float64Array): void {
    this.dynamic.forEach((index, k) => {
      const root = rootOf(worldInertia(this.world.bodies[index]!, this.motions[index]!.rotation))
      const at = 3 * (this.particles + 2 * k)
      out.set(other.subarray(6 * index, 6 * index + 3), at)
      out.set(rooted(root, [other[6 * index + 3]!, other[6 * index + 4]!, other[6 * index + 5]!]), at + 3)
    })
  }

  /** Moves prescribed bodies to their poses s seconds after the start of the implicit step. */
  lead(s: number): void {
    const { world: { bodies }, carriers: all, motions } = this
    for (const { index, type, centerOfMass } of bodies) if (type !== 'dynamic') setEnd(all, index + 1, led(centerOfMass, motions[index]!, s))
  }

  /** The first iterate: bodies at their present poses. */
  hold(X: Float64Array): void {
    X.fill(0, 3 * this.particles)
  }

  /** Accepts the step. @param before the blocks' velocities at its start; @param v at its end */
  endStage(h: number, before: Float64Array, v: Float64Array): void {
    const { world: { bodies }, carriers: all, impulses, particles } = this
    this.dynamic.forEach((index, k) => {
      const body = bodies[index]!
      const at = 3 * (particles + 2 * k)
      const root = rootOf(worldInertia(body, this.motions[index]!.rotation))
      const w: [number, number, number] = [0, 0, 0]
      const velocity: [number, number, number] = [0, 0, 0]
      const B = all.inverseRoots
      const b = 9 * (index + 1)
      for (let c = 0; c < 3; c++) {
        velocity[c] = v[at + c]!
        impulses[6 * index + c] = impulses[6 * index + c]! + body.mass * (v[at + c]! - before[at + c]!)
        // ω = L⁻ᵀ w, and L w is the angular momentum.
        for (let e = 0; e < 3; e++) {
          w[c] = w[c]! + B[b + 3 * e + c]! * v[at + 3 + e]!
          impulses[6 * index + 3 + c] = impulses[6 * index + 3 + c]! + root[3 * c + e]! * (v[at + 3 + e]! - before[at + 3 + e]!)
        }
      }
      this.motions[index] = this.turned(index, velocity, w)
    })
    for (const { index, type, centerOfMass } of bodies) if (type !== 'dynamic') this.motions[index] = led(centerOfMass, this.motions[index]!, h)
  }

  /** A dynamic body at the final pose of its carrier. */
  private turned(index: number, velocity: Vec3, angularVelocity: Vec3): BodyMotion {
    const { rotations, origins, centers } = this.carriers
    const c = index + 1
    return {
      // A step requires only matrix and positions.
      pose: { position: [origins[3 * c]!, origins[3 * c + 1]!, origins[3 * c + 2]!], orientation: this.motions[index]!.pose.orientation },
      rotation: rotations.slice(9 * c, 9 * c + 9) as unknown as Mat3, center: [centers[3 * c]!, centers[3 * c + 1]!, centers[3 * c + 2]!],
      velocity, angularVelocity,
    }
  }
}

/** A static or prescribed body, s later: its velocity is constant. */
function led(centerOfMass: Vec3, motion: BodyMotion, s: number): BodyMotion {
  const { pose: { position, orientation }, velocity, angularVelocity, center } = motion
  if (length(velocity) === 0 && length(angularVelocity) === 0) return motion
  const turn = rotationBy(angularVelocity, s)
  const moved = addScaled(center, velocity, s)
  const origin = rotate(turn, sub(position, center))
  return motionAt(centerOfMass, [moved[0] + origin[0], moved[1] + origin[1], moved[2] + origin[2]], multiplyQuaternions(turn, orientation), velocity,
    angularVelocity)
}

function rotationBy(angularVelocity: Vec3, s: number): Quat {
  const rate = length(angularVelocity)
  if (rate === 0) return [0, 0, 0, 1]
  const half = rate * s / 2
  const size = sin(half) / rate
  return [angularVelocity[0] * size, angularVelocity[1] * size, angularVelocity[2] * size, cos(half)]
}

/** L with I = L Lᵀ, lower, row-major [Cholesky]. */
function rootOf(I: Mat3): Mat3 {
  const a = Math.sqrt(I[0])
  const b = I[3] / a
  const c = I[6] / a
  const d = Math.sqrt(I[4] - b * b)
  const e = (I[7] - b * c) / d
  return [a, 0, 0, b, d, 0, c, e, Math.sqrt(I[8] - c * c - e * e)]
}

/** Lᵀ x. */
function rooted(L: Mat3, [x, y, z]: Vec3): Vec3 {
  return [L[0] * x + L[3] * y + L[6] * z, L[4] * y + L[7] * z, L[8] * z]
}

function writeInverse(L: Mat3, out: Float64Array, at: number): void {
  const [a, d, f] = [1 / L[0], 1 / L[4], 1 / L[8]]
  out[at] = a
  out[at + 4] = d
  out[at + 8] = f
  out[at + 3] = -L[3] * a * d
  out[at + 7] = -L[7] * d * f
  out[at + 6] = (L[3] * L[7] * d - L[6]) * a * f
}
