/** View settings: kept between sessions, not undoable, and not part of the document. */

import { computed, reactive, ref, shallowRef, watch, type Ref } from 'vue'
import { defineStore } from 'pinia'
import type { Vec3 } from '../../core/math/vector'

export type Theme = 'dark' | 'light'
export type GizmoMode = 'select' | 'move' | 'rotate' | 'resize'
export type Space = 'world' | 'local'
/**
 * Whose force the arrows show: on the upper body (points against gravity, whatever the order of the bodies in the document), on body A (along
 * the normal), on B, or on both.
 */
export type ActionSide = 'upper' | 'A' | 'B' | 'both'
export type Colouring = 'material' | 'body' | 'speed'
/** Quantity that colours cloth, ropes, hair and springs. */
export type DeformableColouring = 'material' | 'strain' | 'bending'
/** What is drawn of bodies: visuals where they have any, collision shapes, or both. */
export type DrawnBy = 'visuals' | 'shapes' | 'both'
/** Share of the pixels along each edge of the viewport. Fewer pixels are drawn faster, which matters without a graphics card. */
export type Resolution = 'full' | 'half' | 'quarter'

/** Everything that can be drawn over the scene. */
export interface Overlays {
  grid: boolean
  axes: boolean
  /** Of lengths and forces, and the name of the view. */
  scales: boolean
  contactPoints: boolean
  contactNormals: boolean
  contactRegions: boolean
  normalForces: boolean
  frictionForces: boolean
  totalForces: boolean
  forceValues: boolean
  frictionCones: boolean
  impulses: boolean
  joints: boolean
  sensors: boolean
  forces: boolean
  velocities: boolean
  massCenters: boolean
  inertiaEllipsoids: boolean
  trails: boolean
  names: boolean
  contactShadows: boolean
  ambientOcclusion: boolean
  edges: boolean
  pieces: boolean
}

export const OVERLAY_LABELS: Readonly<Record<keyof Overlays, string>> = {
  grid: 'Grid', axes: 'Axes', scales: 'Scales', contactPoints: 'Contact points', contactNormals: 'Contact normals', contactRegions: 'Contact regions', normalForces: 'Normal forces',
  frictionForces: 'Friction forces', totalForces: 'Total forces', forceValues: 'Values of forces', frictionCones: 'Friction cones', impulses: 'Impulses at impacts',
  joints: 'Joints', sensors: 'Sensors', forces: 'Forces', velocities: 'Velocities', massCenters: 'Centres of mass', inertiaEllipsoids: 'Inertia ellipsoids',
  trails: 'Trails', names: 'Names', contactShadows: 'Soft contact shadows', ambientOcclusion: 'Ambient occlusion', edges: 'Edges', pieces: 'Convex pieces of meshes',
}

/** Orbit camera about a target, z up: azimuth from +x towards +y, elevation above the horizontal, rad; distance in m. */
export interface CameraState {
  readonly target: Vec3
  readonly azimuth: number
  readonly elevation: number
  readonly distance: number
  readonly orthographic: boolean
}

/** Increments of dragging; 0 turns snapping off for that kind. */
export interface Snapping {
  enabled: boolean
  /** m */
  move: number
  /** rad */
  rotate: number
  /** m */
  resize: number
}

export const DEFORMABLE_COLOURINGS: Readonly<Record<DeformableColouring, string>> = { material: 'material', strain: 'strain', bending: 'bending moment' }

export const DRAWN_BY_LABELS: Readonly<Record<DrawnBy, string>> = { visuals: 'visuals', shapes: 'collision shapes', both: 'visuals and collision shapes' }

export const RESOLUTION_SHARES: Readonly<Record<Resolution, number>> = { full: 1, half: 0.5, quarter: 0.25 }

export const DEFAULT_CAMERA: CameraState = { target: [0, 0, 0.5], azimuth: -0.9, elevation: 0.42, distance: 8, orthographic: false }
const STORAGE_KEY = 'cairn.view'

const defaultOverlays = (): Overlays => ({
  grid: true, axes: true, scales: true,
  contactPoints: true, contactNormals: false, contactRegions: true, normalForces: true, frictionForces: true, totalForces: false,
  forceValues: false, frictionCones: false, impulses: true, joints: true, sensors: true, forces: true, velocities: false, massCenters: false,
  inertiaEllipsoids: false, trails: false, names: false, contactShadows: true, ambientOcclusion: true, edges: true, pieces: false,
})

/** The system's theme, also after it changes. */
function useSystemTheme(): Ref<Theme> {
  const query = globalThis.matchMedia?.('(prefers-color-scheme: light)')
  const theme = ref<Theme>(query?.matches ? 'light' : 'dark')
  query?.addEventListener('change', () => { theme.value = query.matches ? 'light' : 'dark' })
  return theme
}

