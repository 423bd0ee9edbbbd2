import { useDocument } from '../state/document'
import { useFiles } from '../state/files'
import { useHost } from '../state/host'
import { usePlayback } from '../state/playback'
import { useRuns } from '../state/runs'
import { useShell } from '../state/shell'
import { useViewportApi } from '../state/viewport-api'
import type { Command } from './registry'

export function fileCommands(): Command[] {
  const files = useFiles()
  const shell = useShell()
  const document = useDocument()
  const runs = useRuns()
  const playback = usePlayback()
  const viewport = useViewportApi()
  return [
    { id: 'file.new', label: 'New scene', menu: 'File', group: 'open', keys: ['Alt+N'], inFields: true, run: () => files.create() },
    { id: 'file.open', label: 'Open…', menu: 'File', group: 'open', keys: ['Ctrl+O'], inFields: true, help: 'A scene or a recorded run (.mcap).', run: () => files.open() },
    { id: 'file.examples', label: 'Examples…', menu: 'File', group: 'open', keys: ['Alt+E'], run: () => { shell.dialog = 'gallery' } },
    { id: 'file.save', label: 'Save', menu: 'File', group: 'save', keys: ['Ctrl+S'], inFields: true, run: () => files.save() },
    { id: 'file.saveAs', label: 'Save as…', menu: 'File', group: 'save', keys: ['Ctrl+Shift+S'], inFields: true, run: () => files.saveAs() },
    { id: 'file.export', label: 'Export scene…', menu: 'File', group: 'export', keys: ['Ctrl+E'], help: 'To MuJoCo and other runtimes, with a report of what they cannot say.', run: () => { shell.dialog = 'export' } },
    {
      id: 'file.png', label: 'Save picture…', menu: 'File', group: 'export', help: 'The viewport as it is, as PNG.',
      enabled: () => viewport.ready,
      run: async () => {
        const png = await viewport.api?.capturePng()
        if (png) await useHost().dialogs.saveFile(`${stem(document.fileName)}-${playback.time.toFixed(3)}s.png`, png)
      },
    },
    ...(['bodies', 'contacts', 'joints', 'events', 'certificate'] as const).map((what): Command => ({
      id: `file.csv.${what}`, label: `${TABLE_LABELS[what]} as CSV…`, menu: 'File', group: 'export', submenu: 'Export tables',
      help: 'Of the whole current run.', enabled: () => runs.current !== null,
      run: async () => {
        if (!runs.current) return
        const csv = await useHost().engine.table(runs.current.id, what)
        await useHost().dialogs.saveFile(`${stem(document.fileName)}-${what}.csv`, new TextEncoder().encode(csv))
      },
    })),
  ]
}

const TABLE_LABELS = { bodies: 'Bodies', contacts: 'Contacts', joints: 'Joints', events: 'Events', certificate: 'Accuracy' } as const

export const stem = (fileName: string) => fileName.replace(/\.(cairn(\.json)?|mcap|json)$/, '') || 'scene'
