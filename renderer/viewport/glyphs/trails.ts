/** Paths of bodies up to the displayed time. */

import type { Scene } from '@babylonjs/core/scene'
import type { Vec3 } from '../../../core/math/vector'
import { SegmentLayer } from '../layers/glyph-layers'
import type { SharedUniforms } from '../layers/uniforms'
import { paletteIndex } from '../theme'

export interface Trail {
  /** 3 a point, m, in order of time. */
  readonly points: Float64Array
  readonly selected: boolean
}

const TRAIL = paletteIndex('velocity')
const ACCENT = paletteIndex('accent')

export class TrailGlyphs {
  private readonly lines: SegmentLayer

  constructor(scene: Scene, uniforms: SharedUniforms) {
    this.lines = new SegmentLayer(scene, uniforms)
    this.lines.setXray(true)
    this.lines.setOpacity(0.85)
  }

  set(trails: readonly Trail[], origin: Vec3): void {
    this.lines.begin(origin)
    for (const { points: p, selected } of trails) {
      const color = selected ? ACCENT : TRAIL
      for (let i = 3; i + 2 < p.length; i += 3) {
        // No segment while the body did not exist.
        if (Number.isNaN(p[i - 3]!) || Number.isNaN(p[i]!)) continue
        this.lines.add(p[i - 3]!, p[i - 2]!, p[i - 1]!, p[i]!, p[i + 1]!, p[i + 2]!, color, selected ? 1.8 : 1.3)
      }
    }
    this.lines.end()
  }

  dispose(): void {
    this.lines.dispose()
  }
}