export const useView = defineStore('view', () => {
  const system = useSystemTheme()
  /** Null: the system's. */
  const chosenTheme = ref<Theme | null>(null)
  /** The system's until another one is chosen; choosing the system's follows it again. */
  const theme = computed<Theme>({
    get: () => chosenTheme.value ?? system.value,
    set: wanted => { chosenTheme.value = wanted === system.value ? null : wanted },
  })
  const overlays = reactive<Overlays>(defaultOverlays())
  /** Multiplies the automatic length of force arrows. */
  const arrowScale = ref(1)
  /** Draws contact glyphs through bodies. */
  const xray = ref(true)
  const actionSide = ref<ActionSide>('upper')
  const colouring = ref<Colouring>('material')
  /** What the colours of convex pieces show, where both are known. */
  const pieceColours = ref<'piece' | 'distance'>('distance')
  const deformableColouring = ref<DeformableColouring>('material')
  const drawnBy = ref<DrawnBy>('visuals')
  const resolution = ref<Resolution>('full')
  const gizmo = ref<GizmoMode>('select')
  const space = ref<Space>('world')
  const snapping = reactive<Snapping>({ enabled: true, move: 0.05, rotate: Math.PI / 36, resize: 0.05 })
  const camera = shallowRef<CameraState>(DEFAULT_CAMERA)
  /** Ids of hidden elements, and of those that clicks in the viewport ignore. Cleared when another document is opened. */
  const hidden = shallowRef<ReadonlySet<string>>(new Set())
  const locked = shallowRef<ReadonlySet<string>>(new Set())

  const toggled = (set: ReadonlySet<string>, ids: readonly string[], on: boolean) => {
    const next = new Set(set)
    for (const id of ids) {
      if (on) next.add(id)
      else next.delete(id)
    }
    return next
  }
  function setHidden(ids: readonly string[], on: boolean) { hidden.value = toggled(hidden.value, ids, on) }
  function setLocked(ids: readonly string[], on: boolean) { locked.value = toggled(locked.value, ids, on) }

  /** Whether the user has set this overlay, now or in an earlier session. */
  const hasChosen = (overlay: keyof Overlays) => Object.hasOwn(Object(readStored().overlays) as object, overlay)

  restore()
  watch([chosenTheme, overlays, arrowScale, xray, actionSide, colouring, deformableColouring, drawnBy, resolution, space, snapping], keep, { deep: true })

  function keep() {
    const kept = {
      theme: chosenTheme.value, overlays: { ...overlays }, arrowScale: arrowScale.value, xray: xray.value, actionSide: actionSide.value,
      colouring: colouring.value, deformableColouring: deformableColouring.value, drawnBy: drawnBy.value, resolution: resolution.value,
      space: space.value, snapping: { ...snapping },
    }
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(kept))
    } catch {
      // Storage may be denied in private windows; settings are then kept until the window is closed.
    }
  }

  /** Restores only values of the expected type, since the storage may be from another version. */
  function restore() {
    const kept = readStored()
    if (kept.theme === 'dark' || kept.theme === 'light') chosenTheme.value = kept.theme
    if (typeof kept.arrowScale === 'number' && kept.arrowScale > 0) arrowScale.value = kept.arrowScale
    if (typeof kept.xray === 'boolean') xray.value = kept.xray
    if (kept.actionSide === 'upper' || kept.actionSide === 'A' || kept.actionSide === 'B' || kept.actionSide === 'both') actionSide.value = kept.actionSide
    if (kept.colouring === 'material' || kept.colouring === 'body' || kept.colouring === 'speed') colouring.value = kept.colouring
    if (Object.hasOwn(DEFORMABLE_COLOURINGS, String(kept.deformableColouring))) deformableColouring.value = kept.deformableColouring as DeformableColouring
    if (kept.drawnBy === 'visuals' || kept.drawnBy === 'shapes' || kept.drawnBy === 'both') drawnBy.value = kept.drawnBy
    if (Object.hasOwn(RESOLUTION_SHARES, String(kept.resolution))) resolution.value = kept.resolution as Resolution
    if (kept.space === 'world' || kept.space === 'local') space.value = kept.space
    takeOver(overlays, kept.overlays)
    takeOver(snapping, kept.snapping)
  }

  return {
    theme, overlays, arrowScale, xray, actionSide, colouring, pieceColours, deformableColouring, drawnBy, resolution, gizmo, space, snapping, camera,
    hidden, locked,
    setHidden, setLocked, hasChosen,
  }
})

function readStored(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    return typeof value === 'object' && value !== null ? value as Record<string, unknown> : {}
  } catch {
    return {}
  }
}

function takeOver(target: object, stored: unknown) {
  if (typeof stored !== 'object' || stored === null) return
  const to = target as Record<string, unknown>
  for (const [key, value] of Object.entries(stored)) {
    if (Object.hasOwn(to, key) && typeof value === typeof to[key]) to[key] = value
  }
}
