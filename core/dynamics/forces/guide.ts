import type { BodyMotion } from '../../geometry/motion'
import { velocityAt } from '../../geometry/motion'
import { addScaled, scale, sub, type Vec3 } from '../../math/vector'
import type { ForceElement } from './force'
import { bodyPoint } from './targets'

export interface GuideKey {
  /** s: from when on it holds. */
  readonly time: number
  /** −1: nothing is pulled. */
  readonly body: number
  /** m, body frame. */
  readonly point: Vec3
  /** m, world. */
  readonly target: Vec3
  /** N/m */
  readonly stiffness: number
  /** N s/m */
  readonly damping: number
}

/**
 * s: how long a hand takes from one key to the next. A pull that jumps does work that steps of fixed length book wrongly, by (ω h)²/4 of the spring's energy;
 * a ramp of a few steps leaves none of it, and a hand is no faster.
 */
const RAMP = 1 / 30

/** What a hand does at an instant. */
type Pull = Pick<GuideKey, 'target' | 'stiffness' | 'damping'>

/** A key with what the hand did when it came: the last key's, of the same point; else nothing yet. */
interface Ramp {
  readonly key: GuideKey
  readonly from: Pull
}

/** What a hand does, in the order of time. A live session appends to it while the run goes on, never earlier than the next frame. */
export class GuideTrack {
  /** Distinct times of the keys, s. */
  readonly times: number[] = []
  private readonly ramps: Ramp[] = []

  constructor(keys: readonly GuideKey[]) {
    for (const key of keys) this.append(key)
  }

  append(key: GuideKey): void {
    const before = this.ramps.at(-1)
    const same = before !== undefined && before.key.body === key.body && before.key.point.every((x, k) => x === key.point[k])
    this.ramps.push({ key, from: same ? pullAt(before, key.time) : { target: key.target, stiffness: 0, damping: 0 } })
    if (this.times.at(-1) !== key.time) this.times.push(key.time)
  }

  /** The last key whose time is ≤ `time`, with what the hand does then; null before the first, and where it holds nothing. */
  at(time: number): (Pull & Pick<GuideKey, 'body' | 'point'>) | null {
    const { ramps } = this
    let [low, high] = [-1, ramps.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (ramps[middle]!.key.time <= time) low = middle
      else high = middle
    }
    if (low < 0 || ramps[low]!.key.body < 0) return null
    const { body, point } = ramps[low]!.key
    return { body, point, ...pullAt(ramps[low]!, time) }
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

/** F = k (target − p) − c ṗ at the point p of the body that the present key names [PBM01-C 5]. */
export function guideForce(id: string, track: GuideTrack, bodies: number): ForceElement {
  return {
    id, type: 'guide', bodies: Array.from({ length: bodies }, (_, body) => body), breakpoints: track.times,
    potential: () => 0,
    apply(time, motions: readonly BodyMotion[], exists, sink) {
      const pull = track.at(time)
      if (pull === null || !exists[pull.body]) return
      const motion = motions[pull.body]!
      const point = bodyPoint(motion, pull.point)
      sink.force(pull.body, addScaled(scale(sub(pull.target, point), pull.stiffness), velocityAt(motion, point), -pull.damping), point, 'scripts')
    },
  }
}
