/**
 * Extremal points of two convex surfaces known only as black boxes [Baraff92 §5.2.1, app. A]: Newton on conditions E1–E4 of eq. 5-2 for implicit
 * surfaces, and on eq. A-4 for parametric ones.
 *
 * First guess: where the line of centres leaves each surface, by bisection. Newton's steps are halved while they do not bring the residual down. Apart, the
 * result is the global minimum exactly where both multipliers have the right sign (convexity), so a wrong stationary point is known for what it is; then
 * the points first slide downhill along their surfaces for a while.
 *
 * Solids give their points of known normal, directly or by Newton's method, so their contacts are found in `core/collision/extreme-direction.ts` with two
 * unknowns instead of eight; this is the check of that.
 */

import type { ImplicitSurface, ParametricSurface, SurfacePatch } from '../geometry/black-box'
import { luFactor, luSolve } from '../../../../core/math/factor'
import { multiply, transform, transpose } from '../../../../core/math/matrix'
import { toInner, toOuter, type Pose } from '../../../../core/math/pose'
import { rotate, toMatrix } from '../../../../core/math/quaternion'
import { add, addScaled, cross, dot, length, lengthSquared, scale, sub, type Vec3 } from '../../../../core/math/vector'

export interface ExtremePair {
  readonly onA: Vec3
  readonly onB: Vec3
  /** m, > 0 apart. */
  readonly separation: number
  /** Newton steps. */
  readonly iterations: number
  /** Whether the conditions hold to rounding, with the multipliers of the nearest points. */
  readonly converged: boolean
}

const BISECTIONS = 12
const NEWTON_STEPS = 60
const HALVINGS = 12
const SLIDES = 200
/** Residual relative to the bodies' distance and size that counts as zero. */
const CONVERGED = 1e-14

/** The surface moved to a pose in the world. */
export function placedImplicit(surface: ImplicitSurface, pose: Pose): ImplicitSurface {
  const rotation = toMatrix(pose.orientation)
  return {
    value: p => surface.value(toInner(pose, p)),
    gradient: p => transform(rotation, surface.gradient(toInner(pose, p))),
    hessian: p => multiply(multiply(rotation, surface.hessian(toInner(pose, p))), transpose(rotation)),
  }
}

export function placedParametric(surface: ParametricSurface, pose: Pose): ParametricSurface {
  const turn = (v: Vec3): Vec3 => rotate(pose.orientation, v)
  return {
    domain: surface.domain,
    at: (u, v) => {
      const patch = surface.at(u, v)
      return {
        point: toOuter(pose, patch.point), u: turn(patch.u), v: turn(patch.v), uu: turn(patch.uu), uv: turn(patch.uv), vv: turn(patch.vv),
      }
    },
    parameters: p => surface.parameters(toInner(pose, p)),
  }
}

/** Eq. 5-2 for surfaces F and G in the world, with a point inside each; `guess`: where the points were before, plus Δt times their rates [eq. 5-3]. */
export function extremalImplicit(
  F: ImplicitSurface, centerA: Vec3, G: ImplicitSurface, centerB: Vec3, guess?: { readonly onA: Vec3, readonly onB: Vec3 },
): ExtremePair {
  const start = guess ?? { onA: crossing(F, centerA, centerB), onB: crossing(G, centerB, centerA) }
  const first = newtonImplicit(F, G, start.onA, start.onB)
  if (first.converged) {
    return first
  }
  const near = slide(F, centerA, G, centerB)
  const second = newtonImplicit(F, G, near.onA, near.onB)
  return { ...second, iterations: first.iterations + second.iterations }
}

/** Where the way from a point inside towards another leaves the surface, roughly. */
function crossing(surface: ImplicitSurface, inside: Vec3, towards: Vec3): Vec3 {
  const way = sub(towards, inside)
  let [low, high] = [0, 1]
  for (let k = 0; k < 60 && surface.value(addScaled(inside, way, high)) < 0; k++) {
    high *= 2
  }
  for (let k = 0; k < BISECTIONS; k++) {
    const middle = (low + high) / 2
    if (surface.value(addScaled(inside, way, middle)) < 0) {
      low = middle
    } else {
      high = middle
    }
  }
  return addScaled(inside, way, (low + high) / 2)
}

