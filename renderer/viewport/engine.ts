/**
 * Babylon's engine and scene for one canvas, drawn on demand: a frame is drawn only after `requestRender`, at most one per animation frame.
 *
 * Nothing is fetched: no environment textures, decoders or shaders from elsewhere, and no loading screen.
 */

import { Engine } from '@babylonjs/core/Engines/engine'
import { Camera } from '@babylonjs/core/Cameras/camera'
import { Matrix, Vector3 } from '@babylonjs/core/Maths/math.vector'
import { Color4 } from '@babylonjs/core/Maths/math.color'
import { Scene } from '@babylonjs/core/scene'
import '@babylonjs/core/Engines/AbstractEngine/abstractEngine.alpha'
import type { Projection } from './camera/projection'
import { cssSizeOf } from './css-size'
import { drawsBySoftware } from './layers/software'
import { drawnShare, PictureShare } from './picture-share'

/** Drawing order. Groups after the first may ignore the depth of earlier ones. */
export const GROUP = { bodies: 0, outlines: 1, glyphs: 2 } as const

/**
 * Frame time limits in ms, measured until the page can draw the next frame: 1.5 times the intended period. A session draws 30 frames a second;
 * dragging draws one per screen refresh (60 Hz). Playback has the limit of a session, and a dragged playhead that of dragging.
 */
const BOUNDS = { session: 50, held: 25 } as const
/** How urgently the user needs the next frame. */
export type Hurry = 'rest' | 'session' | 'held'

/** A camera with given matrices, computed in double precision by our own projection. */
class GivenCamera extends Camera {
  private readonly given = Matrix.Identity()

  setMatrices(view: Float64Array, projection: Float64Array): void {
    Matrix.FromArrayToRef(view, 0, this.given)
    const given = new Matrix()
    Matrix.FromArrayToRef(projection, 0, given)
    this.freezeProjectionMatrix(given)
  }

  override _isSynchronizedViewMatrix(): boolean {
    return false
  }

  override _getViewMatrix(): Matrix {
    return this.given
  }
}

export interface StageCallbacks {
  /** Called right before each frame; returns the projection to draw with. */
  prepare(): Projection
  /** Called right after each frame, to draw the overlay. */
  drawn(): void
  /** The graphics context was lost. */
  lost(): void
}

/** A change to apply with the next frame, and a callback when that frame is drawn. */
interface PendingChange {
  apply(): void
  drawn(): void
}

export class Stage {
  readonly engine: Engine
  readonly scene: Scene
  private readonly camera: GivenCamera
  private request = 0
  private disposed = false
  private settling = 0
  private held = false
  private hurry: Hurry = 'rest'
  private readonly shares = { session: new PictureShare(0.7, BOUNDS.session), held: new PictureShare(0.35, BOUNDS.held) }
  private resolution = 1
  private pendingChanges: PendingChange[] = []
  /** True from the drawing of a frame until the page has taken it over. Another frame in that time would not be seen. */
  private isFresh = false
  private readonly channel = new MessageChannel()
  private readonly calls: (() => void)[] = []
  /** Whether the requested frame is for more than the pending changes, which may be withdrawn. */
  private wanted = false

  constructor(private readonly canvas: HTMLCanvasElement, private readonly callbacks: StageCallbacks) {
    this.engine = new Engine(canvas, true, {
      antialias: true, stencil: true, alpha: false, preserveDrawingBuffer: false, powerPreference: 'high-performance',
      audioEngine: false, doNotHandleContextLost: true, disableWebGL2Support: false,
    }, false)
    this.engine.enableOfflineSupport = false
    this.scene = new Scene(this.engine, { useGeometryUniqueIdsMap: false, useMaterialMeshMap: false })
    // Pointers and keys are read by Cairn's own controls. Babylon's would also make the browser ask for gamepads all the time.
    this.scene.detachControl()
    this.scene.useRightHandedSystem = true
    this.scene.skipPointerMovePicking = true
    this.scene.skipFrustumClipping = true
    this.scene.autoClear = true
    this.scene.setRenderingAutoClearDepthStencil(GROUP.outlines, false)
    this.scene.setRenderingAutoClearDepthStencil(GROUP.glyphs, false)
    this.camera = new GivenCamera('view', Vector3.Zero(), this.scene, true)
    canvas.addEventListener('webglcontextlost', this.onLost)
    this.channel.port1.onmessage = () => this.calls.shift()?.()
  }

  get isSoftware(): boolean {
    return drawsBySoftware(this.scene)
  }

  setBackground(color: readonly [number, number, number]): void {
    this.scene.clearColor = new Color4(color[0], color[1], color[2], 1)
    this.requestRender()
  }

