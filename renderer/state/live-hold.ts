/** A point held in a live session, and the spring that pulls it. */

import { meanParticleMass } from '../../core/analysis/deformable-mass'
import { toOuter, type Pose } from '../../core/math/pose'
import { cross, distance, dot, length, scale, sub, type Vec3 } from '../../core/math/vector'
import { resolveScene, type Scene } from '../../core/scene'
import { BODY_STRIDE } from '../../core/trajectory/frame'
import type { LiveInput } from '../../main/protocol/live'
import { massesOf } from './body-masses'
import { bodiesOf } from './scene-access'

export interface Hold {
  readonly hand: number
  readonly kind: 'drag' | 'nail' | 'spring'
  /** Null if a particle is held. */
  readonly body: string | null
  readonly particle?: { readonly deformable: string; readonly index: number }
  /** m, body frame. */
  readonly point: Vec3
  /** m, world; for a spring, in the frame of the body `on`. */
  readonly target: Vec3
  /** rad/s */
  readonly frequency: number
  /** For a spring between two bodies: the other body, and the spring's length in m. */
  readonly on?: string
  readonly length?: number
}

/** Damping ratio of a spring between bodies: it comes to rest after about ten oscillations. */
const SPRING_DAMPING = 0.1

/** The hold as an input for the engine. */
export function inputOf(scene: Scene, hold: Hold): LiveInput {
  const { frequency: _, kind: _kind, ...input } = hold
  return { kind: 'guide', ...input, ...springOf(scene, hold) }
}

/** k = m ω², c = 2 ζ m ω with the effective mass m between the two points; a drag is critically damped, ζ = 1. */
function springOf(scene: Scene, { body, particle, point, target, on, frequency }: Hold): { stiffness: number; damping: number } {
  const inverse = particle ? 1 / particleMass(scene, particle.deformable)
    : inverseMassAt(scene, body!, point) + (on === undefined ? 0 : inverseMassAt(scene, on, target))
  const mass = 1 / (inverse || 1)
  return { stiffness: mass * frequency * frequency, damping: 2 * (on === undefined ? 1 : SPRING_DAMPING) * mass * frequency }
}

/**
 * 1/kg: 1/m + r²/I with the smallest I, the largest response to a force at the point. The effective mass at a corner of a cube is a fifth of
 * its mass, and damping for the whole mass would be too stiff for a step.
 */
function inverseMassAt(scene: Scene, body: string, point: Vec3): number {
  const index = bodiesOf(scene).findIndex(one => one.id === body)
  const { inverseMass, inverseInertia, centers } = massesOf(scene)
  if (!(inverseMass[index]! > 0)) return 0
  const arm = [0, 1, 2].reduce((sum, k) => sum + (point[k]! - centers[3 * index + k]!) ** 2, 0)
  const turning = Math.max(inverseInertia[9 * index]!, inverseInertia[9 * index + 4]!, inverseInertia[9 * index + 8]!)
  return inverseMass[index]! + arm * turning
}

const particleMasses = new WeakMap<Scene, ReadonlyMap<string, number>>()
function particleMass(scene: Scene, id: string): number {
  let known = particleMasses.get(scene)
  if (!known) {
    const resolved = resolveScene(scene)
    particleMasses.set(scene, known = new Map(resolved.deformables.map(one => [one.id, meanParticleMass(one, resolved)])))
  }
  return known.get(id) ?? 1
}

/** Displayed state of a session: columns of bodies, and positions of particles. */
export interface Shown {
  readonly scene: Scene
  readonly bodies: Float64Array
  readonly particles: Float64Array | null
  /** First particle of each deformable. */
  readonly first: ReadonlyMap<string, number>
}

/** Start, end and force (N) of a hold as displayed; null if the held body or particle no longer exists. */
export function forceOf(hold: Hold, shown: Shown): { readonly from: Vec3; readonly to: Vec3; readonly newtons: number } | null {
  const { stiffness, damping } = springOf(shown.scene, hold)
  if (hold.particle) {
    const first = shown.first.get(hold.particle.deformable)
    if (first === undefined || !shown.particles) return null
    const at = 3 * (first + hold.particle.index)
    const from: Vec3 = [shown.particles[at]!, shown.particles[at + 1]!, shown.particles[at + 2]!]
    return { from, to: hold.target, newtons: stiffness * distance(hold.target, from) }
  }
  const one = movingPoint(shown, hold.body!, hold.point)
  const other = hold.on === undefined ? { place: hold.target, velocity: [0, 0, 0] as Vec3 } : movingPoint(shown, hold.on, hold.target)
  if (!one || !other) return null
  const [d, rate] = [sub(other.place, one.place), sub(other.velocity, one.velocity)]
  if (hold.length === undefined) {
    return { from: one.place, to: other.place, newtons: length([0, 1, 2].map(k => stiffness * d[k]! + damping * rate[k]!) as unknown as Vec3) }
  }
  const extent = length(d)
  const closing = extent > 0 ? dot(rate, scale(d, 1 / extent)) : 0
  return { from: one.place, to: other.place, newtons: Math.abs(stiffness * (extent - hold.length) + damping * closing) }
}

/** The displayed pose of a body; null if it does not exist. */
export function shownPose(scene: Scene, columns: Float64Array, id: string): Pose | null {
  const index = bodiesOf(scene).findIndex(body => body.id === id)
  const c = (k: number) => columns[index * BODY_STRIDE + k]!
  if (index < 0 || Number.isNaN(c(0))) return null
  return { position: [c(0), c(1), c(2)], orientation: [c(3), c(4), c(5), c(6)] }
}

function movingPoint({ scene, bodies }: Shown, id: string, point: Vec3): { readonly place: Vec3; readonly velocity: Vec3 } | null {
  const pose = shownPose(scene, bodies, id)
  if (!pose) return null
  const index = bodiesOf(scene).findIndex(body => body.id === id)
  const c = (k: number) => bodies[index * BODY_STRIDE + k]!
  const { centers } = massesOf(scene)
  const center = toOuter(pose, [centers[3 * index]!, centers[3 * index + 1]!, centers[3 * index + 2]!])
  const place = toOuter(pose, point)
  const turning = cross([c(10), c(11), c(12)], sub(place, center))
  return { place, velocity: [c(7) + turning[0], c(8) + turning[1], c(9) + turning[2]] }
}
