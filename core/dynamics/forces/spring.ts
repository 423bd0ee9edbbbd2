import { velocityAt, type BodyMotion } from '../../geometry/motion'
import { distance, dot, length, negate, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import { WORLD_MOTION } from '../joints/frame'
import type { ForceElement, WorkAccount, WrenchSink } from './force'
import { bodyPoint } from './targets'

export interface SpringSpec {
  readonly id: string
  readonly type: 'spring'
  /** Indices; −1 is the world. */
  readonly bodyA: number
  readonly bodyB: number
  /** m, body frames; world frame where the body is the world. */
  readonly pointA: Vec3
  readonly pointB: Vec3
  /** N/m */
  readonly stiffness: number
  /** N s/m */
  readonly damping: number
  /** m; absent: the points' distance at `initial`. */
  readonly restLength?: number
}

/**
 * A spring with damping between two points [PBM01-C §4]: with d = p_A − p_B, l = |d| and u = d/l, the force on A is −(k (l − l₀) + d l̇) u,
 * and V = ½ k (l − l₀)².
 *
 * @param initial motions at the initial pose, by body
 */
export function spring(spec: SpringSpec, initial: readonly BodyMotion[]): ForceElement {
  const { id, bodyA, bodyB, pointA, pointB, stiffness, damping } = spec
  const motionOf = (motions: readonly BodyMotion[], body: number) => (body < 0 ? WORLD_MOTION : motions[body]!)
  const ends = (motions: readonly BodyMotion[]) =>
    [bodyPoint(motionOf(motions, bodyA), pointA), bodyPoint(motionOf(motions, bodyB), pointB)] as const
  const acts = (exists: readonly boolean[]) => (bodyA < 0 || exists[bodyA]!) && (bodyB < 0 || exists[bodyB]!)
  const rest = spec.restLength ?? distance(...ends(initial))
  return {
    id, type: 'spring', bodies: [bodyA, bodyB].filter(body => body >= 0), breakpoints: [],
    potential(motions, exists) {
      if (!acts(exists)) return 0
      const stretch = distance(...ends(motions)) - rest
      return 0.5 * stiffness * stretch * stretch
    },
    apply(_time, motions, exists, sink) {
      if (!acts(exists)) return
      const [a, b] = ends(motions)
      const rate = sub(velocityAt(motionOf(motions, bodyA), a), velocityAt(motionOf(motions, bodyB), b))
      const { along, extent, speed } = stretchOf(sub(a, b), rate)
      const pull = (force: Vec3, account: WorkAccount) => {
        act(sink, bodyA, force, a, account)
        act(sink, bodyB, negate(force), b, account)
      }
      if (stiffness > 0) pull(scale(along, -stiffness * (extent - rest)), 'potential')
      if (damping > 0) pull(scale(along, -damping * speed), 'drag')
    },
  }
}

/**
 * Direction, length and its rate. If the ends coincide, the direction is that of their relative velocity; at rest it is undefined, and the force is
 * zero.
 */
function stretchOf(d: Vec3, rate: Vec3): { along: Vec3; extent: number; speed: number } {
  const extent = length(d)
  if (extent > 0) {
    const along = scale(d, 1 / extent)
    return { along, extent, speed: dot(along, rate) }
  }
  const speed = length(rate)
  return { along: speed > 0 ? scale(rate, 1 / speed) : ZERO, extent, speed }
}

function act(sink: WrenchSink, body: number, force: Vec3, point: Vec3, account: WorkAccount): void {
  if (body >= 0) sink.force(body, force, point, account)
}
