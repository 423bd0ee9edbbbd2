/** The viewport on one canvas, until that canvas is replaced: follows the stores, draws, and provides the viewport's interface to the editor. */

import { computed, effectScope, watch, type EffectScope } from 'vue'
import { useComparison } from '../state/comparison'
import { useDocument } from '../state/document'
import { usePlayback } from '../state/playback'
import { RECORDED_FORCES, useForcePreview } from '../state/force-preview'
import { useLive } from '../state/live'
import { useMeasurements } from '../state/measurements'
import { useCut } from '../state/cut'
import { usePick } from '../state/pick'
import { useSketch } from '../state/sketch'
import { useProblems } from '../state/problems'
import { useTimeGhosts } from '../state/time-ghosts'
import { useContactFilter } from '../state/contact-filter'
import { useRuns } from '../state/runs'
import { plannedJoint } from '../state/new-joint'
import { isAbsent } from '../state/joint-presence'
import { isPlanar } from '../modelling/plane'
import { forcesOf, jointsOf } from '../state/scene-access'
import { useSelection } from '../state/selection'
import { useVertices } from '../state/vertices'
import { useWind } from '../state/wind'
import { RESOLUTION_SHARES, useView, type CameraState } from '../state/view'
import { useViewportApi, type HeldView, type Covered, type StandardView, type ViewportApi } from '../state/viewport-api'
import { CameraMotion } from './camera/camera-motion'
import { firstLook, lookingAs, toStandardView } from './camera/camera-state'
import { Framing } from './camera/framing'
import { toPixel, type Projection } from './camera/projection'
import { capturePng } from './capture'
import { colouredPieces, shownDeviation } from './coloured-pieces'
import { displayedTrails } from './displayed-data'
import { drawAnnotations } from './overlay/annotations'
import type { Context } from './overlay/drawing'
import { OverlayCanvas } from './overlay/overlay-canvas'
import { PointerControl } from './pointer-control'
import { poseScene, type Box, type PosedScene } from './posed-scene'
import { SceneView } from './scene-view'
import { boxOf, boxToFrame, isMotionInSight } from './sight'
import { readTheme, type ViewportTheme } from './theme'
import { currentHurry, currentViewState } from './view-state'

/** s: an impact is visible for this simulated time after its instant, or for one frame if that is longer. */
const IMPACT_LINGERS = 0.05
/** Share of the picture that the box around a new document's bodies takes. The bodies themselves fill less. */
const FIRST_SIGHT = 0.8

export class ViewportSession {
  readonly api: ViewportApi
  private readonly comparison = useComparison()
  private readonly document = useDocument()
  private readonly playback = usePlayback()
  private readonly pick = usePick()
  private readonly measurements = useMeasurements()
  private readonly live = useLive()
  private readonly vertices = useVertices()
  private readonly sketch = useSketch()
  private readonly atTimes = useTimeGhosts()
  private readonly preview = useForcePreview()
  private readonly problems = useProblems()
  private readonly runs = useRuns()
  private readonly contactFilter = useContactFilter()
  private readonly selection = useSelection()
  private readonly viewStore = useView()
  private readonly scope: EffectScope = effectScope(true)
  private readonly view: SceneView
  private readonly overlay: OverlayCanvas
  private readonly pointer: PointerControl
  private readonly motion: CameraMotion
  private readonly resizing: ResizeObserver
  private readonly framing = new Framing()
  private theme: ViewportTheme
  private ghosts: PosedScene | null = null
  private timeGhosts: readonly PosedScene[] = []
  private overlayRequest = 0
  /** The last run that was shown. */
  private seenRun: string | null = null

