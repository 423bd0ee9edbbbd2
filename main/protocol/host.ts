/**
 * The contract between the editor and the engine, whichever process carries it: Electron's MessagePort, the web host's WebSocket, or a direct call.
 *
 * Everything is plain data. Files are known by opaque handles: a path never reaches the renderer and none is ever taken from it. Errors cross
 * as `HostError` data and are thrown again on the other side by `wire.ts`.
 */

import type { TrajectoryEnd, TrajectoryHeader } from '../../core/trajectory/frame'

/** Names a file, a document or an example without saying where it is. */
export type Handle = string

/** One fault of a scene or a request: what, where, what was found, what is allowed. */
export interface Problem {
  /** Typed name, e.g. `UnknownKey`, `InitialPenetration`. */
  readonly name: string
  readonly severity: 'error' | 'warning'
  readonly message: string
  /** JSON path in the scene, e.g. `bodies[3].shapes[0].size`; empty where it does not apply. */
  readonly path: string
  readonly value?: unknown
  readonly allowed?: string
  /** Ids of the things concerned, for Select. */
  readonly ids: readonly string[]
  /** s, for Go to time. */
  readonly time?: number
  /** 1-based, in the file's or the script's text. */
  readonly line?: number
  readonly column?: number
  /** Full path of the file at fault. Never crosses to a page: `problem-file.ts`. */
  readonly file?: string
}

export interface OpenedDocument {
  /** For saving and autosaving; examples and recovered documents have one too, but `savable: false` until saved elsewhere. */
  readonly handle: Handle
  /** File name for the title bar. */
  readonly name: string
  /** The text as it is on disk. */
  readonly text: string
  readonly savable: boolean
  /** The run that is inside when an `.mcap` was opened. */
  readonly run: RunInfo | null
}

export interface RecentDocument {
  readonly handle: Handle
  readonly name: string
  /** Folder, shortened, for telling two files of one name apart. */
  readonly location: string
  /** ms since the epoch. */
  readonly openedAt: number
}

export interface ExampleInfo {
  readonly handle: Handle
  readonly name: string
  readonly description: string
  /** "What to look at", plain text. */
  readonly lookAt: string
  readonly tags: readonly string[]
  /** PNG as a data URL, or null. */
  readonly picture: string | null
}

export interface RecoverableDocument {
  readonly handle: Handle
  readonly name: string
  /** ms since the epoch. */
  readonly savedAt: number
}

export type SaveResult =
  | { readonly status: 'saved'; readonly handle: Handle; readonly name: string }
  /** The file changed on disk since it was read: ask, then save again with `overwrite`. */
  | { readonly status: 'changed-on-disk' }

export type RunStatus = 'running' | 'completed' | 'cancelled' | 'stopped' | 'failed'

export interface RunInfo {
  readonly id: string
  /** Given by the person, else made from the time of the run. */
  readonly name: string
  readonly status: RunStatus
  /** Key of the cache: canonical scene hash and engine version. */
  readonly sceneHash: string
  readonly header: TrajectoryHeader | null
  /** Frames that can be read now. */
  readonly frames: number
  /** s, of the last readable frame. */
  readonly simulatedTime: number
  /** s of wall clock so far. */
  readonly wallTime: number
  /** Estimated s until done; null before there is an estimate. */
  readonly timeLeft: number | null
  readonly end: TrajectoryEnd | null
  /** Why a run stopped or failed, for people. */
  readonly problem: Problem | null
  readonly warnings: readonly string[]
  /** File size, bytes. */
  readonly bytes: number
}

export type Channel = 'frames' | 'contacts' | 'joints' | 'forces' | 'events' | 'certificate' | 'script'

/** One quantity over a whole run. Components: x y z magnitude. */
export type SeriesRequest =
  | { readonly what: 'body'; readonly body: string; readonly quantity: 'position' | 'linearVelocity' | 'angularVelocity'; readonly component: SeriesComponent }
  | { readonly what: 'contact'; readonly contact: ContactKey; readonly quantity: 'normalForce' | 'frictionForce' | 'gap' | 'coneUsage' }
  | { readonly what: 'pair'; readonly bodyA: string; readonly bodyB: string; readonly quantity: 'normalForce' | 'frictionForce' | 'contacts' }
  | { readonly what: 'joint'; readonly joint: string; readonly quantity: 'position' | 'velocity' | 'force' | 'torque' | 'error' | 'motorForce' | 'limitForce' }
  | { readonly what: 'energy'; readonly quantity: EnergyQuantity }
  | { readonly what: 'certificate'; readonly quantity: 'maxPenetration' | 'maxComplementarity' | 'maxJointError' | 'maxConeViolation' | 'contacts' | 'pivots' }
  | { readonly what: 'script'; readonly name: string }

export type SeriesComponent = 'x' | 'y' | 'z' | 'magnitude'
export type EnergyQuantity =
  'kinetic' | 'potential' | 'total' | 'friction' | 'impacts' | 'drag' | 'scripts' | 'joints' | 'kinematic' | 'spawned' | 'residual'

/** A contact over time: its bodies, primitives and features. */
export interface ContactKey {
  readonly bodyA: string
  readonly bodyB: string
  readonly shapeA: number
  readonly shapeB: number
  readonly features: readonly [string, string]
}

export interface Series {
  /** s */
  readonly time: Float64Array
  /** NaN where the thing does not exist at that time. */
  readonly values: Float64Array
  readonly unit: string
  readonly label: string
}

