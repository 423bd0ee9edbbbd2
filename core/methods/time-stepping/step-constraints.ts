/** The contact constraints of one step: which exist, which are redundant, and which are part of the problem. */

import type { PrimitivePair } from '../../contact/contact-set'
import { length, sub } from '../../math/vector'
import { ActiveConstraint } from './active-constraint'
import type { BodyMotions } from './body-motions'
import { clearanceOf } from './clearance'
import type { Clusters } from './clusters'
import type { ContactModel, StepConstraint } from './contact-model'
import type { LocalScales } from './local-scales'
import type { ImpulseMemory } from './memory'
import type { NearPairs } from './near-pairs'
import type { Passages } from './passage'
import { tangentPlanes } from './tangent-plane'
import { GAP_ROUNDING, GAP_TARGET, ITERATIVE_GAP, LATERAL_TOLERANCE, PILE_GAP, TOUCHING } from './tolerances'

/** × the gap target of piles, or `tolerance`: contacts keep gaps up to twice the target. */
const RESTING_HEIGHT = 3
/** × radius of the smaller primitive: contacts nearer to each other are one. */
const SPACING = 1e-3

/** Largest number of tangent planes of a pair in a step: a disc that lands needs up to nine; if more are needed, the step is halved. */
const MAX_PLANES = 16

/** × the free approach of a pair, and × the largest motion of its bodies: search distance of its features. */
const AHEAD = 2
const SHARE = 0.25

export class StepConstraints {
  list: ActiveConstraint[] = []
  /** Their keys. */
  private readonly known = new Set<string>()
  /** By pair: active constraints, without redundant ones. */
  private readonly pushing = new Map<PrimitivePair, ActiveConstraint[]>()
  /** By pair of curved solids: number of its tangent planes in this step. */
  private readonly planes = new Map<PrimitivePair, number>()
  private readonly found: StepConstraint[] = []
  /** Pairs within reach that free motion leaves separated: their features are searched only after another motion brings them together. */
  private waiting: PrimitivePair[] = []

  /** @param memory contacts with an impulse in the last step: in piles they take part in the next one from its start */
  constructor(
    private readonly motions: BodyMotions, private readonly passages: Passages, private readonly near: NearPairs, private readonly scales: LocalScales,
    private readonly clusters: Clusters, private readonly memory: ImpulseMemory, private readonly tolerance: number | null,
  ) {}

  /** m: largest gap at which a contact of a pair counts as resting. */
  private touchingOf({ bodyA, bodyB }: PrimitivePair): number {
    const { scales, clusters, tolerance } = this
    const touching = Math.max(TOUCHING * Math.max(GAP_TARGET, ITERATIVE_GAP * scales.size(bodyA, bodyB)), RESTING_HEIGHT * (tolerance ?? 0))
    return clusters.isPile(bodyA) ? Math.max(touching, RESTING_HEIGHT * PILE_GAP * scales.least([bodyA, bodyB])) : touching
  }

  /** m */
  private toleranceOf({ bodyA, bodyB }: PrimitivePair): number {
    return LATERAL_TOLERANCE * this.scales.size(bodyA, bodyB)
  }

  /** m */
  private roundingOf({ bodyA, bodyB }: PrimitivePair): number {
    return GAP_ROUNDING * this.scales.size(bodyA, bodyB)
  }

  clear(): void {
    this.list = []
    this.known.clear()
    this.pushing.clear()
    this.planes.clear()
    this.waiting = []
  }

