/**
 * Draws one scene on one canvas: keeps the displayed data, compiles them to layers, and draws after changes. It knows neither stores nor edits
 * of the document; `session.ts` passes all data.
 */

import { distance, length, type Vec3 } from '../../core/math/vector'
import { bodiesOf } from '../state/scene-access'
import { DEFAULT_CAMERA, type CameraState } from '../state/view'
import { BodyLayer } from './bodies'
import { highlightOf, paintSpeeds, setBodyStates } from './body-states'
import { project, type Projection, type Sphere } from './camera/projection'
import type { RecordedDeformables } from './deformables/colours'
import { DeformableView } from './deformables/view'
import { cssSizeOf } from './css-size'
import { Stage } from './engine'
import { SceneGlyphs } from './glyphs/scene-glyphs'
import { Planes } from './half-spaces'
import { OcclusionMap } from './layers/occlusion'
import { KEY_LIGHT, LightMap, SKY_LIGHT, type Lights } from './layers/shadows'
import { SharedUniforms } from './layers/uniforms'
import type { PosedScene } from './posed-scene'
import type { ColourScale } from './shown-scale'
import { contentOf } from './sight'
import type { ViewState } from './view-state'
import type { ViewportTheme } from './theme'

/** Default of scenes without gravity, m/s². */
const DEFAULT_GRAVITY: Vec3 = [0, 0, -9.81]
/** m: sphere that is framed in an empty scene. */
const EMPTY_SPHERE: Sphere = { center: [0, 0, 0], radius: 2 }
/** Distance up to which bodies occlude the light at a point, × radius of the typical body. */
const SKY_REACH = 0.9
/** The origin for single precision moves when the target is farther from it than this many viewing distances. */
const REBASE = 200

export class SceneView {
  readonly stage: Stage
  /** Everything drawn to explain the scene: contacts, impacts, joints, sensors, forces and trails. */
  readonly glyphs: SceneGlyphs
  posed: PosedScene | null = null
  projection: Projection
  private readonly uniforms = new SharedUniforms()
  private readonly lights: Lights
  private readonly bodies: BodyLayer
  private readonly deformables: DeformableView
  private readonly planes: Planes
  private camera: CameraState = DEFAULT_CAMERA
  private origin: Vec3 = [0, 0, 0]
  private content: Sphere = EMPTY_SPHERE
  private shown = new Uint8Array(0)
  private state: ViewState
  private size: { readonly width: number; readonly height: number } | null = null
  /** Data that must be compiled again before the next frame. */
  private readonly dirty = { poses: true, highlights: true }

  constructor(canvas: HTMLCanvasElement, state: ViewState, callbacks: { drawn(view: Projection): void; lost(): void }) {
    this.state = state
    this.projection = project(this.camera, 1, 1, this.content, this.origin)
    this.stage = new Stage(canvas, { prepare: () => this.prepare(), drawn: () => callbacks.drawn(this.projection), lost: () => callbacks.lost() })
    const { scene } = this.stage
    const software = this.stage.isSoftware
    this.lights = {
      occlusion: new OcclusionMap(scene, this.uniforms, software ? 1 / 3 : 1 / 2, software ? 8 : 16),
      key: new LightMap(scene, 'shadow', KEY_LIGHT, software ? 1024 : 2048), sky: new LightMap(scene, 'sky', SKY_LIGHT, software ? 512 : 1024), taps: software ? 16 : 32,
    }
    this.bodies = new BodyLayer(scene, this.uniforms, this.lights, () => this.stage.requestRender())
    this.deformables = new DeformableView(scene, this.uniforms, this.lights)
    this.planes = new Planes(scene, this.uniforms, this.lights)
    this.glyphs = new SceneGlyphs(scene, this.uniforms, () => this.stage.requestRender())
    this.readLights()
  }

  private readLights(): void {
    const { contactShadows, ambientOcclusion } = this.state.overlays
    this.lights.sky.read = contactShadows
    // On a graphics card bodies always throw shadows; in software GL they are part of the effect that is off at first.
    this.lights.key.read = contactShadows || !this.stage.isSoftware
    this.lights.occlusion.read = ambientOcclusion
  }

