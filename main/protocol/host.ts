/**
 * The contract between the editor and the engine, whichever process carries it: Electron's MessagePort, the web host's WebSocket, or a direct call.
 *
 * Everything is plain data. Files are known by opaque handles: a path never reaches the renderer and none is ever taken from it. Errors cross
 * as `HostError` data and are thrown again on the other side by `wire.ts`.
 */

import type { Draft, ExampleInfo, Handle, OpenedDocument, PrefabTexts, RecentDocument, RecoverableDocument, SaveResult } from './documents'
import type { ExportResult, FormatInfo, ImportOutcome, ImportRequest, OptionValues } from './exchange'
import type { DecomposedMesh, DecompositionStage, MeshRequest } from './meshes'
import type { LiveFrame, LiveInput } from './live'
import type { Problem } from './problem'
import type { Settled } from './settle'
import type { Channel, ContactIntervals, ForcePreview, RunComparison, RunInfo, RunMoment, Series, SeriesRequest, TableName } from './runs'
import type { SweepInfo, SweepPlan, SweepResult, SweepSize } from './sweeps'

/** What the editor asks of the engine. */
export interface Engine {
  version(): Promise<string>

  /* Documents */
  examples(): Promise<ExampleInfo[]>
  openHandle(handle: Handle): Promise<OpenedDocument>
  /** A file's bytes from a drop or a file input: a scene or an `.mcap`. */
  openBytes(name: string, bytes: Uint8Array): Promise<OpenedDocument>
  recent(): Promise<RecentDocument[]>
  /** `base` is the revision that the text began as, from `openHandle` or the last `save`; without one the file has to be new. */
  save(handle: Handle, text: string, options: { overwrite: boolean; base?: string | null }): Promise<SaveResult>
  /** Files of prefabs in the document's folder; from then on `prefabsChanged` tells of their changes. */
  prefabs(handle: Handle, files: string[]): Promise<PrefabTexts>
  /** How the document's prefabs name a file: its path from the document's folder. Rejects where it is not in that folder or below it. */
  prefabFile(handle: Handle, file: Handle): Promise<string>
  /** The file of a prefab, to open or save it. */
  prefabHandle(handle: Handle, file: string): Promise<Handle>
  autosave(draft: Draft, name: string, text: string): Promise<void>
  discardAutosave(draft: Draft): Promise<void>
  /** Drafts of windows and hosts that are gone. */
  recoverable(): Promise<RecoverableDocument[]>
  /**
   * Everything that `validate` checks, overlap at t = 0 included, in a thread of its own. A newer check of the same ticket takes the place of an older
   * one, which rejects with `Cancelled`.
   */
  check(text: string, ticket: string): Promise<Problem[]>
  cancelCheck(ticket: string): Promise<void>

  /* Runs */
  /**
   * Starts a run, from 0 or from a recorded frame of another, or gives the cached one whose hash matches.
   * Rejects with the problems when refused before the first frame.
   */
  simulate(text: string, options: { reuse: boolean; name?: string; ticket?: string; from?: RunMoment }): Promise<RunInfo>
  /**
   * Starts a session on the clock, in which a person takes part; its pictures come as `liveFrame`. Ended by `cancel`.
   * @param after a session that was handed over: it goes on from its end, with the scene that it has become
   */
  live(text: string, ticket: string, after?: string): Promise<RunInfo>
  liveInput(run: string, input: LiveInput): Promise<void>
  /** Text of the scene that repeats a session that is over: the same frames, to the byte. */
  keptScene(run: string): Promise<string>
  /** By the run's id, or by the ticket of `simulate` while the run has not begun: that call then rejects with `Cancelled`. */
  cancel(run: string): Promise<void>
  /** Runs in memory or cache whose scene is this document's, newest first. */
  runs(): Promise<RunInfo[]>
  run(run: string): Promise<RunInfo>
  renameRun(run: string, name: string): Promise<void>
  deleteRun(run: string): Promise<void>
  /** Key that a run of this scene would have, to tell fresh from stale. */
  hash(text: string): Promise<string>

  /* Trajectories: bytes of protobuf messages, decoded by `core/trajectory/codec`. */
  /** Messages `from … to − 1` (frame indices; event numbers for `events`); fewer where the run has not got there. */
  read(run: string, channel: Channel, from: number, to: number): Promise<Uint8Array[]>
  series(run: string, requests: SeriesRequest[]): Promise<Series[]>
  /** Force intervals of one frame's contacts, those that the run did not keep too. */
  intervals(run: string, frame: number): Promise<ContactIntervals>
  compareRuns(first: string, second: string): Promise<RunComparison>
  /** The scene that is inside the run's file. */
  sceneOf(run: string): Promise<string>
  /** CSV of a table, as `cairn table`. */
  table(run: string, what: TableName): Promise<string>

