/** Meshes from files and their convex pieces: computed by the engine, stored in the document. One decomposition at a time. */

import { computed, reactive, shallowRef } from 'vue'
import { defineStore } from 'pinia'
import { boundsOfPieces, meshShape, withPieces } from '../../core/formats/mesh/shape'
import { holeNotes, isNotable, type DecomposedMesh, type DecompositionSettings, type DecompositionStage, type MeshRequest } from '../../main/protocol/meshes'
import { freshIds, type ShapeOf } from '../../core/scene'
import { addLook } from '../../core/formats/shared/file-look'
import { scaleMesh } from '../modelling/mesh-scale'
import type { Vec3 } from '../../core/math/vector'
import { formatQuantity } from '../fields/format'
import { isPlanar } from '../modelling/plane'
import { deviationMesh, samePieces } from '../modelling/deviation'
import type { ColouredPieces } from '../viewport/body-plan'
import { useDocument } from './document'
import { materialForNewShape } from './editing'
import { newElement } from './free-names'
import { useHost } from './host'
import { useLive } from './live'
import { usePlayback } from './playback'
import { outsideInView } from './point-in-view'
import { problemsOf } from './runs'
import { useSelection } from './selection'
import { useShell } from './shell'
import { useView } from './view'
import { useViewportApi } from './viewport-api'

export interface MeshJob {
  readonly ticket: string
  /** Name of the file or body, for users. */
  readonly label: string
  readonly stage: DecompositionStage
}

export const STAGE_LABELS: Readonly<Record<DecompositionStage, string>> = {
  reading: 'reading the mesh', cutting: 'cutting along its faces', approximating: 'cutting along concave edges', voxels: 'approximating by voxels',
}

/** m: if a mesh file in millimetres gives a body larger than this, the user is asked for its unit. */
const LARGE = 10
const MILLIMETRE = 0.001
/** Formats whose unit is defined. */
const METRIC = /\.(gltf|glb|dae)$/i