  /** @param framed the document that the camera was last framed on; kept when a new canvas replaces this one */
  constructor(private readonly canvas: HTMLCanvasElement, overlay: HTMLCanvasElement, private readonly framed: { generation: number }, lost: () => void) {
    this.theme = readTheme(this.viewStore.theme, canvas)
    this.overlay = new OverlayCanvas(overlay)
    this.view = new SceneView(canvas, currentViewState(), { drawn: () => this.drawOverlay(), lost })
    // In software GL these effects increase the frame time by a third or more, so they are off until the user enables them.
    for (const look of ['contactShadows', 'ambientOcclusion'] as const) {
      if (this.view.stage.isSoftware && !this.viewStore.hasChosen(look)) this.viewStore.overlays[look] = false
    }
    this.view.setTheme(this.theme)
    this.view.setCamera(this.viewStore.camera)
    this.motion = new CameraMotion(this.viewStore.camera, camera => this.view.setCamera(camera))
    this.pointer = new PointerControl(canvas, this.view, camera => this.moveCamera(camera, false), () => this.requestOverlay())
    this.api = this.makeApi()
    this.resizing = new ResizeObserver(this.onResize)
    this.resizing.observe(canvas)
    window.document.addEventListener('visibilitychange', this.onResize)
    this.scope.run(() => this.follow())
    useViewportApi().provide(this.api)
  }

  private follow(): void {
    const { document, playback, selection, viewStore, contactFilter, measurements, vertices } = this
    const now = { immediate: true, flush: 'sync' } as const
    const drawn = computed(() => ({ by: viewStore.drawnBy, pieces: viewStore.overlays.pieces, coloured: colouredPieces() }))
    watch(() => [playback.shownScene, playback.picture, drawn.value] as const, ([scene, { frame, particles }, by]) => {
      this.view.setPosed(poseScene(scene, frame, this.view.posed, by, particles))
      // The run of the former document may still be shown.
      if (document.generation !== this.framed.generation && scene === document.scene) this.frameNewDocument()
      if (frame && playback.showsRun) this.showNewRun()
    }, now)
    // Read only when needed: this channel is as large as that of contacts.
    watch(() => [playback.frame, viewStore.overlays.forces, this.preview.forces] as const, async ([frame, wanted, preview]) => {
      if (!frame) return this.view.glyphs.setRecordedForces(wanted ? preview : null)
      const source = playback.messages
      const needed = wanted && source && !playback.live && forcesOf(playback.shownScene).some(force => RECORDED_FORCES.has(force.type))
      const forces = needed ? source.forces.get(frame.index) ?? await source.forces.load(frame.index).catch(() => undefined) : undefined
      if (playback.frame !== frame) return
      const header = this.runs.current?.header
      this.view.glyphs.setRecordedForces(forces && header ? { forceIds: header.forceIds, frame: forces } : null)
    }, { immediate: true })
    watch(currentHurry, hurry => this.view.stage.setHurry(hurry), now)
    watch(() => RESOLUTION_SHARES[viewStore.resolution], share => this.view.stage.setResolution(share), now)
    watch(() => playback.deformables, frame => {
      const header = this.runs.current?.header
      this.view.setRecordedDeformables(frame && header ? { frame, header } : null)
    }, now)
    watch(() => playback.joints, joints => {
      const ids = this.runs.current?.header?.jointIds ?? []
      this.view.glyphs.setBroken(new Set([...joints?.broken ?? []].map(joint => ids[joint]!)))
    }, now)
    const absent = () => jointsOf(playback.shownScene).filter(joint => isAbsent(joint, playback.picture.time)).map(({ id }) => id)
    watch(() => playback.showsRun || playback.live ? absent().join(' ') : '', ids => { this.view.glyphs.setAbsentJoints(new Set(ids.split(' '))) }, now)
    watch(plannedJoint, joint => { this.view.glyphs.setPlannedJoint(joint) }, now)
    // Another run was loaded: its forces may have another magnitude.
    watch(() => playback.messages, () => this.view.glyphs.scaling.forgetForces(), { flush: 'sync' })
    watch(() => [playback.picture.contacts, contactFilter.shows] as const, ([contacts]) => {
      this.view.glyphs.setContacts(contacts && contactFilter.of(contacts))
      if (selection.contact || selection.hoveredContact) this.view.setState(currentViewState())
    }, now)
    watch(() => [playback.events, playback.picture.time, playback.showsRun, playback.rate] as const, ([events, time, shown, rate]) => {
      const lingers = Math.max(IMPACT_LINGERS, 1 / rate)
      this.view.glyphs.setEvents(shown ? events : [], time - lingers, time + 1e-9)
      this.view.glyphs.setTime(time)
    }, now)
    watch(() => [
      { ...viewStore.overlays }, viewStore.arrowScale, viewStore.xray, viewStore.actionSide, viewStore.colouring, viewStore.deformableColouring,
      vertices.of, vertices.tool, vertices.paints, viewStore.hidden, viewStore.locked, selection.idSet, selection.hovered, selection.shape,
      selection.contact, selection.hoveredContact, this.problems.overlapping, playback.asleep, playback.stale && playback.showsRun,
    ], () => this.view.setState(currentViewState()), { immediate: true })
    watch(() => [this.comparison.scene, this.comparison.frame, this.comparison.active] as const, ([scene, frame, active]) => {
      this.ghosts = scene && frame && active ? poseScene(scene, frame, this.ghosts) : null
      this.requestOverlay()
    }, now)
    watch(() => [this.atTimes.list, this.runs.scene] as const, ([list, scene]) => {
      this.timeGhosts = scene ? list.map(({ frame }) => poseScene(scene, frame, null)) : []
      this.requestOverlay()
    }, now)
    watch(() => [viewStore.gizmo, viewStore.space, this.pick.request, this.live.holds, useViewportApi().atBottom], () => this.requestOverlay())
    watch(() => [measurements.list, measurements.active, measurements.chosen, measurements.candidate], () => this.requestOverlay())
    watch(() => [vertices.of, vertices.chosen, vertices.deformable, vertices.tool, vertices.brushRadius,
      useCut().active, useCut().plane, useCut().sections, useWind().wound], () => this.requestOverlay())
    watch(() => [this.sketch.tool, this.sketch.points, this.sketch.thickness, this.sketch.turned, this.sketch.axis], () => this.requestOverlay())
    watch(() => viewStore.camera, camera => { if (!this.motion.isGoal(camera)) this.motion.jump(camera) }, { flush: 'sync' })
    watch(() => viewStore.theme, name => requestAnimationFrame(() => {
      this.theme = readTheme(name, this.canvas)
      this.view.setTheme(this.theme)
    }))
    watch(() => [viewStore.overlays.trails, playback.frame, playback.cacheRevision, selection.idSet] as const,
      ([shown]) => this.view.glyphs.setTrails(shown ? displayedTrails() : []), now)
  }

