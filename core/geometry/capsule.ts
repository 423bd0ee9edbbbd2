import { diagonal } from '../math/matrix'
import { normalize, type Vec3 } from '../math/vector'
import { requirePositive, type Bounds, type MassProperties, type Primitive } from './shape'

/** A ball swept along a segment of the z axis, centred on the frame's origin. */
export class Capsule implements Primitive {
  readonly kind = 'capsule'
  readonly bounds: Bounds
  readonly radius: number
  readonly coreRadius: number
  readonly massProperties: MassProperties

  /** `girth`: radius, m. `height`: distance between the centres of the two ends, m. */
  constructor(readonly girth: number, readonly height: number) {
    requirePositive('capsule', 'radius', girth)
    requirePositive('capsule', 'height', height)
    const half = height / 2
    this.bounds = { min: [-girth, -girth, -half - girth], max: [girth, girth, half + girth] }
    this.radius = half + girth
    this.coreRadius = half
    this.massProperties = capsuleMass(girth, height)
  }

  support(direction: Vec3): Vec3 {
    const [x, y, z] = normalize(direction)
    return [this.girth * x, this.girth * y, this.girth * z + (z < 0 ? -this.height : this.height) / 2]
  }
}

/** A cylinder and two hemispheres, whose centroids are 3/8 r beyond its ends. */
function capsuleMass(r: number, h: number): MassProperties {
  const cylinder = Math.PI * r * r * h
  const ball = 4 / 3 * Math.PI * r * r * r
  const along = cylinder * r * r / 2 + ball * 0.4 * r * r
  const across = cylinder * (h * h / 12 + r * r / 4) + ball * (0.4 * r * r + h * h / 4 + 0.375 * h * r)
  return { volume: cylinder + ball, centroid: [0, 0, 0], inertia: diagonal(across, across, along) }
}
