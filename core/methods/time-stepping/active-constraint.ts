/** A contact constraint during the solution of a step: its active row, its predicted gap, its impulse. */

import { gapOf, type ContactLocation, type FeaturePair } from '../../collision/contact'
import { spinsOfMaterial, type SpinFriction } from '../../contact/constraints'
import { IslandSpin } from '../../contact/island-spin'
import type { Snapshot } from '../../contact/snapshot'
import type { Pose } from '../../math/pose'
import { add, addScaled, cross, distanceSquared, dot, length, perpendicular, scale, ZERO, type Vec3 } from '../../math/vector'
import { relativeVelocityAt } from '../../geometry/motion'
import { sizeOf } from '../../lcp/spin'
import type { StepConstraint } from './contact-model'
import { MAX_AIM, MIN_AIM } from './tolerances'

/** Cosine of two normals above which they count as equal. */
const SAME_WAY = 0.999

/** An inactive candidate, in a problem whose solver selects the active ones. */
export interface OtherCandidate {
  readonly features: FeaturePair
  /** At the start of the step. */
  readonly at: ContactLocation
  row: number
}

const NONE: readonly IslandSpin[] = []
const NO_CANDIDATES: readonly FeaturePair[] = []

export class ActiveConstraint {
  /** Candidate in force. */
  choice = 0
  /** Location of the active candidate at the start of the step. */
  at: ContactLocation = { point: ZERO, normal: ZERO, gap: 0 }
  tangent1: Vec3 = ZERO
  tangent2: Vec3 = ZERO
  /** v_A − v_B at the point at the start, m/s. */
  relativeVelocity: Vec3 = ZERO
  /** n̂ · relativeVelocity, m/s. */
  normalVelocity = 0
  /** Largest predicted gap of the candidates at the end of the step, m; of inactive ones only if they separate. */
  gap = 0
  /** Predicted gap of the active candidate, m. */
  rowGap = 0
  /** Whether the bodies are separated although the row is violated: then the row may be released. */
  separated = false
  /** Whether the row was released because the bodies are separated. A row that had to be restored once is never released again. */
  hold: 'yes' | 'released' | 'for good' = 'yes'
  /** Whether it is part of its island's problem: because it rests, or would otherwise be violated. */
  engaged = false
  /** Whether other constraints of the pair imply it: it joins only if it is violated nevertheless. */
  redundant = false
  /** Candidate for which `at` was evaluated. */
  private located = -1
  /** Largest gap of the candidates at the start of the step, m; or a sufficiently large one. */
  from = 0
  /** Candidate that separated the features at the last evaluation. */
  private keeper = 0
  /** m: target of the active row's gap. */
  aim = 0
  /** Whether it touches at the start of the step. */
  touches = false
  /** Whether it touched and carried an impulse in the last step. */
  pressed = false
  /** Whether it approaches, at the start of the step, faster than a resting contact, in an island with impacts. */
  collides = false
  /** m/s: normal velocity at the end of the step without impacts. */
  unmet = 0
  /** m/s: the same along its tangents. */
  unmetSlip: readonly [number, number] = [0, 0]
  /** m/s: least normal velocity after an impact with restitution; −Infinity if there is none. */
  bounce = -Infinity
  /** μ in force for this step. */
  friction = 0
  /** N s on A, world frame: its impulse when its island was last solved in this step. */
  given: Vec3 | null = null
  /** m/s: target of its row in that solution. */
  asked = 0
  /** Gradient of its gap at the end of the step, 12 doubles; null if it equals its row at the start. */
  gradient: Float64Array | null = null
  /** N m s: the same for its spins. */
  givenTurn: Vec3 = ZERO
  /** Torsional and rolling friction, and their rows in its island. */
  readonly spins: readonly SpinFriction[]
  private turns: readonly IslandSpin[] = NONE
  /** First row in its island; −1 if it has none. */
  row = -1
  /** Further candidates that may separate the features, if the solver selects the active one. */
  others: readonly OtherCandidate[] = []

  constructor(readonly constraint: StepConstraint) {
    this.spins = spinsOfMaterial(constraint.pair.material)
  }