  /** In software GL, frames that the user waits for are drawn with fewer pixels. */
  setHurry(hurry: Hurry): void {
    if (this.hurry === hurry) return
    this.hurry = hurry
    this.requestRender()
  }

  /** Share of the pixels along each edge, chosen by `setHurry`. */
  get share(): number {
    return this.hurry === 'rest' || !this.isSoftware ? 1 : this.shares[this.hurry].share
  }

  /** @param share of the pixels along each edge, as set by the user */
  setResolution(share: number): void {
    if (this.resolution === share) return
    this.resolution = share
    this.requestRender()
  }

  /**
   * Applies a change right before the next frame and reports when that frame is drawn.
   * @param apply changes the contents at once @param drawn called when the frame is complete
   * @returns withdraws the change, if it was not applied yet
   */
  withNextPicture(apply: () => void, drawn: () => void): () => void {
    const change = { apply, drawn }
    this.pendingChanges.push(change)
    if (this.isFresh || this.held || this.disposed) this.schedule()
    else this.draw(false)
    return () => { this.pendingChanges = this.pendingChanges.filter(other => other !== change) }
  }

  /** Fits the drawing buffer to the canvas's size on the page; true if it changed. */
  resize(): boolean {
    const scale = Math.min(window.devicePixelRatio || 1, 2) * drawnShare(this.resolution, this.share)
    const size = cssSizeOf(this.canvas)
    const width = Math.max(1, Math.round(size.width * scale))
    const height = Math.max(1, Math.round(size.height * scale))
    if (this.engine.getRenderWidth() === width && this.engine.getRenderHeight() === height) return false
    this.engine.setSize(width, height)
    return true
  }

  requestRender(): void {
    this.wanted = true
    this.schedule()
  }

  private schedule(): void {
    if (this.request === 0 && !this.disposed && !this.held) this.request = requestAnimationFrame(this.onFrame)
  }

  /**
   * Draws what has changed before the page's animation frame, which then has less to do; only one picture a frame. Not in software GL: its pictures take
   * longer than a frame, and one more would wait for the renderer.
   */
  drawAhead(): void {
    if (this.wanted && !this.isSoftware && !this.isFresh && !this.held && !this.disposed) this.draw(false)
  }

  /** Draws at once, e.g. before the pixels are read. */
  renderNow(): void {
    const view = this.callbacks.prepare()
    this.camera.setMatrices(view.view, view.projection)
    this.engine.beginFrame()
    this.scene.render(false)
    this.engine.endFrame()
    this.callbacks.drawn()
  }

  /** While held, frames are drawn by `renderNow` only, at any size that was set. */
  setHeld(held: boolean): void {
    this.held = held
    cancelAnimationFrame(this.request)
    this.request = 0
    if (!held) this.requestRender()
  }

  /** Whether all shaders are compiled, so that the picture is complete. */
  isWhole(): boolean {
    return this.scene.meshes.every(mesh => !mesh.isEnabled() || !mesh.isVisible || mesh.isReady(true))
  }

  dispose(): void {
    this.disposed = true
    this.channel.port1.close()
    cancelAnimationFrame(this.request)
    this.canvas.removeEventListener('webglcontextlost', this.onLost)
    this.scene.dispose()
    this.engine.dispose()
  }

  private readonly onFrame = () => {
    this.request = 0
    if (!this.disposed && (this.wanted || this.pendingChanges.length > 0)) this.draw(true)
  }

  /** @param inFrame whether the page's animation frame runs, which takes the picture over when it ends */
  private draw(inFrame: boolean): void {
    const began = performance.now()
    this.resize()
    const pendingChanges = this.pendingChanges.splice(0)
    // These changes request a frame. This frame shows them, so no further one is needed.
    for (const { apply } of pendingChanges) apply()
    cancelAnimationFrame(this.request)
    this.request = 0
    this.wanted = false
    this.renderNow()
    // Shaders compile in the background. Keep drawing until all are ready, but for a limited time in case one never compiles.
    if (this.isWhole()) this.settling = 0
    else if (this.settling++ < 300) this.requestRender()
    if (pendingChanges.length === 0 && this.hurry === 'rest') return
    this.isFresh = true
    const takenOver = () => this.afterFrame(() => {
      this.isFresh = false
      if (this.hurry !== 'rest') this.shares[this.hurry].note(performance.now() - began)
      for (const { drawn } of pendingChanges) drawn()
    })
    if (inFrame) takenOver()
    else requestAnimationFrame(takenOver)
  }

  /** Calls back after the running animation frame: the page has taken the picture over, for which a software renderer finishes its work. */
  private afterFrame(call: () => void): void {
    this.calls.push(call)
    this.channel.port2.postMessage(null)
  }

  private readonly onLost = (event: Event) => {
    event.preventDefault()
    if (!this.disposed) this.callbacks.lost()
  }
}
