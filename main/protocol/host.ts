/**
 * The interface between the editor and the engine, independent of the transport: Electron's MessagePort, the web host's WebSocket, or a direct call.
 *
 * Everything is plain data. Files are identified by opaque handles: the renderer neither receives nor sends paths. Errors are transmitted as `HostError`
 * data, and `wire.ts` throws them again on the other side.
 */

import type { Draft, ExampleInfo, Handle, OpenedDocument, PrefabTexts, RecentDocument, RecoverableDocument, SaveResult } from './documents'
import type { ExportResult, FormatInfo, ImportOutcome, ImportRequest, OptionValues } from './exchange'
import type { DecomposedMesh, DecompositionStage, MeshRequest } from './meshes'
import type { LiveFrame, LiveInput } from './live'
import type { Problem } from './problem'
import type { Settled } from './settle'
import type { AheadStatus, ContactIntervals, ForcePreview, MessageRange, RunComparison, RunInfo, RunMoment, ScriptPreview, Series, SeriesRequest, TableFormat, TableName } from './runs'
import type { SweepInfo, SweepPlan, SweepResult, SweepSize } from './sweeps'

/** Calls from the editor to the engine. */
export interface Engine {
  version(): Promise<string>

  /* Documents */
  examples(): Promise<ExampleInfo[]>
  openHandle(handle: Handle): Promise<OpenedDocument>
  /** A file's bytes from a drop or a file input: a scene or an `.mcap`. */
  openBytes(name: string, bytes: Uint8Array): Promise<OpenedDocument>
  recent(): Promise<RecentDocument[]>
  /** `base` is the revision that the text is based on, from `openHandle` or the last `save`; without it the file must be new. */
  save(handle: Handle, text: string, options: { overwrite: boolean; base?: string | null }): Promise<SaveResult>
  /** Prefab files in the document's folder; from then on `prefabsChanged` reports their changes. */
  prefabs(handle: Handle, files: string[]): Promise<PrefabTexts>
  /** Path of a file as the document's prefabs refer to it, from the document's folder. Rejects if it is not in that folder or below it. */
  prefabFile(handle: Handle, file: Handle): Promise<string>
  /** The file of a prefab, to open or save it. */
  prefabHandle(handle: Handle, file: string): Promise<Handle>
  autosave(draft: Draft, name: string, text: string): Promise<void>
  discardAutosave(draft: Draft): Promise<void>
  /** Drafts of closed windows and hosts. */
  recoverable(): Promise<RecoverableDocument[]>
  /**
   * All checks of `validate`, including overlaps at t = 0, in a separate thread. A newer check of the same ticket cancels an older one, which
   * rejects with `Cancelled`.
   */
  check(text: string, ticket: string): Promise<Problem[]>
  cancelCheck(ticket: string): Promise<void>

  /* Runs */
  /**
   * Starts a run, from 0 or from a recorded frame of another run, or returns the cached run with the same hash. Rejects with the problems if
   * it is refused before the first frame.
   */
  simulate(text: string, options: { reuse: boolean; name?: string; ticket?: string; from?: RunMoment }): Promise<RunInfo>
  /**
   * Starts a live session, whose pictures arrive as `liveFrame`. `cancel` ends it.
   * @param after a session that was handed over: the new one continues from its end with the changed scene
   */
  live(text: string, ticket: string, after?: string): Promise<RunInfo>
  liveInput(run: string, input: LiveInput): Promise<void>
  /** Text of the scene that reproduces a finished session bit by bit. */
  keptScene(run: string): Promise<string>
  /** By the run's id, or by the ticket of `simulate` while the run has not begun; that call then rejects with `Cancelled`. */
  cancel(run: string): Promise<void>
  /** All runs in memory or cache, newest first. */
  runs(): Promise<RunInfo[]>
  run(run: string): Promise<RunInfo>
  renameRun(run: string, name: string): Promise<void>
  deleteRun(run: string): Promise<void>
  /** Key that a run of this scene would have, to detect outdated runs. */
  hash(text: string): Promise<string>

  /* Trajectories: bytes of protobuf messages, decoded by `core/trajectory/codec`. */
  /** The messages of each range, in one answer: fewer if the run has not computed them yet, or if they exceed the size of an answer. */
  read(run: string, ranges: MessageRange[]): Promise<Uint8Array[][]>
  series(run: string, requests: SeriesRequest[]): Promise<Series[]>
  /** Force intervals of one frame's contacts, computed if the run did not record them. */
  intervals(run: string, frame: number): Promise<ContactIntervals>
  compareRuns(first: string, second: string): Promise<RunComparison>
  /** The scene stored in the run's file. */
  sceneOf(run: string): Promise<string>
  /** The file of a table, as `cairn table` writes it. */
  table(run: string, what: TableName, format: TableFormat): Promise<Uint8Array>

