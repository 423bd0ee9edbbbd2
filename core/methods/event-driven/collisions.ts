/** New contacts during one integrator step: nothing is missed, however fast, thin or spinning [physics.md §2.6]. */

import { timeOfContact, type MotionBounds, type MovingBody } from '../../collision/time-of-contact'
import { rootBetween, type RootMethod } from '../../collision/root'
import type { PrimitivePair } from '../../contact/contact-set'
import type { WorldPrimitive } from '../../contact/world'
import type { DenseOutput } from '../../dynamics/integrator'
import { readMotion } from '../../dynamics/state-layout'
import { copySnapshot } from '../../contact/snapshot'
import type { BodyMotion } from '../../geometry/motion'
import { distance, length, sub } from '../../math/vector'
import type { RunContext } from './context'

/** Parts of a step at whose ends speeds are read for the bounds. */
const SAMPLES = 4
/** What speeds and accelerations may exceed their samples by: the motion inside a step is a polynomial of degree five, smooth to the tolerance. */
const SLACK = 1.1

export interface Collision {
  /** s */
  readonly time: number
  readonly pair: PrimitivePair
}

/** Motion of all bodies along one step's dense output. */
class StepMotion {
  readonly bounds: MotionBounds[]
  private readonly scratch: Float64Array
  private readonly cache = new Map<number, Float64Array>()

  constructor(private readonly context: RunContext, private readonly dense: DenseOutput, readonly start: number, readonly end: number) {
    this.scratch = new Float64Array(context.state.length)
    this.bounds = motionBounds(context, dense, start, end)
  }

  motionOf(body: number, time: number): BodyMotion {
    const { world, equations } = this.context
    if (world.bodies[body]!.type === 'fixed') return world.bodies[body]!.initial
    let state = this.cache.get(time)
    if (state === undefined) {
      this.dense.at(time, this.scratch)
      state = this.scratch.slice()
      // Pairs of one step share their looks at its ends only; keep few.
      if (this.cache.size > 16) this.cache.clear()
      this.cache.set(time, state)
    }
    return readMotion(equations.layout, body, state)
  }

  /** A bound on the way of any point of the body, m. */
  path(body: number): number {
    const { speed, angularSpeed } = this.bounds[body]!
    const { boundingRadius } = this.context.world.bodies[body]!
    return (speed + (angularSpeed === 0 ? 0 : angularSpeed * boundingRadius)) * (this.end - this.start)
  }

  moving(body: number, { primitive, pose }: WorldPrimitive): MovingBody {
    return { motionAt: time => this.motionOf(body, time), bounds: this.bounds[body]!, primitive, pose }
  }
}

/** The first new contact in (start, end], or null. Pairs that touch are watched by the monitors; of those that part, only deeper overlap counts. */
export function firstCollision(context: RunContext, dense: DenseOutput, start: number, end: number): Collision | null {
  const { world, contacts, equations, tolerances, state } = context
  const snapshot = copySnapshot(equations.snapshot, state)
  const motion = new StepMotion(context, dense, start, end)
  const near = contacts.near(snapshot, body => ({
    from: snapshot.motions[body]!.pose, to: motion.motionOf(body, end).pose, path: motion.path(body),
  }))
  const kept = pairsOf(context, point => point.normal !== 'parting')
  const still = new Set(equations.islands.flatMap(island => island.equilibrium === null ? [] : island.bodies))
  world.bodies.forEach((body, i) => { if (body.type === 'fixed') still.add(i) })
  const parting = pairsOf(context, point => point.normal === 'parting')
  let first: Collision | null = null
  for (const pair of near) {
    if (still.has(pair.bodyA) && still.has(pair.bodyB)) continue
    const until: number = first?.time ?? end
    const time: number | null = kept.has(pair.key)
      ? overlapTime(context, motion, pair, start, until)
      : contactTime(motion, pair, start, until, parting.has(pair.key) ? -tolerances.gap : 0, context.settings.rootMethod)
    if (time !== null && (first === null || time < first.time)) first = { time, pair }
  }
  return first
}

function pairsOf(context: RunContext, filter: (point: RunContext['points'][number]) => boolean): Set<string> {
  return new Set(context.points.filter(filter).map(point => point.key.slice(0, point.key.length - point.features.key.length - 1)))
}

function contactTime(motion: StepMotion, pair: PrimitivePair, start: number, end: number, target: number, method: RootMethod): number | null {
  const found = timeOfContact(pair.collider, motion.moving(pair.bodyA, pair.a), motion.moving(pair.bodyB, pair.b), start, end, { target, method })
  return found.outcome === 'apart' ? null : found.time
}

/**
 * A pair that is held apart by its contacts but overlaps at the end of the step after all, beyond rounding: a feature that no monitor watched. Where it
 * overlapped at the start already, what was found there does not hold it: that is found again at the same instant, which ends the event-driven run there.
 */
function overlapTime(context: RunContext, motion: StepMotion, pair: PrimitivePair, start: number, end: number): number | null {
  const { gap } = context.tolerances
  const sample = (time: number) => {
    const a = motion.motionOf(pair.bodyA, time)
    const b = motion.motionOf(pair.bodyB, time)
    return { value: pair.collider.separation(a.pose, b.pose) + gap / 2, rate: NaN }
  }
  const low = sample(start)
  const high = sample(end)
  if (high.value > -gap / 2 || high.value >= low.value) return null
  if (low.value <= 0) return start
  return rootBetween(sample, start, low, end, high, 'bisection').time
}

function motionBounds(context: RunContext, dense: DenseOutput, start: number, end: number): MotionBounds[] {
  const { world, equations, state } = context
  const samples: Float64Array[] = [state]
  for (let k = 1; k <= SAMPLES; k++) {
    const at = new Float64Array(state.length)
    dense.at(k === SAMPLES ? end : start + (end - start) * k / SAMPLES, at)
    samples.push(at)
  }
  const part = (end - start) / SAMPLES
  return world.bodies.map((body, i) => {
    if (body.type === 'fixed') return { speed: 0, acceleration: 0, angularSpeed: 0, angularAcceleration: 0 }
    const motions = samples.map(sample => readMotion(equations.layout, i, sample))
    let speed = 0
    let angularSpeed = 0
    let change = 0
    let angularChange = 0
    motions.forEach((motion, k) => {
      speed = Math.max(speed, length(motion.velocity))
      angularSpeed = Math.max(angularSpeed, length(motion.angularVelocity))
      if (k === 0) return
      change = Math.max(change, distance(motion.velocity, motions[k - 1]!.velocity))
      angularChange = Math.max(angularChange, length(sub(motion.angularVelocity, motions[k - 1]!.angularVelocity)))
    })
    return {
      speed: speed + SLACK * change, acceleration: SLACK * change / part,
      angularSpeed: angularSpeed + SLACK * angularChange, angularAcceleration: SLACK * angularChange / part,
    }
  })
}
