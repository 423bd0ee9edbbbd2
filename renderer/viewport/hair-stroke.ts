/**
 * One stroke of a hair brush in vertex mode: it grows strands on a body (Alt removes them), combs them, or sets their lengths. It sees the strands whose roots
 * are not hidden by a body, at their places in the document. One undo step.
 */

import { add, distance, scale, type Vec3 } from '../../core/math/vector'
import { combedStrand, growStrands, outsideOf, removeStrands, resizeStrands, rounded, type Outside, type Root } from '../modelling/hair-edit'
import { brushShare } from '../modelling/vertices-edit'
import { useDocument } from '../state/document'
import { startGesture, type Gesture } from '../state/gesture'
import { newElement } from '../state/free-names'
import { hairOn } from '../state/new-hair'
import { materialForNewShape } from '../state/editing'
import { useVertices } from '../state/vertices'
import { useViewportApi } from '../state/viewport-api'
import type { DeformableOf } from '../../core/scene'
import { metresPerPixel, toPixelInto, type Projection } from './camera/projection'
import type { Pixel } from './gizmos/handles'
import { distanceToSegment } from './pixels'

/** Points of the brush where roots are looked for, in a spiral that covers it evenly. */
const PROBES = 48
const GOLDEN = Math.PI * (3 - Math.sqrt(5))
/** m, × its depth: a root farther than this behind a surface is hidden. */
const HIDDEN = 2e-3

const LABELS = { grow: 'grow hair', cut: 'remove hair', comb: 'comb hair', length: 'set length of hair' } as const
const STILL: Vec3 = [0, 0, 0]

export class HairStroke {
  private readonly vertices = useVertices()
  private readonly document = useDocument()
  private readonly api = useViewportApi().api
  private readonly hair: DeformableOf<'hair'> | null
  private readonly does: keyof typeof LABELS
  readonly gesture: Gesture
  /** Strands that are seen. */
  private readonly seen: ReadonlySet<number>
  /** New roots, and the body that they are on: the first one under the brush. */
  private readonly roots: Root[] = []
  private body: string | null
  private readonly made: { readonly id: string; readonly name: string }
  /** Strands that are removed, and shares by which lengths change. */
  private readonly gone = new Set<number>()
  private readonly shares = new Map<number, number>()
  /** Places of combed strands. */
  private readonly combed = new Map<number, readonly Vec3[]>()
  private readonly outsides = new Map<string | null, Outside>()

  constructor(private readonly view: Projection, alt: boolean, onCancel: () => void) {
    const { vertices } = this
    const found = vertices.deformable
    this.hair = found?.type === 'hair' ? found : null
    this.does = vertices.tool === 'grow' ? alt ? 'cut' : 'grow' : vertices.tool === 'comb' ? 'comb' : 'length'
    this.body = vertices.newHairOn
    this.made = newElement(this.document.scene, 'Hair', 'hair')
    this.seen = new Set(this.hair?.strands.flatMap(({ points }, strand) => this.isSeen(points[0]!) ? [strand] : []))
    this.gesture = startGesture(LABELS[this.does], onCancel)
  }

  /** Moves the brush. */
  move(from: Pixel, to: Pixel): void {
    switch (this.does) {
      case 'grow': return this.grow(to)
      case 'cut': return this.cut(from, to)
      case 'comb': return this.comb(from, to)
      case 'length': return this.resize(from, to)
    }
  }

  /** One undo step; hair that the stroke has made is edited from now on. */
  commit(): void {
    this.gesture.commit()
    if (this.hair === null && this.roots.length > 0) {
      this.vertices.start(this.made.id)
      this.vertices.tool = 'grow'
    }
  }

  private grow([x, y]: Pixel): void {
    const { vertices: { brushRadius, hairSpacing, hairLength, hairRadius }, roots, hair, made: { id, name } } = this
    const radius = hair ? hair.radius ?? hairRadius : hairRadius
    const before = roots.length
    for (let k = 0; k < PROBES; k++) {
      const r = brushRadius * Math.sqrt(k / PROBES)
      const hit = this.api?.pickAt(x + r * Math.cos(k * GOLDEN), y + r * Math.sin(k * GOLDEN))
      if (!hit) continue
      this.body ??= hit.body
      if (hit.body !== this.body) continue
      const near = (point: Vec3): boolean => distance(point, hit.point) < hairSpacing
      if (roots.some(({ point }) => near(point)) || hair?.strands.some(({ points }) => near(points[0]!))) continue
      roots.push({ point: hit.point, normal: hit.normal })
    }
    if (roots.length === before) return
    const [made, body] = [[...roots], this.body!]
    this.gesture.update(draft => {
      if (hair) return growStrands(draft.deformables!.find(one => one.id === hair.id) as DeformableOf<'hair'>, made, body, hairLength, radius)
      const material = materialForNewShape(draft)
      draft.deformables ??= []
      draft.deformables.push({ id, name, material, ...hairOn(made, { spacing: hairSpacing, long: hairLength, radius }, body) })
    })
  }

