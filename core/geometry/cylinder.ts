import { diagonal } from '../math/matrix'
import { hypot } from '../math/elementary'
import type { Vec3 } from '../math/vector'
import { requirePositive, type Bounds, type MassProperties, type Primitive } from './shape'

/** A solid cylinder about the z axis, centred on the frame's origin. */
export class Cylinder implements Primitive {
  readonly kind = 'cylinder'
  readonly bounds: Bounds
  readonly radius: number
  readonly coreRadius: number
  readonly massProperties: MassProperties

  /** `girth`: radius of the circles, m; `height`: along z, m. */
  constructor(readonly girth: number, readonly height: number) {
    requirePositive('cylinder', 'radius', girth)
    requirePositive('cylinder', 'height', height)
    this.bounds = { min: [-girth, -girth, -height / 2], max: [girth, girth, height / 2] }
    this.radius = hypot(girth, height / 2)
    this.coreRadius = this.radius
    const volume = Math.PI * girth * girth * height
    const across = volume * (girth * girth / 4 + height * height / 12)
    this.massProperties = { volume, centroid: [0, 0, 0], inertia: diagonal(across, across, volume * girth * girth / 2) }
  }

  support([x, y, z]: Vec3): Vec3 {
    const around = hypot(x, y)
    const share = around > 0 ? this.girth / around : 0
    return [x * share, y * share, (z < 0 ? -this.height : this.height) / 2]
  }
}
