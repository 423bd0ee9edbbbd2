/** The constraints of two polyhedra, cached while their relative motion and their predicted end hardly change. */

import type { PrimitivePair } from '../../../contact/contact-set'
import type { WorldPrimitive } from '../../../contact/world'
import type { Polyhedron } from '../../../geometry/polyhedron'
import { clearanceOf } from '../clearance'
import type { PairStep, StepConstraint } from '../contact-model'
import { Drift } from '../drift'
import { pairConstraints, pairFactories, type PairFactories } from './pair'

/** × radius of the smaller solid: relative motion after which constraints are rebuilt. */
const HELD = 1e-4
/** × reach of the step: search distance of features of a pair at rest, so that a somewhat faster step finds them too. */
const AHEAD = 1.5

export class HeldConstraints {
  private readonly a: Polyhedron
  private readonly b: Polyhedron
  private readonly held: number
  private readonly factories: PairFactories
  private found: readonly StepConstraint[] = []
  /** m: distance of the feature search. */
  private reach = -Infinity
  /** m: requested distance of that search. */
  private asked = -Infinity
  private readonly start = new Drift()
  private readonly end = new Drift()

  constructor(private readonly pair: PrimitivePair, slack: number, private readonly primaries: number) {
    const placed = ({ primitive, pose }: WorldPrimitive): Polyhedron => (primitive as Polyhedron).placed(pose)
    this.a = placed(pair.a)
    this.b = placed(pair.b)
    this.held = HELD * Math.min(pair.a.primitive.radius, pair.b.primitive.radius)
    this.factories = pairFactories(this.a, this.b, slack)
  }

  of(step: PairStep): readonly StepConstraint[] {
    const { pair, a, b, held, start, end, factories } = this
    const { startA, startB, endA, endB, reach } = step
    const [moved, movedEnd] = [start.since(startA, startB, b.radius), end.since(endA, endB, b.radius)]
    // The same query again within one step, because of other bodies.
    if (moved === 0 && movedEnd === 0 && reach === this.asked) return this.found
    this.asked = reach
    const rests = moved <= held && movedEnd <= held
    if (rests && reach + held <= this.reach) return this.found
    this.reach = rests ? AHEAD * reach + 2 * held : reach
    start.mark(startA, startB)
    end.mark(endA, endB)
    const joins = { a: pair.a.joins ?? null, b: pair.b.joins ?? null }
    const made = pairConstraints(a, b, clearanceOf(pair), rests ? { ...step, reach: this.reach } : step, this.primaries, factories, joins)
    return this.found = made.map(({ side, feature, index, crossing, kind, candidates, primaries, kept = [] }): StepConstraint =>
      ({ kind, pair, key: `${pair.key}/${side}.${feature}${index}${crossing === undefined ? '' : `.${crossing}`}`, candidates, primaries, kept }))
  }
}
