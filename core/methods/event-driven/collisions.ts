/** New contacts during one integrator step. The search misses none, however fast, thin or spinning the bodies are. */

import { timeOfContact } from '../../collision/time-of-contact'
import { rootBetween, type RootMethod } from '../../collision/root'
import { contactRegion } from '../../contact/contact-region'
import type { PrimitivePair } from '../../contact/contact-set'
import { stopWhereCancelled } from '../method'
import type { RunContext } from './context'
import type { StepMotion } from './step-motion'

/** Instants of a step at which pairs held apart by contacts are searched for overlap. */
const SAMPLES = 8

export interface Collision {
  /** s */
  readonly time: number
  readonly pair: PrimitivePair
}

/** The first new contact of a step, or null. The monitors watch pairs that touch; for pairs that part, only deeper overlap counts. */
export function firstCollision(context: RunContext, motion: StepMotion): Collision | null {
  const { world, contacts, equations, tolerances } = context
  const { start, end } = motion
  const near = contacts.near(equations.snapshot, body => ({
    from: motion.motionOf(body, start).pose, to: motion.motionOf(body, end).pose, path: motion.path(body),
  }))
  const kept = pairsOf(context, point => point.normal !== 'parting')
  const still = new Set(equations.islands.flatMap(island => island.equilibrium === null ? [] : island.bodies))
  world.bodies.forEach((body, i) => { if (body.type === 'fixed') still.add(i) })
  const parting = pairsOf(context, point => point.normal === 'parting')
  let first: Collision | null = null
  for (const pair of near) {
    if (still.has(pair.bodyA) && still.has(pair.bodyB)) continue
    stopWhereCancelled(context.environment)
    const until: number = first?.time ?? end
    const heldApart = kept.has(pair.key)
    let time = heldApart ? null : contactTime(motion, pair, start, until, parting.has(pair.key) ? -tolerances.gap : 0, context.settings.rootMethod)
    if (heldApart || (time === start && passes(context, motion, pair))) time = overlapTime(context, motion, pair, start, until)
    if (time !== null && (first === null || time < first.time)) first = { time, pair }
  }
  return first
}

/** Whether a pair that touches at the start of the step moves on without contact, as where a disc slides from one tile of a floor to the next. */
function passes({ tolerances: { gap, approach } }: RunContext, motion: StepMotion, pair: PrimitivePair): boolean {
  return contactRegion(pair, motion.motionOf(pair.bodyA, motion.start), motion.motionOf(pair.bodyB, motion.start), gap, approach).passes
}

function pairsOf(context: RunContext, filter: (point: RunContext['points'][number]) => boolean): Set<string> {
  return new Set(context.points.filter(filter).map(point => point.key.slice(0, point.key.length - point.features.key.length - 1)))
}

function contactTime(motion: StepMotion, pair: PrimitivePair, start: number, end: number, target: number, method: RootMethod): number | null {
  const found = timeOfContact(pair.collider, motion.moving(pair.bodyA, pair.a), motion.moving(pair.bodyB, pair.b), start, end, { target, method })
  return found.outcome === 'apart' ? null : found.time
}

/**
 * Time at which a pair overlaps by more than rounding within the step, although contacts hold it apart: no monitor watched the feature in
 * question. If the pair overlapped at the start already, those contacts do not hold it apart: the same overlap is found again at the same instant,
 * and the event-driven run ends there.
 */
function overlapTime(context: RunContext, motion: StepMotion, pair: PrimitivePair, start: number, end: number): number | null {
  const { gap } = context.tolerances
  const sample = (time: number) => {
    const a = motion.motionOf(pair.bodyA, time)
    const b = motion.motionOf(pair.bodyB, time)
    return { value: pair.collider.separation(a.pose, b.pose) + gap / 2, rate: NaN }
  }
  const low = sample(start)
  // A feature may dip below the surface and leave it again within the step.
  for (let k = 1; k <= SAMPLES; k++) {
    const time = k === SAMPLES ? end : start + (end - start) * k / SAMPLES
    const high = sample(time)
    if (high.value > -gap / 2 || high.value >= low.value) continue
    return low.value <= 0 ? start : rootBetween(sample, start, low, time, high, 'bisection').time
  }
  return null
}
