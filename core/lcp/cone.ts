/**
 * From an index set to a solution with the exact circular cone, or to the result that it has none.
 *
 * 1. Newton's method on the index set (`newton.ts`) makes a = 0 and the directions of slip exact.
 * 2. If the system is rank-deficient, these forces may violate their cones although others with the same motion do not. Then the least-norm force in the
 * admissible sets (`least-norm.ts`) is used.
 * 3. The residual of the row conditions decides.
 */

import { allowedForces } from './allowed-forces'
import { leastNormIn, rangeBasis } from './least-norm'
import { placesIn } from './places'
import { readIndexSet } from './index-set'
import { newtonOnIndexSet } from './newton'
import { BASIS_LIMITED, type ContactProblem, type ContactSolution } from './problem'
import { relativeAcceleration, residual } from './residual'
import type { ScaledProblem } from './scaling'

export interface Candidate {
  readonly f: Float64Array
  readonly a: Float64Array
  readonly residual: number
  readonly basis: Uint8Array
  readonly slip: Float64Array
}

const EMPTY = new Float64Array(0)

/** Exact forces of an index set, starting from the equilibrated `start`. */
export function exactOnIndexSet(
  problem: ContactProblem, scaled: ScaledProblem, basis: Uint8Array, slip: Float64Array, start: Float64Array, tolerance: number,
): Candidate {
  const first = solveIndexSet(problem, scaled, basis, slip, start, tolerance)
  if (first.residual <= AIM * tolerance || first.residual > NEARLY) return first
  // An almost sticking contact has no well-defined slip direction, so Newton's method does not converge to one. Its state is read off its forces.
  const f = scaleForces(scaled, first.f)
  const set = readIndexSet(scaled, f, relativeAcceleration(scaled, f), STILL)
  if (set.basis.every((place, i) => place === basis[i])) return first
  const second = solveIndexSet(problem, scaled, set.basis, set.slip, f, tolerance)
  return second.residual < first.residual ? second : first
}

/** Relative acceleration below which a contact is tried as sticking, × the largest of |b| and |f|. */
const STILL = 1e-7

function solveIndexSet(
  problem: ContactProblem, scaled: ScaledProblem, basis: Uint8Array, slip: Float64Array, start: Float64Array, tolerance: number,
): Candidate {
  const newton = newtonOnIndexSet(scaled, basis, slip, start)
  const f = unscale(scaled, newton.f)
  const a = relativeAcceleration(problem, f)
  const worst = residual(problem, f, a)
  const aim = AIM * tolerance
  if (worst <= aim || !(newton.error <= tolerance)) return candidate(problem, scaled, basis, slip, f, a, worst)
  const { Q, rank } = rangeBasis(problem)
  let best = candidate(problem, scaled, basis, slip, f, a, worst)
  for (let pass = 0; pass < MAX_PASSES && best.residual > aim; pass++) {
    const before = best.residual
    const sets = allowedForces(problem, best.f, best.a)
    const { f: inCone, z } = leastNormIn(sets, Q, problem.size, rank, best.f)
    const projected = measured(problem, scaled, basis, slip, inCone)
    if (projected.residual < best.residual) best = projected
    if (best.residual <= aim || projected.residual > NEARLY) break
    // With very narrow cones the projection is ill-conditioned, so active cones become equations.
    const places = placesIn(problem, sets, z)
    const exact = newtonOnIndexSet(scaled, places.basis, places.slip, scaleForces(scaled, inCone))
    const solved = measured(problem, scaled, places.basis, places.slip, unscale(scaled, exact.f))
    if (solved.residual < best.residual) best = solved
    if (!(best.residual < 0.5 * before)) break
  }
  return best
}

function measured(problem: ContactProblem, scaled: ScaledProblem, basis: Uint8Array, slip: Float64Array, f: Float64Array): Candidate {
  const a = relativeAcceleration(problem, f)
  return candidate(problem, scaled, basis, slip, f, a, residual(problem, f, a))
}

/** Target residual, × the tolerance: a solution just within the tolerance may have a wrong index set. */
export const AIM = 1e-3
const MAX_PASSES = 4
/** Residual below which the active cones of a projection are accepted. */
const NEARLY = 1e-5

/** A solution from given forces; the basis and the slip directions of slipping contacts are read off them. */
export function candidate(
  problem: ContactProblem, scaled: ScaledProblem, basis: Uint8Array, slip: Float64Array, f: Float64Array, a: Float64Array, worst: number,
): Candidate {
  const directions = slip.slice()
  const places = basis.slice()
  problem.friction.forEach((contact, c) => {
    const { tangent1, tangent2 } = contact
    if (places[tangent1] !== BASIS_LIMITED) {
      directions[2 * c] = 0
      directions[2 * c + 1] = 0
    } else if (contact.state === 'sliding') {
      directions[2 * c] = contact.slip1
      directions[2 * c + 1] = contact.slip2
    } else {
      const a1 = a[tangent1]!
      const a2 = a[tangent2]!
      const size = Math.sqrt(a1 * a1 + a2 * a2)
      if (size > 1e-13 * Math.abs(f[contact.normal]!) / (scaled.scale[contact.normal]! * scaled.scale[contact.normal]!)) {
        directions[2 * c] = a1 / size
        directions[2 * c + 1] = a2 / size
      }
    }
  })
  return { f, a, residual: worst, basis: places, slip: directions }
}

/** f̂ = f / s. */
export function scaleForces(scaled: ScaledProblem, f: Float64Array): Float64Array {
  return f.map((value, i) => value / scaled.scale[i]!)
}

/** f = s f̂. */
export function unscale(scaled: ScaledProblem, f: Float64Array): Float64Array {
  const out = new Float64Array(f.length)
  for (let i = 0; i < f.length; i++) out[i] = f[i]! * scaled.scale[i]!
  return out
}

/** @param ray direction of unbounded forces, if `status` is `ray` @param history residual after each sweep */
export function solution(
  found: Candidate, status: ContactSolution['status'], pivots: number, basisHit: boolean, ray: Float64Array = EMPTY,
  history: Float64Array = EMPTY,
): ContactSolution {
  return { ...found, status, pivots, ray, history, basisHit }
}