  /** The camera stays where it is, unless it would show nothing of a new run's first frame. */
  private showNewRun(): void {
    const run = this.runs.current?.id ?? null
    const { posed } = this.view
    if (run === this.seenRun || !posed) return
    this.seenRun = run
    if (!isMotionInSight(this.view.currentProjection(), posed)) this.frame([])
  }

  /** Frames all of a new document from where it is seen best: no tool or scene before it has turned the view. */
  private frameNewDocument(): void {
    this.framed.generation = this.document.generation
    this.viewStore.camera = firstLook(this.viewStore.camera, isPlanar(this.document.scene))
    this.frameBox(this.view.posed && boxToFrame(this.view.posed), false, FIRST_SIGHT)
  }

  private frameBox = (box: Box | null, glide: boolean, part?: number): void =>
    this.moveCamera(this.framing.frame(this.viewStore.camera, box, this.aspect, part), glide)

  /** After a change of the viewport's size, also one that was not noticed in a hidden tab, frames again what was framed, unless the camera was moved. */
  private readonly onResize = () => {
    const framed = this.framing.again(this.viewStore.camera, this.aspect)
    if (framed) this.moveCamera(framed, false)
    this.view.stage.requestRender()
  }

  private get aspect(): number {
    return Math.max(1, this.canvas.clientWidth) / Math.max(1, this.canvas.clientHeight)
  }

  private moveCamera(camera: CameraState, glide: boolean): void {
    if (glide) this.motion.glide(camera)
    this.viewStore.camera = camera
  }

  /** Frames the selected bodies, deformables and joints, or everything. */
  private frame(ids: readonly string[]): void {
    const { posed } = this.view
    if (!posed) return
    const joint = ids.map(id => this.document.element('joints', id)).find(found => found !== undefined) ?? null
    this.frameBox(boxOf(posed, ids, joint, this.view.typicalRadius) ?? boxToFrame(posed), true)
  }