  setTheme(theme: ViewportTheme): void {
    this.stage.setBackground(theme.background)
    this.bodies.setTheme(theme)
    this.deformables.setTheme(theme)
    this.planes.setTheme(theme)
    this.uniforms.setPalette(theme.palette)
    this.uniforms.setColor('halo', theme.name === 'dark' ? [0.05, 0.06, 0.07] : [1, 1, 1])
    this.invalidate('highlights')
  }

  setPosed(posed: PosedScene): void {
    const former = this.posed
    this.posed = posed
    if (former?.plan !== posed.plan) {
      this.bodies.setPlan(posed.plan)
      this.measureScene(posed)
      this.invalidate('highlights')
      this.glyphs.invalidate('contacts', 'impacts')
    }
    if (former?.scene !== posed.scene || former.plan !== posed.plan) this.glyphs.scaling.setScene(posed)
    this.invalidate('poses')
    this.glyphs.invalidate('glyphs')
  }

  /** Size of the scene, and height of the drawn ground: z = 0, or below the lowest body. */
  private measureScene(posed: PosedScene): void {
    const box = posed.bounds()
    this.glyphs.scaling.setExtent(posed, box)
    this.planes.setGroundLevel(box && box.low[2] < -1e-3 * distance(box.low, box.high) ? box.low[2] : 0)
  }

  setRecordedDeformables(recorded: RecordedDeformables | null): void {
    this.deformables.setRecorded(recorded)
    if (this.state.deformableColouring !== 'material') this.invalidate('poses')
  }

  /** Quantity that deformables are coloured by; null if they have the colours of their materials. */
  get colourScale(): ColourScale | null {
    return this.deformables.scale
  }

  /** The deformable under a pixel, with its distance in m; hidden and locked ones are ignored. */
  deformableAt(x: number, y: number): { readonly id: string; readonly distance: number } | null {
    return this.posed && this.deformables.under(this.posed, this.state, this.currentProjection(), x, y)
  }

  /** Deformables, neither hidden nor locked, with a particle that satisfies `inside`. */
  deformablesWhere(inside: (point: Vec3) => boolean): string[] {
    const { posed, state } = this
    return (posed?.scene.deformables ?? []).flatMap(({ id }, index) => {
      if (state.hidden.has(id) || state.locked.has(id)) return []
      const [first, count] = posed!.particlesOf(index)
      const x = posed!.particlePlaces.subarray(3 * first, 3 * (first + count))
      return Array.from({ length: count }, (_, i) => inside([x[3 * i]!, x[3 * i + 1]!, x[3 * i + 2]!])).includes(true) ? [id] : []
    })
  }

  setState(state: ViewState): void {
    this.state = state
    this.bodies.setEdgesShown(state.overlays.edges)
    this.readLights()
    this.bodies.setStale(state.stale)
    this.deformables.setStale(state.stale)
    this.planes.setStale(state.stale)
    this.glyphs.scaling.setSlider(state.arrowScale)
    this.invalidateAll()
  }

  setCamera(camera: CameraState): void {
    this.camera = camera
    this.stage.requestRender()
  }

  private invalidate(...parts: (keyof typeof this.dirty)[]): void {
    for (const part of parts) this.dirty[part] = true
    this.stage.requestRender()
  }

  private invalidateAll(): void {
    this.invalidate('highlights', 'poses')
    this.glyphs.invalidateAll()
  }

  /** The projection of the current camera and size, without drawing. */
  currentProjection(): Projection {
    const canvas = this.stage.engine.getRenderingCanvas()!
    const { width, height } = this.size ?? cssSizeOf(canvas)
    const reach = { center: this.content.center, radius: this.planes.reach(this.content, this.camera) }
    return project(this.camera, Math.max(1, width), Math.max(1, height), reach, this.origin)
  }

  /** Draws one frame at another size (CSS pixels, and device pixels for each), passes its projection to `use`, and restores the size. */
  drawAt(width: number, height: number, scale: number, use: (view: Projection) => void): void {
    const { engine } = this.stage
    const [formerWidth, formerHeight] = [engine.getRenderWidth(), engine.getRenderHeight()]
    this.size = { width, height }
    try {
      engine.setSize(Math.round(width * scale), Math.round(height * scale))
      this.stage.renderNow()
      use(this.projection)
    } finally {
      this.size = null
      engine.setSize(formerWidth, formerHeight)
      this.stage.renderNow()
    }
  }

