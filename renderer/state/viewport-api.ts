/**
 * The interface of the viewport to the rest of the editor. `Viewport.vue` provides it while mounted; all else reaches the viewport through the
 * stores (document, selection, view, playback, pick).
 */

import { computed, ref, shallowRef } from 'vue'
import { defineStore } from 'pinia'
import type { ContactKey } from '../../main/protocol/runs'
import type { ContactFrame } from '../../core/trajectory/frame'
import type { Vec3 } from '../../core/math/vector'
import type { ViewportTheme } from '../viewport/theme'
import type { CameraState } from './view'

export type StandardView = 'front' | 'back' | 'left' | 'right' | 'top' | 'bottom' | 'isometric'

/** The object under a point of the viewport. */
export interface Hit {
  /** Id of the body; of the deformable if the hit is a vertex. */
  readonly body: string
  readonly shape: number
  /** World frame, with the body as displayed. */
  readonly point: Vec3
  /** Unit, outward. */
  readonly normal: Vec3
  /** Unit direction of the nearest straight edge, if there is one: a possible joint axis. */
  readonly edge: Vec3 | null
  /** Where a place was asked for: number of the vertex, or the point in the frame of the body. */
  readonly vertex?: number
  readonly inBody?: Vec3
}

/** The viewport drawn at another size, frame after frame, for films. */
export interface HeldView {
  readonly theme: ViewportTheme
  /** Includes these contacts and the scene's largest force, N, in the scale of arrows, as if they had been displayed. */
  measure(contacts: ContactFrame, applied: number): void
  /** Draws the displayed state at the top left corner. @param background instead of the theme's, 0 to 1 */
  draw(ctx: CanvasRenderingContext2D, background?: Vec3): void
  /** Resumes drawing on the page. */
  release(): void
}

export interface ViewportApi {
  /**
   * Stops drawing on the page until released. @param width pixels @param view the whole scene from this side, or from the current direction
   * (`fit`)
   */
  hold(width: number, height: number, view?: StandardView | 'fit'): Promise<HeldView>
  /** Applies a change right before the next frame, and reports when that frame is drawn. The returned function withdraws it, if it is not applied yet. */
  withNextPicture(apply: () => void, drawn: () => void): () => void
  /** Draws what has changed before the page's animation frame, unless it takes longer than a frame. */
  drawAhead(): void
  /** The picture as displayed, overlays included, as PNG bytes. */
  capturePng(options?: { width?: number; height?: number }): Promise<Uint8Array>
  /** Moves the camera to the selection, or to everything if nothing is selected. */
  frameSelection(): void
  frameAll(): void
  setStandardView(name: StandardView): void
  setOrthographic(on: boolean): void
  /** Takes the direction and projection of this camera, at the present target and distance. */
  lookAs(camera: CameraState): void
  /** CSS pixels from the canvas's top left; null behind the camera. */
  projectToScreen(point: Vec3): { readonly x: number; readonly y: number } | null
  pickAt(x: number, y: number): Hit | null
  /** The contact glyph under a point of the canvas, within a few pixels. */
  contactAt(x: number, y: number): ContactKey | null
}

/** CSS pixels of the picture that a bar or card in its lower part covers: its sides, and its lower and upper edge above that of the picture. */
export interface Covered {
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

/** px: an element farther from the lower edge leaves room for the scales below it. */
const NEAR = 30

export const useViewportApi = defineStore('viewportApi', () => {
  const api = shallowRef<ViewportApi | null>(null)
  const ready = computed(() => api.value !== null)
  function provide(given: ViewportApi | null) { api.value = given }
  /** Share of the pixels along each edge that is drawn; reduced by software GL while the user waits for frames. */
  const drawnShare = ref(1)
  /** Whether anything that moves is in the last drawn picture. */
  const isMotionInSight = ref(true)
  /** Point of a body's surface under the pointer, m. */
  const pointed = shallowRef<Vec3 | null>(null)
  const covering = shallowRef<ReadonlyMap<object, Covered>>(new Map())
  const covered = computed(() => [...covering.value.values()])
  /** What covers the lower edge of the picture. */
  const atBottom = computed(() => covered.value.filter(({ bottom }) => bottom <= NEAR))
  function setCovered(owner: object, covered: Covered | null) {
    const next = new Map(covering.value)
    if (covered === null) next.delete(owner)
    else next.set(owner, covered)
    covering.value = next
  }
  /** CSS pixels: how high the scales at the picture's lower right reach above its lower edge. */
  const scalesTop = ref(0)
  /** CSS pixels: how far the banners reach below the picture's upper edge; 0 without one. */
  const bannersBottom = ref(0)
  return { bannersBottom, api, ready, provide, drawnShare, isMotionInSight, pointed, covered, atBottom, scalesTop, setCovered }
})
