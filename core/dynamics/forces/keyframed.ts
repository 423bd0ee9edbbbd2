import { transform } from '../../math/matrix'
import type { Vec3 } from '../../math/vector'
import type { ForceElement } from './force'
import { bodyPoint } from './targets'

export interface ForceKey {
  /** s */
  readonly time: number
  /** N */
  readonly force: Vec3
  /** N m */
  readonly torque: Vec3
}

export interface KeyframedSpec {
  readonly id: string
  readonly type: 'keyframed'
  readonly body: number
  /** m, body frame; absent: the centre of mass. */
  readonly point?: Vec3
  readonly frame: 'world' | 'body'
  readonly interpolation: 'linear' | 'cubic'
  readonly outside: 'hold' | 'zero'
  /** Times do not decrease; two keys at one time are a jump. */
  readonly keys: readonly ForceKey[]
}

/** Force and torque given at key times, which are its breakpoints. At a jump the value is the one after it. */
export function keyframedForce(spec: KeyframedSpec): ForceElement {
  const { id, body, point, frame } = spec
  const curve = keyCurve(spec)
  const times = [...new Set(spec.keys.map(key => key.time))]
  return {
    id, type: 'keyframed', bodies: [body], breakpoints: times,
    potential: () => 0,
    apply(time, motions, exists, sink) {
      if (!exists[body]) return
      const value = curve(time)
      if (value === null) return
      const motion = motions[body]!
      const toWorld = (v: Vec3) => (frame === 'world' ? v : transform(motion.rotation, v))
      sink.force(body, toWorld(value.force), point === undefined ? motion.center : bodyPoint(motion, point), 'scripts')
      sink.torque(body, toWorld(value.torque), 'scripts')
    },
  }
}

interface KeyValue {
  readonly force: Vec3
  readonly torque: Vec3
}

/** The wrench at a time; null outside if it is zero there. */
export function keyCurve({ keys, interpolation, outside }: KeyframedSpec): (time: number) => KeyValue | null {
  const slopes = interpolation === 'cubic' ? keys.map((_, i) => [slope(keys, i, 'left'), slope(keys, i, 'right')] as const) : null
  return time => {
    const first = keys[0]!
    const last = keys[keys.length - 1]!
    if (time < first.time) return outside === 'hold' ? first : null
    if (time >= last.time) return outside === 'hold' ? last : null
    const i = segment(keys, time)
    const from = keys[i]!
    const to = keys[i + 1]!
    const h = to.time - from.time
    const s = (time - from.time) / h
    if (slopes === null) return { force: mix(from.force, to.force, s), torque: mix(from.torque, to.torque, s) }
    const start = slopes[i]![1]
    const end = slopes[i + 1]![0]
    return {
      force: hermite(from.force, to.force, start.force, end.force, h, s),
      torque: hermite(from.torque, to.torque, start.torque, end.torque, h, s),
    }
  }
}

/** The last key whose time is ≤ `time`, by bisection. */
function segment(keys: readonly ForceKey[], time: number): number {
  let low = 0
  let high = keys.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (keys[middle]!.time <= time) low = middle
    else high = middle
  }
  return low
}

/** Slope at key i as the end of a segment (left) or the start of one (right): from both neighbours, or of the chord at ends and jumps. */
function slope(keys: readonly ForceKey[], i: number, side: 'left' | 'right'): KeyValue {
  const key = keys[i]!
  const smoothBefore = i > 0 && keys[i - 1]!.time < key.time
  const smoothAfter = i + 1 < keys.length && keys[i + 1]!.time > key.time
  const from = smoothBefore && (side === 'left' || smoothAfter) ? keys[i - 1]! : key
  const to = smoothAfter && (side === 'right' || smoothBefore) ? keys[i + 1]! : key
  const h = to.time - from.time
  const chord = (a: Vec3, b: Vec3): Vec3 => (h > 0 ? [(b[0] - a[0]) / h, (b[1] - a[1]) / h, (b[2] - a[2]) / h] : [0, 0, 0])
  return { force: chord(from.force, to.force), torque: chord(from.torque, to.torque) }
}

function mix(a: Vec3, b: Vec3, s: number): Vec3 {
  return [a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), a[2] + s * (b[2] - a[2])]
}

function hermite(a: Vec3, b: Vec3, slopeA: Vec3, slopeB: Vec3, h: number, s: number): Vec3 {
  const u = s * s * (3 - 2 * s)
  const wa = h * s * (1 - s) * (1 - s)
  const wb = h * s * s * (s - 1)
  const at = (k: 0 | 1 | 2) => a[k] + u * (b[k] - a[k]) + wa * slopeA[k] + wb * slopeB[k]
  return [at(0), at(1), at(2)]
}