  /** Forgets its earlier solutions in this step. */
  forget(): void {
    this.given = null
    this.gradient = null
  }

  /** Whether some candidate separates the features by more than `least`, m, at the given poses. */
  holds(a: Pose, b: Pose, least: number): boolean {
    const { candidates } = this.constraint
    if (gapOf(candidates[this.keeper]!, a, b) >= least) return true
    for (let k = 0; k < candidates.length; k++) {
      if (k === this.keeper || gapOf(candidates[k]!, a, b) < least) continue
      this.keeper = k
      return true
    }
    return false
  }

  /** Evaluates it at the start of the step; resting constraints are engaged at once. `touching`: largest gap of a resting contact, m. */
  beginAt(a: Pose, b: Pose, touching: number): void {
    const { candidates, primaries, kept = NO_CANDIDATES } = this.constraint
    let best = gapOf(candidates[0]!, a, b)
    for (let i = 1; i < primaries; i++) {
      const gap = gapOf(candidates[i]!, a, b)
      if (gap <= best) continue
      best = gap
      this.choice = i
    }
    this.from = best
    for (let i = 0; i < kept.length && !this.redundant; i++) this.redundant = gapOf(kept[i]!, a, b) >= -touching
    this.locate(a, b)
    // One of these suffices to prove the absence of contact; otherwise all are tried.
    if (best > touching) return
    for (let i = primaries; i < candidates.length; i++) this.from = Math.max(this.from, gapOf(candidates[i]!, a, b))
    this.touches = this.from <= touching
    this.engaged = !this.redundant && this.touches && best >= this.from - touching && this.stands(a, b)
  }

  /** Whether a candidate other than the active one is within `touching` m at the given poses, and the active one is not. */
  restsOnAnother(a: Pose, b: Pose, touching: number): boolean {
    const { candidates } = this.constraint
    return this.at.gap > touching && candidates.some((candidate, k) => k !== this.choice && Math.abs(gapOf(candidate, a, b)) <= touching)
  }

  /**
   * Whether another constraint, at most `spacing` m away, acts in the same direction. An edge that could push in any direction at another's point is
   * implied by that one: at a corner whose vertex has a constraint, and along flush sides, all directions are equivalent. Features beyond each other
   * imply nothing.
   */
  doubles(other: ActiveConstraint, spacing: number, a: Pose, b: Pose): boolean {
    const { at: { point, normal } } = other
    return distanceSquared(point, this.at.point) <= spacing * spacing && (this.constraint.kind === 'cross' || dot(normal, this.at.normal) > SAME_WAY)
      && other.stands(a, b)
  }

  /** Whether the active features face each other, up to the lateral tolerance: a vertex past the end of a face does not. */
  private stands(a: Pose, b: Pose): boolean {
    return this.constraint.candidates[this.choice]!.margin(a, b) >= 0
  }

  /** Evaluates all candidates at the end poses; `free`: the active candidate may change. @returns whether it did */
  evaluateAtEnd(a: Pose, b: Pose, free: boolean): boolean {
    const { candidates, primaries } = this.constraint
    let largest = -Infinity
    let best = this.choice
    let bestGap = -Infinity
    let own = 0
    for (let i = 0; i < candidates.length; i++) {
      const gap = gapOf(candidates[i]!, a, b)
      // Violations of candidates that cannot push are ignored.
      if (gap > largest && (i < primaries || gap >= -this.aim)) largest = gap
      if (i === this.choice) own = gap
      if (i < primaries && gap > bestGap) {
        bestGap = gap
        best = i
      }
    }
    this.gap = largest
    const changed = free && best !== this.choice
    if (changed) {
      this.choice = best
      this.gradient = null
    }
    this.rowGap = changed ? bestGap : own
    return changed
  }

