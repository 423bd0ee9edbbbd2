/** Cross-section of the friction cone: a disc, or the polygon of a polyhedral cone [PEG17 §1.2, Stewart–Trinkle]. */

import { cos, sin } from '../../../math/elementary'

export class Cone {
  /** Result of the last projection. */
  x = 0
  y = 0
  /** Unit normals of the polygon's edges. */
  private readonly normals: readonly (readonly [number, number])[]
  /** Apothem and half side length of the polygon inscribed in the unit circle. */
  private readonly apothem: number
  private readonly half: number

  /** @param directions corners of the polygon, the first along the first tangent; 0 for a disc */
  constructor(readonly directions: number) {
    const turn = directions === 0 ? 0 : 2 * Math.PI / directions
    this.normals = Array.from({ length: directions }, (_, k) => [cos((k + 0.5) * turn), sin((k + 0.5) * turn)] as const)
    this.apothem = cos(turn / 2)
    this.half = sin(turn / 2)
  }

  /** Projects (x, y) onto the cross-section of the given radius. */
  project(x: number, y: number, radius: number): void {
    if (this.directions > 0) {
      this.projectOnPolygon(x, y, radius)
      return
    }
    const size = Math.sqrt(x * x + y * y)
    const shrink = size > radius ? radius / size : 1
    this.x = x * shrink
    this.y = y * shrink
  }

  private projectOnPolygon(x: number, y: number, radius: number): void {
    let best = this.normals[0]!
    let most = -Infinity
    for (const normal of this.normals) {
      const height = normal[0] * x + normal[1] * y
      if (height > most) {
        most = height
        best = normal
      }
    }
    const distance = radius * this.apothem
    if (most <= distance) {
      this.x = x
      this.y = y
      return
    }
    const limit = radius * this.half
    const along = Math.min(Math.max(best[0] * y - best[1] * x, -limit), limit)
    this.x = distance * best[0] - along * best[1]
    this.y = distance * best[1] + along * best[0]
  }
}