  private cut(from: Pixel, to: Pixel): void {
    const before = this.gone.size
    this.each((strand, points) => { if (this.shareAt(points[0]!, from, to) > 0) this.gone.add(strand) })
    if (this.gone.size === before) return
    const { gone } = this
    this.edit((draft, all) => {
      // Hair has at least one strand: without any it is deleted.
      if (gone.size === draft.strands.length) all.splice(all.indexOf(draft), 1)
      else removeStrands(draft, gone)
    })
  }

  private comb(from: Pixel, to: Pixel): void {
    const { view, vertices, combed, hair } = this
    let touched = false
    this.each((strand, points) => {
      const moves = points.map((point, k): Vec3 => {
        const share = k === 0 ? 0 : vertices.paintStrength * this.shareAt(point, from, to)
        if (share === 0) return STILL
        const size = share * metresPerPixel(view, point)
        return add(scale(view.axes.right, size * (to[0] - from[0])), scale(view.axes.up, size * (from[1] - to[1])))
      })
      if (moves.every(move => move === STILL)) return
      combed.set(strand, combedStrand(points, moves, this.outside(hair!.strands[strand]!.body ?? null)))
      touched = true
    })
    if (!touched) return
    const places = new Map([...combed].map(([strand, points]) => [strand, points.map(rounded)]))
    this.edit(draft => { draft.strands = draft.strands.map((strand, i) => places.has(i) ? { ...strand, points: places.get(i)! } : strand) })
  }

  private resize(from: Pixel, to: Pixel): void {
    const { shares, vertices: { paintStrength, hairLength } } = this
    let touched = false
    this.each((strand, points) => {
      const share = paintStrength * points.reduce((most, point) => Math.max(most, this.shareAt(point, from, to)), 0)
      if (share <= (shares.get(strand) ?? 0)) return
      shares.set(strand, share)
      touched = true
    })
    const now = new Map(shares)
    if (touched) this.edit(draft => resizeStrands(draft, now, hairLength))
  }

  private each(use: (strand: number, points: readonly Vec3[]) => void): void {
    this.hair?.strands.forEach(({ points }, strand) => { if (this.seen.has(strand)) use(strand, this.combed.get(strand) ?? points) })
  }

  private edit(change: (draft: DeformableOf<'hair'>, all: { id: string }[]) => void): void {
    const { hair } = this
    this.gesture.update(draft => {
      const found = draft.deformables?.find(({ id }) => id === hair?.id)
      if (found?.type === 'hair') change(found, draft.deformables!)
    })
  }

  private outside(body: string | null): Outside {
    const { outsides, document, hair } = this
    const known = outsides.get(body) ?? outsideOf(body === null ? undefined : document.element('bodies', body), hair!.radius ?? this.vertices.hairRadius)
    outsides.set(body, known)
    return known
  }

  /** Share of the brush at a point, 0 … 1. */
  private shareAt(point: Vec3, from: Pixel, to: Pixel): number {
    const pixel: [number, number, number] = [0, 0, 0]
    if (!toPixelInto(this.view, ...point, pixel)) return 0
    return brushShare(distanceToSegment(from, to, pixel[0], pixel[1]) / this.vertices.brushRadius)
  }

  /** Whether no body hides the point. */
  private isSeen(point: Vec3): boolean {
    const pixel: [number, number, number] = [0, 0, 0]
    if (!toPixelInto(this.view, ...point, pixel)) return false
    const hit = this.api?.pickAt(pixel[0], pixel[1])
    if (!hit) return true
    const surface: [number, number, number] = [0, 0, 0]
    return !toPixelInto(this.view, ...hit.point, surface) || surface[2] >= pixel[2] - HIDDEN * Math.abs(pixel[2])
  }
}
