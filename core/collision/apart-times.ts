/**
 * Lower bounds of the time until two moving solids can touch, by what is followed: the separation alone (`approachTime`), or the lowest points along a
 * direction that is constant (`lowestTime`), fixed to a body (`carriedTime`), or turning (`turningTime`).
 */

import type { BodyMotion } from '../geometry/motion'
import { toOuter } from '../math/pose'
import { rotate, rotateInverse } from '../math/quaternion'
import { addScaled, cross, dot, length, scale, sub, type Vec3 } from '../math/vector'
import type { Separation } from './contact'
import type { Reaching } from './moving-body'
import type { Sample } from './root'

/** The separation at one evaluated time, with its rate of change. */
export interface GapSample extends Separation, Sample {
  readonly motionA: BodyMotion
  readonly motionB: BodyMotion
}

export function pointSpeed({ bounds, radius }: Reaching): number {
  return bounds.speed + times(bounds.angularSpeed, radius)
}

export function pointAcceleration({ bounds, radius }: Reaching): number {
  return bounds.acceleration + times(bounds.angularAcceleration, radius)
}

/** Time for which no point can close the separation along its direction, s. */
export function approachTime(now: GapSample, a: Reaching, b: Reaching, acceleration: number): number {
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
export function lowestTime({ normal, value, motionA, motionB }: GapSample, a: Reaching, b: Reaching, known: number, longest: number): number {
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
export function carriedTime(
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
export function turningTime({ normal, value, motionA, motionB }: GapSample, turn: Vec3, a: Reaching, b: Reaching, known: number, longest: number): number {
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
 * Time until which a concave function of time is positive, s. If it is positive at two instants, it is positive between
 * them, and a chord's zero comes before the function's.
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