/** How far two runs are apart, over the frames of equal time that both have. */
export interface RunComparison {
  /** Bodies, by id, that both runs have; nothing is said of the others, which only one has. */
  readonly common: number
  readonly alone: readonly string[]
  /** s, of the last frame that both have. */
  readonly until: number
  /** s: the first frame in which a body is more than 10 nm away from where it is in the other run; null where none ever is. */
  readonly divergence: number | null
  /** Bodies that differ, the farthest apart first: m, at which time, and since when, s. */
  readonly bodies: readonly { readonly body: string; readonly distance: number; readonly time: number; readonly since: number }[]
  /** s, and the largest distance of a body, m. */
  readonly time: Float64Array
  readonly distance: Float64Array
}

export interface ExportFile {
  readonly name: string
  readonly data: Uint8Array
}

export interface Loss {
  readonly path: string
  readonly message: string
  /** What was written instead. */
  readonly instead: string
}

export interface ExportResult {
  readonly files: readonly ExportFile[]
  readonly losses: readonly Loss[]
}

export interface ExportFormat {
  /** As in `cairn export --to`. */
  readonly id: string
  readonly label: string
  readonly extension: string
}

/** How a mesh is cut into convex pieces. */
export interface DecompositionSettings {
  /** Exact cuts along the mesh's own faces, V-HACD's voxels, or the first where it needs no more than `maxPieces`. */
  readonly method: 'auto' | 'exact' | 'approximate'
  readonly maxPieces: number
  /** Voxels along the longest side, of the approximate method. */
  readonly resolution: number
  /** How much of its hull a piece may leave empty, 0 to 1, of the approximate method. */
  readonly concavity: number
}

export interface MeshRequest {
  /** Chosen by the caller, to be told of progress and to cancel. */
  readonly ticket: string
  readonly source:
    | { readonly kind: 'bytes'; readonly name: string; readonly bytes: Uint8Array }
    | { readonly kind: 'mesh'; readonly vertices: readonly Point[]; readonly faces: readonly (readonly number[])[] }
    /** A file below the folder of a document. */
    | { readonly kind: 'file'; readonly document: Handle; readonly path: string }
  /** m per unit of the source. */
  readonly scale: number
  readonly settings: DecompositionSettings
}

export type Point = readonly [number, number, number]

export interface DecomposedMesh {
  /** Triangles in the source's unit, faces outwards, equal vertices joined. */
  readonly vertices: Point[]
  readonly faces: number[][]
  /** Whether the source's faces pointed inwards. */
  readonly turned: boolean
  /** Corners of each convex piece, m. */
  readonly pieces: Point[][]
  readonly method: 'exact' | 'approximate'
  /** What the surface encloses, m³; null where it is open. */
  readonly volume: number | null
  /** Sum of the pieces', m³. */
  readonly piecesVolume: number
  /** As the scene keeps it of a mesh in a file; null where the surface is open. */
  readonly solid: { readonly volume: number; readonly centroid: Point; readonly inertia: readonly [number, number, number, number, number, number] } | null
  /** What was found and mended, for people. */
  readonly notes: string[]
}

export type DecompositionStage = 'reading' | 'cutting' | 'approximating'

/** What the editor asks of the engine. */
/** How far each normal force of a frame could vary with the same motion. */
export interface ContactIntervals {
  /** N: least and greatest of each contact, 2 n; NaN where there are none. */
  readonly ends: Float64Array
  /** Why some contacts have none. */
  readonly reasons: readonly string[]
}

export interface Engine {
  version(): Promise<string>

  /* Documents */
  examples(): Promise<ExampleInfo[]>
  openHandle(handle: Handle): Promise<OpenedDocument>
  /** A file's bytes from a drop or a file input: a scene or an `.mcap`. */
  openBytes(name: string, bytes: Uint8Array): Promise<OpenedDocument>
  recent(): Promise<RecentDocument[]>
  save(handle: Handle, text: string, options: { overwrite: boolean }): Promise<SaveResult>
  autosave(handle: Handle, name: string, text: string): Promise<void>
  discardAutosave(handle: Handle): Promise<void>
  recoverable(): Promise<RecoverableDocument[]>
  /** Everything that `validate` checks, overlap at t = 0 included. */
  check(text: string): Promise<Problem[]>

  /* Runs */
  /** Starts a run, or gives the cached one whose hash matches. Rejects with the problems when refused before the first frame. */
  simulate(text: string, options: { reuse: boolean; name?: string }): Promise<RunInfo>
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
  table(run: string, what: 'bodies' | 'contacts' | 'joints' | 'events' | 'certificate'): Promise<string>

  /* Meshes */
  /** Reads a mesh and cuts it into convex pieces, in a thread of its own. */
  decompose(request: MeshRequest): Promise<DecomposedMesh>
  cancelDecomposition(ticket: string): Promise<void>

  /* Exchange */
  exportFormats(): Promise<ExportFormat[]>
  exportScene(text: string, format: string): Promise<ExportResult>
}

/** What the engine tells the editor unasked. */
export interface EngineListener {
  /** Progress, more frames flushed, or the end. At most 20 a second per run. */
  runChanged(run: RunInfo): void
  /** What the decomposition of this ticket is at. */
  decomposing(ticket: string, stage: DecompositionStage): void
  /** An open document's file changed on disk. */
  documentChanged(handle: Handle): void
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
