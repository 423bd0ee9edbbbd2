/** The force law without the WebAssembly kernel, in the same order of operations: results are equal to the bit. */

import { ROW_BOX, ROW_UNILATERAL } from '../../../../../../core/lcp/problem'
import { singleRows, type LawProblem } from '../../../../../../core/methods/time-stepping/solvers/force-law'
import { SLOPES, type NewtonVectors } from '../../../../../../core/methods/time-stepping/solvers/newton-vectors'

/** What the law reads of its vectors. */
export type LawInputs = Pick<NewtonVectors, 'given' | 'missed' | 'yielding'>

/** Impulses at a change of rates, and their slopes. */
export function forcesAt(
  problem: LawProblem, { given, missed, yielding }: LawInputs, change: Float64Array, stiffness: number, dual: Float64Array, frozen: boolean,
): { readonly force: Float64Array, readonly slopes: Float64Array } {
  const { friction, kind, lower, upper, compliance } = problem
  const force = new Float64Array(given.length)
  const slopes = new Float64Array(SLOPES * given.length)
  for (const i of singleRows(given.length, friction)) {
    const full = stiffness / yielding[i]!
    const share = 1 / (1 + full * compliance[i]!)
    const reach = share * full
    const z = share * given[i]! - reach * (missed[i]! + change[i]!)
    const least = kind[i] === ROW_UNILATERAL ? 0 : kind[i] === ROW_BOX ? lower[i]! : -Infinity
    const most = kind[i] === ROW_BOX ? upper[i]! : Infinity
    force[i] = Math.min(Math.max(z, least), most)
    slopes[SLOPES * i] = z > least && z < most ? reach : 0
  }
  for (const { normal: i, staticFriction } of friction) {
    const o = SLOPES * i
    const reach = stiffness / yielding[i]!
    const normal = force[i] = Math.max(0, given[i]! - reach * (missed[i]! + change[i]!))
    if (normal > 0) slopes[o] = reach
    const radius = staticFriction * (frozen ? given[i]! : normal)
    if (!(radius > 0)) continue
    const across = stiffness / yielding[i + 1]!
    const s = given[i + 1]! - across * (missed[i + 1]! + change[i + 1]!)
    const t = given[i + 2]! - across * (missed[i + 2]! + change[i + 2]!)
    const size = Math.sqrt(s * s + t * t)
    if (size <= radius) {
      force[i + 1] = s
      force[i + 2] = t
      slopes[o + 4] = slopes[o + 8] = across
      continue
    }
    const [x, y, v, w] = [s / size, t / size, dual[i + 1]!, dual[i + 2]!]
    force[i + 1] = radius * x
    force[i + 2] = radius * y
    const share = Math.min(1, radius / Math.sqrt(v * v + w * w))
    const turning = across / size
    slopes[o + 4] = turning * (radius - share * v * x)
    slopes[o + 5] = slopes[o + 7] = -turning * share * (v * y + w * x) / 2
    slopes[o + 8] = turning * (radius - share * w * y)
    if (frozen) continue
    slopes[o + 3] = staticFriction * x * slopes[o]!
    slopes[o + 6] = staticFriction * y * slopes[o]!
  }
  return { force, slopes }
}
