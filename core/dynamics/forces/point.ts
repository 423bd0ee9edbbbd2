import { transform } from '../../math/matrix'
import { dot, type Vec3 } from '../../math/vector'
import type { ForceElement } from './force'
import { bodyPoint } from './targets'

export interface PointForceSpec {
  readonly id: string
  readonly type: 'point'
  readonly body: number
  /** m, body frame. */
  readonly point: Vec3
  /** N, in `frame`. */
  readonly force: Vec3
  readonly frame: 'world' | 'body'
}

/** A constant force at a body point: V = −F·p in the world frame; one that turns with the body has no potential. */
export function pointForce({ id, body, point, force, frame }: PointForceSpec): ForceElement {
  const fixed = frame === 'world'
  return {
    id, type: 'point', bodies: [body], breakpoints: [],
    potential: motions => (fixed ? -dot(force, bodyPoint(motions[body]!, point)) : 0),
    apply(_time, motions, exists, sink) {
      if (!exists[body]) return
      const motion = motions[body]!
      const world = fixed ? force : transform(motion.rotation, force)
      sink.force(body, world, bodyPoint(motion, point), fixed ? 'potential' : 'scripts')
    },
  }
}
