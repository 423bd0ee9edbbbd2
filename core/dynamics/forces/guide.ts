import type { BodyMotion } from '../../geometry/motion'
import { velocityAt } from '../../geometry/motion'
import { addScaled, dot, length, negate, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import { WORLD_MOTION } from '../joints/frame'
import type { ForceElement } from './force'
import type { ParticleForce } from './particles/particle-force'
import { bodyPoint } from './targets'

export interface GuideKey {
  /** s: start of its validity. */
  readonly time: number
  /** −1: no body is pulled. */
  readonly body: number
  /** Index, among all particles of the world, of the one that is pulled; −1: none. */
  readonly particle: number
  /** m, body frame. */
  readonly point: Vec3
  /** m, in the frame of the body `on`, or in the world's where that is −1. */
  readonly target: Vec3
  /** Body that carries the target and gets the opposite force there; −1: the world. */
  readonly on: number
  /** m: rest distance of the points; null: 0. */
  readonly length: number | null
  /** N/m */
  readonly stiffness: number
  /** N s/m */
  readonly damping: number
}

/**
 * s: duration of a hand's motion from one key to the next. If a pull jumped, steps of fixed length would compute its work with an error of (ω h)²/4
 * of the spring's energy; a ramp over a few steps removes the error. A hand is not faster than that.
 */
const RAMP = 1 / 30

/** Action of a hand at an instant. */
type Pull = Pick<GuideKey, 'target' | 'stiffness' | 'damping'>

/** Points of a key: if they equal those of the previous key, the hand continues from there. */
const haveSamePoints = (a: GuideKey, b: GuideKey): boolean => a.body === b.body && a.particle === b.particle && a.on === b.on && a.length === b.length
  && a.point.every((x, k) => x === b.point[k])

/** A key with the hand's state at its start: that of the last key for the same point, otherwise zero. */
interface Ramp {
  readonly key: GuideKey
  readonly from: Pull
}

/** Actions of a hand in the order of time. A live session appends to it during the run, never earlier than the next recorded frame. */
export class GuideTrack {
  /** Distinct times of the keys, s. */
  readonly times: number[] = []
  private readonly ramps: Ramp[] = []

  constructor(keys: readonly GuideKey[]) {
    for (const key of keys) this.append(key)
  }

  append(key: GuideKey): void {
    const before = this.ramps.at(-1)
    const same = before !== undefined && haveSamePoints(before.key, key)
    this.ramps.push({ key, from: same ? pullAt(before, key.time) : { target: key.target, stiffness: 0, damping: 0 } })
    if (this.times.at(-1) !== key.time) this.times.push(key.time)
  }

  /** The last key with time ≤ `time`, with the hand's state then; null before the first, and if it holds nothing. */
  at(time: number): (Pull & Pick<GuideKey, 'body' | 'particle' | 'point' | 'on' | 'length'>) | null {
    const { ramps } = this
    let [low, high] = [-1, ramps.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (ramps[middle]!.key.time <= time) low = middle
      else high = middle
    }
    if (low < 0) return null
    const { body, particle, point, on, length } = ramps[low]!.key
    return body < 0 && particle < 0 ? null : { body, particle, point, on, length, ...pullAt(ramps[low]!, time) }
  }
}

function pullAt({ key, from }: Ramp, time: number): Pull {
  const s = Math.min(1, Math.max(0, (time - key.time) / RAMP))
  const mix = (a: number, b: number): number => a + s * (b - a)
  return {
    target: [mix(from.target[0], key.target[0]), mix(from.target[1], key.target[1]), mix(from.target[2], key.target[2])],
    stiffness: mix(from.stiffness, key.stiffness), damping: mix(from.damping, key.damping),
  }
}

/**
 * The force on the pulled point: with d from it to the target and ḋ its rate, F = k d + c ḋ [PBM01-C 5]; with a length l₀ the spring's, along the line of the
 * points alone, F = (k (|d| − l₀) + c d̂·ḋ) d̂.
 */
function pulledBy({ stiffness, damping, length: rest }: Pull & Pick<GuideKey, 'length'>, d: Vec3, rate: Vec3): Vec3 {
  if (rest === null) return addScaled(scale(d, stiffness), rate, damping)
  const extent = length(d)
  return extent > 0 ? scale(d, (stiffness * (extent - rest) + damping * dot(d, rate) / extent) / extent) : ZERO
}

/** Force of a hand on bodies, at the point of the present key. */
export function guideForce(id: string, track: GuideTrack, bodies: number): ForceElement {
  return {
    id, type: 'guide', bodies: Array.from({ length: bodies }, (_, body) => body), breakpoints: track.times,
    potential: () => 0,
    apply(time, motions: readonly BodyMotion[], exists, sink) {
      const pull = track.at(time)
      if (pull === null || pull.body < 0 || !exists[pull.body] || (pull.on >= 0 && !exists[pull.on])) return
      const motion = motions[pull.body]!
      const carrier = pull.on < 0 ? WORLD_MOTION : motions[pull.on]!
      const point = bodyPoint(motion, pull.point)
      const target = pull.on < 0 ? pull.target : bodyPoint(carrier, pull.target)
      const force = pulledBy(pull, sub(target, point), sub(velocityAt(carrier, target), velocityAt(motion, point)))
      sink.force(pull.body, force, point, 'scripts')
      if (pull.on >= 0) sink.force(pull.on, negate(force), target, 'scripts')
    },
  }
}

/** Force of a hand on particles: one of them is pulled to a point of the world. */
export function guideOfParticles(track: GuideTrack): ParticleForce {
  return {
    account: 'scripts',
    addForces(time, x, v, f) {
      const pull = track.at(time)
      if (pull === null || pull.particle < 0) return
      const at = 3 * pull.particle
      const three = (of: Float64Array): Vec3 => [of[at]!, of[at + 1]!, of[at + 2]!]
      const force = pulledBy(pull, sub(pull.target, three(x)), negate(three(v)))
      for (let k = 0; k < 3; k++) f[at + k] = f[at + k]! + force[k]!
    },
  }
}
