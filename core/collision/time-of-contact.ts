/**
 * First contact of two moving solids, without missing contacts between two evaluations.
 *
 * Along the direction n̂ that separates them at time t by s, no point can approach faster than
 *
 *   P τ + ½ Q τ²,  P = −n̂·(v_A − v_B) + |n̂ × ω_A| r_A + |n̂ × ω_B| r_B,  Q = Σ (a + α r)
 *
 * with bounds a, α on accelerations over the whole interval (n̂·(ω × r) = (n̂ × ω)·r, and |n̂ × ω| grows no faster than α). They stay apart until this bound
 * reaches s: conservative advancement. Also, no point moves faster than V = Σ (v + ω r). Both bounds are too small a step for a solid that turns about a
 * point near the other (a foot that hovers while the rest falls). For it the lowest point of the moving solid is followed: along n̂ (`lowestTime`), along
 * the same direction fixed to either body (`carriedTime`), and along a direction that continues to turn as the separating direction has since the previous
 * evaluation (`turningTime`). The longest of these steps is taken. Advancement alone converges slowly to the contact without passing it. So if an evaluation
 * ahead finds overlap, the root is located by prediction (`root.ts`), and advancement only proves that there is no earlier one.
 */

import { velocityAt } from '../geometry/motion'
import { cross, dot, scale, sub } from '../math/vector'
import { approachTime, carriedTime, lowestTime, pointAcceleration, pointSpeed, turningTime, type GapSample } from './apart-times'
import type { PairCollider } from './contact'
import { reaching, type MovingBody } from './moving-body'
import { rootBetween, timeResolution, type RootMethod } from './root'

export interface ContactTimeOptions {
  readonly method?: RootMethod
  /** The separation that counts as contact, m; 0 by default. */
  readonly target?: number
  /** Largest number of evaluations, after which the search returns its current result; 10,000 by default. */
  readonly maxIterations?: number
}

export interface ContactTime {
  /**
   * `contact`: `time` is the first contact. `apart`: none up to the end. `unresolved`: separated until `time`, then close until the evaluations ran out;
   * treat it as a contact at that time.
   */
  readonly outcome: 'contact' | 'apart' | 'unresolved'
  /** s; the end of the interval if apart. */
  readonly time: number
  /** Number of evaluated separations. */
  readonly iterations: number
}

/** Largest distance of a located contact from the end of the proof that there is none before it, × the interval. */
const PROOF = 1e-9

/** First contact of A and B within [start, end]; at `start` if their separation there is at most the target. */
export function timeOfContact(
  collider: PairCollider, first: MovingBody, second: MovingBody, start: number, end: number, options: ContactTimeOptions = {},
): ContactTime {
  const a = reaching(first, start)
  const b = reaching(second, start)
  const { method = 'prediction', target = 0, maxIterations = 10_000 } = options
  let iterations = 0
  const sampleAt = (time: number): GapSample => {
    iterations++
    const motionA = a.motionAt(time)
    const motionB = b.motionAt(time)
    const found = collider.separating(motionA.pose, motionB.pose)
    const relative = sub(velocityAt(motionA, found.point), velocityAt(motionB, found.point))
    return { ...found, motionA, motionB, value: found.separation - target, rate: dot(found.normal, relative) }
  }
  const fastest = pointSpeed(a) + pointSpeed(b)
  const acceleration = pointAcceleration(a) + pointAcceleration(b)
  const contact = (time: number): ContactTime => ({ outcome: 'contact', time, iterations })

  let time = start
  let now = sampleAt(time)
  let last: GapSample | null = null
  let since = 0
  if (now.value <= 0) {
    return contact(start)
  }
  /** A located contact; it is the first unless advancement finds an earlier one. */
  let found = Infinity
  const proof = Math.max(PROOF * (end - start), timeResolution(end))
  while (iterations < maxIterations) {
    const goal = Math.min(end, found)
    let step = Math.max(now.value / fastest, approachTime(now, a, b, acceleration))
    if (time + step < goal) step = lowestTime(now, a, b, step, goal - time)
    if (time + step < goal) step = carriedTime(now.value, scale(now.normal, -1), [a, now.motionA], [b, now.motionB], step, goal - time)
    if (time + step < goal) step = carriedTime(now.value, now.normal, [b, now.motionB], [a, now.motionA], step, goal - time)
    if (time + step < goal && last !== null) step = turningTime(now, scale(cross(last.normal, now.normal), 1 / since), a, b, step, goal - time)
    if (!(time + step < goal)) {
      return found === Infinity ? { outcome: 'apart', time: end, iterations } : contact(found)
    }
    if (step <= timeResolution(Math.max(Math.abs(start), Math.abs(end)))) {
      return contact(time)
    }
    const next = time + step
    const ahead = sampleAt(next)
    if (ahead.value <= 0) {
      // Overlap by rounding only: within the step the separation cannot reach zero otherwise.
      const root = rootBetween(sampleAt, time, now, next, ahead, method)
      return contact(root.time)
    }
    if (found === Infinity) {
      found = predictedContact(sampleAt, next, ahead, now, step, end, method)
    }
    time = next
    last = now
    since = step
    now = ahead
    if (found - time <= proof) {
      return contact(found)
    }
  }
  return { outcome: 'unresolved', time, iterations }
}

/** Tests the predicted time of contact [Baraff92 eq. 6-31]: if the solids overlap shortly after it, a contact lies before. */
function predictedContact(
  sampleAt: (time: number) => GapSample, time: number, now: GapSample, before: GapSample, since: number, end: number, method: RootMethod,
): number {
  const curvature = (now.rate - before.rate) / since
  const discriminant = now.rate * now.rate - 2 * curvature * now.value
  if (discriminant < 0 || (now.rate >= 0 && curvature >= 0)) {
    return Infinity
  }
  const root = Math.sqrt(discriminant)
  const wait = now.rate <= 0 ? 2 * now.value / (-now.rate + root) : -(now.rate + root) / curvature
  const beyond = Math.min(end, time + 1.01 * wait + timeResolution(end))
  if (!(beyond > time) || time + wait > end) {
    return Infinity
  }
  const there = sampleAt(beyond)
  return there.value <= 0 ? rootBetween(sampleAt, time, now, beyond, there, method).time : Infinity
}
