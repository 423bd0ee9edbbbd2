import { hypot } from '../math/elementary'
import { diagonal } from '../math/matrix'
import type { Vec3 } from '../math/vector'
import { requirePositive, type Bounds, type MassProperties, type Primitive } from './shape'

/** A solid cone about the z axis: base circle around the frame's origin, apex at z = height. */
export class Cone implements Primitive {
  readonly kind = 'cone'
  readonly bounds: Bounds
  readonly radius: number
  readonly coreRadius: number
  readonly massProperties: MassProperties

  /** `girth`: radius of the base, m; `height`: height of the apex above it, m. */
  constructor(readonly girth: number, readonly height: number) {
    requirePositive('cone', 'radius', girth)
    requirePositive('cone', 'height', height)
    this.bounds = { min: [-girth, -girth, 0], max: [girth, girth, height] }
    this.radius = Math.max(girth, height)
    this.coreRadius = this.radius
    const volume = Math.PI * girth * girth * height / 3
    const across = volume * (3 * girth * girth / 20 + 3 * height * height / 80)
    this.massProperties = { volume, centroid: [0, 0, height / 4], inertia: diagonal(across, across, volume * 3 * girth * girth / 10) }
  }

  support([x, y, z]: Vec3): Vec3 {
    const around = hypot(x, y)
    if (z * this.height > around * this.girth) {
      return [0, 0, this.height]
    }
    const share = around > 0 ? this.girth / around : 0
    return [x * share, y * share, 0]
  }
}
