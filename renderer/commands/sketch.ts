import { isPlanar } from '../modelling/plane'
import { useDocument } from '../state/document'
import { useLive } from '../state/live'
import { SKETCH_TOOLS, useSketch, type SketchTool } from '../state/sketch'
import type { Command } from './registry'

/** Sketch commands: all tools in two dimensions, polygons only in three. */
export function sketchCommands(): Command[] {
  const document = useDocument()
  const sketch = useSketch()
  const live = useLive()
  return (Object.keys(SKETCH_TOOLS) as SketchTool[]).map((tool): Command => {
    const { label, hint } = SKETCH_TOOLS[tool]
    return {
      id: `sketch.${tool}`, label: `${label}…`, menu: 'Add', group: 'draw', submenu: 'Draw', ...tool === 'polygon' ? { keys: ['Shift+P'] } : {},
      help: tool === 'polygon' ? `${hint} In three dimensions it becomes a prism.` : `${hint} In two dimensions.`,
      checked: () => sketch.tool === tool, enabled: () => live.run === null && (tool === 'polygon' || isPlanar(document.scene)),
      run: () => sketch.tool === tool ? sketch.stop() : sketch.start(tool),
    }
  })
}
