/**
 * The pointer in vertex mode: a click selects one vertex, a drag those in a box or under a brush. Shift adds, Ctrl toggles, Alt removes. The paint brush
 * paints a stiffness instead, one undo step a stroke; Alt paints 1. Hair has brushes of its own.
 */

import type { Pixel } from './gizmos/handles'
import type { Projection } from './camera/projection'
import { eachVertex, vertexNear } from './deformables/vertex-near'
import { HairStroke } from './hair-stroke'
import { drawSelectionBox, type Context } from './overlay/drawing'
import { distanceToSegment } from './pixels'
import type { SceneView } from './scene-view'
import type { ViewportTheme } from './theme'
import { brushShare, paintVertices } from '../modelling/vertices-edit'
import { startGesture, type Gesture } from '../state/gesture'
import { useVertices } from '../state/vertices'

/** CSS pixels. */
const [REACH, DOT, CHOSEN_DOT] = [10, 2.25, 4]

type How = 'replace' | 'add' | 'toggle' | 'remove'
const howOf = (event: PointerEvent): How => event.altKey ? 'remove' : event.ctrlKey || event.metaKey ? 'toggle' : event.shiftKey ? 'add' : 'replace'

/** One stroke of the paint brush. A vertex gets the largest share that the brush had at it, however often events came. */
interface Stroke {
  readonly gesture: Gesture
  readonly shares: Map<number, number>
  readonly value: number
}

export class VertexControl {
  private readonly vertices = useVertices()
  private drag: { readonly from: Pixel; readonly how: How; far: boolean } | null = null
  private stroke: Stroke | null = null
  private hairStroke: HairStroke | null = null
  private at: Pixel | null = null

  constructor(private readonly view: SceneView, private readonly redraw: () => void) {}

  get active(): boolean {
    return this.vertices.deformable !== undefined || this.vertices.newHairOn !== null
  }

  get dragging(): boolean {
    return this.drag !== null
  }

  press(x: number, y: number, event: PointerEvent): void {
    const { vertices } = this
    this.drag = { from: [x, y], how: howOf(event), far: false }
    if (vertices.tool === 'grow' || vertices.tool === 'comb' || vertices.tool === 'length') {
      this.hairStroke = new HairStroke(this.view.currentProjection(), event.altKey, () => { this.drag = this.hairStroke = null })
      this.at = [x, y]
      return this.hairStroke.move([x, y], [x, y])
    }
    if (vertices.tool !== 'paint') return
    this.stroke = { gesture: startGesture('paint stiffness', () => { this.drag = this.stroke = null }), shares: new Map(), value: event.altKey ? 1 : vertices.paintValue }
    this.paint([x, y], [x, y])
  }

  /** @param far whether the pointer has moved farther than a click may */
  move(x: number, y: number, far: boolean): void {
    const { at: last, drag, vertices } = this
    this.at = [x, y]
    if (this.stroke) this.paint(last ?? [x, y], [x, y])
    this.hairStroke?.move(last ?? [x, y], [x, y])
    if (drag && far) {
      if (vertices.tool === 'brush') {
        if (!drag.far && drag.how === 'replace') vertices.choose([])
        this.select(drag.far ? last ?? drag.from : drag.from, [x, y], drag.how)
      }
      drag.far = true
    }
    if (drag || vertices.tool !== 'box') this.redraw()
  }

  release(x: number, y: number): void {
    const { drag, vertices, stroke, hairStroke } = this
    this.drag = this.stroke = this.hairStroke = null
    if (stroke || hairStroke) {
      stroke?.gesture.commit()
      hairStroke?.commit()
      return this.redraw()
    }
    if (!drag) return
    if (!drag.far) {
      const nearest = this.nearest(x, y)
      if (nearest !== null) vertices.choose([nearest], drag.how === 'add' ? 'toggle' : drag.how)
      else if (drag.how === 'replace') vertices.choose([])
    } else if (vertices.tool === 'box') {
      const [left, right, top, bottom] = [Math.min(drag.from[0], x), Math.max(drag.from[0], x), Math.min(drag.from[1], y), Math.max(drag.from[1], y)]
      vertices.choose(this.where((px, py) => px >= left && px <= right && py >= top && py <= bottom), drag.how)
    }
    this.redraw()
  }