  /** Locates the active row at the start of the step; `aim`: target of the gap, m. */
  place(snapshot: Snapshot, stickSpeed: number, aim: number): void {
    const { pair } = this.constraint
    const a = snapshot.motions[pair.bodyA]!
    const b = snapshot.motions[pair.bodyB]!
    if (this.located !== this.choice) this.locate(a.pose, b.pose)
    const { point, normal, gap } = this.at
    this.tangent1 = perpendicular(normal)
    this.tangent2 = cross(normal, this.tangent1)
    this.relativeVelocity = relativeVelocityAt(a, b, point)
    this.normalVelocity = dot(normal, this.relativeVelocity)
    // A resting contact near the target keeps its gap, beyond rounding: unnecessary corrections are avoided.
    this.aim = Math.min(Math.max(gap, MIN_AIM * aim), MAX_AIM * aim)
    const slip = length(addScaled(this.relativeVelocity, normal, -this.normalVelocity))
    this.friction = slip <= stickSpeed ? pair.material.staticFriction : pair.material.dynamicFriction
  }

  /** Takes over a contact solved elsewhere, with v_A − v_B at its point at the start, m/s. */
  adopt(at: ContactLocation, relativeVelocity: Vec3, aim: number, friction: number): void {
    this.at = at
    this.tangent1 = perpendicular(at.normal)
    this.tangent2 = cross(at.normal, this.tangent1)
    this.relativeVelocity = relativeVelocity
    this.normalVelocity = dot(at.normal, relativeVelocity)
    this.gap = this.rowGap = at.gap
    this.aim = aim
    this.friction = friction
    this.engaged = true
  }

  /** Locates the active row at the poses of the step's start. */
  private locate(a: Pose, b: Pose): void {
    this.at = this.constraint.candidates[this.choice]!.locate(a, b)
    this.located = this.choice
  }

  /** All inactive candidates, at the start of the step. */
  otherCandidates({ motions }: Snapshot): OtherCandidate[] {
    const { pair: { bodyA, bodyB }, candidates } = this.constraint
    return candidates.filter((_, i) => i !== this.choice)
      .map(features => ({ features, at: features.locate(motions[bodyA]!.pose, motions[bodyB]!.pose), row: -1 }))
  }

  /** Initial guess of its rows from an earlier solution in this step. */
  resume(p: Float64Array): void {
    const { row, given, at: { normal } } = this
    if (given === null) return
    p[row] = Math.max(0, dot(given, normal))
    if (this.friction > 0) {
      p[row + 1] = dot(given, this.tangent1)
      p[row + 2] = dot(given, this.tangent2)
    }
    this.recallTurn(p, this.givenTurn, 1)
  }

  /** The rows of one of its spins, from `row` on in its island. */
  turning(spin: SpinFriction, row: number): IslandSpin {
    const found = new IslandSpin(spin, {}, this.constraint.pair, this.row, row)
    this.turns = [...this.turns.filter(other => other.spin !== spin), found]
    return found
  }

  /** N m s on A, world frame, from the impulses of the island's rows. */
  angularImpulse(p: Float64Array): Vec3 {
    return this.turns.length === 0 ? ZERO : this.turns.reduce((sum: Vec3, turn) => add(sum, turn.torque(p)), ZERO)
  }

  /** Warm-starts the rows of its spins with `share` of an angular impulse. */
  recallTurn(p: Float64Array, impulse: Vec3, share: number): void {
    for (const turn of this.turns) turn.components(impulse).forEach((value, k) => { p[turn.rows.rows[k]!] = share * value })
  }

  /** Its spins that rotate faster than `still`, rad/s, by the velocities of the island's rows. */
  spinning(still: number, velocityOf: (row: number) => number): readonly SpinFriction[] {
    return this.turns.length === 0 ? [] : this.turns.filter(({ rows: { rows } }) => sizeOf(rows.map(velocityOf)) > still).map(({ spin }) => spin)
  }

  /** N s on A, world frame, from the impulses of the island's rows. */
  impulse(p: Float64Array): Vec3 {
    const { row, at: { normal }, tangent1, tangent2 } = this
    const along = scale(normal, p[row]!)
    return this.friction > 0 ? addScaled(addScaled(along, tangent1, p[row + 1]!), tangent2, p[row + 2]!) : along
  }
}
