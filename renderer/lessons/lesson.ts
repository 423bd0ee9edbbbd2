/** A lesson: a scene explained step by step. Plain data, one file per lesson. */

import type { Scene, ShapeType } from '../../core/scene'
import type { PanelId } from '../state/panels'
import type { CameraState } from '../state/view'
import type { Workspace } from '../state/shell'

/** The user's task in a step; the step is done when it is fulfilled. */
export type Goal =
  | { readonly kind: 'bodies'; readonly count: number; readonly shape?: ShapeType }
  /** A finished run of the present scene. */
  | { readonly kind: 'run' }
  /** A change of the scene since the step began. */
  | { readonly kind: 'change' }
  /** s */
  | { readonly kind: 'time'; readonly from: number; readonly to: number }
  | { readonly kind: 'select'; readonly id: string }
  | { readonly kind: 'contact' }
  | { readonly kind: 'panel'; readonly panel: PanelId }

export interface Step {
  readonly text: string
  readonly goal?: Goal
  /** State of the editor at the start of the step. */
  readonly workspace?: Workspace
  readonly panel?: PanelId
  readonly select?: readonly string[]
  /** s */
  readonly time?: number
  readonly camera?: CameraState
}

export interface Lesson {
  readonly id: string
  readonly title: string
  readonly about: string
  /** An example by name, or the lesson's own scene. */
  readonly example?: string
  readonly scene?: Scene
  readonly steps: readonly Step[]
}