  /**
   * Draws frames at another size until released; meanwhile nothing is drawn on the page.
   * @param width CSS pixels; `scale` device pixels for each
   */
  async hold(width: number, height: number, scale: number): Promise<{ draw(background: Vec3, use: (view: Projection) => void): void; release(): void }> {
    const { stage } = this
    const { clearColor } = stage.scene
    this.size = { width, height }
    stage.setHeld(true)
    stage.engine.setSize(Math.round(width * scale), Math.round(height * scale))
    const release = () => {
      this.size = null
      stage.scene.clearColor = clearColor
      stage.setHeld(false)
    }
    // Shaders compile in the background; wait a limited time in case one never compiles.
    for (let tries = 0; tries < 300; tries++) {
      stage.renderNow()
      if (stage.isWhole() && this.bodies.isWhole) break
      await new Promise(resolve => setTimeout(resolve, 10))
    }
    return {
      draw: (background, use) => {
        stage.setBackground(background)
        stage.renderNow()
        use(this.projection)
      },
      release,
    }
  }

  private prepare(): Projection {
    this.rebase()
    this.compile()
    const view = this.currentProjection()
    this.projection = view
    const scale = this.stage.engine.getRenderWidth() / view.width
    this.uniforms.set(view, scale)
    this.uniforms.setFloat('dpr', scale)
    this.uniforms.setFloat('skyReach', SKY_REACH * this.typicalRadius)
    this.uniforms.setFloat('aroundReach', SKY_REACH * this.typicalRadius)
    this.lights.occlusion.prepare(view, this.stage.engine.getRenderWidth(), this.stage.engine.getRenderHeight())
    this.bodies.setHatchSize(0.25 * this.typicalRadius + 1e-9)
    this.planes.prepare(view, this.content, this.state.overlays.grid)
    return view
  }

  private rebase(): void {
    const { target, distance } = this.camera
    const away = length([target[0] - this.origin[0], target[1] - this.origin[1], target[2] - this.origin[2]])
    if (away <= REBASE * distance) return
    this.origin = target
    this.invalidateAll()
  }

  private compile(): void {
    const { posed, dirty, state, origin } = this
    if (!posed) return
    if (dirty.highlights) this.compileHighlights(posed)
    if (dirty.poses || dirty.highlights) {
      this.bodies.poses.setPoses(posed.columns, posed.count, this.shown, origin)
      if (state.colouring === 'speed') paintSpeeds(this.bodies.poses, posed, state, this.glyphs.scaling)
      this.bodies.poses.upload()
      this.deformables.compile(posed, state, origin)
      if (dirty.poses) this.content = contentOf(posed) ?? EMPTY_SPHERE
      for (const map of [this.lights.key, this.lights.sky]) if (map.read) map.update(this.content, origin)
      this.planes.setScene(posed, this.shown)
      this.planes.setHighlights(body => highlightOf(bodiesOf(posed.scene)[body]!.id, this.state))
    }
    this.glyphs.compile({ posed, state, up: this.up, shown: this.shown, origin }, dirty.highlights)
    dirty.poses = dirty.highlights = false
  }

  private compileHighlights(posed: PosedScene): void {
    const bodies = bodiesOf(posed.scene)
    if (this.shown.length !== bodies.length) this.shown = new Uint8Array(bodies.length)
    this.bodies.setOutlined(setBodyStates(this.bodies.poses, posed, this.state, this.shown))
    const shape = this.state.selectedShape
    const body = shape ? posed.index.get(shape.body) : undefined
    this.bodies.setChosenShape(shape && body !== undefined ? { body, shape: shape.shape } : null)
  }

  /** Whether a body may be picked: neither hidden nor locked. Taken from the state, since the last frame may be older than a press. */
  pickable = (body: number): boolean => this.isShown(body) && !this.state.locked.has(bodiesOf(this.posed!.scene)[body]!.id)

  isShown = (body: number): boolean => !this.state.hidden.has(bodiesOf(this.posed!.scene)[body]!.id)

  /** Direction against gravity, of any length; zero without gravity. */
  get up(): Vec3 {
    const { gravity = DEFAULT_GRAVITY } = this.posed?.scene ?? {}
    return [-gravity[0], -gravity[1], -gravity[2]]
  }

  /** Radius of the typical body, m. */
  get typicalRadius(): number {
    return this.glyphs.scaling.radius
  }

  dispose(): void {
    this.stage.dispose()
  }
}
