/** Interface between the steps of bodies and bodies with joint coordinates. */

import type { Forest } from '../../dynamics/trees'

export interface HungBodies {
  readonly forest: Forest
  /** Impulses that joints gave bodies in the last step, six doubles a body, N s and N m s; s in which. */
  readonly joined: Float64Array
  readonly seconds: Float64Array
  has(body: number): boolean
  /** The start of a step of h seconds, at the snapshot. */
  begin(state: Float64Array, h: number): void
  /** v̄ and ω̄ of the bodies of all trees that some bodies are of, from kick and push. */
  accelerate(bodies: readonly number[]): void
  /** Advances the trees of some bodies to the end of the step, after `accelerate`; their base bodies have moved before. */
  drift(bodies: readonly number[], h: number, state: Float64Array, end: Float64Array): void
  /** Takes note of what joints did with the kick at the start, of trees that some bodies are of. */
  note(bodies: readonly number[]): void
  /**
   * Adds what joints did at the end of the step, at the snapshot there.
   *
   * @param time s, in which `before` acted beside joints, and `after` with them, N and N m
   */
  addEnd(bodies: readonly number[], before: Float64Array, after: Float64Array, time: number): void
  /** Joint loads of the last step, N and N m, six doubles a node. */
  forces(): Float64Array
}
