/** Makes the frames of a film, or a picture: seeks to an exact time, and draws the viewport at the requested size with plots and time. */

import { nextTick } from 'vue'
import type { Vec3 } from '../../core/math/vector'
import { WRENCH_SOURCES, type ForceFrame } from '../../core/trajectory/frame'
import { CHART_COLORS } from '../components/chart-style'
import { formatTime } from '../fields/format'
import { useHost } from '../state/host'
import { usePlayback } from '../state/playback'
import { useRuns } from '../state/runs'
import { useView, type Overlays } from '../state/view'
import { useViewportApi, type HeldView } from '../state/viewport-api'
import { drawPlate } from '../viewport/overlay/drawing'
import { PlotStrip, type PlotTheme } from './plots'
import type { PictureSpec, PlotSpec } from './spec'
import { withoutBackground } from './transparent'

/** Share of the width that plots take. */
const PLOTS_PART = 0.34
/** Number of a run's frames that are searched for the largest force, which scales the arrows. */
const FORCE_SAMPLES = 200

export class PictureMaker {
  readonly canvas = document.createElement('canvas')
  private readonly playback = usePlayback()
  private readonly ctx: CanvasRenderingContext2D
  private readonly former: { readonly overlays: Overlays; readonly theme: 'dark' | 'light'; readonly time: number }
  private held: HeldView | null = null
  private strip: PlotStrip | null = null

  private constructor(private readonly spec: PictureSpec) {
    const { overlays, theme } = useView()
    this.former = { overlays: { ...overlays }, theme, time: this.playback.time }
    this.canvas.width = spec.width
    this.canvas.height = spec.height
    // Encoders and PNG read the pixels from memory.
    const ctx = this.canvas.getContext('2d', { alpha: spec.transparent === true, willReadFrequently: true })
    if (!ctx) throw new Error(`This browser cannot create a canvas of ${spec.width} × ${spec.height} pixels.`)
    this.ctx = ctx
  }

  /**
   * Prepares drawing at any time from `from` to `to`, s. The viewport draws nothing else until `dispose`.
   * @throws Error if no run is displayed; HostError for plots of quantities that the run does not have
   */
  static async prepare(spec: PictureSpec, from: number, to: number): Promise<PictureMaker> {
    const maker = new PictureMaker(spec)
    try {
      await maker.setUp(from, to)
      return maker
    } catch (error) {
      maker.dispose()
      throw error
    }
  }

  private async setUp(from: number, to: number): Promise<void> {
    const { playback, spec } = this
    const run = useRuns().current
    const api = useViewportApi().api
    if (!run || !playback.messages || playback.frameCount === 0) throw new Error('There is no recorded run to draw.')
    if (!api) throw new Error('The 3D view is not open.')
    playback.pause()
    await playback.messages.readLists()
    const view = useView()
    if (spec.theme) view.theme = spec.theme
    Object.assign(view.overlays, spec.overlays ?? {})
    await nextTick()
    await new Promise(requestAnimationFrame) // the theme's colours are read after this
    const side = spec.plots.length > 0 ? Math.round(PLOTS_PART * spec.width) : 0
    this.held = await api.hold(spec.width - side, spec.height, spec.view)
    await this.measureForces(this.held)
    if (view.overlays.trails) await this.loadFrames(to)
    if (side === 0) return
    const all = ({ requests, against }: PlotSpec) => against ? [...requests, against] : [...requests]
    const series = await Promise.all(spec.plots.map(plot => useHost().engine.series(run.id, all(plot))))
    const plots = spec.plots.map(({ title, against }, k) => ({
      title, series: against ? series[k]!.slice(0, -1) : series[k]!, against: against ? series[k]!.at(-1)! : null,
    }))
    this.strip = new PlotStrip(plots, side, spec.height, to > from ? [from, to] : [0, playback.available], plotTheme(view.theme))
  }

  /** Shows a time and draws it to `canvas`. */
  async draw(time: number): Promise<void> {
    const { ctx, playback, spec } = this
    await playback.arrive(time)
    await nextTick() // dependants that update one tick later: sleeping bodies, the selected contact
    if (!spec.transparent) return this.paint()
    const { width, height } = spec
    const [black, white] = ([[0, 0, 0], [1, 1, 1]] as const).map(background => {
      this.paint(background)
      return ctx.getImageData(0, 0, width, height)
    }) as [ImageData, ImageData]
    withoutBackground(black.data, white.data)
    ctx.putImageData(black, 0, 0)
  }

  private paint(background?: Vec3): void {
    const { ctx, playback, spec } = this
    this.held!.draw(ctx, background)
    if (spec.timeCode) {
      const scale = Math.max(1, spec.height / 720)
      ctx.save()
      ctx.scale(scale, scale)
      drawPlate(ctx, `t = ${formatTime(playback.time)}`, 20, spec.height / scale - 24, this.held!.theme, { strong: true })
      ctx.restore()
    }
    this.strip?.draw(ctx, spec.width - Math.round(PLOTS_PART * spec.width), playback.time)
  }

  async png(): Promise<Uint8Array> {
    const blob = await new Promise<Blob | null>(resolve => { this.canvas.toBlob(resolve, 'image/png') })
    if (!blob) throw new Error(`A picture of ${this.canvas.width} × ${this.canvas.height} pixels is too large for this browser.`)
    return new Uint8Array(await blob.arrayBuffer())
  }

  /** Restores the viewport. */
  dispose(): void {
    const view = useView()
    Object.assign(view.overlays, this.former.overlays)
    view.theme = this.former.theme
    this.held?.release()
    this.held = null
    this.playback.seek(this.former.time)
  }

  /** All pictures of a run have the same scale of arrows, whichever is drawn first. */
  private async measureForces(held: HeldView): Promise<void> {
    const { frameCount, messages } = this.playback
    const step = Math.max(1, Math.ceil(frameCount / FORCE_SAMPLES))
    for (let index = 0; index < frameCount; index += step) {
      const [contacts, forces] = await Promise.all([messages!.contacts.load(index), useView().overlays.forces ? messages!.forces.load(index) : undefined])
      if (contacts) held.measure(contacts, forces ? largestApplied(forces) : 0)
    }
  }

  /** Trails need all earlier frames. */
  private async loadFrames(to: number): Promise<void> {
    const { rate, frameCount, messages } = this.playback
    const last = Math.min(frameCount, Math.ceil(to * rate) + 1)
    for (let index = 0; index < last; index++) await messages!.frames.load(index)
  }
}

const FORCE_SOURCE = WRENCH_SOURCES.indexOf('force')

/** N, of the scene's forces. */
function largestApplied({ sourceKind, wrench }: ForceFrame): number {
  let largest = 0
  for (let k = 0; k < sourceKind.length; k++) {
    if (sourceKind[k] === FORCE_SOURCE) largest = Math.max(largest, Math.hypot(wrench[6 * k]!, wrench[6 * k + 1]!, wrench[6 * k + 2]!))
  }
  return largest
}

function plotTheme(theme: 'dark' | 'light'): PlotTheme {
  const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  return { background: css('--surface'), line: css('--line'), text: css('--text'), muted: css('--muted'), font: css('--font'), colors: CHART_COLORS[theme] }
}
