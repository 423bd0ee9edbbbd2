/** The first moments of a window: listeners, what a crash left behind, the first document. */

import { problemSentence } from '../core/scene'
import type { Host } from '../main/protocol/host'
import { useCommands } from './commands/registry'
import { useDocument } from './state/document'
import { useFiles } from './state/files'
import { useMeshes } from './state/meshes'
import { useProblems } from './state/problems'
import { problemsOf, useRuns } from './state/runs'
import { useShell } from './state/shell'

/** Opened where nothing else was asked for. */
const FIRST_EXAMPLE = 'Block on an incline'

export async function startEditor(host: Host): Promise<void> {
  const commands = useCommands()
  const document = useDocument()
  const files = useFiles()
  const problems = useProblems()
  const runs = useRuns()
  const shell = useShell()

  commands.onError = (command, error) => {
    shell.say(`${commands.labelOf(command).replace('…', '')} failed: ${problemsOf(error)[0]!.message}`, { kind: 'error' })
  }
  document.onRefused((refused, label) => {
    const [first] = refused
    shell.say(`${capital(label)} was refused: ${first ? problemSentence(first) : ''}`, { kind: 'error' })
  })
  host.listen({
    runChanged: run => runs.update(run),
    decomposing: (ticket, stage) => useMeshes().progress(ticket, stage),
    documentChanged: handle => {
      if (handle !== document.handle) return
      shell.say(`${document.fileName} changed on disk`, { seconds: 20, action: { label: 'Reload', run: () => void files.openHandle(handle) } })
    },
  })
  host.onConnection(state => {
    const back = state === 'connected' && shell.connection !== 'connected'
    shell.connection = state
    if (!back) return
    void files.autosave()
    void problems.check().catch(() => undefined)
    if (runs.current) void refreshRun(runs.current.id)
  })

  async function refreshRun(id: string) {
    try {
      runs.update(await host.engine.run(id))
    } catch {
      // The engine that had this run is gone: what is cached here stays visible, and is marked as old.
      runs.show(null, null)
      shell.say('The engine was restarted: simulate again to get the run back')
    }
  }

  try {
    await Promise.all([files.refreshExamples(), files.refreshRecent(), files.refreshRecoverable()])
    const initial = await host.initialDocument()
    await files.openFirst(initial ?? files.examples.find(example => example.name === FIRST_EXAMPLE)?.handle ?? files.examples[0]?.handle)
    await offerRecovery()
  } catch (error) {
    shell.say(problemsOf(error)[0]!.message, { kind: 'error', seconds: 60 })
  }

  async function offerRecovery() {
    for (const lost of files.recoverable) {
      const answer = await shell.ask({
        title: 'Recover unsaved work?',
        text: `${lost.name} has changes from ${new Date(lost.savedAt).toLocaleString()} that were not saved before Cairn ended.`,
        answers: [{ id: 'discard', label: 'Discard', danger: true }, { id: 'later', label: 'Later' }, { id: 'recover', label: 'Recover', primary: true }],
      })
      if (answer === 'recover') {
        await files.recover(lost)
        return
      }
      if (answer === 'discard') await files.forgetRecoverable(lost)
    }
  }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