  private requestOverlay(): void {
    this.overlayRequest ||= requestAnimationFrame(() => {
      this.overlayRequest = 0
      this.drawOverlay()
    })
  }

  private drawOverlay(): void {
    const shown = useViewportApi()
    shown.drawnShare = this.view.stage.share
    shown.isMotionInSight = this.view.posed === null || isMotionInSight(this.view.projection, this.view.posed)
    const ctx = this.overlay.begin()
    shown.scalesTop = this.annotate(ctx, this.view.projection, shown.atBottom)
    this.pointer?.draw(ctx, this.theme)
  }

  /** @param atBottom what covers the lower edge on the page; nothing in pictures */
  private annotate(ctx: Context, view: Projection, atBottom: readonly Covered[] = []): number {
    return drawAnnotations(ctx, {
      view, theme: this.theme, state: currentViewState(), posed: this.view.posed, scales: this.view.glyphs.scales,
      contacts: (this.view.glyphs.contacts?.count ?? 0) > 0 ? this.view.glyphs.contacts : null, up: this.view.up, shown: this.view.isShown,
      applied: this.view.glyphs.applied, ghosts: this.ghosts, timeGhosts: this.timeGhosts, measurements: this.measurements.list, atBottom,
      colours: this.view.colourScale ?? shownDeviation(this.view.posed),
    })
  }

  /** Draws frames of a given size. Text and scales grow in proportion above 720 lines. */
  private async hold(width: number, height: number, name?: StandardView | 'fit'): Promise<HeldView> {
    const { viewStore, viewStore: { camera: former } } = this
    const scale = Math.max(1, height / 720)
    if (name !== undefined) {
      const box = this.view.posed && boxToFrame(this.view.posed)
      this.moveCamera(new Framing().frame(name === 'fit' ? former : toStandardView(former, name), box, width / height, FIRST_SIGHT), false)
    }
    this.motion.finish()
    const held = await this.view.hold(width / scale, height / scale, scale)
    return {
      theme: this.theme,
      measure: (contacts, applied) => (this.view.glyphs.scaling.addContacts(contacts), this.view.glyphs.scaling.addApplied(applied)),
      draw: (ctx, background = this.theme.background) => held.draw(background, projection => {
        ctx.drawImage(this.canvas, 0, 0, width, height)
        ctx.save()
        ctx.scale(scale, scale)
        this.annotate(ctx, projection)
        ctx.restore()
      }),
      release: () => {
        viewStore.camera = former
        held.release()
      },
    }
  }

  private makeApi(): ViewportApi {
    const { viewStore, view: { stage } } = this
    return {
      withNextPicture: (apply, drawn) => stage.withNextPicture(apply, drawn), drawAhead: () => stage.drawAhead(),
      hold: (width, height, view) => this.hold(width, height, view),
      capturePng: (options = {}) => capturePng(this.view, this.canvas, options, (ctx, view) => this.annotate(ctx, view)),
      frameSelection: () => this.frame(this.selection.ids),
      frameAll: () => this.frame([]),
      setStandardView: name => this.moveCamera(toStandardView(viewStore.camera, name), true),
      setOrthographic: on => this.moveCamera({ ...viewStore.camera, orthographic: on }, false),
      lookAs: camera => this.moveCamera(lookingAs(camera, viewStore.camera), true),
      projectToScreen: point => {
        this.motion.finish()
        const pixel = toPixel(this.view.currentProjection(), point)
        return pixel && { x: pixel[0], y: pixel[1] }
      },
      pickAt: (x, y) => {
        this.motion.finish()
        return this.pointer.hits.hitAt(x, y)
      },
      contactAt: (x, y) => this.pointer.hits.contactAt(x, y),
    }
  }

  dispose(): void {
    useViewportApi().provide(null)
    cancelAnimationFrame(this.overlayRequest)
    this.resizing.disconnect()
    window.document.removeEventListener('visibilitychange', this.onResize)
    this.scope.stop()
    this.pointer.dispose()
    this.view.dispose()
  }
}
