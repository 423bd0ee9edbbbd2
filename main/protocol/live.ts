/** A session in which a person takes part: what they do, what they see, and what is left of it. */

import type { Vec3 } from '../../core/math/vector'

/** What of a joint's coordinate a person changes: its motor's velocity, its servo's target, its drive's force. */
export const DRIVEN = ['motor', 'servo', 'drive'] as const
export type Driven = (typeof DRIVEN)[number]

/** What a person does; it counts from the frame on that is waited for. */
export type LiveInput =
  /**
   * A hand pulls a point of a body (m, body frame), or a particle, to a target (m, world); with neither it lets go. A spring: the target is a point of the
   * body `on`, in its frame, and `length` the distance that is kept, m.
   */
  | {
    readonly kind: 'guide'; readonly hand: number; readonly body: string | null; readonly particle?: { readonly deformable: string; readonly index: number }
    readonly point: Vec3; readonly target: Vec3; readonly on?: string; readonly length?: number; readonly stiffness: number; readonly damping: number
  }
  /** rad/s, m/s, rad, m, N m or N, by what is changed. */
  | { readonly kind: 'drive'; readonly joint: string; readonly coordinate: number; readonly driven: Driven; readonly value: number }
  /** A value of the scene's parameter of this id, for scripts. */
  | { readonly kind: 'parameter'; readonly parameter: string; readonly value: number }
  /** m/s² */
  | { readonly kind: 'gravity'; readonly gravity: Vec3 }
  /** Simulated seconds a second of the clock at most; 0: pause. */
  | { readonly kind: 'speed'; readonly ratio: number }
  /** One frame, in a pause. */
  | { readonly kind: 'step' }
  /** The session ends with its next frame, so that one of another scene can go on from there. */
  | { readonly kind: 'handOver' }

export interface LiveFrame {
  readonly run: string
  /** Messages of `core/trajectory/codec`. */
  readonly frame: Uint8Array
  readonly contacts: Uint8Array
  /** Null where the scene has none. */
  readonly deformables: Uint8Array | null
  /** How many of the person's inputs, speeds and steps left out, were heard before this frame was computed. */
  readonly heard: number
  /** Simulated seconds a second of the clock, lately. */
  readonly pace: number
  /** ms of computing that the last frame took. */
  readonly cost: number
}

/** Hands: the first is the pointer's, the others hold what is nailed, and are springs between bodies. */
export const HANDS = 12

/** The guide of a hand, as the scene of the session has it. */
export const handId = (hand: number): string => hand === 0 ? 'hand' : `nail-${hand}`
