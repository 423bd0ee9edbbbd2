/** A session in which a person takes part: what they do, what they see, and what is left of it. */

import type { Vec3 } from '../../core/math/vector'

/** What a person does; it counts from the next frame on. */
export type LiveInput =
  /** A hand pulls a point of a body (m, body frame) to a target (m, world); a body of null lets go. */
  | {
    readonly kind: 'guide'; readonly hand: number; readonly body: string | null; readonly point: Vec3; readonly target: Vec3
    readonly stiffness: number; readonly damping: number
  }
  /** Simulated seconds a second of the clock at most; 0: pause. */
  | { readonly kind: 'speed'; readonly ratio: number }

export interface LiveFrame {
  readonly run: string
  /** Messages of `core/trajectory/codec`. */
  readonly frame: Uint8Array
  readonly contacts: Uint8Array
  /** How many of the person's hand inputs act in this frame or before it. */
  readonly heard: number
  /** Simulated seconds a second of the clock, lately. */
  readonly pace: number
  /** ms of computing that the last frame took. */
  readonly cost: number
}

/** Hands: the first is the pointer's, the others hold what is nailed. */
export const HANDS = 12

/** The guide of a hand, as the scene of the session has it. */
export const handId = (hand: number): string => hand === 0 ? 'hand' : `nail-${hand}`