  /* Sweeps */
  /** Checks a plan as `startSweep` does, and counts its runs. Rejects with the errors. */
  checkSweep(plan: SweepPlan): Promise<SweepSize>
  /**
   * Runs a plan in the background. An existing sweep of the same plan is continued, or returned if it is complete.
   * @param options `workers`: concurrent runs; null: all processors but one
   */
  startSweep(plan: SweepPlan, options: { name: string; workers: number | null }): Promise<SweepInfo>
  /** Stops running runs; the sweep can be continued later. */
  cancelSweep(sweep: string): Promise<void>
  resumeSweep(sweep: string, workers: number | null): Promise<SweepInfo>
  deleteSweep(sweep: string): Promise<void>
  /** Newest first. */
  sweeps(): Promise<SweepInfo[]>
  sweepPlan(sweep: string): Promise<SweepPlan>
  /** Results in order of arrival, starting at `from`; fewer than requested if there are no more yet, or the message would be too long. */
  sweepResults(sweep: string, from: number, count: number): Promise<SweepResult[]>
  /** The trajectory of one run, as it was kept, or computed again. Rejects with the problems if its scene is refused. */
  openSweepRun(sweep: string, run: number): Promise<RunInfo>
  /** All results as a file, equal to the table that `cairn sweep` writes. */
  sweepTable(sweep: string, format: 'csv' | 'parquet'): Promise<Uint8Array>

  /* Meshes */
  /** Reads a mesh and decomposes it into convex pieces, in a separate thread. */
  decompose(request: MeshRequest): Promise<DecomposedMesh>
  cancelDecomposition(ticket: string): Promise<void>

  /* Modelling */
  /**
   * Lets bodies fall until they rest on the others, which are fixed. Rejects with the problems if that is impossible.
   * @param straight whether they are moved straight down as one instead, until the first of them touches something
   */
  settle(text: string, bodies: string[], ticket: string, straight?: boolean): Promise<Settled>
  cancelSettling(ticket: string): Promise<void>
  /** Ends recording examples ahead until Cairn is started again. */
  stopRecordingAhead(): Promise<void>
  /** Forces at the start of a scene, including scripts', without running it. A newer request of the same ticket cancels an older one. */
  previewForces(text: string, ticket: string): Promise<ForcePreview>
  /** Forces and plots of the scripts over a short run, which is not kept. A newer request of the same ticket cancels an older one. */
  previewScripts(text: string, ticket: string): Promise<ScriptPreview>

  /* Exchange */
  formats(): Promise<FormatInfo[]>
  /**
   * @param name of the document's file without extension; used for the exported files
   * @param options by id; absent ones have their defaults
   */
  exportScene(text: string, format: string, name: string, options: OptionValues): Promise<ExportResult>
  /** A run as a film, as surfaces or as forces. @param at s: the bodies at this time; null: a film, or the end of the run */
  exportRun(run: string, target: string, name: string, at: number | null): Promise<ExportResult>
  /** Converts another runtime's files to a scene, without changing anything. */
  importScene(request: ImportRequest): Promise<ImportOutcome>
}

/** Notifications from the engine to the editor. */
export interface EngineListener {
  /** Progress, more frames flushed, or the end. At most 20 a second per run. */
  runChanged(run: RunInfo): void
  /** At most one per picture, during a live session. */
  liveFrame(frame: LiveFrame): void
  /** Progress or end of a sweep. At most 10 a second per sweep. */
  sweepChanged(sweep: SweepInfo): void
  /** Stage of this ticket's decomposition. */
  decomposing(ticket: string, stage: DecompositionStage): void
  /** An open document's file was changed on disk by another window or program; `revision` is the new one. */
  documentChanged(handle: Handle, revision: string): void
  /** An example is recorded ahead; null: none is. */
  recordingAhead(status: AheadStatus | null): void
  /** A prefab file of this document was changed on disk. */
  prefabsChanged(handle: Handle): void
}

/** Native dialogs in Electron, in-page ones in a browser. All return null if cancelled. */
export interface Dialogs {
  chooseOpen(): Promise<Handle | null>
  /** A new file's handle to `save` to. */
  chooseSave(suggestedName: string): Promise<Handle | null>
  /** Saves a file for the user, by a save dialog or a download. */
  saveFile(name: string, data: Uint8Array): Promise<boolean>
}

export type ConnectionState = 'connected' | 'reconnecting' | 'lost'

/** The renderer's interface to everything outside it. */
export interface Host {
  readonly engine: Engine
  readonly dialogs: Dialogs
  /** Document to open at the start, if the command line or the system named one. */
  initialDocument(): Promise<Handle | null>
  listen(listener: Partial<EngineListener>): () => void
  onConnection(listener: (state: ConnectionState) => void): () => void
}

/** Directory listing that the web host's in-page file dialog shows; below the served root only. */
export interface FolderListing {
  readonly folder: Handle
  /** Names from the root to here. */
  readonly trail: readonly { readonly name: string; readonly folder: Handle }[]
  readonly folders: readonly { readonly name: string; readonly folder: Handle }[]
  readonly files: readonly { readonly name: string; readonly handle: Handle; readonly bytes: number; readonly modifiedAt: number }[]
}

/** Additional calls that the web host answers, for its in-page dialogs. */
export interface WebFiles {
  listFolder(folder: Handle | null): Promise<FolderListing>
  /** A handle for a file in that folder, which may not exist yet. */
  fileIn(folder: Handle, name: string): Promise<Handle>
}

/** All calls that the web host answers in addition to the engine's. */
export interface WebHost extends WebFiles {
  /** The document that the command line named. */
  initialDocument(): Promise<Handle | null>
}

/** An error that was transmitted, with its problems. */
export class HostError extends Error {
  override readonly name: string
  readonly problems: readonly Problem[]

  constructor(name: string, message: string, problems: readonly Problem[] = []) {
    super(message)
    this.name = name
    this.problems = problems
  }
}
