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

import { velocityAt, type BodyMotion } from '../geometry/motion'
import type { Primitive } from '../geometry/shape'
import { toOuter, type Pose } from '../math/pose'
import { rotate, rotateInverse } from '../math/quaternion'
import { addScaled, cross, distance, dot, length, scale, sub, type Vec3 } from '../math/vector'
import type { PairCollider, Separation } from './contact'
import { rootBetween, timeResolution, type RootMethod, type Sample } from './root'

/** Upper bounds over an interval of time; Infinity if unknown. */
export interface MotionBounds {
  /** Of the centre of mass, m/s and m/s². */
  readonly speed: number
  readonly acceleration: number
  /** rad/s and rad/s². */
  readonly angularSpeed: number
  readonly angularAcceleration: number
}

export interface MovingBody {
  motionAt(time: number): BodyMotion
  /** Over the requested interval. */
  readonly bounds: MotionBounds
  /** The colliding solid, with its pose in the body frame. */
  readonly primitive: Primitive
  readonly pose: Pose
}

/** A moving body with the largest distance of a point of its solid's core from the centre of mass, m. */
type Reaching = MovingBody & { readonly radius: number }

function reaching(body: MovingBody, time: number): Reaching {
  const { center, pose } = body.motionAt(time)
  return {
    motionAt: at => body.motionAt(at), bounds: body.bounds, primitive: body.primitive, pose: body.pose,
    radius: distance(toOuter(pose, body.pose.position), center) + body.primitive.coreRadius,
  }
}

