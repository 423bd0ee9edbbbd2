/** The tools that take presses in the picture; at most one is active. */

import { CutControl } from './cut-control'
import { MeasureControl } from './measure-control'
import type { PointerTool } from './pointer-tool'
import type { SceneView } from './scene-view'
import { SketchControl } from './sketch-control'
import { WindPreview } from './wind-preview'

export const pointerTools = (view: SceneView, redrawOverlay: () => void): readonly PointerTool[] => [
  new SketchControl(redrawOverlay), new CutControl(redrawOverlay), new WindPreview(), new MeasureControl(view, redrawOverlay),
]
