/** Startup of a window: listeners, recovery after a crash, the first document. */

import { problemSentence } from '../core/scene'
import type { Host } from '../main/protocol/host'
import { useCommands } from './commands/registry'
import { useDocument } from './state/document'
import { useFiles } from './state/files'
import { readLastDraft } from './state/last-document'
import { withNames } from './state/id-from-name'
import { useLive } from './state/live'
import { useMeshes } from './state/meshes'
import { usePrefabs } from './state/prefabs'
import { useProblems } from './state/problems'
import { problemsOf, useRuns } from './state/runs'
import { useShell } from './state/shell'
import { useSweeps } from './state/sweeps'

/** At most this many lost documents get their own button. */
const MAX_OFFERED = 3

/** Opened if no other document was requested. */
const FIRST_EXAMPLE = 'Block on an incline'

export async function startEditor(host: Host): Promise<void> {
  const commands = useCommands()
  const document = useDocument()
  const files = useFiles()
  const problems = useProblems()
  const runs = useRuns()
  const shell = useShell()

  commands.onError = (command, error) => {
    shell.notify(`${commands.labelOf(command).replace('…', '')} failed: ${problemsOf(error)[0]!.message}`, { kind: 'error' })
  }
  document.onRefused((refused, label) => {
    const [first] = refused
    // A message about an id itself shows it.
    const told = first ? withNames(problemSentence(first), first.name === 'DuplicateId' ? [] : first.ids, document.scene) : ''
    shell.notify(`${capital(label)} was refused: ${told}`, { kind: 'error' })
  })
  host.listen({
    runChanged: run => {
      runs.update(run)
      useLive().update(run)
    },
    liveFrame: frame => useLive().show(frame),
    sweepChanged: sweep => useSweeps().update(sweep),
    decomposing: (ticket, stage) => useMeshes().progress(ticket, stage),
    recordingAhead: status => { shell.recordingAhead = status },
    prefabsChanged: handle => { void usePrefabs().onPrefabsChanged(handle) },
    documentChanged: (handle, revision) => {
      if (handle !== document.handle || revision === document.fileRevision) return
      shell.notify(`${document.fileName} changed on disk`, { seconds: 20, action: { label: 'Reload', run: () => void files.openHandle(handle) } })
    },
  })
  host.onConnection(state => {
    const back = state === 'connected' && shell.connection !== 'connected'
    shell.connection = state
    if (!back) return
    void files.autosave()
    void problems.check().catch(() => undefined)
    if (runs.current) void refreshRun(runs.current.id)
    if (useSweeps().list.length > 0) void useSweeps().refresh()
  })

  async function refreshRun(id: string) {
    try {
      runs.update(await host.engine.run(id))
    } catch {
      // The engine that had this run is gone: cached data stay visible, marked as outdated.
      runs.show(null, null)
      shell.notify('The engine was restarted: simulate again to get the run back')
    }
  }

  try {
    await Promise.all([files.refreshExamples(), files.refreshRecent(), files.refreshRecoverable()])
    const initial = await host.initialDocument()
    const example = files.examples.find(one => one.name === FIRST_EXAMPLE) ?? files.examples[0]
    // A new window that was given a scene shows it; a reloaded one continues with its own.
    const before = initial !== null && !isReload() ? [] : files.beforeReload()
    const draft = isReload() ? readLastDraft() : null
    await files.openFirst(before, initial ?? example?.handle)
    const own = files.recoverable.find(lost => lost.draft === draft)
    // Nothing was lost: the same window goes on.
    if (own) await files.recover(own)
    await offerRecovery()
  } catch (error) {
    shell.notify(problemsOf(error)[0]!.message, { kind: 'error', seconds: 60 })
  }

  /** With the time of day if two windows left changes of the same document. */
  function nameOf({ name, savedAt }: { name: string; savedAt: number }): string {
    const same = files.recoverable.filter(lost => lost.name === name)
    return same.length > 1 ? `${name} of ${new Date(savedAt).toLocaleTimeString()}` : name
  }

  /**
   * Asks one question for all recoverable documents, the newest first. The others are offered again at the next start, unless all are
   * discarded.
   */
  async function offerRecovery() {
    const [newest, ...others] = files.recoverable
    if (!newest) return
    const listed = files.recoverable.map(lost => `${lost.name} has changes from ${new Date(lost.savedAt).toLocaleString()}`)
    const answer = await shell.ask({
      title: 'Recover unsaved work?',
      text: `${listed.join('\n')}\nThey were not saved before Cairn ended.`,
      answers: [
        { id: 'discard', label: others.length > 0 ? 'Discard all' : 'Discard', danger: true }, { id: 'later', label: 'Later' },
        ...files.recoverable.slice(0, MAX_OFFERED).map((lost, i) => ({ id: String(i), label: others.length > 0 ? `Recover ${nameOf(lost)}` : 'Recover', primary: i === 0 })),
      ],
    })
    const chosen = answer === null ? undefined : files.recoverable[Number(answer)]
    if (chosen) await files.recover(chosen)
    else if (answer === 'discard') for (const lost of [...files.recoverable]) await files.forgetRecoverable(lost)
  }
}

const isReload = () => performance.getEntriesByType('navigation').some(entry => (entry as PerformanceNavigationTiming).type === 'reload')

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
