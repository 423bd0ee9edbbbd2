/**
 * States between two recorded frames. Centres of mass follow the cubic through both ends' positions and velocities (Hermite), orientations the great
 * arc between both ends (slerp). Each side of an event is interpolated separately, with the states stored in the event.
 */

import { acos, sin } from '../math/elementary'
import { BODY_STRIDE, type DeformableFrame, type Frame, type TrajectoryEvent } from './frame'

/** State of one body at one time: `BODY_STRIDE` doubles as in `Frame.bodies`. */
interface Knot {
  readonly time: number
  readonly state: ArrayLike<number>
}

/**
 * Bodies at `time`, in the layout of `Frame.bodies`.
 *
 * @param before the last frame at or before `time`
 * @param after the next frame
 * @param events those after `before.time` and up to `after.time`, in order
 * @param centers each body's centre of mass in its own frame, 3 doubles per body, m: recorded velocities are those of the centre
 */
export function interpolateBodies(
  before: Frame, after: Frame, events: readonly TrajectoryEvent[], centers: Float64Array, time: number,
): Float64Array {
  const out = new Float64Array(before.bodies.length)
  for (let body = 0; body * BODY_STRIDE < out.length; body++) {
    const [from, to] = knotsAround(body, before, after, events, time)
    interpolate(from, to, centers, body, time, out)
  }
  return out
}

/** A body's states on both sides of `time`: frames, or the events between them that changed it. */
function knotsAround(body: number, before: Frame, after: Frame, events: readonly TrajectoryEvent[], time: number): [Knot, Knot] {
  let from: Knot = { time: before.time, state: stateOf(before.bodies, body) }
  for (const event of events) {
    const place = body === event.bodyA ? 0 : body === event.bodyB ? 1 : -1
    if (place < 0 || event.before.length !== 2 * BODY_STRIDE || event.after.length !== 2 * BODY_STRIDE) continue
    if (event.time > time) return [from, { time: event.time, state: stateOf(event.before, place) }]
    from = { time: event.time, state: stateOf(event.after, place) }
  }
  return [from, { time: after.time, state: stateOf(after.bodies, body) }]
}

function stateOf(states: Float64Array, index: number): Float64Array {
  return states.subarray(index * BODY_STRIDE, (index + 1) * BODY_STRIDE)
}

function interpolate(from: Knot, to: Knot, centers: Float64Array, body: number, time: number, out: Float64Array): void {
  const at = body * BODY_STRIDE
  const span = to.time - from.time
  // A body that spawns in this interval exists from its first frame on.
  if (span <= 0 || time <= from.time || Number.isNaN(from.state[0]!) || Number.isNaN(to.state[0]!)) {
    for (let k = 0; k < BODY_STRIDE; k++) out[at + k] = from.state[k]!
    return
  }
  const s = (time - from.time) / span
  slerp(from.state, to.state, s, out, at + 3)
  const center = [centers[3 * body]!, centers[3 * body + 1]!, centers[3 * body + 2]!] as const
  const start = rotated(from.state, 3, center)
  const finish = rotated(to.state, 3, center)
  const arm = rotated(out, at + 3, center)
  for (let k = 0; k < 3; k++) {
    const p0 = from.state[k]! + start[k]!
    const p1 = to.state[k]! + finish[k]!
    const v0 = from.state[7 + k]!
    const v1 = to.state[7 + k]!
    const slope = (p1 - p0) / span
    const quadratic = 3 * slope - 2 * v0 - v1
    const cubic = v0 + v1 - 2 * slope
    const displaced = p0 + span * s * (v0 + s * (quadratic + s * cubic))
    out[at + k] = displaced - arm[k]!
    out[at + 7 + k] = v0 + s * (2 * quadratic + s * 3 * cubic)
    out[at + 10 + k] = from.state[10 + k]! + s * (to.state[10 + k]! - from.state[10 + k]!)
  }
}

/** v rotated by the unit quaternion at `q[at]`. */
function rotated(q: ArrayLike<number>, at: number, [vx, vy, vz]: readonly [number, number, number]): readonly number[] {
  const [x, y, z, w] = [q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!]
  const tx = 2 * (y * vz - z * vy)
  const ty = 2 * (z * vx - x * vz)
  const tz = 2 * (x * vy - y * vx)
  return [vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx]
}

/** Below this angle the arc is a straight line to rounding, and sin(angle) cannot be a divisor. */
const smallAngle = 1e-8

/** Interpolates between the orientations of two states, along the shorter arc. */
function slerp(from: ArrayLike<number>, to: ArrayLike<number>, s: number, out: Float64Array, at: number): void {
  let cosine = 0
  for (let k = 3; k < 7; k++) cosine += from[k]! * to[k]!
  const turn = cosine < 0 ? -1 : 1
  const angle = acos(Math.min(1, Math.abs(cosine)))
  const divisor = angle > smallAngle ? sin(angle) : 0
  const a = divisor > 0 ? sin((1 - s) * angle) / divisor : 1 - s
  const b = turn * (divisor > 0 ? sin(s * angle) / divisor : s)
  let square = 0
  for (let k = 0; k < 4; k++) {
    const value = a * from[3 + k]! + b * to[3 + k]!
    out[at + k] = value
    square += value * value
  }
  const size = Math.sqrt(square)
  for (let k = 0; k < 4; k++) out[at + k]! /= size
}

/**
 * Selects the frame whose data is valid at `time`, for quantities that jump at events and are not interpolated (contacts, reactions, the
 * certificate). This is the frame before, unless an event lies between it and `time` and none between `time` and the frame after.
 */
export function frameHoldingAt(events: readonly TrajectoryEvent[], time: number): 'before' | 'after' {
  const passed = events.some(event => event.time <= time)
  const coming = events.some(event => event.time > time)
  return passed && !coming ? 'after' : 'before'
}

/** Positions of particles at `time`, m, 3 each: by the cubic through both frames' positions and velocities. */
export function interpolateParticles(before: DeformableFrame, after: DeformableFrame, time: number): Float64Array {
  const h = after.time - before.time
  const s = (time - before.time) / h
  const [p, q] = [s * s * (3 - 2 * s), s * (1 - s)]
  return before.position.map((x, k) => x + p * (after.position[k]! - x) + q * h * ((1 - s) * before.velocity[k]! - s * after.velocity[k]!))
}
