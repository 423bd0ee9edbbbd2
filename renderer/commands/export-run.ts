/** Exports of the recorded run: the whole for others, films, surfaces at the displayed time, forces. */

import { formatBytes } from '../fields/format'
import { useDocument } from '../state/document'
import { savedFiles } from '../state/saved-files'
import { useHost } from '../state/host'
import { usePlayback } from '../state/playback'
import { useRuns } from '../state/runs'
import { useShell } from '../state/shell'
import { stem } from './file'
import type { Command } from './registry'

/** @property atShownTime exports the bodies at the displayed time instead of a film */
const TARGETS = [
  { id: 'mcap', label: 'Run and scene (MCAP)…', help: 'One file for other people with Cairn: opening it shows the scene and this run.', atShownTime: false },
  { id: 'gltf', label: 'Animation (glTF)…', help: 'Every frame of the current run as an animated .glb, for browsers and Blender.', atShownTime: false },
  { id: 'usda', label: 'Animation (USD)…', help: 'Every frame of the current run as time samples, for Omniverse and usdview.', atShownTime: false },
  { id: 'html', label: 'Page (HTML)…', help: 'One file that plays the run and can be inspected in any browser, without Cairn.', atShownTime: false },
  { id: 'forces', label: 'Forces (JSON)…', help: 'Force and torque of each force of the scene on each body, at the run\'s frames.', atShownTime: false },
  { id: 'obj', label: 'Surfaces now (OBJ)…', help: 'All shapes at the time shown.', atShownTime: true },
  { id: 'stl', label: 'Surfaces now (STL)…', help: 'All shapes at the time shown.', atShownTime: true },
] as const

export function exportRunCommands(): Command[] {
  const shell = useShell()
  const document = useDocument()
  const runs = useRuns()
  const playback = usePlayback()
  return TARGETS.map(({ id, label, help, atShownTime }): Command => ({
    id: `file.run.${id}`, label, menu: 'File', group: 'export', submenu: 'Export run', help, enabled: () => runs.current !== null && runs.current.frames > 0,
    run: async () => {
      if (!runs.current) return
      const { files, losses } = await useHost().engine.exportRun(runs.current.id, id, stem(document.fileName), atShownTime ? playback.time : null)
      for (const { name, data } of savedFiles(files)) if (!await useHost().dialogs.saveFile(name, data)) return
      const exported = `Exported the run, ${formatBytes(files.reduce((sum, file) => sum + file.data.byteLength, 0))}`
      if (losses.length === 0) return shell.confirm(exported)
      const shownLosses = losses.slice(0, 3).map(({ message, instead }) => `${message}: ${instead}`)
      shell.notify([exported, ...shownLosses, ...losses.length > 3 ? [`and ${losses.length - 3} more`] : []].join('. '))
    },
  }))
}
