/**
 * The runs of this document, and the label of the primary button. A run is *current* while the document is the scene that was run; other
 * displayed runs are marked as outdated.
 */

import { computed, ref, shallowRef, watch } from 'vue'
import { defineStore } from 'pinia'
import { HostError } from '../../main/protocol/host'
import type { Problem } from '../../main/protocol/problem'
import type { RunInfo, RunMoment } from '../../main/protocol/runs'
import type { Scene } from '../../core/scene'
import { useDocument } from './document'
import { useHost } from './host'
import { nothingToRun } from './nothing-to-run'
import { withReasons } from './instances'
import { useProblems } from './problems'
import { readScene } from './read-scene'
import { EMPTY_SCENE } from './scene-access'
import { sceneText } from './scene-text'
import { formatTime, formatTimeLeft } from '../fields/format'

export type PrimaryState = 'ready' | 'starting' | 'running' | 'current' | 'stale' | 'stopped' | 'refused'

export const useRuns = defineStore('runs', () => {
  const document = useDocument()
  const problems = useProblems()

  const list = shallowRef<readonly RunInfo[]>([])
  const current = shallowRef<RunInfo | null>(null)
  /** The scene of the current run, as plain data. Its bodies are drawn while its frames are displayed. */
  const scene = shallowRef<Scene | null>(null)
  /** Key of a run of the present document; null while it is being computed. */
  const documentHash = ref<string | null>(null)
  const starting = ref(false)
  /** The run of a live session, whose scene contains the user's actions, and the document that it belongs to: another one outdates it. */
  const session = ref<string | null>(null)
  const sessionDocument = shallowRef<Scene | null>(null)
  /** Why the last run was refused before its first frame; cleared by the next edit. */
  const refusal = shallowRef<readonly Problem[] | null>(null)

  /** Runs displayed since the document was loaded: scenes without a name are told apart by them. */
  const shown = shallowRef<ReadonlySet<string>>(new Set())
  watch(() => document.generation, () => { shown.value = new Set() }, { flush: 'sync' })

  /** Runs of this document: those with its name; before it has a name of its own those that were displayed here, or whose scene is its present one. */
  const ofDocument = computed(() => {
    const { name = '' } = document.scene
    const isOwn = name !== '' && name !== EMPTY_SCENE.name
    return list.value.filter(({ id, header, sceneHash }) => id === current.value?.id || header === null
      || (header.sceneName === name && (isOwn || shown.value.has(id) || sceneHash === documentHash.value)))
  })

  const running = computed(() => current.value?.status === 'running')
  /** The displayed run is of another scene than the document's. */
  const stale = computed(() => {
    const run = current.value
    if (!run) return false
    if (run.id === session.value) return run.status !== 'running' && sessionDocument.value !== document.scene
    return scene.value !== document.scene && documentHash.value !== run.sceneHash
  })
  /** Duration of a simulation of the document, s. */
  const duration = computed(() => document.scene.simulation?.duration ?? 5)

  const primary = computed<{ state: PrimaryState; label: string }>(() => {
    if (starting.value) return { state: 'starting', label: 'Cancel · starting…' }
    if (refusal.value) return { state: 'refused', label: 'Cannot simulate · show why' }
    const run = current.value
    if (!run) return { state: 'ready', label: 'Simulate' }
    if (run.id === session.value) return { state: 'ready', label: 'Simulate' }
    if (run.status === 'running') return { state: 'running', label: `Cancel · ${progressOf(run)}` }
    if (stale.value) return { state: 'stale', label: 'Simulate again' }
    if (run.status === 'stopped' || run.status === 'failed') {
      return { state: 'stopped', label: `Stopped at ${formatTime(run.simulatedTime)} · show why` }
    }
    if (run.status === 'cancelled') return { state: 'stale', label: 'Simulate again' }
    return { state: 'current', label: 'Up to date' }
  })

  let hashing = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  document.onChange(({ after }) => {
    if (refusal.value) problems.set('run', current.value?.problem ? [current.value.problem] : [])
    refusal.value = null
    documentHash.value = null
    clearTimeout(timer)
    timer = setTimeout(() => void rehash(after), 250)
  })

  async function rehash(of: Scene) {
    const ticket = ++hashing
    const hash = await useHost().engine.hash(sceneText(of, document.source)).catch(() => null)
    if (ticket === hashing && document.scene === of) documentHash.value = hash
  }

  /** Ticket of the run being started. */
  let ticket = ''
  /** Starts a run of the document, or reuses one with the same key. If it is refused, the reasons go to the problems. */
  async function simulate(options: { reuse: boolean; from?: RunMoment } = { reuse: true }): Promise<RunInfo | null> {
    document.commitGesture()
    const snapshot = document.scene
    const nothing = nothingToRun(snapshot)
    if (nothing) {
      refuse([nothing])
      return null
    }
    starting.value = true
    refusal.value = null
    ticket = crypto.randomUUID()
    try {
      const run = await useHost().engine.simulate(sceneText(snapshot, document.source), { ...options, ticket })
      show(run, snapshot)
      await refresh()
      return run
    } catch (error) {
      if (error instanceof HostError && error.name === 'Cancelled') return null
      refuse(withReasons(snapshot, problemsOf(error)))
      return null
    } finally {
      starting.value = false
    }
  }

  function refuse(found: readonly Problem[]) {
    refusal.value = found
    problems.set('run', found)
  }

  /** Displays a run; its scene is given, or read later if null. */
  function show(run: RunInfo | null, of: Scene | null) {
    current.value = run
    if (run) shown.value = new Set([...shown.value, run.id])
    scene.value = of
    problems.set('run', run?.problem ? [run.problem] : [])
  }

  /** Displays a run of the list; its scene is read from its file. */
  async function open(run: RunInfo) {
    const text = await useHost().engine.sceneOf(run.id)
    const read = readScene(text)
    if (!read.scene) throw new Error(`The scene inside ${run.name} cannot be read: ${read.problems[0]?.message ?? ''}`)
    show(run, read.scene)
  }

  /** Title of a run: its name, else its number among the runs of this document or of its scene. The engine's default name is the time of day. */
  function titleOf(run: RunInfo): string {
    if (!/^\d{1,2}[:.]\d{2}[:.]\d{2}/.test(run.name)) return run.name
    const isOfDocument = ofDocument.value.some(({ id }) => id === run.id)
    const same = isOfDocument ? ofDocument.value : list.value.filter(other => other.header?.sceneName === run.header?.sceneName)
    const place = same.findIndex(other => other.id === run.id)
    return place < 0 ? run.name : `Run ${same.length - place}`
  }

  async function cancel() {
    if (starting.value) await useHost().engine.cancel(ticket)
    else if (current.value) await useHost().engine.cancel(current.value.id)
  }

  async function refresh() {
    list.value = await useHost().engine.runs()
  }

  /** The engine reports progress or the end of a run. */
  function update(run: RunInfo) {
    const known = list.value.some(other => other.id === run.id)
    list.value = known ? list.value.map(other => other.id === run.id ? run : other) : [run, ...list.value]
    // An example that was recorded while it was open.
    const isOpened = current.value === null && !starting.value && run.status === 'completed' && run.sceneHash === documentHash.value
    if (isOpened) return show(run, document.scene)
    if (run.id !== current.value?.id) return
    current.value = run
    problems.set('run', run.problem ? [run.problem] : [])
  }

  /** Another document was opened: drops the runs of the former one. */
  function forget() {
    show(null, null)
    refusal.value = null
    documentHash.value = null
    return rehash(document.scene)
  }

  /** Displays the newest whole run of a document that has just been opened, if the cache has one. */
  async function recall() {
    const opened = document.scene
    await forget()
    await refresh()
    const known = list.value.find(run => run.status === 'completed' && run.sceneHash === documentHash.value)
    if (known && current.value === null && !starting.value && document.scene === opened) show(known, opened)
  }

  return {
    list, ofDocument, current, scene, session, sessionDocument, documentHash, starting, refusal, running, stale, duration, primary,
    simulate, refuse, cancel, show, open, update, refresh, forget, recall, titleOf,
  }
})

/** The first frames take disproportionately long; before this no estimate of the remaining time is shown. */
const FIRST_ESTIMATE = { seconds: 3, share: 0.02 } as const

function progressOf(run: RunInfo): string {
  if (run.preparing !== null) return run.preparing.split(':', 1)[0]!
  const duration = run.header?.duration
  const percent = duration ? `${Math.floor(100 * Math.min(1, run.simulatedTime / duration))} %` : '0 %'
  const share = duration ? run.simulatedTime / duration : 0
  const known = run.timeLeft !== null && run.wallTime >= FIRST_ESTIMATE.seconds && share >= FIRST_ESTIMATE.share
  return known ? `${percent} · ${formatTimeLeft(run.timeLeft!)}` : percent
}

export function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof HostError && error.problems.length > 0) return error.problems
  const message = error instanceof Error ? error.message : String(error)
  const name = error instanceof Error ? error.name : 'Error'
  return [{ name, severity: 'error', message, path: '', ids: [] }]
}
