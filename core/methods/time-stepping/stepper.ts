/**
 * One time step of some bodies: who may touch, islands, their problems, and the proof that nothing overlaps at its end or passed through anything on the way.
 *
 * Everything is first moved by forces and joints alone, with half a kick (velocity Verlet; RATTLE where there are joints, with their drives, limits and
 * friction). Islands in which nothing would
 * overlap keep that motion, and get the other half of the kick at the end. The others are solved with contacts, with the whole kick at the start [PEG17 §1.2].
 * Where constraints that were left out have to join, or pairs that overlap after all bring new ones, only the islands that gain any are solved again.
 * An island whose step does not go is left out, with whatever forces couple it to, and the others go on without it.
 */

import type { PrimitivePair } from '../../contact/contact-set'
import type { JointElement } from '../../contact/world'
import { bodiesOfJoint } from '../../dynamics/joints'
import { renormalize } from '../../dynamics/state-layout'
import { BODY_STATE, OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../../dynamics/state'
import { AppliedWrenches } from '../event-driven/applied'
import { length } from '../../math/vector'
import { BodyMotions } from './body-motions'
import type { ContactModel } from './contact-model'
import type { StepContext } from './context'
import type { Coupling } from './coupling'
import { gatherJoints, type StepJoints } from './gather-joints'
import { foreseeJoints } from './joint-kick'
import { ImpulseMemory } from './memory'
import { NearPairs } from './near-pairs'
import { partition } from './partition'
import { Passages } from './passage'
import { projectJointVelocities } from './rattle'
import { GAP_ROUNDING } from './settings'
import { solverFor } from './solvers'
import type { StepArrays } from './step-arrays'
import { StepConstraints } from './step-constraints'
import type { StepIsland } from './step-island'
import { solveWithoutGain } from './without-gain'

/** Rounds in which constraints that were left out join the problem, or pairs that overlapped after all bring new ones. */
const MAX_ROUNDS = 32
/** Dynamic bodies from which on a scene is a crowd, in whose collisions the last digits are lost anyway. */
const CROWD = 64
/** × scene size: a contact's point that moves less in a step may be the same under another name. */
const SAME_CONTACT = 0.02

/** Change of half a kick × the change of velocity that brings it: beyond this, forces are stiff beside the step. */
const STIFF = 0.5

const UNPREVENTED = 'bodies overlap at the end of the step, and no contact would prevent it'

/** Why bodies cannot take a step of this length. */
export interface StepFailure {
  readonly reason: string
  /** Those where it failed, and with them all that have to step together, sorted. */
  readonly at: readonly number[]
  readonly bodies: readonly number[]
}

export class Stepper {
  readonly motions: BodyMotions
  readonly passages: Passages
  readonly near: NearPairs
  readonly memory: ImpulseMemory
  /** State at the end of the last attempt; where a body did not take part, that at its start. */
  readonly end: Float64Array
  /** Of the last attempt. */
  islands: StepIsland[] = []
  /** Of the last step of every body, by first body. */
  last: StepIsland[] = []
  /** The last attempt's bodies without those that failed, sorted. */
  bodies: readonly number[] = []
  /** Sum of the forces at the start of its last step, six doubles a body, and the same by source. */
  readonly external: Float64Array
  private readonly sources: AppliedWrenches[]
  private applied: AppliedWrenches
  /** Power of forces at the start of the last attempt, W. */
  readonly powerBefore: Float64Array
  private readonly constraints: StepConstraints
  private readonly slots: Int32Array
  /** By body: whether it takes part in the attempt, and has not failed; what nothing moves takes part where it is listed. */
  private readonly part: Uint8Array
  private readonly lost: Uint8Array
  private failures: StepFailure[] = []
  /** By body: whether its island is to be solved, or solved again. */
  private readonly open: Uint8Array
  /** By body: whether it has been moved since its constraints, and its pairs, were last looked at. */
  private readonly moved: Uint8Array
  private readonly unproven: Uint8Array
  /** Bodies that nothing stops. */
  readonly driven: readonly number[]
  private joints: StepJoints = { joints: [], limits: [], drives: [], jointSpins: [] }
  private readonly crowd: boolean
  h = 0

  constructor(private readonly context: StepContext, readonly coupling: Coupling) {
    const { equations: { snapshot, layout, power }, world, contacts } = context
    const { length: count } = world.bodies
    this.motions = new BodyMotions(snapshot)
    this.passages = new Passages(this.motions)
    this.near = new NearPairs(contacts, this.motions)
    this.constraints = new StepConstraints(this.motions, this.passages, this.near, world.scales.size)
    this.memory = new ImpulseMemory(SAME_CONTACT * world.scales.size)
    this.applied = new AppliedWrenches(context.equations)
    this.sources = world.bodies.map(() => this.applied)
    this.external = new Float64Array(6 * count)
    this.powerBefore = new Float64Array(power.length)
    this.end = new Float64Array(layout.length)
    this.slots = new Int32Array(count)
    this.part = new Uint8Array(count)
    this.lost = new Uint8Array(count)
    this.open = new Uint8Array(count)
    this.moved = new Uint8Array(count)
    this.unproven = new Uint8Array(count)
    this.driven = world.bodies.filter(body => body.type === 'kinematic').map(body => body.index)
    this.crowd = world.bodies.filter(body => body.type === 'dynamic').length >= CROWD
  }

  /**
   * Tries a step of h seconds of some bodies from the context's state into `end`; the snapshot of the equations is then that of its start. Bodies that nothing
   * stops move along, listed or not; what forces do to them counts where they are listed.
   *
   * @param bodies sorted; with each those that have to step with it
   * @returns why some of them cannot take it, none of whom belongs to two failures; `bodies` are then the others, who can
   */
  attempt(h: number, contactModel: ContactModel, bodies: readonly number[]): readonly StepFailure[] {
    const { context, motions, near, constraints, part, lost, end } = this
    this.h = h
    this.failures = []
    this.bodies = bodies
    this.islands = []
    part.fill(0)
    for (const body of bodies) part[body] = 1
    lost.fill(0)
    this.evaluateForces()
    this.joints = gatherJoints(context, body => body >= 0 && part[body] === 1 && motions.snapshot.inverseMass[body]! > 0)
    motions.begin()
    end.set(context.state)
    const moving = [...new Set([...bodies, ...this.driven])]
    for (const marks of [this.open, this.moved, this.unproven]) {
      marks.fill(0)
      for (const body of moving) marks[body] = 1
    }
    const step = this.arrays()
    this.moveFreely(step, moving)
    near.begin(moving, part)
    constraints.clear()
    constraints.begin(contactModel)
    this.settle(step, contactModel, moving)
    if (this.failures.length > 0) {
      this.bodies = bodies.filter(body => part[body] === 1)
      this.evaluateForces()
    }
    return this.failures
  }

  /** Solves and proves, round by round, until every island has come through or failed. */
  private settle(step: StepArrays, contactModel: ContactModel, moving: readonly number[]): void {
    const { near, constraints, part, unproven } = this
    let overlapping: readonly PrimitivePair[] = []
    for (let round = 0; round < MAX_ROUNDS; round++) {
      this.solveOpen(step, round === 0)
      const joining = constraints.engageViolated(contactModel, this.moved)
      this.moved.fill(0)
      if (joining.length > 0) {
        this.reopen(joining.map(active => active.constraint.pair))
        continue
      }
      near.follow(moving, part)
      overlapping = this.overlapping(contactModel)
      unproven.fill(0)
      if (overlapping.length === 0) return
      if (this.fresh === 0) break
      this.reopen(overlapping)
    }
    for (const { bodyA, bodyB } of overlapping) this.lose(UNPREVENTED, [bodyA, bodyB])
    // Where rounds ran out: whatever is still to be solved, or has not been looked at since it was.
    for (const body of this.bodies) if (unproven[body] === 1 || this.open[body] === 1) this.lose(UNPREVENTED, [body])
  }

  private evaluateForces(): void {
    const { context: { equations, time, state }, bodies, part, external, powerBefore } = this
    this.applied = new AppliedWrenches(equations)
    equations.loads(time, state, this.applied.listen, part)
    for (const body of bodies) external.set(equations.external.subarray(6 * body, 6 * body + 6), 6 * body)
    powerBefore.set(equations.power)
  }

  private arrays(): StepArrays {
    const { context: { world: { scales } }, motions, end, memory, passages, slots, h } = this
    return { h, end, motions, passages, memory, slots, stickSpeed: 1e-8 * scales.speed, crowd: this.crowd }
  }

  /** Leaves out the bodies of a step that does not go, with their islands and whatever has to step with these. Nothing where they are left out already. */
  private lose(reason: string, at: readonly number[]): void {
    const { part, lost, open, moved, unproven, end, motions: { snapshot: { inverseMass } }, context: { state, equations: { layout } } } = this
    if (at.some(body => lost[body] === 1)) return
    const gone = new Set(at.filter(body => inverseMass[body]! > 0))
    if (gone.size === 0) return
    for (let before = -1; before < gone.size;) {
      before = gone.size
      for (const body of this.coupling.closure(gone)) if (part[body] === 1) gone.add(body)
      for (const { bodies } of this.islands) if (bodies.some(body => gone.has(body))) for (const body of bodies) gone.add(body)
    }
    for (const body of gone) {
      part[body] = open[body] = moved[body] = unproven[body] = 0
      lost[body] = 1
      const o = layout.offsets[body]!
      end.set(state.subarray(o, o + BODY_STATE), o)
    }
    this.failures.push({ reason, at, bodies: [...gone].sort((a, b) => a - b) })
    this.islands = this.islands.filter(({ bodies }) => !gone.has(bodies[0]!))
    const stays = ({ element: { constraint } }: { readonly element: JointElement }): boolean => bodiesOfJoint(constraint).every(body => !gone.has(body))
    const { joints, limits, drives, jointSpins } = this.joints
    this.joints = {
      joints: joints.filter(stays), limits: limits.filter(stays), drives: drives.filter(({ drive }) => stays(drive)), jointSpins: jointSpins.filter(stays),
    }
    this.constraints.leave(lost)
    this.near.choose(part)
  }

  /** Where forces and joints alone lead some bodies. */
  private moveFreely(step: StepArrays, bodies: readonly number[]): void {
    const { context, motions, external, joints: { joints, limits, drives, jointSpins } } = this
    for (const body of bodies) {
      motions.release(body, external, step.h / 2)
      motions.drift(body, step.h, context.state, this.end)
    }
    if (joints.length === 0) return
    const moved = new Set(bodies)
    for (const island of partition(context.equations.snapshot, joints, limits, drives, jointSpins, [])) {
      if (!island.bodies.some(body => moved.has(body))) continue
      island.mode = 'joints'
      const reason = foreseeJoints(context, island, step)
      if (reason !== null) this.lose(reason, island.bodies)
    }
  }

  /** Marks the bodies of pairs that gained constraints, with their islands. */
  private reopen(pairs: readonly PrimitivePair[]): void {
    const { open, motions: { snapshot: { inverseMass } } } = this
    for (const { bodyA, bodyB } of pairs) {
      open[bodyA] = inverseMass[bodyA]! > 0 ? 1 : 0
      open[bodyB] = inverseMass[bodyB]! > 0 ? 1 : 0
    }
  }

  /** Groups bodies anew and solves the islands with open bodies; the others stay as they are solved. Leaves none open. */
  private solveOpen(step: StepArrays, first: boolean): void {
    const { open, lost } = this
    if (!first) this.free(step, this.islands)
    this.constraints.foresee(open)
    const { constraints, context: { equations: { snapshot } }, joints: { joints, limits, drives, jointSpins } } = this
    const grouped = partition(snapshot, joints, limits, drives, jointSpins, constraints.list.filter(active => active.engaged))
    // Where an island has grown into others, those begin anew too.
    if (!first) this.free(step, grouped)
    const solved = new Map(this.islands.map(island => [island.bodies[0]!, island]))
    this.islands = grouped.filter(({ bodies }) => lost[bodies[0]!] === 0)
      .map(island => island.bodies.every(body => open[body] === 0) ? solved.get(island.bodies[0]!) ?? island : island)
    for (const island of this.islands) {
      if (!island.bodies.some(body => open[body] === 1)) continue
      const reason = this.solve(island, step)
      if (reason !== null) this.lose(reason, island.bodies)
    }
    open.fill(0)
  }

  /** Opens every body of the islands that have an open one, and lets those that were not move freely. */
  private free(step: StepArrays, islands: readonly StepIsland[]): void {
    const { open } = this
    const bodies = islands.filter(island => island.bodies.some(body => open[body] === 1)).flatMap(island => island.bodies)
    for (const body of bodies) open[body] = this.moved[body] = this.unproven[body] = 1
    this.moveFreely(step, bodies)
  }

  private solve(island: StepIsland, step: StepArrays): string | null {
    const { context, motions: { poses } } = this
    for (const active of island.constraints) {
      const { bodyA, bodyB } = active.constraint.pair
      active.row = -1
      active.foresee(poses[bodyA]!, poses[bodyB]!, true)
    }
    if (island.joints.length > 0) island.mode = 'joints'
    if (island.constraints.some(active => active.gap < -GAP_ROUNDING * context.world.scales.size)) {
      island.mode = 'contact'
      return solveWithoutGain(context, island, step, solverFor(context.settings, island, this.rests(island), this.crowd))
    }
    // The impulses of its joints are those of the island that is kept.
    return island.mode === 'joints' ? foreseeJoints(context, island, step) : null
  }

  /** Constraints that the last look at all pairs brought. */
  private fresh = 0

  /** Pairs that overlap at the end of the step or pass through each other on the way; their constraints are added. */
  private overlapping(contactModel: ContactModel): PrimitivePair[] {
    const { context: { world: { scales } }, motions: { path }, passages, near, constraints, unproven, h } = this
    const deep: PrimitivePair[] = []
    this.fresh = 0
    for (const pair of near.pairs) {
      if (path[pair.bodyA]! + path[pair.bodyB]! === 0 || (unproven[pair.bodyA] === 0 && unproven[pair.bodyB] === 0)) continue
      const time = passages.timeOf(pair, h, -GAP_ROUNDING * (scales.size + extentOf(pair)))
      if (time === null) continue
      deep.push(pair)
      this.fresh += constraints.again(contactModel, pair, time, h)
    }
    return deep
  }

  /** Whether none of the island's bodies moves at the start of the step. */
  private rests({ bodies }: StepIsland): boolean {
    const { context: { world, settings }, motions: { snapshot } } = this
    return bodies.every(body => {
      const { velocity, angularVelocity } = snapshot.motions[body]!
      return length(velocity) + world.bodies[body]!.boundingRadius * length(angularVelocity) <= settings.restingSpeed
    })
  }

  /** What the last attempt solved is what holds its bodies now. @returns the islands that it takes the place of */
  keep(): readonly StepIsland[] {
    const { islands, bodies, part, sources, applied } = this
    for (const body of bodies) sources[body] = applied
    const replaced = this.last.filter(island => island.bodies.some(body => part[body] === 1))
    const gone = new Set(replaced)
    this.last = [...this.last.filter(island => !gone.has(island)), ...islands].sort((a, b) => a.bodies[0]! - b.bodies[0]!)
    return replaced
  }

  /** Second half of the kick and velocities of joints at the end, in `end`; the power of forces there is then that of the equations. */
  finish(time: number): void {
    const { context, end, islands, bodies, h } = this
    const { equations } = context
    const contact = new Set(islands.filter(island => island.mode === 'contact').flatMap(island => island.bodies))
    renormalize(equations.layout, end)
    const half = end.slice()
    const kicked = bodies.filter(index => equations.snapshot.inverseMass[index]! > 0 && !contact.has(index))
    this.foretellForces(half, kicked, time)
    for (const index of kicked) {
      const m = equations.snapshot.inverseMass[index]!
      const o = equations.layout.offsets[index]!
      for (let k = 0; k < 3; k++) {
        end[o + OFFSET_VELOCITY + k] = half[o + OFFSET_VELOCITY + k]! + m * h / 2 * equations.external[6 * index + k]!
        end[o + OFFSET_MOMENTUM + k] = half[o + OFFSET_MOMENTUM + k]! + h / 2 * equations.external[6 * index + 3 + k]!
      }
    }
    if (this.joints.joints.length > 0) this.endJoints(half, time)
    this.memory.keep(islands, this.keep())
    this.near.advance([...new Set([...bodies, ...this.driven])])
  }

  /**
   * Forces at the end of the step. Those that depend on velocities see the velocities of the end, as far as the first half of the kick foretells them; where
   * the forces change by it so much that they are stiff beside the step, they would throw bodies back, and see the velocities as they are.
   */
  private foretellForces(half: Float64Array, kicked: readonly number[], time: number): void {
    const { context: { equations, state }, end, external, part, h } = this
    const parts = kicked.flatMap(index => {
      const o = equations.layout.offsets[index]!
      return [
        { at: o + OFFSET_VELOCITY, from: 6 * index, weight: h / 2 * equations.snapshot.inverseMass[index]! },
        { at: o + OFFSET_MOMENTUM, from: 6 * index + 3, weight: h / 2 },
      ]
    })
    for (const { at } of parts) for (let k = at; k < at + 3; k++) end[k] = 2 * half[k]! - state[k]!
    equations.loads(time, end, null, part)
    const stiff = parts.filter(({ at, from, weight }) => {
      let [change, response] = [0, 0]
      for (let k = 0; k < 3; k++) {
        change += (half[at + k]! - state[at + k]!) * (half[at + k]! - state[at + k]!)
        response += (equations.external[from + k]! - external[from + k]!) * (equations.external[from + k]! - external[from + k]!)
      }
      return weight * weight * response > STIFF * STIFF * change
    })
    if (stiff.length === 0) return
    for (const { at } of stiff) for (let k = at; k < at + 3; k++) end[k] = half[k]!
    equations.loads(time, end, null, part)
  }

  /** @param half the state at the end without the second half of the kick */
  private endJoints(half: Float64Array, time: number): void {
    const { context: { equations }, islands, end, external } = this
    const velocitiesAt = (state: Float64Array): Float64Array => {
      const velocities = new Float64Array(external.length)
      equations.snapshot.update(state)
      equations.snapshot.velocities(velocities)
      return velocities
    }
    // No body belongs to two islands; what a joint does to a body that nothing moves is not asked.
    const motion = { before: velocitiesAt(half), velocities: velocitiesAt(end), wrench: new Float64Array(external.length) }
    for (const island of islands) if (island.joints.length > 0) projectJointVelocities(equations, island, end, time, motion)
  }

  /** Forces by source at the start of the last step of each body. */
  appliedForces(): AppliedWrenches {
    const { sources, context: { equations } } = this
    const all = new AppliedWrenches(equations)
    for (const applied of new Set(sources)) all.addAll(applied.list.filter(({ body }) => sources[body] === applied))
    return all
  }
}

/** m: of the larger solid of a pair that has an end; coordinates on it are rounded by as much as it is large. */
function extentOf({ a, b }: PrimitivePair): number {
  return [a, b].reduce((most, { primitive: { radius }, pose }) => Number.isFinite(radius) ? Math.max(most, radius + length(pose.position)) : most, 0)
}
