/** The pointer while measuring: highlights what a click picks, and picks it. */

import { useMeasurements, samePick, type Pick } from '../state/measurements'
import { useSelection } from '../state/selection'
import { useView } from '../state/view'
import { bodiesOf } from '../state/scene-access'
import { toPixel, type Projection } from './camera/projection'
import { featureAt, hitNear } from './feature-hits'
import { surfaceAt } from './gizmos/surface-snap'
import { anchorOf, drawFeature } from './overlay/features'
import { drawPlateBeside, type Context } from './overlay/drawing'
import type { PointerTool, ToolKeys } from './pointer-tool'
import type { SceneView } from './scene-view'
import type { ViewportTheme } from './theme'

export class MeasureControl implements PointerTool {
  readonly letsSelect = false
  readonly keepsDirection = false
  private readonly measurements = useMeasurements()
  private readonly selection = useSelection()
  private readonly viewStore = useView()
  private at: readonly [number, number] = [0, 0]
  private far = false
  /** What the pointer is on; the candidate may also come from the keyboard. */
  private pointed: Pick | null = null

  constructor(private readonly view: SceneView, private readonly changed: () => void) {}

  get active(): boolean {
    return this.measurements.active
  }

  private pickAt(x: number, y: number, view: Projection): Pick | null {
    const { posed, pickable } = this.view
    const hit = posed && hitNear(posed, view, x, y, pickable)
    if (!posed || !hit) return null
    if (this.measurements.picked !== 'point') return featureAt(posed, view, hit, x, y, this.measurements.picked)
    const target = this.viewStore.snapping.enabled ? surfaceAt(posed, view, x, y, pickable) : null
    return this.measurements.pointPick(bodiesOf(posed.scene)[hit.body]!.id, target?.point ?? hit.point)
  }

  hover(x: number, y: number, view: Projection): string {
    this.at = [x, y]
    const found = this.pickAt(x, y, view)
    this.selection.hovered = found?.kind === 'body' ? found.body : null
    this.pointed = this.measurements.candidate = samePick(found, this.measurements.candidate) ? this.measurements.candidate : found
    this.changed()
    return 'crosshair'
  }

  press(x: number, y: number): boolean {
    this.at = [x, y]
    this.far = false
    return true
  }

  move(x: number, y: number, _view: Projection, _keys: ToolKeys, far: boolean): void {
    this.far ||= far
    this.at = [x, y]
  }

  release(): void {
    if (this.far) return
    const found = this.pickAt(...this.at, this.view.currentProjection())
    if (found) this.measurements.choose(found)
    this.changed()
  }

  leave(): void {
    this.measurements.candidate = null
    this.changed()
  }

  cancel(): void {
    this.far = true
  }

  draw(ctx: Context, view: Projection, theme: ViewportTheme): void {
    const { first, candidate, featureOf, describe } = this.measurements
    for (const pick of [first, candidate]) {
      const feature = pick && featureOf(pick)
      if (feature) drawFeature(ctx, feature, view, theme, true)
    }
    if (!candidate) return
    const feature = featureOf(candidate)
    const anchor = feature && anchorOf(feature)
    const at = candidate === this.pointed || !anchor ? this.at : toPixel(view, anchor)
    if (at) drawPlateBeside(ctx, describe(candidate), at, [14, -16], view.width, theme)
  }
}
