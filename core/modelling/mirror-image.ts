/** The image of points, directions and rotations in a plane perpendicular to a world axis. */

import type { Quat } from '../math/quaternion'
import type { Vec3 } from '../math/vector'

export type Axis = 0 | 1 | 2
export const AXES = ['x', 'y', 'z'] as const

export interface MirrorImage {
  readonly axis: Axis
  /** Of a point of the world, m. */
  point(p: Vec3): Vec3
  /**
   * Of a polar vector (displacement, velocity, force), and of a point in the frame of a mirrored body: the component along the axis changes its sign.
   */
  polar(v: Vec3): Vec3
  /** Of an axial vector (angular velocity, torque, axis of rotation): the components perpendicular to the axis change their sign. */
  axial(v: Vec3): Vec3
  /** Of a rotation R, as a quaternion: M R M, with M the reflection. */
  turned(q: Quat): Quat
}

/** @param at position of the mirror along the axis, m */
export function mirrorImage(axis: Axis, at: number): MirrorImage {
  // Adding 0 makes −0 a plain 0.
  const polar = (v: Vec3): Vec3 => v.map((x, k) => (k === axis ? -x : x) + 0) as unknown as Vec3
  const axial = (v: Vec3): Vec3 => v.map((x, k) => (k === axis ? x : -x) + 0) as unknown as Vec3
  return {
    axis, polar, axial,
    point: p => p.map((x, k) => k === axis ? 2 * at - x : x) as unknown as Vec3,
    turned: q => [...axial([q[0], q[1], q[2]]), q[3]] as unknown as Quat,
  }
}
