import { MESH_FILES } from '../../core/formats/mesh/mesh'
import { useDocument } from '../state/document'
import { useExports } from '../state/exports'
import { useFiles } from '../state/files'
import { useHost } from '../state/host'
import { exchangeFiles, useImports } from '../state/imports'
import { usePlayback } from '../state/playback'
import { useRuns } from '../state/runs'
import { useShell } from '../state/shell'
import { useViewportApi } from '../state/viewport-api'
import type { Command } from './registry'

/** Pictures and MuJoCo's binary files of height fields, beside a scene that refers to them. */
const PICTURE_FILES = ['.png', '.jpg', '.jpeg', '.mtl', '.bin']

export function fileCommands(): Command[] {
  const files = useFiles()
  const imports = useImports()
  const exports = useExports()
  const shell = useShell()
  const document = useDocument()
  const runs = useRuns()
  const playback = usePlayback()
  const viewport = useViewportApi()
  /** Opens the browser's file dialog. Several files may be selected: the scene and the meshes that it refers to. */
  async function chooseImport() {
    const endings = (await imports.known()).flatMap(format => format.imports?.extensions ?? [])
    const input = window.document.createElement('input')
    input.type = 'file'
    input.multiple = true
    input.accept = [...new Set([...endings, ...MESH_FILES.map(ending => `.${ending}`), ...PICTURE_FILES])].join(',')
    input.addEventListener('change', () => {
      void exchangeFiles(input.files ?? []).then(chosen => imports.begin(chosen)).catch((error: unknown) => {
        shell.notify(`The files cannot be read: ${(error as Error).message}`, { kind: 'error' })
      })
    })
    input.click()
  }
  return [
    { id: 'file.new', label: 'New scene', menu: 'File', group: 'open', keys: ['Alt+N'], inFields: true, run: () => files.create() },
    { id: 'file.open', label: 'Open…', menu: 'File', group: 'open', keys: ['Ctrl+O'], inFields: true, help: 'A scene or a recorded run (.mcap).', run: () => files.open() },
    { id: 'file.examples', label: 'Examples…', menu: 'File', group: 'open', keys: ['Alt+E'], run: () => { shell.dialog = 'gallery' } },
    {
      id: 'file.import', label: 'Import…', menu: 'File', group: 'open', keys: ['Ctrl+Shift+O'], inFields: true,
      help: 'A scene or robot of MuJoCo, ROS and other runtimes, with the files to which it refers.', run: chooseImport,
    },
    { id: 'file.save', label: 'Save', menu: 'File', group: 'save', keys: ['Ctrl+S'], inFields: true, run: () => files.save() },
    { id: 'file.saveAs', label: 'Save as…', menu: 'File', group: 'save', keys: ['Ctrl+Shift+S'], inFields: true, run: () => files.saveAs() },
    { id: 'file.export', label: 'Export scene…', menu: 'File', group: 'export', keys: ['Ctrl+E'], help: 'To MuJoCo and other runtimes, with a report of losses.', run: () => { shell.dialog = 'export' } },
    {
      id: 'file.exportAgain', label: 'Export again', menu: 'File', group: 'export', keys: ['Ctrl+Shift+E'], help: 'To the same target with the same options.',
      run: () => exports.again(stem(document.fileName)),
    },
    {
      id: 'file.png', label: 'Save picture…', menu: 'File', group: 'export', help: 'The current view as PNG.',
      enabled: () => viewport.ready,
      run: async () => {
        const png = await viewport.api?.capturePng()
        if (png) await useHost().dialogs.saveFile(`${stem(document.fileName)}-${playback.time.toFixed(3)}s.png`, png)
      },
    },
    {
      id: 'file.film', label: 'Film or picture of the run…', menu: 'File', group: 'export', help: 'WebM, MP4 or PNG of any size, with a time code and plots beside it.',
      enabled: () => viewport.ready && runs.current !== null && playback.frameCount > 0, run: () => { shell.dialog = 'film' },
    },
    {
      id: 'file.figure', label: 'Free-body diagram…', menu: 'File', group: 'export', help: 'The forces on a body now, to scale, as SVG or PDF.',
      enabled: () => runs.current !== null && playback.frameCount > 0, run: () => { shell.dialog = 'figure' },
    },
    {
      id: 'file.tables', label: 'Export tables…', menu: 'File', group: 'export', help: 'Numbers of the whole run for spreadsheets and notebooks: CSV, Parquet or NumPy.',
      enabled: () => runs.current !== null, run: () => { shell.dialog = 'tables' },
    },
  ]
}

export const stem = (fileName: string) => fileName.replace(/\.(cairn(\.json)?|mcap|json)$/, '') || 'scene'
