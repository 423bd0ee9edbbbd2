/**
 * States between two recorded frames. Centres of mass follow the cubic through both ends' positions and velocities (Hermite), orientations the great
 * arc between both ends (slerp). Each side of an event is interpolated separately, with the states stored in the event.
 */

import { acos, sin } from '../math/elementary'
import { BODY_STRIDE, type DeformableFrame, type Frame, type TrajectoryEvent } from './frame'

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
  const count = out.length / BODY_STRIDE
  const around = events.length > 0 ? eventsAround(count, events, time) : null
  for (let body = 0; body < count; body++) {
    const past = around && around.past[body]! >= 0 ? events[around.past[body]!]! : null
    const next = around && around.next[body]! >= 0 ? events[around.next[body]!]! : null
    const [fromTime, from, fromAt] = past ? [past.time, past.after, placeIn(past, body)] : [before.time, before.bodies, body * BODY_STRIDE]
    const [toTime, to, toAt] = next ? [next.time, next.before, placeIn(next, body)] : [after.time, after.bodies, body * BODY_STRIDE]
    interpolate(from, fromAt, fromTime, to, toAt, toTime, centers, body, time, out)
  }
  return out
}

/** By body, the number of the last event up to `time` that changed it, and of the first one after; −1 if there is none. */
function eventsAround(count: number, events: readonly TrajectoryEvent[], time: number): { readonly past: Int32Array; readonly next: Int32Array } {
  const [past, next] = [new Int32Array(count).fill(-1), new Int32Array(count).fill(-1)]
  events.forEach((event, i) => {
    if (event.before.length !== 2 * BODY_STRIDE || event.after.length !== 2 * BODY_STRIDE) return
    for (const body of [event.bodyA, event.bodyB]) {
      if (body < 0 || body >= count) continue
      if (event.time <= time) past[body] = i
      else if (next[body]! < 0) next[body] = i
    }
  })
  return { past, next }
}

/** Where a body's state begins among the two of an event. */
const placeIn = (event: TrajectoryEvent, body: number): number => body === event.bodyA ? 0 : BODY_STRIDE

/** From the state at `p[i]` at one time, and at `q[j]` at a later one, into `out`. */
function interpolate(
  p: Float64Array, i: number, before: number, q: Float64Array, j: number, after: number, centers: Float64Array, body: number, time: number, out: Float64Array,
): void {
  const at = body * BODY_STRIDE
  const span = after - before
  // A body that spawns in this interval exists from its first frame on.
  if (span <= 0 || time <= before || Number.isNaN(p[i]!) || Number.isNaN(q[j]!)) {
    for (let k = 0; k < BODY_STRIDE; k++) out[at + k] = p[i + k]!
    return
  }
  const s = (time - before) / span
  slerp(p, i + 3, q, j + 3, s, out, at + 3)
  rotated(p, i + 3, centers, 3 * body, START)
  rotated(q, j + 3, centers, 3 * body, FINISH)
  rotated(out, at + 3, centers, 3 * body, ARM)
  for (let k = 0; k < 3; k++) {
    const p0 = p[i + k]! + START[k]!
    const p1 = q[j + k]! + FINISH[k]!
    const v0 = p[i + 7 + k]!
    const v1 = q[j + 7 + k]!
    const slope = (p1 - p0) / span
    const quadratic = 3 * slope - 2 * v0 - v1
    const cubic = v0 + v1 - 2 * slope
    const displaced = p0 + span * s * (v0 + s * (quadratic + s * cubic))
    out[at + k] = displaced - ARM[k]!
    out[at + 7 + k] = v0 + s * (2 * quadratic + s * 3 * cubic)
    out[at + 10 + k] = p[i + 10 + k]! + s * (q[j + 10 + k]! - p[i + 10 + k]!)
  }
}

/** The centre of mass relative to the body's origin, in world axes: at both ends and at the time between. */
const [START, FINISH, ARM] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)]

/** The vector at `v[from]`, rotated by the unit quaternion at `q[at]`. */
function rotated(q: Float64Array, at: number, v: Float64Array, from: number, out: Float64Array): void {
  const [x, y, z, w] = [q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!]
  const [vx, vy, vz] = [v[from]!, v[from + 1]!, v[from + 2]!]
  const tx = 2 * (y * vz - z * vy)
  const ty = 2 * (z * vx - x * vz)
  const tz = 2 * (x * vy - y * vx)
  out[0] = vx + w * tx + y * tz - z * ty
  out[1] = vy + w * ty + z * tx - x * tz
  out[2] = vz + w * tz + x * ty - y * tx
}

/** Below this angle the arc is a straight line to rounding, and sin(angle) cannot be a divisor. */
const smallAngle = 1e-8

/** Interpolates between the quaternions at `p[i]` and `q[j]`, along the shorter arc. */
function slerp(p: Float64Array, i: number, q: Float64Array, j: number, s: number, out: Float64Array, at: number): void {
  let cosine = 0
  for (let k = 0; k < 4; k++) cosine += p[i + k]! * q[j + k]!
  const turn = cosine < 0 ? -1 : 1
  const angle = acos(Math.min(1, Math.abs(cosine)))
  const divisor = angle > smallAngle ? sin(angle) : 0
  const a = divisor > 0 ? sin((1 - s) * angle) / divisor : 1 - s
  const b = turn * (divisor > 0 ? sin(s * angle) / divisor : s)
  let square = 0
  for (let k = 0; k < 4; k++) {
    const value = a * p[i + k]! + b * q[j + k]!
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
