import type { Vec3 } from '../math/vector'

/** A ball in its body's frame: a sphere, or one end of a capsule. */
export interface Ball {
  /** m */
  readonly center: Vec3
  readonly radius: number
}
