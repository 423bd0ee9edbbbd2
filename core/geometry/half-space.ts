import type { Pose } from '../math/pose'
import { rotate } from '../math/quaternion'
import { dot, length, scale, type Vec3 } from '../math/vector'
import { ShapeError, type Primitive } from './shape'

/** Everything where `normal · x ≤ offset`. Infinite mass, so only fixed bodies have one. */
export class HalfSpace implements Primitive {
  readonly kind = 'halfSpace'
  readonly bounds = { min: [-Infinity, -Infinity, -Infinity], max: [Infinity, Infinity, Infinity] } as const
  readonly radius = Infinity
  readonly coreRadius = Infinity
  readonly massProperties = null
  /** Unit, outwards. */
  readonly normal: Vec3
  /** m */
  readonly offset: number

  /** `normal` of any nonzero length; `offset` in the same units, so that the plane is the set normal · x = offset as given. */
  constructor(normal: Vec3, offset: number) {
    const l = length(normal)
    if (!Number.isFinite(l) || !Number.isFinite(offset)) {
      throw new ShapeError('halfSpace', 'notFinite', `normal (${normal.join(', ')}) and offset ${offset} have to be finite`)
    }
    if (l === 0) {
      throw new ShapeError('halfSpace', 'outOfRange', 'the normal is zero; it has to have a direction')
    }
    this.normal = scale(normal, 1 / l)
    this.offset = offset / l
  }

  /** The same half-space with its frame placed in an outer one. */
  placed(pose: Pose): HalfSpace {
    const normal = rotate(pose.orientation, this.normal)
    return new HalfSpace(normal, this.offset * length(normal) + dot(normal, pose.position))
  }

  /** A point of the plane if `direction` is the normal; infinitely far away for every other direction. */
  support(direction: Vec3): Vec3 {
    return dot(direction, this.normal) === length(direction) ? scale(this.normal, this.offset) : [Infinity, Infinity, Infinity]
  }
}