export const AT_REST: MotionBounds = { speed: 0, acceleration: 0, angularSpeed: 0, angularAcceleration: 0 }

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
  const look = (time: number): Look => {
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
  let now = look(time)
  let last: Look | null = null
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
    const ahead = look(next)
    if (ahead.value <= 0) {
      // Reached by rounding only: the step keeps them apart.
      const root = rootBetween(look, time, now, next, ahead, method)
      return contact(root.time)
    }
    if (found === Infinity) {
      found = lookAhead(look, next, ahead, now, step, end, method)
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

interface Look extends Separation, Sample {
  readonly motionA: BodyMotion
  readonly motionB: BodyMotion
}

/** Tests the predicted time of contact [Baraff92 eq. 6-31]: if the solids overlap shortly after it, a contact lies before. */
function lookAhead(look: (time: number) => Look, time: number, now: Look, before: Look, since: number, end: number, method: RootMethod): number {
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
  const there = look(beyond)
  return there.value <= 0 ? rootBetween(look, time, now, beyond, there, method).time : Infinity
}

function pointSpeed({ bounds, radius }: Reaching): number {
  return bounds.speed + times(bounds.angularSpeed, radius)
}

function pointAcceleration({ bounds, radius }: Reaching): number {
  return bounds.acceleration + times(bounds.angularAcceleration, radius)
}

/** Time for which no point can close the separation along its direction, s. */
function approachTime(now: Look, a: Reaching, b: Reaching, acceleration: number): number {
  const { motionA, motionB, normal, value } = now
  const speed = -dot(normal, sub(motionA.velocity, motionB.velocity))
    + turning(normal, motionA.angularVelocity, a.radius) + turning(normal, motionB.angularVelocity, b.radius)
  if (acceleration === Infinity) {
    return 0
  }
  if (acceleration === 0 && speed <= 0) {
    return Infinity
  }
  const root = Math.sqrt(speed * speed + 2 * acceleration * value)
  return speed >= 0 ? 2 * value / (speed + root) : (root - speed) / acceleration
}

/** Number of chords for the time for which the lowest points stay separated; results before the last are kept. */
const CHORDS = 4

/**
 * Time for which the solids stay apart along the constant n̂ = `normal`, s: at least `known`, at most `longest`. A point ρ of a body has the height
 *
 *   n̂·p(τ) ≥ n̂·ρ + (n̂·v + (n̂ × ω)·ρ) τ − ½ (a + (α + ω²) r) τ²
 *
 * so the lowest point is the support point of the solid along n̂ + τ (n̂ × ω).
 */
function lowestTime({ normal, value, motionA, motionB }: Look, a: Reaching, b: Reaching, known: number, longest: number): number {
  const speed = dot(normal, sub(motionA.velocity, motionB.velocity))
  const curvature = bend(a) + bend(b)
  const up = lowest(a, motionA, normal, cross(normal, motionA.angularVelocity))
  const down = lowest(b, motionB, scale(normal, -1), cross(motionB.angularVelocity, normal))
  return apartFor(tau => value + speed * tau + up(tau) + down(tau) - 0.5 * curvature * tau * tau, curvature, known, longest)
}

/**
 * The same along a direction m̂ fixed to the first body, out of it towards the second. If a face turns over an edge, only that direction continues to
 * separate them. In the first body's frame a point of the second, ρ from the first's centre and σ from its own, has
 *
 *   ẏ = w + (ω' − ω) × σ,  w = v' − v − ω × (c' − c),  |ÿ| ≤ a + a' + (α' + ω'²) r' + (α + ω²) ρ + 2 ω (u + ω ρ)
 *
 * with u ≥ |v' − v| of such points. A point that touches at the end of the time was never farther away than ρ = reach + u τ.
 */
function carriedTime(
  value: number, normal: Vec3, [body, motion]: Placed, [other, otherMotion]: Placed, known: number, longest: number,
): number {
  const omega = body.bounds.angularSpeed
  if (omega === 0 || !(body.radius + other.radius < Infinity)) return known
  const u = body.bounds.speed + pointSpeed(other)
  const reach = body.radius + ball(body) + ball(other) + u * longest
  const curvature = body.bounds.acceleration + bend(other)
    + (body.bounds.angularAcceleration + omega * omega) * reach + 2 * omega * (u + omega * reach)
  const apart = sub(otherMotion.center, motion.center)
  const speed = dot(normal, sub(sub(otherMotion.velocity, motion.velocity), cross(motion.angularVelocity, apart)))
  const up = lowest(other, otherMotion, normal, cross(normal, sub(otherMotion.angularVelocity, motion.angularVelocity)))
  return apartFor(tau => value + speed * tau + up(tau) - 0.5 * curvature * tau * tau, curvature, known, longest)
}

/**
 * The same along a direction that turns with Ω = `turn`: if two edges cross and slide, their separating direction is fixed to neither body. In a frame that
 * turns with it, with d = c_A − c_B and ω' = ω − Ω of each body,
 *
 *   ẏ = n̂·(v_A − v_B − Ω × d) + n̂·(ω'_A × ρ_A − ω'_B × ρ_B)
 *   |ÿ| ≤ a_A + a_B + 2 Ω (u + Ω d) + Ω² d + Σ (α + Ω ω + (ω + Ω)²) r
 *
 * with u ≥ |v_A − v_B|, and d at most its current value plus u τ.
 */
function turningTime({ normal, value, motionA, motionB }: Look, turn: Vec3, a: Reaching, b: Reaching, known: number, longest: number): number {
  const rate = length(turn)
  if (rate === 0 || !(a.radius + b.radius < Infinity)) return known
  const between = sub(motionA.center, motionB.center)
  const u = a.bounds.speed + b.bounds.speed
  const reach = length(between) + u * longest
  const ofPoints = ({ bounds: { angularSpeed, angularAcceleration }, radius }: Reaching): number =>
    (angularAcceleration + rate * angularSpeed + (angularSpeed + rate) * (angularSpeed + rate)) * radius
  const curvature = a.bounds.acceleration + b.bounds.acceleration + 2 * rate * (u + rate * reach) + rate * rate * reach + ofPoints(a) + ofPoints(b)
  const speed = dot(normal, sub(sub(motionA.velocity, motionB.velocity), cross(turn, between)))
  const up = lowest(a, motionA, normal, cross(normal, sub(motionA.angularVelocity, turn)))
  const down = lowest(b, motionB, scale(normal, -1), cross(sub(motionB.angularVelocity, turn), normal))
  return apartFor(tau => value + speed * tau + up(tau) + down(tau) - 0.5 * curvature * tau * tau, curvature, known, longest)
}

type Placed = readonly [Reaching, BodyMotion]

/**
 * Time until which a concave function of time is positive, s. If it is positive at two instants, it is positive between them, and the zero of a chord lies
 * before its own.
 */
function apartFor(gap: (tau: number) => number, curvature: number, known: number, longest: number): number {
  if (!(curvature < Infinity)) return known
  let low = known
  let lowGap = gap(low)
  let high = longest
  let highGap = gap(high)
  if (highGap > 0) return longest
  if (!(lowGap > 0) || !(highGap > -Infinity)) return known
  for (let chord = 0; chord < CHORDS; chord++) {
    const zero = low + (high - low) * lowGap / (lowGap - highGap)
    if (!(zero > low) || !(zero < high)) break
    const there = gap(zero)
    if (there > 0) {
      low = zero
      lowGap = there
    }
    // A concave curve lies well above a long chord, so the next chord ends nearer.
    const nearer = Math.min(high, 8 * low)
    if (nearer < high) {
      const nearerGap = gap(nearer)
      if (nearerGap > 0) {
        low = nearer
        lowGap = nearerGap
      } else {
        high = nearer
        highGap = nearerGap
      }
    }
  }
  return low
}

/** Bound of the acceleration of a point of the core, m/s². */
function bend(body: Reaching): number {
  const { acceleration, angularSpeed, angularAcceleration } = body.bounds
  return acceleration + times(angularAcceleration + angularSpeed * angularSpeed, body.radius)
}

/** Change in a time τ of the height of the lowest point of the core along `up`, where `up` turns by `turn` per second in the body's frame, m. */
function lowest(body: Reaching, motion: BodyMotion, up: Vec3, turn: Vec3): (tau: number) => number {
  const { primitive, pose } = body
  if (dot(turn, turn) === 0) return () => 0
  const offset = sub(toOuter(motion.pose, pose.position), motion.center)
  const height = (direction: Vec3): number => {
    const inward = rotateInverse(pose.orientation, rotateInverse(motion.pose.orientation, scale(direction, -1)))
    const point = rotate(motion.pose.orientation, rotate(pose.orientation, primitive.support(inward)))
    return dot(direction, offset) + dot(direction, point) + ball(body) * length(direction)
  }
  const present = height(up)
  return tau => height(addScaled(up, turn, tau)) - present
}

/** Radius of the ball swept over the core, m. */
function ball({ primitive }: Reaching): number {
  return primitive.radius - primitive.coreRadius
}

function turning(normal: Vec3, angularVelocity: Vec3, radius: number): number {
  return times(length(cross(normal, angularVelocity)), radius)
}

/** A product that is zero for a body that does not turn. */
function times(rate: number, radius: number): number {
  return rate === 0 ? 0 : rate * radius
}
