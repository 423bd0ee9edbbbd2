/**
 * One time step: who may touch, islands, their problems, and the proof that nothing overlaps at its end or passed through anything on the way.
 *
 * Everything is first moved by forces and joints alone, with half a kick (velocity Verlet; RATTLE where there are joints). Islands in which nothing would
 * overlap keep that motion, and get the other half of the kick at the end. The others are solved with contacts, with the whole kick at the start [PEG17 §1.2].
 */

import type { PrimitivePair } from '../../contact/contact-set'
import { renormalize } from '../../dynamics/state-layout'
import { OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../../dynamics/state'
import { AppliedWrenches } from '../event-driven/applied'
import { length } from '../../math/vector'
import { ActiveConstraint } from './active-constraint'
import { BodyMotions } from './body-motions'
import type { ContactModel, StepConstraint } from './contact-model'
import type { StepContext } from './context'
import { foreseeJoints, foreseeLimits, solveContacts, type StepArrays } from './linearise'
import { ImpulseMemory } from './memory'
import { partition } from './partition'
import { Passages } from './passage'
import { projectJointVelocities } from './rattle'
import { GAP_ROUNDING, GAP_TARGET, ITERATIVE_GAP, LATERAL_TOLERANCE } from './settings'
import { solverFor } from './solvers'
import { stepJoint, type StepDrive, type StepIsland, type StepJoint, type StepLimit } from './step-island'

/** × gap target: contacts no farther apart than this rest on each other. */
const TOUCHING = 10
/** Rounds in which constraints that were left out join the problem, or pairs that overlapped after all bring new ones. */
const MAX_ROUNDS = 32

/** × radius of the smaller primitive: contacts nearer to each other are one. */
const SPACING = 1e-3
/** × scene size: a contact's point that moves less in a step may be the same under another name. */
const SAME_CONTACT = 0.02

/** Why a step of this length cannot be taken. */
export interface StepFailure {
  readonly reason: string
  readonly bodies: readonly number[]
}

export class Stepper {
  readonly motions: BodyMotions
  private readonly passages: Passages
  readonly memory: ImpulseMemory
  /** State at the end of the last attempt. */
  readonly end: Float64Array
  /** Of the last attempt. */
  islands: StepIsland[] = []
  constraints: ActiveConstraint[] = []
  /** Forces at the start of the step, by source, and their sum, six doubles a body. */
  applied: AppliedWrenches
  readonly external: Float64Array
  private readonly known = new Map<string, ActiveConstraint>()
  /** By pair: constraints that push, none of which doubles another. */
  private readonly pushing = new Map<string, ActiveConstraint[]>()
  private readonly slots: Int32Array
  /** m, by body: how far the search for pairs has allowed it to move. */
  private readonly allowance: Float64Array
  private joints: StepJoint[] = []
  private limits: StepLimit[] = []
  private drives: StepDrive[] = []
  private lastStep = 0
  h = 0
  private contactModel: ContactModel

  constructor(private readonly context: StepContext) {
    const { equations: { snapshot, layout }, world } = context
    this.contactModel = context.settings.contactModel
    this.motions = new BodyMotions(snapshot)
    this.passages = new Passages(this.motions)
    this.memory = new ImpulseMemory(SAME_CONTACT * world.scales.size)
    this.applied = new AppliedWrenches(context.equations)
    this.external = new Float64Array(6 * world.bodies.length)
    this.end = new Float64Array(layout.length)
    this.slots = new Int32Array(world.bodies.length)
    this.allowance = new Float64Array(world.bodies.length)
  }

  /** Tries a step of h seconds from the context's state into `end`; the snapshot of the equations is then that of its start. */
  attempt(h: number, contactModel: ContactModel): StepFailure | null {
    const { context, motions } = this
    const { equations } = context
    this.h = h
    this.contactModel = contactModel
    this.applied = new AppliedWrenches(equations)
    equations.loads(context.time, context.state, this.applied.listen)
    this.external.set(equations.external)
    this.constraints = []
    this.known.clear()
    this.pushing.clear()
    this.gatherJoints()
    const step = this.arrays()
    for (let round = 0; round < MAX_ROUNDS; round++) {
      motions.begin(equations.external, h, 0.5)
      const unmet = this.foreseeAll(step)
      if (unmet !== null) return unmet
      if (round === 0) this.constrain(this.nearPairs(false), null)
      for (const active of this.constraints) this.foresee(active)
      this.islands = this.partition()
      const unsolved = this.solve(step)
      if (unsolved !== null) return unsolved
      if (this.engageViolated() > 0) continue
      const found = this.overlapping(this.nearPairs(true))
      if (found === 0) return null
      if (found < 0) break
    }
    return { reason: 'bodies overlap at the end of the step, and no contact would prevent it', bodies: this.culprits }
  }

  private culprits: readonly number[] = []

  private arrays(): StepArrays {
    const { context, motions, end, memory, passages, slots, h } = this
    const stickSpeed = 1e-8 * context.world.scales.speed
    return { h, end, motions, passages, memory, memoryScale: this.lastStep === 0 ? 1 : h / this.lastStep, slots, stickSpeed }
  }

  private partition(): StepIsland[] {
    return partition(this.context.equations.snapshot, this.joints, this.limits, this.drives, this.constraints.filter(active => active.engaged))
  }

  private gatherJoints(): void {
    const { world, equations: { snapshot, jointPositions }, drives } = this.context
    const exists = (body: number): boolean => body < 0 || snapshot.exists[body]!
    this.joints = []
    this.limits = []
    world.joints.forEach((element, index) => {
      const { constraint, coordinates } = element
      if (!exists(constraint.bodyA) || !exists(constraint.bodyB)) return
      this.joints.push(stepJoint(index, element, body => snapshot.motionOf(body)))
      coordinates.forEach(({ limits }, coordinate) => {
        if (limits === null) return
        const { position } = constraint.coordinate(
          coordinate, snapshot.motionOf(constraint.bodyA), snapshot.motionOf(constraint.bodyB), jointPositions[index]![coordinate]!)
        for (const side of [1, -1] as const) {
          const bound = side === 1 ? limits.lower : limits.upper
          if (!Number.isFinite(bound)) continue
          const gap = side * (position - bound)
          this.limits.push({ joint: index, element, coordinate, side, bound, row: -1, start: gap, gap })
        }
      })
    })
    this.drives = drives
      .filter(({ element: { constraint } }) => exists(constraint.bodyA) && exists(constraint.bodyB))
      .map(drive => ({ drive, row: -1 }))
  }

  /** Where forces and joints alone lead. */
  private foreseeAll(step: StepArrays): StepFailure | null {
    const { context, motions } = this
    for (const { index } of motions.snapshot.bodies) {
      motions.accelerate(index)
      motions.drift(index, step.h, context.state, this.end)
    }
    if (this.joints.length === 0) return null
    for (const island of partition(context.equations.snapshot, this.joints, [], [], [])) {
      const reason = foreseeJoints(context, island, step)
      if (reason !== null) return { reason, bodies: island.bodies }
    }
    return null
  }

  /** Pairs of primitives whose boxes may meet in the step; `grown`: only where some body has moved farther than was allowed for are they looked for anew. */
  private nearPairs(grown: boolean): PrimitivePair[] {
    const { motions: { path, snapshot }, allowance } = this
    let wide = !grown
    for (let i = 0; i < path.length; i++) {
      if (grown && path[i]! <= allowance[i]!) continue
      allowance[i] = 2 * path[i]! + 10 * GAP_TARGET
      wide = true
    }
    if (wide) {
// Wherever a body may get to within its allowance, not only where it is foreseen.
      this.pairs = this.context.contacts.nearAround(snapshot, allowance)
    }
    return this.pairs
  }

  private pairs: PrimitivePair[] = []

  /** Adds the model's constraints of the pairs, of the features that face each other at the start, or at a time within the step. @returns how many are new */
  private constrain(pairs: readonly PrimitivePair[], times: readonly number[] | null): number {
    const { context: { world }, contactModel, motions: { poses, snapshot }, allowance, passages, h } = this
    const found: StepConstraint[] = []
    const tolerance = LATERAL_TOLERANCE * world.scales.size
    pairs.forEach((pair, k) => {
      const { bodyA, bodyB } = pair
      contactModel.constraints(pair, {
        startA: times === null ? snapshot.motions[bodyA]!.pose : passages.poseAt(bodyA, times[k]!, h),
        startB: times === null ? snapshot.motions[bodyB]!.pose : passages.poseAt(bodyB, times[k]!, h),
        endA: poses[bodyA]!, endB: poses[bodyB]!, reach: allowance[bodyA]! + allowance[bodyB]!, tolerance, again: times !== null,
        spacing: times !== null ? tolerance : SPACING * Math.min(pair.a.primitive.radius, pair.b.primitive.radius),
      }, found)
    })
    const touching = TOUCHING * Math.max(GAP_TARGET, ITERATIVE_GAP * world.scales.size)
    let added = 0
    for (const constraint of found) {
      if (this.known.has(constraint.key)) continue
      const active = new ActiveConstraint(constraint)
      this.begin(active, touching)
      this.known.set(constraint.key, active)
      this.constraints.push(active)
      added++
    }
    return added
  }

  /** Looks at all pairs through the step. @returns 0 where none overlaps, else the new constraints that this brings; −1: none */
  private overlapping(pairs: readonly PrimitivePair[]): number {
    const { context: { world: { scales } }, motions: { path }, passages, h } = this
    const deep: PrimitivePair[] = []
    const times: number[] = []
    for (const pair of pairs) {
      if (path[pair.bodyA]! + path[pair.bodyB]! === 0) continue
      const time = passages.timeOf(pair, h, -GAP_ROUNDING * (scales.size + extentOf(pair)))
      if (time === null) continue
      deep.push(pair)
      times.push(time)
    }
    if (deep.length === 0) return 0
    this.culprits = [deep[0]!.bodyA, deep[0]!.bodyB]
    const added = this.constrain(deep, times)
    return added > 0 ? added : -1
  }

  /** Where free motion leads the constraint. It joins the problem if it would be violated: most that are within reach never are. */
  private foresee(active: ActiveConstraint): void {
    const { poses } = this.motions
    const { pair: { bodyA, bodyB }, primaries } = active.constraint
    active.row = -1
    if (primaries === 0) return
    const a = poses[bodyA]!
    const b = poses[bodyB]!
    active.engaged ||= !active.redundant && !active.holds(a, b, 0)
    if (active.engaged) active.foresee(a, b, true)
  }

  /** Where a new constraint stands at the start of the step, and whether an earlier one of its pair says the same. */
  private begin(active: ActiveConstraint, touching: number): void {
    const { pair, primaries } = active.constraint
    if (primaries === 0) return
    const { motions } = this.motions.snapshot
    active.beginAt(motions[pair.bodyA]!.pose, motions[pair.bodyB]!.pose, touching)
    const spacing = SPACING * Math.min(pair.a.primitive.radius, pair.b.primitive.radius)
    const others = this.pushing.get(pair.key)
    if (others === undefined) {
      this.pushing.set(pair.key, [active])
    } else if (others.some(other => active.doubles(other, spacing))) {
      active.redundant = true
      active.engaged = false
    } else {
      others.push(active)
    }
  }

  /** Lets constraints join that were left out and are violated at the end. @returns how many */
  private engageViolated(): number {
    const { motions: { poses }, context: { world: { scales } } } = this
    const joining = this.constraints.filter(({ engaged, constraint: { primaries } }) => !engaged && primaries > 0).filter(active => {
      const { bodyA, bodyB } = active.constraint.pair
      return !active.holds(poses[bodyA]!, poses[bodyB]!, -GAP_ROUNDING * scales.size)
    })
    for (const active of joining) active.engaged = true
    return joining.length
  }

  private solve(step: StepArrays): StepFailure | null {
    const { context } = this
    const { scales } = context.world
    for (const island of this.islands) {
      if (island.joints.length > 0) island.mode = 'joints'
      const touches = island.drives.length > 0 || island.constraints.some(active => active.gap < -GAP_ROUNDING * scales.size)
        || !foreseeLimits(context, island, step)
      if (!touches) {
        // The impulses of its joints are those of the island that is kept.
        if (island.mode === 'joints') foreseeJoints(context, island, step)
        continue
      }
      island.mode = 'contact'
      const reason = solveContacts(context, island, step, solverFor(context.settings, island, this.rests(island)))
      if (reason !== null) return { reason, bodies: island.bodies }
    }
    return null
  }

  /** Whether none of the island's bodies moves at the start of the step. */
  private rests({ bodies }: StepIsland): boolean {
    const { context: { world, settings }, motions: { snapshot } } = this
    return bodies.every(body => {
      const { velocity, angularVelocity } = snapshot.motions[body]!
      return length(velocity) + world.bodies[body]!.boundingRadius * length(angularVelocity) <= settings.restingSpeed
    })
  }

  /** Second half of the kick and velocities of joints at the end; `end` becomes the context's state. */
  finish(time: number): void {
    const { context, motions, end, islands, h } = this
    const { equations } = context
    const contact = new Set(islands.filter(island => island.mode === 'contact').flatMap(island => island.bodies))
    end.set(context.state.subarray(equations.layout.bodyLength), equations.layout.bodyLength)
    renormalize(equations.layout, end)
    equations.loads(time, end)
    for (const { index } of motions.snapshot.bodies) {
      const m = equations.snapshot.inverseMass[index]!
      if (m === 0 || contact.has(index)) continue
      const o = equations.layout.offsets[index]!
      for (let k = 0; k < 3; k++) {
        end[o + OFFSET_VELOCITY + k]! += m * h / 2 * equations.external[6 * index + k]!
        end[o + OFFSET_MOMENTUM + k]! += h / 2 * equations.external[6 * index + 3 + k]!
      }
    }
    if (this.joints.length > 0) {
      equations.snapshot.update(end)
      const velocities = new Float64Array(this.external.length)
      equations.snapshot.velocities(velocities)
      // No body belongs to two islands; what a joint does to a body that nothing moves is not asked.
      const wrench = new Float64Array(this.external.length)
      for (const island of islands) if (island.joints.length > 0) projectJointVelocities(equations, island, end, velocities, wrench)
    }
    this.memory.keep(islands)
    this.lastStep = h
  }
}

/** m: of the larger solid of a pair that has an end; coordinates on it are rounded by as much as it is large. */
function extentOf({ a, b }: PrimitivePair): number {
  return [a, b].reduce((most, { primitive: { radius }, pose }) => Number.isFinite(radius) ? Math.max(most, radius + length(pose.position)) : most, 0)
}