  /* Sweeps */
  /** Checks a plan as `startSweep` does, and counts its runs. Rejects with what is wrong. */
  checkSweep(plan: SweepPlan): Promise<SweepSize>
  /**
   * Runs a plan in the background; a sweep of the same plan that is there goes on, or is there already.
   * @param options `workers`: runs at once; null: all processors but one
   */
  startSweep(plan: SweepPlan, options: { name: string; workers: number | null }): Promise<SweepInfo>
  /** Ends what runs; the rest is left for another time. */
  cancelSweep(sweep: string): Promise<void>
  resumeSweep(sweep: string, workers: number | null): Promise<SweepInfo>
  deleteSweep(sweep: string): Promise<void>
  /** Newest first. */
  sweeps(): Promise<SweepInfo[]>
  sweepPlan(sweep: string): Promise<SweepPlan>
  /** Results in the order in which they came, from number `from` on; fewer than asked for where there are no more yet, or a message would be too long. */
  sweepResults(sweep: string, from: number, count: number): Promise<SweepResult[]>
  /** The trajectory of one run: the one that was kept, or else it is run again. Rejects with the problems where its scene is refused. */
  openSweepRun(sweep: string, run: number): Promise<RunInfo>
  /** All results as a file: `cairn sweep` writes the same table. */
  sweepTable(sweep: string, format: 'csv' | 'parquet'): Promise<Uint8Array>

  /* Meshes */
  /** Reads a mesh and cuts it into convex pieces, in a thread of its own. */
  decompose(request: MeshRequest): Promise<DecomposedMesh>
  cancelDecomposition(ticket: string): Promise<void>

  /* Modelling */
  /** Lets bodies fall until they rest on the others, which stand still. Rejects with the problems where they cannot. */
  settle(text: string, bodies: string[], ticket: string): Promise<Settled>
  cancelSettling(ticket: string): Promise<void>
  /** Forces at the start of a scene, scripts' among them, without a run of it. A newer one of the same ticket takes the place of an older one. */
  previewForces(text: string, ticket: string): Promise<ForcePreview>

  /* Exchange */
  formats(): Promise<FormatInfo[]>
  /**
   * @param name of the document's file, without its ending: files are called by it as they are to be saved
   * @param options by their ids; those left out have their defaults
   */
  exportScene(text: string, format: string, name: string, options: OptionValues): Promise<ExportResult>
  /** A run as a film, as surfaces or as forces. @param at s: the bodies at this time instead of a film; null for a film, or the end of the run */
  exportRun(run: string, target: string, name: string, at: number | null): Promise<ExportResult>
  /** A scene from another runtime's files; nothing is changed by it. */
  importScene(request: ImportRequest): Promise<ImportOutcome>
}

/** What the engine tells the editor unasked. */
export interface EngineListener {
  /** Progress, more frames flushed, or the end. At most 20 a second per run. */
  runChanged(run: RunInfo): void
  /** At most one a picture, while a session is under way. */
  liveFrame(frame: LiveFrame): void
  /** A sweep went on or ended. At most 10 a second per sweep. */
  sweepChanged(sweep: SweepInfo): void
  /** What the decomposition of this ticket is at. */
  decomposing(ticket: string, stage: DecompositionStage): void
  /** An open document's file changed on disk, by another window or another program; `revision` is what it is now. */
  documentChanged(handle: Handle, revision: string): void
  /** A file of a prefab of this document changed on disk. */
  prefabsChanged(handle: Handle): void
}

/** Native dialogs in Electron, in-page ones in a browser. All give null when dismissed. */
export interface Dialogs {
  chooseOpen(): Promise<Handle | null>
  /** A new file's handle to `save` to. */
  chooseSave(suggestedName: string): Promise<Handle | null>
  /** Hands a file to the person: a save dialog or a download. */
  saveFile(name: string, data: Uint8Array): Promise<boolean>
}

export type ConnectionState = 'connected' | 'reconnecting' | 'lost'

/** Everything that the renderer knows of the outside. */
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

/** Extra calls that the web host answers, for its in-page dialogs. */
export interface WebFiles {
  listFolder(folder: Handle | null): Promise<FolderListing>
  /** A handle for a file in that folder, which may not exist yet. */
  fileIn(folder: Handle, name: string): Promise<Handle>
}

/** All that the web host answers beside the engine. */
export interface WebHost extends WebFiles {
  /** The document that the command line named. */
  initialDocument(): Promise<Handle | null>
}

/** An error that crossed the wire, with its problems. */
export class HostError extends Error {
  override readonly name: string
  readonly problems: readonly Problem[]

  constructor(name: string, message: string, problems: readonly Problem[] = []) {
    super(message)
    this.name = name
    this.problems = problems
  }
}
