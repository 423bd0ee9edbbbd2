/**
 * How far points move in the frame of a carrier. A point at the distance r from the frame's origin that moves by s in the world moves by at most
 * s + shift + turn · r in the frame.
 */

import type { Carriers } from './carriers'

/** The frame's origin at the start of the motion, m; shift, m; turn, rad. */
export type FrameMotion = Float64Array

/** At the carrier's initial velocity, for h seconds, to first order. */
export function flight({ startOrigins: o, startCenters: q, velocities: v }: Carriers, c: number, h: number, out: FrameMotion): void {
  write(o, c, out)
  const turn = h * sizeAt(v, 6 * c + 3)
  out[3] = h * sizeAt(v, 6 * c) + turn * apart(o, q, c)
  out[4] = turn
}

/** From the start of the step to the present pose. */
export function lead({ startOrigins, startRotations, origins, rotations }: Carriers, c: number, out: FrameMotion): void {
  write(startOrigins, c, out)
  let square = 0
  for (let k = 9 * c; k < 9 * c + 9; k++) square += (rotations[k]! - startRotations[k]!) * (rotations[k]! - startRotations[k]!)
  out[3] = apart(origins, startOrigins, c)
  out[4] = Math.sqrt(square)
}

/** No motion from the present pose. */
export function rest({ origins }: Carriers, c: number, out: FrameMotion): void {
  write(origins, c, out)
  out[3] = out[4] = 0
}

/** From the present pose along d, to first order. */
export function step({ blocks, origins, centers, inverseRoots: B }: Carriers, c: number, d: Float64Array, out: FrameMotion): void {
  write(origins, c, out)
  out[3] = out[4] = 0
  const block = blocks[c]!
  if (block < 0) return
  const b = 9 * c
  const [x, y, z] = [d[3 * block + 3]!, d[3 * block + 4]!, d[3 * block + 5]!]
  const [wx, wy, wz] = [B[b]! * x + B[b + 3]! * y + B[b + 6]! * z, B[b + 1]! * x + B[b + 4]! * y + B[b + 7]! * z, B[b + 2]! * x + B[b + 5]! * y + B[b + 8]! * z]
  const turn = Math.sqrt(wx * wx + wy * wy + wz * wz)
  out[3] = sizeAt(d, 3 * block) + turn * apart(origins, centers, c)
  out[4] = turn
}

function write(origins: Float64Array, c: number, out: FrameMotion): void {
  for (let k = 0; k < 3; k++) out[k] = origins[3 * c + k]!
}

function apart(a: Float64Array, b: Float64Array, c: number): number {
  const [x, y, z] = [a[3 * c]! - b[3 * c]!, a[3 * c + 1]! - b[3 * c + 1]!, a[3 * c + 2]! - b[3 * c + 2]!]
  return Math.sqrt(x * x + y * y + z * z)
}

function sizeAt(v: Float64Array, k: number): number {
  return Math.sqrt(v[k]! * v[k]! + v[k + 1]! * v[k + 1]! + v[k + 2]! * v[k + 2]!)
}
