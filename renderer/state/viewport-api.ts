/**
 * What the rest of the editor may ask of the viewport. `Viewport.vue` provides it while it is mounted; everything else is told to the
 * viewport through the stores (document, selection, view, playback, pick).
 */

import { computed, ref, shallowRef } from 'vue'
import { defineStore } from 'pinia'
import type { ContactKey } from '../../main/protocol/runs'
import type { ContactFrame } from '../../core/trajectory/frame'
import type { Vec3 } from '../../core/math/vector'
import type { ViewportTheme } from '../viewport/theme'

export type StandardView = 'front' | 'back' | 'left' | 'right' | 'top' | 'bottom' | 'isometric'

/** What lies under a point of the viewport. */
export interface Hit {
  readonly body: string
  readonly shape: number
  /** World frame, of the body as displayed. */
  readonly point: Vec3
  /** Unit, outward. */
  readonly normal: Vec3
  /** Unit direction of the nearest straight edge, where there is one: an axis for a joint. */
  readonly edge: Vec3 | null
}

/** The viewport drawn at another size, picture after picture, for films. */
export interface HeldView {
  readonly theme: ViewportTheme
  /** Lets forces count for the length of arrows, as if they had been seen. */
  measure(contacts: ContactFrame): void
  /** Draws what is shown now into the left top corner. */
  draw(ctx: CanvasRenderingContext2D): void
  /** Ends it: the page is drawn again. */
  release(): void
}

export interface ViewportApi {
  /** Draws nothing on the page until released. @param width pixels @param view all of the scene from this side, or from the present one */
  hold(width: number, height: number, view?: StandardView | 'fit'): Promise<HeldView>
  /** Changes what is shown right before the next picture, and tells when that picture is drawn. */
  withNextPicture(apply: () => void, drawn: () => void): void
  /** The picture as displayed, overlays included, as PNG bytes. */
  capturePng(options?: { width?: number; height?: number }): Promise<Uint8Array>
  /** Moves the camera to the selection, or to everything where nothing is selected. */
  frameSelection(): void
  frameAll(): void
  setStandardView(name: StandardView): void
  setOrthographic(on: boolean): void
  /** CSS pixels from the canvas's top left; null behind the camera. */
  projectToScreen(point: Vec3): { readonly x: number; readonly y: number } | null
  pickAt(x: number, y: number): Hit | null
  /** The contact glyph under a point of the canvas, within a few pixels. */
  contactAt(x: number, y: number): ContactKey | null
}

export const useViewportApi = defineStore('viewportApi', () => {
  const api = shallowRef<ViewportApi | null>(null)
  const ready = computed(() => api.value !== null)
  function provide(given: ViewportApi | null) { api.value = given }
  /** Of the pixels along each edge that the picture could have: fewer while a person waits for it and the processor draws it. */
  const drawnShare = ref(1)
  return { api, ready, provide, drawnShare }
})
