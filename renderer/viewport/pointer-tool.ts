/** A tool that, while active, gets left presses before the gizmo and the selection. */

import type { Projection } from './camera/projection'
import type { Context } from './overlay/drawing'
import type { ViewportTheme } from './theme'

export interface ToolKeys {
  readonly ctrl: boolean
  readonly shift: boolean
}

export interface PointerTool {
  readonly active: boolean
  /** Whether presses that the active tool does not take go to the selection. */
  readonly letsSelect: boolean
  /** Keeps the camera's direction: drags that would orbit pan. */
  readonly keepsDirection: boolean
  /** The pointer moved with no button down. Returns the cursor over something that the tool can act on, else null. */
  hover(x: number, y: number, view: Projection, keys: ToolKeys): string | null
  /** True if the tool takes the press. */
  press(x: number, y: number, view: Projection, keys: ToolKeys): boolean
  /** @param far whether the pointer has moved farther than a click may */
  move(x: number, y: number, view: Projection, keys: ToolKeys, far: boolean): void
  release(): void
  /** The pointer left the canvas. */
  leave(): void
  /** Cancels the current action. */
  cancel(): void
  draw(ctx: Context, view: Projection, theme: ViewportTheme): void
}
