/** Impulses of impacts, drawn for a short time around the event. */

import type { Scene } from '@babylonjs/core/scene'
import type { Vec3 } from '../../../core/math/vector'
import type { TrajectoryEvent } from '../../../core/trajectory/frame'
import type { ActionSide } from '../../state/view'
import { ArrowLayer, PointLayer } from '../layers/glyph-layers'
import type { SharedUniforms } from '../layers/uniforms'
import { paletteIndex } from '../theme'

const COLOR = paletteIndex('impact')

/** An impact with a place and an impulse. */
export interface Impact {
  readonly point: Vec3
  readonly impulse: Vec3
}

/** Index of the first event at or after a time; events are in order of time. */
export function firstEventFrom(events: readonly TrajectoryEvent[], time: number): number {
  let low = 0
  let high = events.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (events[middle]!.time < time) low = middle + 1
    else high = middle
  }
  return low
}

/** Impacts after `from`, up to and including `to`. */
export function impactsIn(events: readonly TrajectoryEvent[], from: number, to: number): Impact[] {
  const found: Impact[] = []
  for (let i = firstEventFrom(events, from); i < events.length && events[i]!.time <= to; i++) {
    const event = events[i]!
    if (event.kind === 'impact' && event.point.length >= 3 && event.impulse.length >= 3 && event.time > from) found.push(event as unknown as Impact)
  }
  return found
}

export class ImpactGlyphs {
  private readonly arrows: ArrowLayer
  private readonly points: PointLayer

  constructor(scene: Scene, uniforms: SharedUniforms) {
    this.arrows = new ArrowLayer(scene, uniforms)
    this.points = new PointLayer(scene, uniforms)
  }

  /** Shows the impacts in `from` < t ≤ `to`, s. */
  set(impacts: readonly Impact[], options: { side: ActionSide; xray: boolean; lengthScale: number }, origin: Vec3): void {
    this.arrows.begin(origin)
    this.points.begin(origin)
    this.arrows.setXray(options.xray)
    this.points.setXray(options.xray)
    this.arrows.setLengthScale(options.lengthScale)
    for (const { point: [x, y, z], impulse: [jx, jy, jz] } of impacts) {
      this.points.add(x, y, z, COLOR, 4)
      if (options.side !== 'B') this.arrows.add(x, y, z, jx, jy, jz, COLOR, 1.2)
      if (options.side !== 'A') this.arrows.add(x, y, z, -jx, -jy, -jz, COLOR, 1.2)
    }
    this.arrows.end()
    this.points.end()
  }

  dispose(): void {
    this.arrows.dispose()
    this.points.dispose()
  }
}
