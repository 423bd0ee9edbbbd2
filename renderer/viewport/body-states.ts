/** Writes the visibility, highlight and colour of every body into the pose texture. */

import { bodiesOf } from '../state/scene-access'
import { HIGHLIGHT } from './bodies'
import type { ArrowScaling } from './glyphs/scaling'
import type { PoseTexture } from './layers/pose-texture'
import { bodyColor, speedColor } from './paint'
import type { PosedScene } from './posed-scene'
import type { ViewState } from './view-state'

export function highlightOf(id: string, { selected, trouble, hovered }: ViewState): number {
  if (selected.has(id)) return HIGHLIGHT.selected
  if (trouble.has(id)) return HIGHLIGHT.trouble
  return hovered === id ? HIGHLIGHT.hovered : HIGHLIGHT.none
}

/**
 * @param shown receives 1 for each visible body, else 0
 * @returns whether any body is highlighted
 */
export function setBodyStates(poses: PoseTexture, posed: PosedScene, state: ViewState, shown: Uint8Array): boolean {
  const bodies = bodiesOf(posed.scene)
  let outlined = false
  for (let b = 0; b < bodies.length; b++) {
    const { id } = bodies[b]!
    shown[b] = state.hidden.has(id) ? 0 : 1
    const highlight = highlightOf(id, state)
    outlined ||= highlight > 0
    poses.setState(b, highlight, posed.plan.kinds[b]!, state.asleep.has(id))
    if (state.colouring === 'body') poses.setPaint(b, ...bodyColor(b), 1)
    else poses.setPaint(b, 0, 0, 0, 0)
  }
  return outlined
}

/** Colours by speed. The bright end of the ramp is the speed whose arrow is one radius of the typical body long, without the arrow slider. */
export function paintSpeeds(poses: PoseTexture, posed: PosedScene, state: ViewState, { scales, radius }: ArrowScaling): void {
  const full = 1 / (scales.velocity * 2 / Math.max(state.arrowScale, 1e-9)) * radius * 2
  for (let b = 0; b < posed.count; b++) poses.setPaint(b, ...speedColor(posed.columns, b, full), posed.plan.kinds[b] === 1 ? 0 : 1)
}
