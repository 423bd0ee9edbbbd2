/** Everything that the editor needs to know of one joint type. */

import type { Vec3 } from '../../core/math/vector'
import type { Joint } from '../../core/scene'
import type { Carrier } from './carrier'
import type { CurveType } from './curves'
import type { JointPen } from './pen'

/** The two sides of a new joint, before its type is known. */
export interface Joined {
  readonly id: string
  readonly bodyA: string
  readonly bodyB: string | null
  readonly anchor: Vec3
}

/** The current pose of a joint. */
export interface JointPlace {
  readonly a: Carrier
  readonly b: Carrier
  /** Reference side: A, or B if A is the world. */
  readonly main: Carrier
  /** Anchor on `main`, m. */
  readonly anchor: Vec3
  /** Half the size of the drawing, m. */
  readonly size: number
}

export interface JointDescription<J extends Joint> {
  /** Label in menus. */
  readonly label: string
  readonly help: string
  /** Name of its direction; empty if it has none. */
  readonly axis: string
  /** Whether it has an anchor on each side. */
  readonly hasTwoAnchors?: boolean
  /** Absent for joints that couple other joints; such a joint is drawn as a line between them. */
  // `anchorB` is where a joint with two anchors is attached to B, m.
  make?(joined: Joined, axis: Vec3, curve: CurveType, anchorB: Vec3): J
  draw?(joint: J, place: JointPlace, pen: JointPen): void
}