  /**
   * Adds the model's constraints of near pairs, for the features that face each other at the start.
   *
   * @param elsewhere by body: whether its contacts are solved elsewhere
   */
  begin(model: ContactModel, elsewhere: Uint8Array): void {
    const { near: { pairs, way }, motions: { snapshot, poses, turned }, waiting, memory, clusters } = this
    const pushed: StepConstraint[] = []
    const keys = new Set<string>()
    for (const pair of pairs) {
      const { bodyA, bodyB } = pair
      if (elsewhere[bodyA] === 1 || elsewhere[bodyB] === 1) continue
      const clearance = clearanceOf(pair)
      const startA = snapshot.motions[bodyA]!.pose
      const startB = snapshot.motions[bodyB]!.pose
      if (clearance.startsApart(startA, startB, way[bodyA]! + way[bodyB]!, turned)) continue
      if (clusters.isPile(bodyA)) memory.pushing(pair.collider, pushed)
      if (pushed.length === 0 && clearance.staysKnownApart(startA, startB, this.touchingOf(pair), poses[bodyA]!, poses[bodyB]!)) {
        waiting.push(pair)
        continue
      }
      this.ask(model, pair)
      for (const constraint of pushed) {
        keys.add(constraint.key)
        // A constraint found because its pair overlapped may involve features that do not face each other at the start.
        if (constraint.kind === 'unilateral' && constraint.candidates[0]!.margin(startA, startB) >= 0) this.found.push(constraint)
      }
      pushed.length = 0
    }
    this.take()
    for (const active of this.list) {
      const { constraint: { key, primaries }, redundant } = active
      if (primaries > 0 && !redundant && keys.has(key)) active.engaged = true
    }
  }

  /** Adds the model's constraints of deferred pairs that have moved and are no longer separated. */
  private admit(model: ContactModel, moved: Uint8Array): void {
    const { motions: { poses }, passages } = this
    this.waiting = this.waiting.filter(pair => {
      const { bodyA, bodyB } = pair
      if (moved[bodyA] === 0 && moved[bodyB] === 0) return true
      if (passages.cannotMeet(pair) || clearanceOf(pair).isApart(poses[bodyA]!, poses[bodyB]!, -this.roundingOf(pair))) return true
      this.ask(model, pair)
      return false
    })
    this.take()
  }

  private ask(model: ContactModel, pair: PrimitivePair, reach = this.reachOf(pair)): void {
    const { motions: { snapshot: { motions }, poses, h }, found } = this
    const { bodyA, bodyB } = pair
    const tolerance = this.toleranceOf(pair)
    model.constraints(pair, {
      moving: { a: motions[bodyA]!, b: motions[bodyB]!, h },
      startA: motions[bodyA]!.pose, startB: motions[bodyB]!.pose, endA: poses[bodyA]!, endB: poses[bodyB]!, reach, tolerance, again: false,
      spacing: SPACING * Math.min(pair.a.primitive.radius, pair.b.primitive.radius),
    }, found)
  }

  /**
   * m: search distance of features of a pair. In a falling pile bodies have large absolute but small relative motions; features farther apart that
   * impulses bring together are found by the final check of all pairs.
   */
  private reachOf(pair: PrimitivePair): number {
    const { near: { way }, motions: { snapshot: { motions, bodies }, poses, turns } } = this
    const { bodyA, bodyB } = pair
    const most = way[bodyA]! + way[bodyB]!
    const shift = sub(sub(poses[bodyA]!.position, motions[bodyA]!.pose.position), sub(poses[bodyB]!.position, motions[bodyB]!.pose.position))
    let closing = length(shift)
    for (const body of [bodyA, bodyB]) {
      const turn = length(turns[body]!)
      if (turn > 0) closing += turn * bodies[body]!.boundingRadius
    }
    return Math.min(most, AHEAD * closing + SHARE * most + this.touchingOf(pair))
  }

  /** Adds the model's constraints of a pair that overlaps or passes through at a time within the step of h seconds. @returns how many are new */
  again(model: ContactModel, pair: PrimitivePair, time: number, h: number): number {
    const { near: { way }, passages, motions: { poses }, found, planes } = this
    const { bodyA, bodyB } = pair
    const tolerance = this.toleranceOf(pair)
    const [startA, startB] = [passages.poseAt(bodyA, time, h), passages.poseAt(bodyB, time, h)]
    model.constraints(pair, {
      startA, startB, endA: poses[bodyA]!, endB: poses[bodyB]!, reach: way[bodyA]! + way[bodyB]!, tolerance, again: true, spacing: tolerance,
    }, found)
    if (isCurved(pair)) {
      const before = planes.get(pair) ?? 0
      const added = before < MAX_PLANES ? tangentPlanes(pair, found, startA, startB, before) : []
      planes.set(pair, before + added.length)
      if (added.length > 0) found.splice(0, found.length, ...added)
    }
    return this.take()
  }

