/** Motion of all bodies along one step's dense output, with bounds on their speeds. */

import { widen } from '../../collision/broad-phase'
import type { MotionBounds, MovingBody } from '../../collision/moving-body'
import type { WorldPrimitive } from '../../contact/world'
import type { DenseOutput } from '../../dynamics/integrator'
import { readMotion } from '../../dynamics/state-layout'
import type { BodyMotion } from '../../geometry/motion'
import type { Bounds } from '../../geometry/shape'
import { distance, length, max, min, sub, type Vec3 } from '../../math/vector'
import type { RunContext } from './context'

/** Number of parts of a step at whose ends speeds are sampled for the bounds. */
const SAMPLES = 4
/** Safety factor on the sampled speeds and accelerations: the motion inside a step is a polynomial of degree five, smooth to the tolerance. */
const SLACK = 1.1
const FAR: Vec3 = [Infinity, Infinity, Infinity]
const NEAR: Vec3 = [-Infinity, -Infinity, -Infinity]
const STILL: MotionBounds = { speed: 0, acceleration: 0, angularSpeed: 0, angularAcceleration: 0 }

export class StepMotion {
  readonly bounds: MotionBounds[]
  private readonly ways: Bounds[] = []
  private readonly scratch: Float64Array
  private readonly cache = new Map<number, Float64Array>()

  constructor(private readonly context: RunContext, private readonly dense: DenseOutput, readonly start: number, readonly end: number) {
    this.scratch = new Float64Array(context.state.length)
    this.bounds = this.boundsOf(context)
  }

  motionOf(body: number, time: number): BodyMotion {
    const { world, equations } = this.context
    if (equations.layout.offsets[body]! < 0) return world.bodies[body]!.initial
    let state = this.cache.get(time)
    if (state === undefined) {
      this.dense.at(time, this.scratch)
      state = this.scratch.slice()
      // The pairs of one step share only the samples at its ends, so a small cache is sufficient.
      if (this.cache.size > 16) this.cache.clear()
      this.cache.set(time, state)
    }
    return readMotion(equations.layout, body, state)
  }

  /** An upper bound on the path length of any point of the body, m. */
  path(body: number): number {
    const { speed, angularSpeed } = this.bounds[body]!
    const { boundingRadius } = this.context.world.bodies[body]!
    return (speed + (angularSpeed === 0 ? 0 : angularSpeed * boundingRadius)) * (this.end - this.start)
  }

  /** A box that always contains the centre of mass, m. */
  centers(body: number): Bounds {
    return this.ways[body]!
  }

  moving(body: number, { primitive, pose }: WorldPrimitive): MovingBody {
    return { motionAt: time => this.motionOf(body, time), bounds: this.bounds[body]!, primitive, pose }
  }

  private timeOf(sample: number): number {
    return sample === SAMPLES ? this.end : this.start + (this.end - this.start) * sample / SAMPLES
  }

  private boundsOf({ world, equations: { layout } }: RunContext): MotionBounds[] {
    const part = (this.end - this.start) / SAMPLES
    return world.bodies.map((_, i) => {
      if (layout.offsets[i]! < 0) return STILL
      let speed = 0
      let angularSpeed = 0
      let change = 0
      let angularChange = 0
      let last: BodyMotion | null = null
      let low: Vec3 = FAR
      let high: Vec3 = NEAR
      for (let k = 0; k <= SAMPLES; k++) {
        const motion = this.motionOf(i, this.timeOf(k))
        speed = Math.max(speed, length(motion.velocity))
        angularSpeed = Math.max(angularSpeed, length(motion.angularVelocity))
        if (last !== null) {
          change = Math.max(change, distance(motion.velocity, last.velocity))
          angularChange = Math.max(angularChange, length(sub(motion.angularVelocity, last.angularVelocity)))
        }
        last = motion
        low = min(low, motion.center)
        high = max(high, motion.center)
      }
      // The deviation from a chord is at most an eighth of the acceleration times the square of the time.
      this.ways[i] = widen({ min: low, max: high }, SLACK * change * part / 8)
      return {
        speed: speed + SLACK * change, acceleration: SLACK * change / part,
        angularSpeed: angularSpeed + SLACK * angularChange, angularAcceleration: SLACK * angularChange / part,
      }
    })
  }
}
