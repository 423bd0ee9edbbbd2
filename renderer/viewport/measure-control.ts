/** The pointer while measuring: highlights what a click picks, and picks it. */

import { samePick, MARKS, PARTICLES, type Pick } from '../state/measure-picks'
import { useMeasurements } from '../state/measurements'
import { useSelection } from '../state/selection'
import { useView } from '../state/view'
import { bodiesOf } from '../state/scene-access'
import type { Vec3 } from '../../core/math/vector'
import { metresPerPixel, toPixel, toPixelInto, type Projection } from './camera/projection'
import { vertexNear } from './deformables/vertex-near'
import { featureAt, hitNear } from './feature-hits'
import { surfaceAt } from './gizmos/surface-snap'
import { anchorOf, drawFeature } from './overlay/features'
import { drawPlateBeside, type Context } from './overlay/drawing'
import { jointNear } from './glyphs/joints'
import type { RayHit } from './picking'
import { PointerHits } from './pointer-hits'
import type { PosedScene } from './posed-scene'
import type { PointerTool, ToolKeys } from './pointer-tool'
import type { SceneView } from './scene-view'
import type { ViewportTheme } from './theme'

/** CSS pixels within which a vertex of a deformable is picked: beside it, and where the pointer is on it. */
const [REACH, REACH_ON] = [11, 60]

export class MeasureControl implements PointerTool {
  readonly letsSelect = false
  readonly keepsDirection = false
  private readonly measurements = useMeasurements()
  private readonly selection = useSelection()
  private readonly viewStore = useView()
  private readonly hits: PointerHits
  private at: readonly [number, number] = [0, 0]
  private far = false
  /** The feature under the pointer; the candidate may also come from the keyboard. */
  private pointed: Pick | null = null

  constructor(private readonly view: SceneView, private readonly changed: () => void) {
    this.hits = new PointerHits(view)
  }

  get active(): boolean {
    return this.measurements.active
  }

  private pickAt(x: number, y: number, view: Projection): Pick | null {
    const found = this.anyAt(x, y, view)
    return found && this.measurements.isPickable(found) ? found : null
  }

  private anyAt(x: number, y: number, view: Projection): Pick | null {
    const { posed, pickable } = this.view
    if (!posed) return null
    const mark = this.markAt(posed, view, x, y)
    if (mark) return mark
    const hit = hitNear(posed, view, x, y, pickable)
    const vertex = this.vertexAt(posed, view, x, y, hit)
    if (vertex) return vertex
    if (!hit) return null
    if (this.measurements.picked !== 'point') return featureAt(posed, view, hit, x, y, this.measurements.picked)
    const target = this.viewStore.snapping.enabled ? surfaceAt(posed, view, x, y, pickable) : null
    return this.measurements.pointPick(bodiesOf(posed.scene)[hit.body]!.id, target?.point ?? hit.point)
  }

  /** The contact or joint whose mark is drawn near the pointer. */
  private markAt(posed: PosedScene, view: Projection, x: number, y: number): Pick | null {
    if (!MARKS.has(this.measurements.picked)) return null
    const contact = this.hits.contactAt(x, y)
    if (contact) return { kind: 'contact', body: contact.bodyA, key: contact }
    const joint = this.viewStore.overlays.joints ? jointNear(posed, this.viewStore.hidden, point => toPixel(view, point), x, y, REACH) : null
    return joint ? { kind: 'anchor', body: joint } : null
  }

  /** The vertex of a deformable near the pointer, or of the one under it, unless a body hides it. */
  private vertexAt(posed: PosedScene, view: Projection, x: number, y: number, hit: RayHit | null): Pick | null {
    if (!PARTICLES.has(this.measurements.picked)) return null
    const { deformables = [] } = posed.scene
    const under = this.view.deformableAt(x, y)
    const first = under && (!hit || under.distance < hit.distance) ? deformables.findIndex(({ id }) => id === under.id) : null
    const isShown = (deformable: number) => !this.viewStore.hidden.has(deformables[deformable]!.id) && !this.viewStore.locked.has(deformables[deformable]!.id)
    const near = first === null ? vertexNear(posed, view, x, y, isShown, REACH) : vertexNear(posed, view, x, y, deformable => deformable === first, REACH_ON)
    if (!near) return null
    const hidden = hit && first === null && near.depth > depthOf(hit.point, view) + REACH * metresPerPixel(view, hit.point)
    return hidden ? null : { kind: 'particle', body: deformables[near.deformable]!.id, index: near.vertex }
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
    const { chosen, candidate, featureOf, describe } = this.measurements
    for (const pick of [...chosen, candidate]) {
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

/** m in front of the eye. */
function depthOf(point: Vec3, view: Projection): number {
  const pixel: [number, number, number] = [0, 0, 0]
  return toPixelInto(view, ...point, pixel) ? pixel[2] : 0
}
