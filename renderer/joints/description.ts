/** What the editor knows of one kind of joint: all of it in its file. */

import type { Vec3 } from '../../core/math/vector'
import type { Joint } from '../../core/scene'
import type { Carrier } from './carrier'
import type { CurveType } from './curves'
import type { JointPen } from './pen'

/** What two bodies are joined by, before it is known how. */
export interface Joined {
  readonly id: string
  readonly bodyA: string
  readonly bodyB: string | null
  readonly anchor: Vec3
}

/** Where a joint is now. */
export interface JointPlace {
  readonly a: Carrier
  readonly b: Carrier
  /** The body that is spoken of first: A, or B where A is the world. */
  readonly main: Carrier
  /** On `main`, m. */
  readonly anchor: Vec3
  /** Half the size of its drawing, m. */
  readonly size: number
}

export interface JointDescription<J extends Joint> {
  /** As menus call it. */
  readonly label: string
  readonly help: string
  /** What its direction is called; empty where it has none. */
  readonly axis: string
  /** Absent: it couples other joints, and so is drawing, which is a line between those. */
  make?(joined: Joined, axis: Vec3, curve: CurveType): J
  draw?(joint: J, place: JointPlace, pen: JointPen): void
}
