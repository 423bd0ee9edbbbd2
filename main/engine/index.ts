/** The engine served by every host. It is independent of Electron, sockets and pages. */
import { fileURLToPath } from 'node:url'
import { parseScene, requireScene } from '../../core/scene'
import { ENGINE_VERSION } from '../../core/simulation'
import type { Engine, EngineListener } from '../protocol/host'
import type { Draft, Handle } from '../protocol/documents'
import { markTransferable } from '../protocol/transport'
import { BriefRuns } from './brief-run'
import { RunCache } from './cache'
import { Checks } from './checks'
import { Decompositions, inputOf } from './decompositions'
import { compareRuns } from './compare'
import { Documents } from './documents'
import { exportText, formatInfos, importFiles } from './exchange'
import { exportRun, RUN_FILE, runFile } from './exchange-run'
import { homeFolder } from './home'
import { previewForces } from './preview'
import { previewScripts } from './script-preview'
import { AheadRuns, type AheadLimits } from './ahead'
import { readRanges } from './read-ranges'
import { refusal } from './refusal'
import { Runs } from './runs'
import { intervalsAt } from './intervals'
import { keptScene, liveScene } from './live-scene'
import { seriesOf } from './series'
import { settle } from './settle'
import { Sweeps } from './sweeps'
import { tableFile } from './tables'

export interface EngineOptions {
  /** Folder of runs, autosaves and recent files; default: the user's. */
  readonly home?: string
  readonly examples?: string
  /** Bytes of recorded runs kept on disk. */
  readonly cacheBytes?: number
  /** The built run worker, if it is not beside this module. */
  readonly workerUrl?: URL
  /** The built decomposition worker, likewise. */
  readonly decomposeWorkerUrl?: URL
  /** The built worker of sweeps; beside the run's worker if left out. */
  readonly sweepWorkerUrl?: URL
  /** The built check worker, likewise. */
  readonly checkWorkerUrl?: URL
  /** Limits of recording examples ahead; null: they are not. Default: null. */
  readonly ahead?: AheadLimits | null
  /** Receives secondary errors, which do not fail an operation but may interest the user. Default: standard error. */
  readonly trouble?: (message: string) => void
}

/** An engine in this process. */
export interface LocalEngine extends Engine {
  /** A handle for a file, which need not exist yet: for dialogs and the command line, never for a page. */
  handleFor(path: string): Handle
  /** Path of a user's own file; null for examples, dropped bytes, autosaves and unknown documents. Never given to a page. */
  pathOf(handle: Handle): string | null
  listen(listener: Partial<EngineListener>): () => void
  /** The window of these drafts has disconnected: they are offered to others. */
  leaveDrafts(drafts: Iterable<Draft>): void
  /** Stops every run and closes every file. */
  dispose(): Promise<void>
}

const defaultCacheBytes = 4 * 1024 * 1024 * 1024

/** The same relative path from the build and from the sources. */
const defaultExamples = fileURLToPath(new URL('../../scenes', import.meta.url))