/** A decomposition that differs from its mesh, of a shape of a body. */
interface Inexact {
  readonly body: string
  readonly shape: number
  readonly found: DecomposedMesh
}

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
  let generation = document.generation
  /** Inexact decompositions of this session, the newest of each shape. */
  const inexact = shallowRef<readonly Inexact[]>([])
  const farthest = computed(() => Math.max(0, ...inexact.value.map(({ found }) => found.reach ?? 0)))
  /** Their pieces coloured by distance, all with one scale. */
  const coloured = computed((): ColouredPieces[] => inexact.value.map(({ body, shape, found }) => (
    { body, shape, pieces: found.pieces, mesh: deviationMesh(found.deviation!, found.pieces, farthest.value) })))

  /** Null if it failed or was cancelled, which has been reported. */
  async function decompose(label: string, source: MeshRequest['source'], scale: number, by: DecompositionSettings = settings): Promise<DecomposedMesh | null> {
    if (job.value) {
      shell.notify(`${job.value.label} is being cut into pieces: wait, or cancel that first`)
      return null
    }
    const ticket = `mesh-${next++}-${Math.random().toString(36).slice(2)}`
    job.value = { ticket, label, stage: 'reading' }
    try {
      return await useHost().engine.decompose({ ticket, source, scale, settings: { ...by } })
    } catch (error) {
      const cancelled = error instanceof Error && error.name === 'Cancelled'
      shell.notify(cancelled ? `${label} was cancelled` : `${label}: ${problemsOf(error)[0]!.message}`, { kind: cancelled ? 'info' : 'error' })
      return null
    } finally {
      job.value = null
    }
  }

  /**
   * Adds a body with the solid of a mesh file, its lowest point at the given place; a fixed body with its surface if that is open, such as terrain. It
   * looks like the file if that has colours or textures.
   * @param beside files that it may name
   */
  async function importFile(file: File, place: Vec3, beside: readonly File[]): Promise<void> {
    const [mesh, ...others] = await Promise.all([file, ...beside].map(async one => ({ name: one.name, bytes: new Uint8Array(await one.arrayBuffer()) })))
    const found = await decompose(file.name, { kind: 'bytes', ...mesh!, beside: others }, 1)
    if (!found || !await isWanted(file.name, found)) return
    const stem = file.name.replace(/\.[^.]*$/, '')
    const idStem = stem.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^-+/, '') || 'mesh'
    if (useLive().run !== null) return addToSession(file.name, found, stem, idStem)
    const fresh = freshIds(document.scene)
    const id = fresh(idStem)
    const [low, high] = boundsOfPieces(found.method === 'surface' ? { pieces: [found.vertices] } : found)
    document.edit(`import ${file.name}`, draft => {
      const shape = meshShape(found, materialForNewShape(draft), 1)
      const visuals = found.look ? addLook(draft, found.look, fresh) : undefined
      draft.bodies ??= []
      draft.bodies.push({ id, name: stem, ...found.method === 'surface' ? { type: 'fixed' } : {}, position: [place[0], place[1], place[2] - low[2]], shapes: [shape], ...visuals ? { visuals } : {} })
    })
    selection.select([id])
    // The pieces are drawn instead of the look: where it is to be seen, they wait until they are asked for.
    view.overlays.pieces = found.method !== 'surface' && (found.look === null || found.deviation !== null)
    remember(id, 0, found)
    if (found.method === 'surface') reportSurface(file.name, found, id)
    else report(file.name, found)
    const size = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2])
    if (size > LARGE && !METRIC.test(file.name)) {
      shell.notify(`${file.name} is ${Math.round(size)} m wide.`, {
        seconds: 20, action: { label: 'It is in millimetres', run: () => inMillimetres(id, low[2]) },
      })
    }
  }

  /** In a live session the body is added while the simulation continues, and beside what is in the middle of the view. */
  function addToSession(file: string, found: DecomposedMesh, label: string, idStem: string) {
    const { shownScene } = usePlayback()
    const material = shownScene.materials?.[0]?.id
    if (found.method === 'surface') return shell.notify(`${file} is an open surface: a fixed body like it has to be added before the session starts`, { kind: 'error' })
    if (material === undefined) return shell.notify('The scene has no material for a body yet')
    const shape = meshShape(found, material, 1)
    useLive().create({ ...newElement(shownScene, label, idStem), position: outsideInView(shape, isPlanar(shownScene)), shapes: [shape] })
    report(file, found)
  }

  /** Scales an imported mesh, and lets its lowest point stay. @param low height of that point above the body's origin, m */
  function inMillimetres(body: string, low: number) {
    const place = document.place(body)
    if (!place) return
    document.edit('read as millimetres', draft => {
      const [x, y, z] = draft.bodies![place.index]!.position ?? [0, 0, 0]
      scaleMesh(draft, place.index, 0, MILLIMETRE)
      draft.bodies![place.index]!.position = [x, y, z + low * (1 - MILLIMETRE)]
    })
    inexact.value = inexact.value.filter(one => one.body !== body)
    void useViewportApi().api?.frameSelection()
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
    view.overlays.pieces = found.method !== 'surface'
    remember(body, index, found)
    report(body, found)
  }

  function remember(body: string, shape: number, found: DecomposedMesh) {
    const others = inexact.value.filter(one => one.body !== body || one.shape !== shape)
    inexact.value = found.deviation ? [...others, { body, shape, found }] : others
  }

  /** What is known of a shape's pieces, if they are from this session and differ from the mesh. */
  function inexactOf(body: string, shape: number): DecomposedMesh | null {
    const known = inexact.value.find(one => one.body === body && one.shape === shape)?.found
    return known && samePieces(shapeAt(body, shape)?.pieces, known.pieces) ? known : null
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
      text: [
        `${found.pieces.length === 1 ? `The one piece of ${label} has` : `The ${found.pieces.length} pieces of ${label} have`} ${share(found)}, up to ${formatQuantity(found.reach ?? 0, 'm', 3)} beyond it.`,
        ...found.holes.length > 0 ? holeNotes(found) : ['No straight hole through it is closed; gaps may be.'],
        'More pieces follow the mesh closer: set “Pieces at most” and decompose again.',
      ].join(' '),
      deviation: found.deviation ? { deviation: found.deviation, most: found.reach ?? 0 } : undefined,
      answers: [{ id: 'cancel', label: 'Leave it' }, { id: 'use', label: 'Use them', primary: true }],
    })
    return answer === 'use'
  }

  function share({ volume, piecesVolume }: DecomposedMesh): string {
    return volume === null ? '' : `${(100 * piecesVolume / volume).toFixed(1)} % of its volume`
  }

  function report(label: string, found: DecomposedMesh) {
    const count = found.pieces.length
    if (found.method === 'surface') return shell.confirm(`${label}: ${surfaceText(found)}`)
    const reach = found.reach ? `at most ${formatQuantity(found.reach, 'm', 3)} beyond it` : ''
    const summary = [`${count} ${found.method} convex piece${count === 1 ? '' : 's'}`, share(found), reach].filter(Boolean).join(', ')
    const remarks = [...found.notes, ...holeNotes(found)]
    if (remarks.length === 0) shell.confirm(`${label}: ${summary}`)
    else shell.notify([`${label}: ${summary}.`, ...remarks].join(' '), { seconds: 12 })
  }

  /** What can be done with an open surface: it is ground, or the shell of a solid. */
  function reportSurface(label: string, found: DecomposedMesh, body: string) {
    shell.notify(`${label} is an open surface: ${surfaceText(found)} It is fixed.${found.notes.slice(1).map(note => ` ${note}`).join('')}`, {
      seconds: 20, action: { label: 'Make it a solid', run: () => void solidOf(body) },
    })
  }

  function surfaceText({ pieces, depth }: DecomposedMesh): string {
    return `bodies touch it as it is, by ${pieces.length === 1 ? 'a plate' : `${pieces.length} plates`} up to ${formatQuantity(depth ?? 0, 'm', 2)} deep behind it.`
  }

  /** The surface of a fixed body as a dynamic solid, approximated by voxels. */
  async function solidOf(body: string): Promise<void> {
    const shape = shapeAt(body, 0)
    const source = shape && sourceOf(shape)
    if (!source) return
    const found = await decompose(body, source, shape.scale ?? 1, { ...settings, method: 'voxels' })
    const place = document.place(body)
    if (!found || !place || shapeAt(body, 0) !== shape) return
    document.edit('make a solid of an open surface', draft => {
      const changed = draft.bodies![place.index]!
      delete changed.type
      changed.shapes![0] = withPieces(shape, found)
    })
    view.overlays.pieces = true
    remember(body, 0, found)
    report(body, found)
  }

  function progress(ticket: string, stage: DecompositionStage) {
    if (job.value?.ticket === ticket) job.value = { ...job.value, stage }
  }

  async function cancel() {
    if (job.value) await useHost().engine.cancelDecomposition(job.value.ticket)
  }

  document.onChange(() => {
    if (document.generation !== generation) inexact.value = []
    generation = document.generation
  })

  return { job, settings, coloured, farthest, inexactOf, importFile, decomposeShape, progress, cancel }
})