/** Both points go downhill in distance along their surfaces, by ever shorter steps where they do not. */
function slide(F: ImplicitSurface, centerA: Vec3, G: ImplicitSurface, centerB: Vec3): { onA: Vec3, onB: Vec3 } {
  let onA = crossing(F, centerA, centerB)
  let onB = crossing(G, centerB, centerA)
  let share = 0.5
  for (let k = 0; k < SLIDES; k++) {
    const way = sub(onB, onA)
    const alongA = addScaled(way, F.gradient(onA), -dot(way, F.gradient(onA)) / lengthSquared(F.gradient(onA)))
    const alongB = addScaled(way, G.gradient(onB), -dot(way, G.gradient(onB)) / lengthSquared(G.gradient(onB)))
    const nextA = crossing(F, centerA, addScaled(onA, alongA, share))
    const nextB = crossing(G, centerB, addScaled(onB, alongB, -share))
    if (length(sub(nextB, nextA)) < length(way)) {
      onA = nextA
      onB = nextB
    } else {
      share /= 2
    }
  }
  return { onA, onB }
}

/** Unknowns p_a, p_b, λ₁, λ₂. */
function newtonImplicit(F: ImplicitSurface, G: ImplicitSurface, onA: Vec3, onB: Vec3): ExtremePair {
  const gradientA = F.gradient(onA)
  const gradientB = G.gradient(onB)
  const start = [...onA, ...onB, dot(sub(onA, onB), gradientB) / lengthSquared(gradientB), length(gradientA) / length(gradientB)]
  const size = length(sub(onA, onB)) + 1
  const solved = newton(start, x => {
    const [pa, pb] = points(x)
    const [gF, gG] = [F.gradient(pa), G.gradient(pb)]
    const [l1, l2] = [x[6]!, x[7]!]
    return [...addScaled(gF, gG, l2), F.value(pa), G.value(pb), ...addScaled(sub(pb, pa), gG, l1)]
  }, x => {
    const [pa, pb] = points(x)
    const [gF, gG, hF, hG] = [F.gradient(pa), G.gradient(pb), F.hessian(pa), G.hessian(pb)]
    const [l1, l2] = [x[6]!, x[7]!]
    const J = new Float64Array(64)
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        J[8 * i + j] = hF[3 * i + j]!
        J[8 * i + 3 + j] = l2 * hG[3 * i + j]!
        J[8 * (5 + i) + 3 + j] = l1 * hG[3 * i + j]! + (i === j ? 1 : 0)
      }
      J[8 * i + 7] = gG[i]!
      J[8 * 3 + i] = gF[i]!
      J[8 * 4 + 3 + i] = gG[i]!
      J[8 * (5 + i) + i] = -1
      J[8 * (5 + i) + 6] = gG[i]!
    }
    return J
  }, CONVERGED * size)
  const [pa, pb] = points(solved.x)
  const [l1, l2] = [solved.x[6]!, solved.x[7]!]
  return {
    onA: pa, onB: pb, separation: Math.sign(l1) * length(sub(pa, pb)), iterations: solved.iterations,
    // Normals opposed, and A on the outer side of B: of the stationary points only the nearest has both (or the deepest, in overlap).
    converged: solved.converged && l2 > 0 && l1 >= -size,
  }
}

function points(x: readonly number[]): [Vec3, Vec3] {
  return [[x[0]!, x[1]!, x[2]!], [x[3]!, x[4]!, x[5]!]]
}

