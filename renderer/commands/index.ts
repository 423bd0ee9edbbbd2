import { addCommands } from './add'
import { editCommands } from './edit'
import { exportRunCommands } from './export-run'
import { fileCommands } from './file'
import { lessonCommands } from './lesson'
import { measureCommands } from './measure'
import { prefabCommands } from './prefab'
import { useCommands } from './registry'
import { modellingCommands } from './modelling'
import { simulateCommands } from './simulate'
import { sketchCommands } from './sketch'
import { vertexCommands } from './vertices'
import { viewCommands } from './view'
import { windowCommands } from './window'

/** Registers every command of the editor, in the order of the menus. */
export function registerCommands(): void {
  const registry = useCommands()
  const groups = [
    fileCommands, exportRunCommands, editCommands, prefabCommands, modellingCommands, vertexCommands, addCommands, sketchCommands,
    viewCommands, measureCommands, simulateCommands, windowCommands, lessonCommands,
  ]
  for (const group of groups) registry.register(group())
}
