/**
 * Babylon's engine and scene for one canvas, drawn on demand: a picture is made only after `requestRender`, at most one per animation frame.
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
import { drawsBySoftware } from './layers/software'
import { PictureShare } from './picture-share'

/** Drawn in this order; each group after the first may ignore the depth of those before. */
export const GROUP = { bodies: 0, outlines: 1, glyphs: 2 } as const

/**
 * While a session goes on, the page makes 30 pictures a second; while a hand holds something, one whenever the screen changes. Half more than that is a picture
 * that came too late: ms until the page can draw the next one.
 */
const BOUNDS = { session: 50, held: 25 } as const
/** A person who waits for the picture; at rest nobody does. */
export type Hurry = 'rest' | 'session' | 'held'

/** A camera whose matrices are given, in double precision, by our own projection. */
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
  /** Called right before each picture; gives the projection to draw with. */
  prepare(): Projection
  /** Called right after each picture, for what is drawn over it. */
  drawn(): void
  /** The graphics card forgot everything. */
  lost(): void
}

/** What is to be shown with the next picture, and who wants to know when that picture is drawn. */
interface Guest {
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
  private guests: Guest[] = []
  /** A picture was drawn since the page was last asked for one: another would not be seen. */
  private isFresh = false

  constructor(private readonly canvas: HTMLCanvasElement, private readonly callbacks: StageCallbacks) {
    this.engine = new Engine(canvas, true, {
      antialias: true, stencil: true, alpha: false, preserveDrawingBuffer: false, powerPreference: 'high-performance',
      audioEngine: false, doNotHandleContextLost: true, disableWebGL2Support: false,
    }, false)
    this.engine.enableOfflineSupport = false
    this.scene = new Scene(this.engine, { useGeometryUniqueIdsMap: false, useMaterialMeshMap: false })
    this.scene.useRightHandedSystem = true
    this.scene.skipPointerMovePicking = true
    this.scene.skipFrustumClipping = true
    this.scene.autoClear = true
    this.scene.setRenderingAutoClearDepthStencil(GROUP.outlines, false)
    this.scene.setRenderingAutoClearDepthStencil(GROUP.glyphs, false)
    this.camera = new GivenCamera('view', Vector3.Zero(), this.scene, true)
    canvas.addEventListener('webglcontextlost', this.onLost)
  }

  get isSoftware(): boolean {
    return drawsBySoftware(this.scene)
  }

  setBackground(color: readonly [number, number, number]): void {
    this.scene.clearColor = new Color4(color[0], color[1], color[2], 1)
    this.requestRender()
  }

  /** While a person waits for the picture, software GL draws it with fewer pixels. */
  setHurry(hurry: Hurry): void {
    if (this.hurry === hurry) return
    this.hurry = hurry
    this.requestRender()
  }

  /** Of the pixels along each edge, by `setHurry`. */
  get share(): number {
    return this.hurry === 'rest' || !this.isSoftware ? 1 : this.shares[this.hurry].share
  }

  /** @param share of the pixels along each edge, as a person chose */
  setResolution(share: number): void {
    if (this.resolution === share) return
    this.resolution = share
    this.requestRender()
  }

  /**
   * Changes what is shown right before the next picture is drawn, and tells when that is done.
   * @param apply changes what the picture shows, at once @param drawn the picture is complete
   */
  withNextPicture(apply: () => void, drawn: () => void): void {
    this.guests.push({ apply, drawn })
    if (this.isFresh || this.held || this.disposed) this.requestRender()
    else this.draw()
  }

  /** Fits the drawing buffer to the canvas's size on the page; true where it changed. */
  resize(): boolean {
    const scale = Math.min(window.devicePixelRatio || 1, 2) * this.resolution * this.share
    const width = Math.max(1, Math.round(this.canvas.clientWidth * scale))
    const height = Math.max(1, Math.round(this.canvas.clientHeight * scale))
    if (this.engine.getRenderWidth() === width && this.engine.getRenderHeight() === height) return false
    this.engine.setSize(width, height)
    return true
  }

  requestRender(): void {
    if (this.request === 0 && !this.disposed && !this.held) this.request = requestAnimationFrame(this.onFrame)
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

  /** While it is held, nothing is drawn but by `renderNow`, at whatever size was set. */
  setHeld(held: boolean): void {
    this.held = held
    cancelAnimationFrame(this.request)
    this.request = 0
    if (!held) this.requestRender()
  }

  /** Whether every shader is compiled, so that the picture is whole. */
  isWhole(): boolean {
    return this.scene.meshes.every(mesh => !mesh.isEnabled() || !mesh.isVisible || mesh.isReady(true))
  }

  dispose(): void {
    this.disposed = true
    cancelAnimationFrame(this.request)
    this.canvas.removeEventListener('webglcontextlost', this.onLost)
    this.scene.dispose()
    this.engine.dispose()
  }

  private readonly onFrame = () => {
    this.request = 0
    if (!this.disposed) this.draw()
  }

  private draw(): void {
    const began = performance.now()
    this.resize()
    const guests = this.guests.splice(0)
    // What they change asks for a picture: this one, and no other after it.
    for (const { apply } of guests) apply()
    cancelAnimationFrame(this.request)
    this.request = 0
    this.renderNow()
    // Shaders compile in the background: go on drawing until all of them are there, but not for ever if one never comes.
    if (this.isWhole()) this.settling = 0
    else if (this.settling++ < 300) this.requestRender()
    if (guests.length === 0) return
    this.isFresh = true
    // What was drawn is on the screen, and its calls of the graphics card are over, when the page is asked for the next picture.
    requestAnimationFrame(() => {
      this.isFresh = false
      if (this.hurry !== 'rest') this.shares[this.hurry].note(performance.now() - began)
      for (const { drawn } of guests) drawn()
    })
  }

  private readonly onLost = (event: Event) => {
    event.preventDefault()
    if (!this.disposed) this.callbacks.lost()
  }
}