/** Eq. A-4: unknowns u_a, v_a, u_b, v_b, λ₁, λ₂. `guess`: points near the extremal ones. */
export function extremalParametric(
  S: ParametricSurface, T: ParametricSurface, guess: { readonly onA: Vec3, readonly onB: Vec3 },
): ExtremePair {
  const [ua, va] = S.parameters(guess.onA)
  const [ub, vb] = T.parameters(guess.onB)
  const [nA, nB] = [normalOf(S.at(ua, va)), normalOf(T.at(ub, vb))]
  const start = [ua, va, ub, vb, dot(sub(guess.onA, guess.onB), nB) / lengthSquared(nB), length(nA) / length(nB)]
  const size = length(sub(guess.onA, guess.onB)) + 1
  const solved = newton(start, x => {
    const [a, b] = [S.at(x[0]!, x[1]!), T.at(x[2]!, x[3]!)]
    return [...addScaled(normalOf(a), normalOf(b), x[5]!), ...addScaled(sub(b.point, a.point), normalOf(b), x[4]!)]
  }, x => {
    const [a, b] = [S.at(x[0]!, x[1]!), T.at(x[2]!, x[3]!)]
    const [normalB, dA, dB] = [normalOf(b), normalRates(a), normalRates(b)]
    const columns: readonly [Vec3, Vec3][] = [
      [dA.u, scale(a.u, -1)], [dA.v, scale(a.v, -1)],
      [scale(dB.u, x[5]!), addScaled(b.u, dB.u, x[4]!)], [scale(dB.v, x[5]!), addScaled(b.v, dB.v, x[4]!)],
      [[0, 0, 0], normalB], [normalB, [0, 0, 0]],
    ]
    const J = new Float64Array(36)
    columns.forEach(([top, bottom], j) => {
      for (let i = 0; i < 3; i++) {
        J[6 * i + j] = top[i]!
        J[6 * (3 + i) + j] = bottom[i]!
      }
    })
    return J
  }, CONVERGED * size)
  const [a, b] = [S.at(solved.x[0]!, solved.x[1]!), T.at(solved.x[2]!, solved.x[3]!)]
  return {
    onA: a.point, onB: b.point, separation: Math.sign(solved.x[4]!) * length(sub(a.point, b.point)), iterations: solved.iterations,
    converged: solved.converged && solved.x[5]! > 0,
  }
}

/** S_N = S_u × S_v [eq. A-2]. */
function normalOf(patch: SurfacePatch): Vec3 {
  return cross(patch.u, patch.v)
}

function normalRates(p: SurfacePatch): { u: Vec3, v: Vec3 } {
  return { u: add(cross(p.uu, p.v), cross(p.u, p.uv)), v: add(cross(p.uv, p.v), cross(p.u, p.vv)) }
}

interface Solved {
  readonly x: readonly number[]
  readonly iterations: number
  readonly converged: boolean
}

/** Newton with steps halved until the residual falls; ends where it no longer does. */
function newton(
  start: readonly number[], residual: (x: readonly number[]) => readonly number[], jacobian: (x: readonly number[]) => Float64Array, tolerance: number,
): Solved {
  const n = start.length
  const norm = (r: readonly number[]): number => Math.sqrt(r.reduce((sum, value) => sum + value * value, 0))
  let x = start
  let r = residual(x)
  let size = norm(r)
  for (let iterations = 0; iterations < NEWTON_STEPS; iterations++) {
    const factor = luFactor(jacobian(x), n)
    if (factor.pivotRatio === 0 || !Number.isFinite(size)) {
      return { x, iterations, converged: size <= 100 * tolerance }
    }
    const step = luSolve(factor, Float64Array.from(r))
    let share = 1
    let next = x
    let nextResidual = r
    for (let k = 0; k <= HALVINGS; k++, share /= 2) {
      next = x.map((value, i) => value - share * step[i]!)
      nextResidual = residual(next)
      if (norm(nextResidual) < size) {
        break
      }
    }
    const nextSize = norm(nextResidual)
    if (!(nextSize < size)) {
      return { x, iterations, converged: size <= 100 * tolerance }
    }
    x = next
    r = nextResidual
    size = nextSize
    if (size <= tolerance) {
      return { x, iterations: iterations + 1, converged: true }
    }
  }
  return { x, iterations: NEWTON_STEPS, converged: false }
}
