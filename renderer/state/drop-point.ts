import { shallowRef } from 'vue'
import type { Vec3 } from '../../core/math/vector'

/** A point of a surface, with its outward normal. */
export interface Spot {
  readonly point: Vec3
  readonly normal: Vec3
  /** A new body lies on the surface there, rather than standing upright over it. */
  readonly lies?: boolean
  /** Nobody pointed at it: a new body stands above what it would overlap there. */
  readonly isSuggested?: boolean
}

/** Place of the next added body instead of the middle of the view. Set by a drop on the viewport and cleared by the command. */
export const dropPoint = shallowRef<Spot | null>(null)
