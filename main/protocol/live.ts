/** Live sessions: user input, pictures, and numbering of hands. */

import type { Vec3 } from '../../core/math/vector'

/** Drive quantities of a joint coordinate that the user can change: the motor's velocity, the servo's target, the drive's force. */
export const DRIVEN = ['motor', 'servo', 'drive'] as const
export type Driven = (typeof DRIVEN)[number]

/** User input; it takes effect from the next frame on. */
export type LiveInput =
  /**
   * A hand pulls a point of a body (m, body frame) or a particle to a target (m, world); without either it releases. For a spring the target
   * is a point of the body `on`, in its frame, and `length` its rest length, m.
   */
  | {
    readonly kind: 'guide'; readonly hand: number; readonly body: string | null; readonly particle?: { readonly deformable: string; readonly index: number }
    readonly point: Vec3; readonly target: Vec3; readonly on?: string; readonly length?: number; readonly stiffness: number; readonly damping: number
  }
  /** rad/s, m/s, rad, m, N m or N, depending on `driven`. */
  | { readonly kind: 'drive'; readonly joint: string; readonly coordinate: number; readonly driven: Driven; readonly value: number }
  /** Value of the scene parameter with this id, for scripts. */
  | { readonly kind: 'parameter'; readonly parameter: string; readonly value: number }
  /** m/s² */
  | { readonly kind: 'gravity'; readonly gravity: Vec3 }
  /** Maximum simulated seconds per second of wall clock; 0: pause. */
  | { readonly kind: 'speed'; readonly ratio: number }
  /** Computes one frame while paused. */
  | { readonly kind: 'step' }
  /** Ends the session with its next frame, so that a session of another scene can continue from there. */
  | { readonly kind: 'handOver' }

/** What was solved with a recorded frame, for panels; messages of `core/trajectory/codec`. */
export interface LiveSolution {
  readonly joints: Uint8Array
  readonly certificate: Uint8Array
  /** Null where the scene has none. */
  readonly sensors: Uint8Array | null
}

export interface LiveFrame {
  readonly run: string
  /** Messages of `core/trajectory/codec`. */
  readonly frame: Uint8Array
  readonly contacts: Uint8Array
  /** Null where the scene has none. */
  readonly deformables: Uint8Array | null
  /** Of the last recorded frame, which is the one before; null in most pictures, since panels follow at a lower rate. */
  readonly solution: LiveSolution | null
  /** Number of user inputs received before this frame was computed, not counting speeds and steps. */
  readonly inputCount: number
  /** Recent simulated seconds per second of wall clock. */
  readonly pace: number
  /** ms of computing time of the last frame. */
  readonly cost: number
}

/** Number of hands: the pointer's, and those of nails and springs between bodies. Each hold takes the first free one. */
export const HANDS = 12

/** Id of a hand's guide in the session's scene. */
export const handId = (hand: number): string => `live-hand-${hand + 1}`
