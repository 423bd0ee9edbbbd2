import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { app, dialog, type BrowserWindow, type FileFilter } from 'electron'
import type { Dialogs } from '../protocol/host'
import type { EngineCalls } from './engine-calls'

/** Compound endings do not associate on Windows and macOS: there a scene ends in `.cairn`. */
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
      await writeWhole(filePath, data)
      return true
    },
  }
}

/** Writes beside the file and renames, so that what was there stays whole until the new content is. */
async function writeWhole(path: string, data: Uint8Array): Promise<void> {
  const aside = join(dirname(path), `.${randomUUID()}.tmp`)
  try {
    await writeFile(aside, data, { flag: 'wx' })
    await rename(aside, path)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}