export function createEngine(options: EngineOptions = {}): LocalEngine {
  const listeners = new Set<Partial<EngineListener>>()
  const home = options.home ?? homeFolder()
  const trouble = options.trouble ?? ((message: string) => console.error(message))
  const runs = new Runs(
    new RunCache(home, options.cacheBytes ?? defaultCacheBytes),
    run => {
      for (const listener of listeners) listener.runChanged?.(run)
    },
    trouble, options.workerUrl,
    frame => {
      for (const listener of listeners) listener.liveFrame?.(frame)
    },
  )
  const documents = new Documents(home, options.examples ?? defaultExamples, runs, (handle, revision) => {
    for (const listener of listeners) listener.documentChanged?.(handle, revision)
  }, trouble, handle => {
    for (const listener of listeners) listener.prefabsChanged?.(handle)
  })
  const checks = new Checks(options.checkWorkerUrl ?? (options.workerUrl && new URL('./check-worker.js', options.workerUrl)))
  const sweeps = new Sweeps(home, runs, sweep => {
    for (const listener of listeners) listener.sweepChanged?.(sweep)
  }, options.sweepWorkerUrl ?? (options.workerUrl && new URL('./sweep-worker.js', options.workerUrl)))
  const decompositions = new Decompositions((ticket, stage) => {
    for (const listener of listeners) listener.decomposing?.(ticket, stage)
  }, options.decomposeWorkerUrl)
  const briefRuns = new BriefRuns(options.workerUrl)
  const ahead = options.ahead ? new AheadRuns(runs, home, () => documents.exampleTexts(), status => {
    for (const listener of listeners) listener.recordingAhead?.(status)
  }, trouble, options.ahead) : null
  /** For calls that compute: what is recorded ahead gives way. */
  const giveWay = (text: string | null): void => ahead?.giveWay(text)

  const engine: LocalEngine = {
    version: async () => ENGINE_VERSION,

    examples: async () => documents.examples(),
    openHandle: async handle => {
      const opened = await documents.open(handle)
      const example = documents.exampleOf(opened)
      if (example) ahead?.opened(example)
      return opened
    },
    openBytes: async (name, bytes) => documents.openBytes(name, bytes),
    recent: async () => documents.recent(),
    save: async (handle, text, options) => documents.save(handle, text, options),
    prefabs: async (handle, files) => documents.prefabs(handle, files),
    prefabFile: async (handle, file) => documents.prefabFile(handle, file),
    prefabHandle: async (handle, file) => documents.prefabHandle(handle, file),
    autosave: async (draft, name, text) => documents.drafts.put(draft, name, text),
    discardAutosave: async draft => documents.drafts.discard(draft),
    recoverable: async () => documents.recoverable(),
    leaveDrafts: drafts => documents.drafts.leave(drafts),
    check: async (text, ticket) => [...await checks.start(ticket, text)],
    cancelCheck: async ticket => checks.cancel(ticket),

    simulate: async (text, wanted) => {
      giveWay(wanted.reuse && !wanted.from ? text : null)
      return runs.start(text, wanted)
    },
    live: async (text, ticket, after) => {
      const parsed = parseScene(text)
      if (!parsed.ok) throw refusal(parsed.problems)
      giveWay(null)
      const handover = after === undefined ? null : runs.info(after).simulatedTime
      const scene = JSON.stringify(liveScene(parsed.scene, handover))
      // A session that has not begun has no end to continue from.
      return runs.start(scene, { reuse: false, name: 'Live', ticket, live: true, ...after === undefined || handover === 0 ? {} : { after } })
    },
    liveInput: async (run, input) => runs.sendInput(run, input),
    keptScene: async run => JSON.stringify(keptScene(requireScene(runs.reader(run).scene), runs.inputOf(run), runs.info(run).simulatedTime)),
    cancel: async run => runs.cancel(run),
    runs: async () => runs.list(),
    run: async run => runs.info(run),
    renameRun: async (run, name) => runs.rename(run, name),
    deleteRun: run => runs.delete(run),
    hash: async text => Runs.keyOf(text),

    read: async (run, ranges) => readRanges(runs.reader(run), ranges).map(messages => messages.map(markTransferable)),
    series: (run, requests) => seriesOf(runs.reader(run), requests),
    intervals: async (run, frame) => intervalsAt(runs.reader(run), frame),
    compareRuns: (first, second) => compareRuns(runs.reader(first), runs.reader(second)),
    sceneOf: async run => {
      await runs.verify(run)
      return runs.reader(run).scene
    },
    table: async (run, what, format) => {
      await runs.verify(run)
      return tableFile(runs.reader(run), what, format)
    },

    checkSweep: async plan => sweeps.check(plan),
    startSweep: async (plan, wanted) => {
      giveWay(null)
      return sweeps.start(plan, wanted)
    },
    cancelSweep: sweep => sweeps.cancel(sweep),
    resumeSweep: async (sweep, workers) => sweeps.resume(sweep, workers),
    deleteSweep: sweep => sweeps.delete(sweep),
    sweeps: async () => sweeps.list(),
    sweepPlan: async sweep => sweeps.plan(sweep),
    sweepResults: async (sweep, from, count) => sweeps.results(sweep, from, count),
    openSweepRun: (sweep, run) => sweeps.openRun(sweep, run),
    sweepTable: (sweep, format) => sweeps.table(sweep, format),

    decompose: async request => {
      giveWay(null)
      return decompositions.start(request.ticket, inputOf(request, handle => documents.pathOf(handle)))
    },
    cancelDecomposition: async ticket => decompositions.cancel(ticket),

    settle: async (text, bodies, ticket, straight = false) => {
      giveWay(null)
      return settle(briefRuns, ticket, text, bodies, straight)
    },
    stopRecordingAhead: async () => ahead?.stop(),
    cancelSettling: async ticket => briefRuns.cancel(ticket),
    previewForces: (text, ticket) => previewForces(briefRuns, ticket, text),
    previewScripts: (text, ticket) => previewScripts(briefRuns, ticket, text),

    formats: async () => formatInfos(),
    exportScene: async (text, format, name, options) => exportText(text, format, fileStem(name), options),
    exportRun: async (run, target, name, at) => target === RUN_FILE ? runFile(runs.reader(run), fileStem(name))
      : exportRun(runs.reader(run), { target, stem: fileStem(name), rate: null, at, options: {} }),
    importScene: request => importFiles(request),

    handleFor: path => documents.handleFor(path),
    pathOf: handle => documents.pathOf(handle),
    listen: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispose: async () => {
      await ahead?.stop()
      documents.dispose()
      checks.dispose()
      decompositions.dispose()
      briefRuns.dispose()
      await sweeps.dispose()
      await runs.dispose()
    },
  }
  return ahead ? watched(engine, () => ahead.touched()) : engine
}

/** The same engine, which reports every call. */
function watched(engine: LocalEngine, called: () => void): LocalEngine {
  return Object.fromEntries(Object.entries(engine).map(([name, method]) => [name, (...args: unknown[]) => {
    called()
    return (method as (...args: unknown[]) => unknown)(...args)
  }])) as unknown as LocalEngine
}

/** Base name of exported files: other files refer to it, and some formats do not allow spaces. */
function fileStem(name: string): string {
  return name.normalize('NFKD').replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '').slice(0, 60) || 'scene'
}
