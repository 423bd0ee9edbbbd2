/** A lesson: a scene told step by step. Plain data, so that a new one is a file of its own. */

import type { Scene, ShapeType } from '../../core/scene'
import type { PanelId } from '../state/panels'
import type { Workspace } from '../state/shell'

/** What the person is to do; the step says when it is done. */
export type Goal =
  | { readonly kind: 'bodies'; readonly count: number; readonly shape?: ShapeType }
  /** A run of the scene as it is now, to its end. */
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
  /** How the editor stands when the step begins. */
  readonly workspace?: Workspace
  readonly panel?: PanelId
  readonly select?: readonly string[]
  /** s */
  readonly time?: number
}

export interface Lesson {
  readonly id: string
  readonly title: string
  readonly about: string
  /** An example by its name, or a scene of the lesson's own. */
  readonly example?: string
  readonly scene?: Scene
  readonly steps: readonly Step[]
}
