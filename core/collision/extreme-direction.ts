/**
 * Extremal points of two convex bodies [Baraff92 §5.2.1], found by direction.
 *
 * With support points p_A(−n̂) and p_B(n̂), conditions E1–E3 of eq. 5-2 hold for every unit n̂. E4 requires d = p_A − p_B parallel to n̂; it holds exactly
 * where the separation s(n̂) = n̂·d is stationary on the unit sphere. s is concave while the bodies are apart, so there is one maximum. Newton's method:
 *
 *   (H_A + H_B + s 1) δ = d − s n̂   in the tangent plane of n̂, with H = ∇²h of both,
 *
 * with safeguards: the step is shortened until s grows or the residual decreases. If neither happens (flat spots, where H is infinite), the slope along the
 * step is bisected. On an edge of direction e, n̂ is perpendicular to it [eq. 5-4]; on the side of a cone of axis e, n̂·e = σ is fixed by the cone's angle.
 * Then the angle about e is the only unknown. With n̂ = σ e + c r̂, c² = 1 − σ², Newton's matrix is t·H t + r̂·d/c for the tangent t = e × r̂.
 */

import { transform } from '../math/matrix'
import { add, addScaled, cross, dot, length, normalize, perpendicular, scale, sub, type Vec3 } from '../math/vector'
import type { Facing } from './support'

/** Residual |d − s n̂|, × size, that counts as zero: a few roundings. */
const CONVERGED = 4 * Number.EPSILON
const MAX_ITERATIONS = 300
const MAX_BISECTIONS = 60
/** Largest residual of a step beyond a zero, × the previous residual. */
const PASSED = 1e-2
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

/** Common property of normals of a straight edge, or of the side of a cone: n̂·axis = lean. */
export interface Ruling {
  /** Unit. */
  readonly axis: Vec3
  readonly lean: number
}

interface State {
  readonly normal: Vec3
  readonly onA: Vec3
  readonly onB: Vec3
  readonly separation: number
  /** Along the tangents. */
  readonly residual: readonly number[]
  readonly tangents: readonly Vec3[]
  /** Contribution of the distance to the curvatures. */
  readonly stiffness: number
}

/** From `start`, any nonzero direction, with n̂ constrained to the ruling. */
export function extremalPoints(a: Facing, b: Facing, start: Vec3, size: number, ruling: Ruling | null = null): ExtremalPoints {
  const look = (direction: Vec3): State => {
    const normal = ruling === null ? normalize(direction) : leaning(ruling, direction)
    const onA = a.support(scale(normal, -1))
    const onB = b.support(normal)
    const d = sub(onA, onB)
    const tangents = ruling === null ? twoTangents(normal) : [tangentOf(ruling, normal)]
    return {
      normal, onA, onB, separation: dot(normal, d), tangents, residual: tangents.map(t => dot(t, d)), stiffness: distanceStiffness(ruling, normal, d),
    }
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

/** The direction of a ruling nearest to a given one. */
function leaning({ axis, lean }: Ruling, direction: Vec3): Vec3 {
  const radial = normalize(addScaled(direction, axis, -dot(direction, axis)))
  const flat = addScaled(radial, axis, -dot(radial, axis))
  const outwards = dot(flat, flat) > 0.5 ? normalize(flat) : perpendicular(axis)
  return lean === 0 ? outwards : addScaled(scale(axis, lean), outwards, Math.sqrt(1 - lean * lean))
}

/** Unit tangent of n̂ in its rotation about a ruling's axis. */
export function tangentOf({ axis, lean }: Ruling, normal: Vec3): Vec3 {
  return scale(cross(axis, normal), 1 / Math.sqrt(1 - lean * lean))
}

/** Contribution of d = p_A − p_B to the curvatures: C, or r̂·d/c on a ruling. */
export function distanceStiffness(ruling: Ruling | null, normal: Vec3, d: Vec3): number {
  if (ruling === null) {
    return dot(normal, d)
  }
  const { axis, lean } = ruling
  return dot(addScaled(normal, axis, -lean), d) / (1 - lean * lean)
}

function twoTangents(normal: Vec3): Vec3[] {
  const t = perpendicular(normal)
  return [t, cross(normal, t)]
}

function norm(v: readonly number[]): number {
  return v.length === 1 ? Math.abs(v[0]!) : Math.sqrt(v[0]! * v[0]! + v[1]! * v[1]!)
}

/** δ in the tangents' coordinates; steepest ascent if the matrix is not positive definite (deep overlap). */
function newtonStep(a: Facing, b: Facing, { normal, stiffness, tangents, residual }: State): Vec3 {
  const opposite = scale(normal, -1)
  const hA = a.hessian(opposite)
  const hB = b.hessian(normal)
  const M = (i: number, j: number): number =>
    dot(tangents[i]!, add(transform(hA, tangents[j]!), transform(hB, tangents[j]!))) + (i === j ? stiffness : 0)
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

/** The next direction; `null` if none is better by more than rounding. */
function improve(now: State, step: Vec3, look: (direction: Vec3) => State): State | null {
  const before = norm(now.residual)
  for (let share = 1; share > 1 / 300; share /= 4) {
    const next = look(addScaled(now.normal, step, share))
    if (passes(now, next)) return between(now, scale(step, share), look)
    if (norm(next.residual) < 0.5 * before || (next.separation > now.separation && norm(next.residual) < before)) {
      return next
    }
  }
  return between(now, step, look)
}

/** Whether a ruling's only zero lies between two states and the second is hardly nearer. Beyond the narrow turn of a rim no step leads back to it. */
function passes(now: State, next: State): boolean {
  return now.tangents.length === 1 && now.residual[0]! * next.residual[0]! < 0 && norm(next.residual) > PASSED * norm(now.residual)
}

function between(now: State, step: Vec3, look: (direction: Vec3) => State): State | null {
  const next = alongSlope(now, step, look)
  return next !== null && norm(next.residual) < norm(now.residual) ? next : null
}

/** Bisects the slope of s along an ascending step. */
function alongSlope(now: State, step: Vec3, look: (direction: Vec3) => State): State | null {
  const l = length(step)
  if (l === 0) {
    return null
  }
  const uphill = scale(step, 1 / l)
  const ahead = now.tangents.length === 1 ? Math.sign(dot(uphill, now.tangents[0]!)) : 0
  const slope = (state: State): number => ahead === 0
    ? dot(uphill, sub(state.onA, state.onB)) - dot(uphill, state.normal) * state.separation : ahead * state.residual[0]!
  let [low, high] = [0, l]
  let best: State | null = null
  // If the tilt of a rim is tiny, its whole circle corresponds to a turn of 1e-9. From outside no direction is better until that range is found.
  const better = (): boolean => best !== null && norm(best.residual) < norm(now.residual)
  for (let k = 0; k < MAX_BISECTIONS && (high - low > 1e-3 * high || (!better() && high - low > Number.EPSILON)); k++) {
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