  /** Adds the model's constraints of pairs that moved farther than predicted, still at the start of the step. @returns how many are new */
  widen(model: ContactModel, pairs: readonly PrimitivePair[]): number {
    const { near: { way } } = this
    for (const pair of pairs) this.ask(model, pair, way[pair.bodyA]! + way[pair.bodyB]!)
    return this.take()
  }

  private take(): number {
    const before = this.list.length
    for (const constraint of this.found) {
      if (this.known.has(constraint.key)) continue
      const active = new ActiveConstraint(constraint)
      this.place(active)
      this.known.add(constraint.key)
      this.list.push(active)
    }
    this.found.length = 0
    return this.list.length - before
  }

  /** Evaluates a new constraint at the start of the step, and whether an earlier one of its pair makes it redundant. */
  private place(active: ActiveConstraint): void {
    const { pair, primaries } = active.constraint
    if (primaries === 0) return
    const { motions } = this.motions.snapshot
    const [a, b] = [motions[pair.bodyA]!.pose, motions[pair.bodyB]!.pose]
    active.beginAt(a, b, this.touchingOf(pair))
    const spacing = SPACING * Math.min(pair.a.primitive.radius, pair.b.primitive.radius)
    const others = this.pushing.get(pair)
    if (others === undefined) {
      this.pushing.set(pair, [active])
    } else if (others.some(other => active.doubles(other, spacing, a, b))) {
      active.redundant = true
      active.engaged = false
    } else {
      others.push(active)
    }
  }

  /** Drops the constraints of bodies that no longer take part. */
  leave(failed: Uint8Array): void {
    const stays = ({ bodyA, bodyB }: PrimitivePair): boolean => failed[bodyA] === 0 && failed[bodyB] === 0
    this.list = this.list.filter(({ constraint: { pair } }) => stays(pair))
    this.waiting = this.waiting.filter(stays)
  }

  /** Engages constraints that free motion of the bodies marked in `open` would violate; most within reach never are. */
  engagePredicted(open: Uint8Array): void {
    for (const active of this.list) {
      if (!active.redundant && this.mayFail(active, open) && !this.holds(active, 0) && !this.restsOnAnother(active)) active.engaged = true
    }
  }

  /**
   * Whether another candidate than the active one touches at the start. In free motion the body falls through it; with its contacts it need not. (An edge of
   * a box that slides from one tile of a floor to the next passes over the next tile's edge.)
   */
  private restsOnAnother(active: ActiveConstraint): boolean {
    const { pair } = active.constraint
    const { motions } = this.motions.snapshot
    return active.restsOnAnother(motions[pair.bodyA]!.pose, motions[pair.bodyB]!.pose, this.touchingOf(pair))
  }

  /**
   * Engages violated constraints between bodies marked in `moved` that were left out. A redundant one joins only if it is violated while those that
   * imply it hold.
   */
  engageViolated(model: ContactModel, moved: Uint8Array): ActiveConstraint[] {
    this.admit(model, moved)
    const violated = this.list.filter(active => this.mayFail(active, moved) && !this.holds(active, -this.roundingOf(active.constraint.pair)))
    const mended = new Set(violated.filter(({ redundant }) => !redundant).map(({ constraint }) => constraint.pair))
    const joining = violated.filter(({ redundant, constraint }) => !redundant || !mended.has(constraint.pair))
    for (const active of joining) active.engaged = true
    return joining
  }

  /** Whether an inactive constraint could be violated: one of its bodies has moved farther than its gap. */
  private mayFail({ engaged, from, constraint: { pair: { bodyA, bodyB }, primaries } }: ActiveConstraint, moved: Uint8Array): boolean {
    const { path } = this.motions
    return primaries > 0 && !engaged && (moved[bodyA] === 1 || moved[bodyB] === 1) && from <= path[bodyA]! + path[bodyB]!
  }

  private holds(active: ActiveConstraint, least: number): boolean {
    const { poses } = this.motions
    const { bodyA, bodyB } = active.constraint.pair
    return active.holds(poses[bodyA]!, poses[bodyB]!, least)
  }
}

function isCurved({ a, b }: PrimitivePair): boolean {
  return [a, b].some(({ primitive: { kind } }) => kind !== 'polyhedron' && kind !== 'halfSpace')
}