  cancel(): void {
    this.stroke?.gesture.cancel()
    this.hairStroke?.gesture.cancel()
    this.drag = this.stroke = this.hairStroke = null
  }

  leave(): void {
    this.at = null
    if (this.vertices.tool !== 'box') this.redraw()
  }

  /** Selects along the segment between two pointer positions, so that fast moves leave no gaps. */
  private select(from: Pixel, to: Pixel, how: How): void {
    const reach = this.vertices.brushRadius
    this.vertices.choose(this.where((x, y) => distanceToSegment(from, to, x, y) <= reach), how === 'remove' ? 'remove' : 'add')
  }

  /** Paints along that segment. */
  private paint(from: Pixel, to: Pixel): void {
    const { stroke, vertices } = this
    if (!stroke) return
    const { shares, gesture, value } = stroke
    let touched = false
    this.each(this.view.currentProjection(), (vertex, [x, y]) => {
      const share = vertices.paintStrength * brushShare(distanceToSegment(from, to, x, y) / vertices.brushRadius)
      if (share <= (shares.get(vertex) ?? 0)) return
      shares.set(vertex, share)
      touched = true
    })
    const { of, paints } = vertices
    if (touched) gesture.update(draft => {
      const found = draft.deformables?.find(({ id }) => id === of)
      if (found) paintVertices(found, paints, shares, value)
    })
  }

  private where(wanted: (x: number, y: number) => boolean): number[] {
    const found: number[] = []
    this.each(this.view.currentProjection(), (vertex, [x, y]) => { if (wanted(x, y)) found.push(vertex) })
    return found
  }

  private nearest(x: number, y: number): number | null {
    const { posed } = this.view
    return posed && (vertexNear(posed, this.view.currentProjection(), x, y, deformable => deformable === this.index, REACH)?.vertex ?? null)
  }

  private each(projection: Projection, use: (vertex: number, pixel: readonly [number, number, number]) => void): void {
    const { posed } = this.view
    if (posed && this.index >= 0) eachVertex(posed, projection, this.index, use)
  }

  private get index(): number {
    return this.view.posed?.scene.deformables?.findIndex(({ id }) => id === this.vertices.of) ?? -1
  }

  /**
   * Draws vertices as dots, pinned ones as squares, attached ones as diamonds, sewn ones as rings; selected ones larger and in the accent
   * colour.
   */
  draw(ctx: Context, theme: ViewportTheme): void {
    if (!this.active) return
    const { chosen, pinned, attached, sewn } = this.vertices
    ctx.lineWidth = 1.25
    // Dots would cover strands that are painted or combed.
    const bare = this.vertices.deformable?.type === 'hair' && this.vertices.tool !== 'box' && this.vertices.tool !== 'brush'
    this.each(this.view.projection, (vertex, [x, y]) => {
      if (bare && !chosen.has(vertex)) return
      const held = pinned.has(vertex) || attached.has(vertex)
      const r = chosen.has(vertex) ? CHOSEN_DOT : held || sewn.has(vertex) ? 3.5 : DOT
      ctx.fillStyle = chosen.has(vertex) ? theme.css.accent : sewn.has(vertex) ? theme.css.surface : theme.css.text
      ctx.strokeStyle = sewn.has(vertex) ? theme.css.text : theme.css.surface
      ctx.beginPath()
      if (pinned.has(vertex)) ctx.rect(x - r, y - r, 2 * r, 2 * r)
      else if (attached.has(vertex)) diamond(ctx, x, y, 1.35 * r)
      else ctx.arc(x, y, r, 0, 2 * Math.PI)
      ctx.fill()
      ctx.stroke()
    })
    const { tool, brushRadius } = this.vertices
    if (this.drag?.far && tool === 'box' && this.at) drawSelectionBox(ctx, this.drag.from, this.at, theme)
    if (tool === 'box' || !this.at) return
    ctx.strokeStyle = theme.css.accent
    ctx.beginPath()
    ctx.arc(this.at[0], this.at[1], brushRadius, 0, 2 * Math.PI)
    ctx.stroke()
  }
}

function diamond(ctx: Context, x: number, y: number, r: number): void {
  ctx.moveTo(x, y - r)
  ctx.lineTo(x + r, y)
  ctx.lineTo(x, y + r)
  ctx.lineTo(x - r, y)
  ctx.closePath()
}
