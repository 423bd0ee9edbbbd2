/** A tool that takes left presses before the gizmo and the selection do, while it is active. */

import type { Projection } from './camera/projection'
import type { Context } from './overlay/drawing'
import type { ViewportTheme } from './theme'

export interface ToolKeys {
  readonly ctrl: boolean
  readonly shift: boolean
}

export interface PointerTool {
  readonly active: boolean
  /** While it is active: whether presses that it does not take go to the selection. */
  readonly letsSelect: boolean
  /** Whether the camera keeps facing what it faces: drags that would orbit pan. */
  readonly keepsDirection: boolean
  /** The pointer moved with no button down; gives the cursor over what the tool would take, null elsewhere. */
  hover(x: number, y: number, view: Projection, keys: ToolKeys): string | null
  /** True where it takes the press. */
  press(x: number, y: number, view: Projection, keys: ToolKeys): boolean
  /** @param far whether the pointer has gone farther than a click may */
  move(x: number, y: number, view: Projection, keys: ToolKeys, far: boolean): void
  release(): void
  /** The pointer left the picture. */
  leave(): void
  /** What was begun is taken back. */
  cancel(): void
  draw(ctx: Context, view: Projection, theme: ViewportTheme): void
}
