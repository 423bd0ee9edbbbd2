/** Selection by clicks, boxes and the context menu. */

import { useDocument } from '../state/document'
import { withItsGroup } from '../state/groups'
import { useLive } from '../state/live'
import { usePick } from '../state/pick'
import { bodiesOf } from '../state/scene-access'
import { useSelection } from '../state/selection'
import { rayThrough, toPixelInto } from './camera/projection'
import type { Gizmo } from './gizmos/gizmo'
import { bodiesInRectangle } from './picking'
import type { PointerHits } from './pointer-hits'
import type { SceneView } from './scene-view'

type Pixel = readonly [number, number]

export class PointerSelection {
  private readonly document = useDocument()
  private readonly selection = useSelection()
  private readonly pick = usePick()
  private readonly live = useLive()

  constructor(
    private readonly canvas: HTMLCanvasElement, private readonly view: SceneView, private readonly hits: PointerHits, private readonly gizmo: Gizmo,
  ) {}

  /** Selects the object under a pixel, or answers the pick request with it. */
  click(x: number, y: number, adding: boolean): void {
    if (this.pick.request) {
      const hit = this.hits.pickedAt(x, y)
      if (hit) this.pick.answer(hit)
      return
    }
    const contact = this.hits.contactAt(x, y)
    if (contact) {
      this.selection.selectContact(contact)
      return
    }
    const id = this.hits.idAt(x, y)
    if (id && this.live.run !== null) this.selection.select([id], adding ? 'toggle' : 'replace')
    else if (id && this.document.place(id)) this.selection.select(withItsGroup(this.document.scene, id), adding ? 'toggle' : 'replace')
    else if (!id && !adding) this.selection.clear()
  }

  /** Selects the objects in the rectangle between two pixels. */
  selectBox([ax, ay]: Pixel, [x, y]: Pixel, adding: boolean): void {
    const { posed } = this.view
    if (!posed || this.pick.request) return
    const [left, right, top, bottom] = [Math.min(ax, x), Math.max(ax, x), Math.min(ay, y), Math.max(ay, y)]
    const view = this.view.currentProjection()
    const pixel: [number, number, number] = [0, 0, 0]
    const inside = (point: readonly [number, number, number]) =>
      toPixelInto(view, point[0], point[1], point[2], pixel) && pixel[0] >= left && pixel[0] <= right && pixel[1] >= top && pixel[1] <= bottom
    const middle = rayThrough(view, (left + right) / 2, (top + bottom) / 2)
    const found = bodiesInRectangle(posed, inside, middle, this.view.pickable)
    const ids = [...found.map(b => bodiesOf(posed.scene)[b]!.id), ...this.view.deformablesWhere(inside)].filter(id => this.document.place(id))
    this.selection.select(ids, adding ? 'add' : 'replace')
  }

  /** The context menu of the object under the pointer, which is selected first unless it already is. */
  openMenu(event: PointerEvent): void {
    const id = this.hits.idAt(event.offsetX, event.offsetY)
    if (id && this.document.place(id)) {
      if (!this.selection.idSet.has(id)) this.selection.select(withItsGroup(this.document.scene, id))
    } else {
      this.selection.clear()
    }
    // Dispatched on the parent, since the canvas stops such events.
    this.canvas.parentElement?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: event.clientX, clientY: event.clientY }))
  }

  /** Selects the body under the pointer out of its group, or one shape of a body with several. */
  doubleClick(event: MouseEvent): void {
    const hit = this.hits.hitAt(event.offsetX, event.offsetY)
    if (hit && this.selection.ids.length > 1 && this.selection.idSet.has(hit.body) && this.document.element('bodies', hit.body)?.group !== undefined) this.selection.select([hit.body])
    else if (hit && hit.shape >= 0 && !this.gizmo.dragging && (this.document.element('bodies', hit.body)?.shapes?.length ?? 0) > 1) this.selection.selectShape(hit.body, hit.shape)
  }
}
