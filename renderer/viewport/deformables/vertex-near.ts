/** The vertex of a deformable near the pointer. */

import { toPixelInto, type Projection } from '../camera/projection'
import type { PosedScene } from '../posed-scene'

export interface NearVertex {
  readonly deformable: number
  readonly vertex: number
  /** m along the view. */
  readonly depth: number
}

/**
 * The vertex within reach with the smallest depth, which counts up to twice as much the farther the vertex is from the pointer.
 * @param reach CSS pixels
 */
export function vertexNear(
  posed: PosedScene, view: Projection, x: number, y: number, wanted: (deformable: number) => boolean, reach: number,
): NearVertex | null {
  let best: NearVertex | null = null
  let least = Infinity
  for (const deformable of (posed.scene.deformables ?? []).keys()) {
    if (!wanted(deformable)) continue
    eachVertex(posed, view, deformable, (vertex, [px, py, depth]) => {
      const off = Math.hypot(px - x, py - y)
      const cost = depth * (1 + off / reach)
      if (off <= reach && cost < least) [best, least] = [{ deformable, vertex, depth }, cost]
    })
  }
  return best
}

/** Vertices in front of the eye, with x, y in CSS pixels and depth in m. */
export function eachVertex(
  posed: PosedScene, view: Projection, deformable: number, use: (vertex: number, pixel: readonly [number, number, number]) => void,
): void {
  const [first, count] = posed.particlesOf(deformable)
  const x = posed.particlePlaces
  const pixel: [number, number, number] = [0, 0, 0]
  for (let vertex = 0; vertex < count; vertex++) {
    const i = 3 * (first + vertex)
    if (toPixelInto(view, x[i]!, x[i + 1]!, x[i + 2]!, pixel)) use(vertex, pixel)
  }
}
