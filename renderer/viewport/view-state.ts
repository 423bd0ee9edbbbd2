/** How a scene is displayed, as plain data gathered from the stores. */

import type { SelectedShape } from '../state/selection'
import type { ActionSide, Colouring, DeformableColouring, Overlays } from '../state/view'

export interface ViewState {
  readonly overlays: Overlays
  readonly arrowScale: number
  readonly xray: boolean
  readonly actionSide: ActionSide
  readonly colouring: Colouring
  readonly deformableColouring: DeformableColouring
  readonly hidden: ReadonlySet<string>
  readonly locked: ReadonlySet<string>
  readonly selected: ReadonlySet<string>
  readonly hovered: string | null
  readonly selectedShape: SelectedShape | null
  /** Bodies that overlap at t = 0. */
  readonly trouble: ReadonlySet<string>
  /** Bodies that are asleep in time-stepping: drawn muted. */
  readonly asleep: ReadonlySet<string>
  /** Index in the contact frame; −1 for none. */
  readonly selectedContact: number
  readonly hoveredContact: number
  readonly stale: boolean
}
