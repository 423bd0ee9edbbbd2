import { app, dialog, type BrowserWindow, type FileFilter } from 'electron'
import type { Dialogs } from '../protocol/host'
import type { EngineCalls } from './engine-calls'

/** Windows and macOS cannot associate compound extensions: scenes end in `.cairn` there. */
const sceneEndings = process.platform === 'linux' ? ['cairn.json', 'cairn', 'json'] : ['cairn', 'json']

const filters: FileFilter[] = [
  { name: 'Cairn scenes and recorded runs', extensions: [...sceneEndings, 'mcap'] },
  { name: 'All files', extensions: ['*'] },
]

/** The system's dialogs for one window. The page gets handles only; paths stay between this process and the engine's. */
export function dialogsOf(window: BrowserWindow, engine: () => EngineCalls): Dialogs {
  return {
    async chooseOpen() {
      const { canceled, filePaths } = await dialog.showOpenDialog(window, { filters, properties: ['openFile'] })
      const [path] = filePaths
      if (canceled || path === undefined) return null
      app.addRecentDocument(path)
      return engine().handleFor(path)
    },

    async chooseSave(suggestedName) {
      const { canceled, filePath } = await dialog.showSaveDialog(window, {
        defaultPath: suggestedName, filters: [{ name: 'Cairn scene', extensions: sceneEndings }],
      })
      return canceled || filePath === '' ? null : engine().handleFor(filePath)
    },

    async saveFile(name, data) {
      const { canceled, filePath } = await dialog.showSaveDialog(window, { defaultPath: name })
      if (canceled || filePath === '') return false
      await engine().write(filePath, data)
      return true
    },
  }
}
