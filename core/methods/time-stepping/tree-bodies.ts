/** Interface between steps and articulated bodies (trees), which have joint coordinates. */

import type { Forest } from '../../dynamics/trees'

export interface TreeBodies {
  readonly forest: Forest
  /** Joint impulses on bodies in the last step, six doubles a body, N s and N m s; and their time, s. */
  readonly joined: Float64Array
  readonly seconds: Float64Array
  has(body: number): boolean
  /** Starts a step of h seconds at the snapshot. */
  begin(state: Float64Array, h: number): void
  /** v̄ and ω̄ of all bodies of the trees that contain some bodies, from kick and push. */
  accelerate(bodies: readonly number[]): void
  /** Advances the trees of some bodies to the end of the step, after `accelerate`; their base bodies have moved before. */
  drift(bodies: readonly number[], h: number, state: Float64Array, end: Float64Array): void
  /** Adds the joint impulses of the kick at the start, for the trees that contain some bodies. */
  note(bodies: readonly number[]): void
  /**
   * Adds the joint impulses at the end of the step, at the snapshot there.
   *
   * @param time s, over which `before` acted without joints, and `after` with them, N and N m
   */
  addEnd(bodies: readonly number[], before: Float64Array, after: Float64Array, time: number): void
  /** Joint loads of the last step, N and N m, six doubles a node. */
  forces(): Float64Array
}
