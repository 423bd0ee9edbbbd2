/** Running decompositions, each in its own thread, which can be terminated at any time. */
import { createHash } from 'node:crypto'
import { realpathSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { Worker } from 'node:worker_threads'
import { limits } from '../../core/scene'
import { HostError } from '../protocol/host'
import type { DecomposedMesh, DecompositionSettings, DecompositionStage, MeshRequest } from '../protocol/meshes'
import { systemReason } from '../protocol/problem-file'
import type { DecompositionInput } from './decompose'
import type { DecompositionReport } from './decompose-worker'

/** Defaults for most meshes: an exact decomposition if possible. */
export const defaultDecomposition: DecompositionSettings = { method: 'auto', maxPieces: 64, resolution: 64, concavity: 0.001 }

/** MiB of JavaScript objects that a hostile file may make a thread hold. */
const threadMemory = 4096
/** Maximum number of concurrent decompositions; each uses a processor. */
const mostAtOnce = 4

/** Beside this module in the build; the tests name their own. */
const defaultWorker = new URL('./decompose-worker.js', import.meta.url)

/** Number of cached results: equal meshes are decomposed once. */
const mostKept = 32

export class Decompositions {
  private readonly running = new Map<string, () => void>()
  /** Results by request, least recently used first. */
  private readonly kept = new Map<string, DecomposedMesh>()

  constructor(private readonly notify: (ticket: string, stage: DecompositionStage) => void, private readonly workerUrl: URL = defaultWorker) {}

  /** @throws HostError if cancelled, or why the mesh was refused */
  async start(ticket: string, input: DecompositionInput): Promise<DecomposedMesh> {
    const key = keyOf(input)
    const found = this.kept.get(key) ?? await this.compute(ticket, input)
    this.kept.delete(key)
    this.kept.set(key, found)
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= mostKept) break
      this.kept.delete(oldest)
    }
    return found
  }

  private compute(ticket: string, input: DecompositionInput): Promise<DecomposedMesh> {
    if (this.running.has(ticket)) throw new HostError('BadRequest', `A decomposition "${ticket}" is already running.`)
    if (this.running.size >= mostAtOnce) throw new HostError('Busy', `${mostAtOnce} meshes are being decomposed already.`)
    return new Promise((done, fail) => {
      const worker = new Worker(this.workerUrl, { workerData: input, resourceLimits: { maxOldGenerationSizeMb: threadMemory } })
      const end = (outcome: () => void) => {
        if (!this.running.delete(ticket)) return
        void worker.terminate()
        outcome()
      }
      this.running.set(ticket, () => end(() => fail(new HostError('Cancelled', 'The decomposition was cancelled.'))))
      worker.on('message', (report: DecompositionReport) => {
        if (report.kind === 'stage') this.notify(ticket, report.stage)
        else end(report.kind === 'done' ? () => done(report.mesh) : () => fail(refused(report.name, report.message)))
      })
      worker.on('error', error => end(() => fail(refused('DecompositionFailed', error.message))))
      worker.on('exit', code => end(() => fail(refused('DecompositionFailed', `its thread ended (exit code ${code})`))))
    })
  }

  cancel(ticket: string): void {
    this.running.get(ticket)?.()
  }

  dispose(): void {
    for (const cancel of [...this.running.values()]) cancel()
  }
}

/** Equal for the same mesh, scale and settings. */
function keyOf({ source, scale, settings: { method, maxPieces, resolution, concavity } }: DecompositionInput): string {
  const hash = createHash('sha256').update(JSON.stringify([scale, method, maxPieces, resolution, concavity]))
  if ('bytes' in source) {
    hash.update(source.beside === undefined ? source.name.slice(source.name.lastIndexOf('.')) : JSON.stringify(source.name)).update(source.bytes)
    for (const { name, bytes } of source.beside ?? []) hash.update(JSON.stringify([name, bytes.length])).update(bytes)
  }
  else hash.update(JSON.stringify([source.vertices, source.faces]))
  return hash.digest('hex')
}

/** @param file full path of the invalid file; the message contains its name only */
function refused(name: string, message: string, file?: string): HostError {
  return new HostError(name, message, [{ name, severity: 'error', message, path: '', ids: [], ...(file === undefined ? {} : { file }) }])
}

/**
 * The bytes of a mesh file that a scene refers to.
 * @param scenePath of the scene's own file
 * @throws HostError if the file's real path is outside the scene's folder, or it is too large or cannot be read
 */
export function readMeshBeside(scenePath: string, file: string): Uint8Array {
  const folder = realpathSync(dirname(scenePath))
  let path
  try {
    path = realpathSync(join(folder, file))
  } catch {
    throw refused('FileNotFound', `"${file}" does not exist in the scene's folder.`)
  }
  const inside = relative(folder, path)
  if (isAbsolute(file) || isAbsolute(inside) || inside === '..' || inside.startsWith(`..${sep}`)) {
    throw refused('OutsideFolder', `"${file}" leads out of the scene's folder; mesh files lie below it.`)
  }
  return readMeshFile(path)
}

/** @throws HostError if it is not a file, or too large */
export function readMeshFile(path: string): Uint8Array {
  try {
    const status = statSync(path)
    if (!status.isFile()) throw refused('NotAFile', `"${basename(path)}" is not a file.`, path)
    if (status.size > limits.fileBytes) throw refused('TooLarge', `"${basename(path)}" has ${status.size} bytes; a mesh file has at most ${limits.fileBytes}.`, path)
    return readFileSync(path)
  } catch (error) {
    if (error instanceof HostError) throw error
    throw refused('FileNotReadable', `"${basename(path)}" cannot be read: ${systemReason(error)}.`, path)
  }
}

/** A request in the form for the thread. @param pathOf of a document's own file; null if it has none */
export function inputOf({ source, scale, settings }: MeshRequest, pathOf: (document: string) => string | null): DecompositionInput {
  if (source.kind === 'mesh') return { source: { vertices: source.vertices, faces: source.faces }, scale, settings }
  if (source.kind === 'bytes') return { source: { name: source.name, bytes: source.bytes, beside: source.beside }, scale, settings }
  const scenePath = pathOf(source.document)
  if (scenePath === null) throw refused('NotSaved', 'The scene has no folder yet: save it first, or embed the mesh.')
  return { source: { name: source.path, bytes: readMeshBeside(scenePath, source.path) }, scale, settings }
}
