/** Meshes from files and their convex pieces: computed by the engine, stored in the document. One decomposition at a time. */

import { reactive, shallowRef } from 'vue'
import { defineStore } from 'pinia'
import { boundsOfPieces, meshShape, withPieces } from '../../core/formats/mesh/shape'
import { isNotable, type DecomposedMesh, type DecompositionSettings, type DecompositionStage, type MeshRequest } from '../../main/protocol/meshes'
import { freshId, type ShapeOf } from '../../core/scene'
import type { Vec3 } from '../../core/math/vector'
import { formatQuantity } from '../fields/format'
import { useDocument } from './document'
import { materialForNewShape } from './editing'
import { useHost } from './host'
import { problemsOf } from './runs'
import { useSelection } from './selection'
import { useShell } from './shell'
import { useView } from './view'

export interface MeshJob {
  readonly ticket: string
  /** Name of the file or body, for users. */
  readonly label: string
  readonly stage: DecompositionStage
}

export const STAGE_LABELS: Readonly<Record<DecompositionStage, string>> = {
  reading: 'reading the mesh', cutting: 'cutting along its faces', approximating: 'cutting along concave edges', voxels: 'approximating by voxels',
}

/** m: if a mesh file in millimetres gives a body larger than this, the user is told. */
const LARGE = 100

export const useMeshes = defineStore('meshes', () => {
  const document = useDocument()
  const shell = useShell()
  const view = useView()
  const selection = useSelection()
  const job = shallowRef<MeshJob | null>(null)
  const settings = reactive<{ -readonly [K in keyof DecompositionSettings]: DecompositionSettings[K] }>({
    method: 'auto', maxPieces: 64, resolution: 64, concavity: 0.001,
  })
  let next = 1

  /** Null if it failed or was cancelled, which has been reported. */
  async function decompose(label: string, source: MeshRequest['source'], scale: number): Promise<DecomposedMesh | null> {
    if (job.value) {
      shell.notify(`${job.value.label} is being cut into pieces: wait, or cancel that first`)
      return null
    }
    const ticket = `mesh-${next++}-${Math.random().toString(36).slice(2)}`
    job.value = { ticket, label, stage: 'reading' }
    try {
      return await useHost().engine.decompose({ ticket, source, scale, settings: { ...settings } })
    } catch (error) {
      const cancelled = error instanceof Error && error.name === 'Cancelled'
      shell.notify(cancelled ? `${label} was cancelled` : `${label}: ${problemsOf(error)[0]!.message}`, { kind: cancelled ? 'info' : 'error' })
      return null
    } finally {
      job.value = null
    }
  }

  /** Adds a body with the solid of a mesh file, its lowest point at the given place. */
  async function importFile(file: File, place: Vec3): Promise<void> {
    const found = await decompose(file.name, { kind: 'bytes', name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }, 1)
    if (!found || !await isWanted(file.name, found)) return
    const stem = file.name.replace(/\.[^.]*$/, '')
    const id = freshId(document.scene, stem.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^-+/, '') || 'mesh')
    const [low, high] = boundsOfPieces(found)
    document.edit(`import ${file.name}`, draft => {
      const shape = meshShape(found, materialForNewShape(draft), 1)
      draft.bodies ??= []
      draft.bodies.push({ id, name: stem, position: [place[0], place[1], place[2] - low[2]], shapes: [shape] })
    })
    selection.select([id])
    view.overlays.pieces = true
    report(file.name, found)
    const size = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2])
    if (size > LARGE) shell.notify(`${file.name} is ${Math.round(size)} m wide: set its scale to 0.001 if it is in millimetres, and decompose again`, { seconds: 20 })
  }

  /** Decomposes a mesh of the document again with the current settings. */
  async function decomposeShape(body: string, index: number): Promise<void> {
    const shape = shapeAt(body, index)
    if (!shape) return
    const source = sourceOf(shape)
    if (!source) return shell.notify('Save the scene first: its mesh file lies beside it', { kind: 'error' })
    const found = await decompose(body, source, shape.scale ?? 1)
    if (!found || !await isWanted(body, found)) return
    if (shapeAt(body, index) !== shape) return shell.notify(`${body} has changed meanwhile: decompose it again`)
    const place = document.place(body)!
    document.edit('find convex pieces', draft => {
      draft.bodies![place.index]!.shapes![index] = withPieces(shape, found)
    })
    view.overlays.pieces = true
    report(body, found)
  }

  function shapeAt(body: string, index: number): ShapeOf<'mesh'> | null {
    const shape = document.element('bodies', body)?.shapes?.[index]
    return shape?.type === 'mesh' ? shape : null
  }

  function sourceOf({ vertices, faces, file }: ShapeOf<'mesh'>): MeshRequest['source'] | null {
    if (vertices && faces) return { kind: 'mesh', vertices, faces }
    return file !== undefined && document.handle !== null && document.savable ? { kind: 'file', document: document.handle, path: file } : null
  }

  /** Asks the user if the pieces differ much from the mesh: an apparent hole may be intended to be filled. */
  async function isWanted(label: string, found: DecomposedMesh): Promise<boolean> {
    if (!isNotable(found)) return true
    const answer = await shell.ask({
      title: 'Use these convex pieces?',
      text: `The ${found.pieces.length} pieces of ${label} have ${share(found)} and reach up to ${formatQuantity(found.reach ?? 0, 'm', 3)} beyond it: holes and gaps may be closed. `
        + 'More pieces follow the mesh closer: set “Pieces at most” and decompose again.',
      answers: [{ id: 'cancel', label: 'Leave it' }, { id: 'use', label: 'Use them', primary: true }],
    })
    return answer === 'use'
  }

  function share({ volume, piecesVolume }: DecomposedMesh): string {
    return volume === null ? '' : `${(100 * piecesVolume / volume).toFixed(1)} % of its volume`
  }

  function report(label: string, found: DecomposedMesh) {
    const count = found.pieces.length
    const reach = found.reach ? `at most ${formatQuantity(found.reach, 'm', 3)} beyond it` : ''
    const summary = [`${count} ${found.method} convex piece${count === 1 ? '' : 's'}`, share(found), reach].filter(Boolean).join(', ')
    shell.notify([`${label}: ${summary}`, ...found.notes].join('. '), { seconds: found.notes.length > 0 ? 12 : 6 })
  }

  function progress(ticket: string, stage: DecompositionStage) {
    if (job.value?.ticket === ticket) job.value = { ...job.value, stage }
  }

  async function cancel() {
    if (job.value) await useHost().engine.cancelDecomposition(job.value.ticket)
  }

  return { job, settings, importFile, decomposeShape, progress, cancel }
})
