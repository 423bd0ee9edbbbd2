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

/** What a hand does, in the order of time. A live session appends to it while the run goes on, never earlier than the next frame. */
export class GuideTrack {
  readonly keys: GuideKey[] = []
  /** Distinct times of the keys, s. */
  readonly times: number[] = []

  constructor(keys: readonly GuideKey[]) {
    for (const key of keys) this.append(key)
  }

  append(key: GuideKey): void {
    this.keys.push(key)
    if (this.times.at(-1) !== key.time) this.times.push(key.time)
  }

  /** The last key whose time is ≤ `time`; null before the first. */
  at(time: number): GuideKey | null {
    const { keys } = this
    let [low, high] = [-1, keys.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (keys[middle]!.time <= time) low = middle
      else high = middle
    }
    return low < 0 ? null : keys[low]!
  }
}

/** F = k (target − p) − c ṗ at the point p of the body that the present key names [PBM01-C 5]. */
export function guideForce(id: string, track: GuideTrack, bodies: number): ForceElement {
  return {
    id, type: 'guide', bodies: Array.from({ length: bodies }, (_, body) => body), breakpoints: track.times,
    potential: () => 0,
    apply(time, motions: readonly BodyMotion[], exists, sink) {
      const key = track.at(time)
      if (key === null || key.body < 0 || !exists[key.body]) return
      const motion = motions[key.body]!
      const point = bodyPoint(motion, key.point)
      sink.force(key.body, addScaled(scale(sub(key.target, point), key.stiffness), velocityAt(motion, point), -key.damping), point, 'scripts')
    },
  }
}
