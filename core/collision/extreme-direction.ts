/**
 * Extremal points of two convex bodies [Baraff92 §5.2.1], found by direction.
 *
 * With support points p_A(−n̂) and p_B(n̂), conditions E1–E3 of eq. 5-2 hold for every unit n̂, and E4 says that d = p_A − p_B is parallel to n̂: exactly
 * where the separation s(n̂) = n̂·d is stationary on the unit sphere. s is concave while the bodies are apart, so there is one maximum. Newton there:
 *
 *   (H_A + H_B + s 1) δ = d − s n̂   in the tangent plane of n̂, with H = ∇²h of both,
 *
 * safeguarded: the step is shortened until s grows or the residual falls, and where neither helps (flat spots, where H is infinite) the slope along the
 * step is bisected. On an edge, n̂ is kept at right angles to it [eq. 5-4].
 */

import { transform } from '../math/matrix'
import { add, addScaled, cross, dot, length, normalize, perpendicular, scale, sub, type Vec3 } from '../math/vector'
import type { Facing } from './support'

/** Residual |d − s n̂|, × size, that counts as zero: a few roundings. */
const CONVERGED = 4 * Number.EPSILON
const MAX_ITERATIONS = 300
const MAX_BISECTIONS = 60
/** Longest step of n̂ in one iteration, rad (as a tangent). */
const MAX_STEP = 1

export interface ExtremalPoints {
  /** Unit, out of B towards A. */
  readonly normal: Vec3
  /** m */
  readonly separation: number
  readonly onA: Vec3
  readonly onB: Vec3
  readonly iterations: number
}

interface State {
  readonly normal: Vec3
  readonly onA: Vec3
  readonly onB: Vec3
  readonly separation: number
  /** Along the tangents. */
  readonly residual: readonly number[]
  readonly tangents: readonly Vec3[]
}

/** From `start`, any direction that is not zero; `edge`: unit, to which n̂ stays at right angles. */
export function extremalPoints(a: Facing, b: Facing, start: Vec3, size: number, edge: Vec3 | null = null): ExtremalPoints {
  const look = (direction: Vec3): State => {
    const normal = normalize(edge === null ? direction : addScaled(direction, edge, -dot(direction, edge)))
    const onA = a.support(scale(normal, -1))
    const onB = b.support(normal)
    const d = sub(onA, onB)
    const tangents = edge === null ? twoTangents(normal) : [cross(edge, normal)]
    return { normal, onA, onB, separation: dot(normal, d), tangents, residual: tangents.map(t => dot(t, d)) }
  }
  let now = look(start)
  let iterations = 0
  while (norm(now.residual) > CONVERGED * size && iterations < MAX_ITERATIONS) {
    iterations++
    const next = improve(now, newtonStep(a, b, now), look)
    if (next === null) {
      break
    }
    now = next
  }
  return { normal: now.normal, separation: now.separation, onA: now.onA, onB: now.onB, iterations }
}

function twoTangents(normal: Vec3): Vec3[] {
  const t = perpendicular(normal)
  return [t, cross(normal, t)]
}

function norm(v: readonly number[]): number {
  return v.length === 1 ? Math.abs(v[0]!) : Math.sqrt(v[0]! * v[0]! + v[1]! * v[1]!)
}

/** δ in the tangents' coordinates; straight uphill where the matrix is not positive definite (deep overlap). */
function newtonStep(a: Facing, b: Facing, { normal, separation, tangents, residual }: State): Vec3 {
  const opposite = scale(normal, -1)
  const hA = a.hessian(opposite)
  const hB = b.hessian(normal)
  const M = (i: number, j: number): number =>
    dot(tangents[i]!, add(transform(hA, tangents[j]!), transform(hB, tangents[j]!))) + (i === j ? separation : 0)
  let coordinates: number[]
  if (tangents.length === 1) {
    const m = M(0, 0)
    coordinates = [residual[0]! / (m > 0 ? m : Math.abs(m) + Math.abs(residual[0]!))]
  } else {
    const [p, q, r] = [M(0, 0), M(0, 1), M(1, 1)]
    const determinant = p * r - q * q
    coordinates = determinant > 1e-14 * (p + r) * (p + r) && p + r > 0
      ? [(r * residual[0]! - q * residual[1]!) / determinant, (p * residual[1]! - q * residual[0]!) / determinant]
      : residual.map(g => g / (Math.abs(p) + Math.abs(r) + norm(residual)))
  }
  const step = coordinates.reduce<Vec3>((sum, c, i) => addScaled(sum, tangents[i]!, c), [0, 0, 0])
  const l = length(step)
  return Number.isFinite(l) ? (l > MAX_STEP ? scale(step, MAX_STEP / l) : step) : [0, 0, 0]
}

/** The next direction; `null` where none is better by more than rounding. */
function improve(now: State, step: Vec3, look: (direction: Vec3) => State): State | null {
  const before = norm(now.residual)
  for (let share = 1; share > 1 / 300; share /= 4) {
    const next = look(addScaled(now.normal, step, share))
    if (norm(next.residual) < 0.5 * before || (next.separation > now.separation && norm(next.residual) < before)) {
      return next
    }
  }
  const next = alongSlope(now, step, look)
  return next !== null && norm(next.residual) < before ? next : null
}

/** Bisects the slope of s along a step that goes uphill. */
function alongSlope(now: State, step: Vec3, look: (direction: Vec3) => State): State | null {
  const l = length(step)
  if (l === 0) {
    return null
  }
  const uphill = scale(step, 1 / l)
  const slope = (state: State): number => dot(uphill, sub(state.onA, state.onB)) - dot(uphill, state.normal) * state.separation
  let [low, high] = [0, l]
  let best: State | null = null
  for (let k = 0; k < MAX_BISECTIONS && high - low > 1e-3 * high; k++) {
    const middle = low === 0 ? high / 16 : (low + high) / 2
    const state = look(addScaled(now.normal, uphill, middle))
    if (slope(state) > 0) {
      low = middle
    } else {
      high = middle
    }
    if (best === null || norm(state.residual) < norm(best.residual)) {
      best = state
    }
  }
  return best
}
