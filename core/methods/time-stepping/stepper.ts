/**
 * One time step: who may touch, islands, their problems, and the proof that nothing overlaps at its end or passed through anything on the way.
 *
 * Everything is first moved by forces and joints alone, with half a kick (velocity Verlet; RATTLE where there are joints). Islands in which nothing would
 * overlap keep that motion, and get the other half of the kick at the end. The others are solved with contacts, with the whole kick at the start [PEG17 §1.2].
 * Where constraints that were left out have to join, or pairs that overlap after all bring new ones, only the islands that gain any are solved again.
 */

import type { PrimitivePair } from '../../contact/contact-set'
import { renormalize } from '../../dynamics/state-layout'
import { OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../../dynamics/state'
import { AppliedWrenches } from '../event-driven/applied'
import { length } from '../../math/vector'
import { BodyMotions } from './body-motions'
import type { ContactModel } from './contact-model'
import type { StepContext } from './context'
import { gatherJoints, type StepJoints } from './gather-joints'
import { foreseeJoints, foreseeLimits, solveContacts, type StepArrays } from './linearise'
import { ImpulseMemory } from './memory'
import { NearPairs } from './near-pairs'
import { partition } from './partition'
import { Passages } from './passage'
import { projectJointVelocities } from './rattle'
import { GAP_ROUNDING } from './settings'
import { solverFor } from './solvers'
import { StepConstraints } from './step-constraints'
import type { StepIsland } from './step-island'

/** Rounds in which constraints that were left out join the problem, or pairs that overlapped after all bring new ones. */
const MAX_ROUNDS = 32
/** Dynamic bodies from which on a scene is a crowd, in whose collisions the last digits are lost anyway. */
const CROWD = 64
/** × scene size: a contact's point that moves less in a step may be the same under another name. */
const SAME_CONTACT = 0.02

/** Why a step of this length cannot be taken. */
export interface StepFailure {
  readonly reason: string
  readonly bodies: readonly number[]
}

export class Stepper {
  readonly motions: BodyMotions
  readonly passages: Passages
  readonly near: NearPairs
  readonly memory: ImpulseMemory
  /** State at the end of the last attempt. */
  readonly end: Float64Array
  /** Of the last attempt. */
  islands: StepIsland[] = []
  /** Forces at the start of the step, by source, and their sum, six doubles a body. */
  applied: AppliedWrenches
  readonly external: Float64Array
  private readonly constraints: StepConstraints
  private readonly slots: Int32Array
  /** By body: whether its island is to be solved, or solved again. */
  private readonly open: Uint8Array
  /** By body: whether it has been moved since its constraints, and its pairs, were last looked at. */
  private readonly moved: Uint8Array
  private readonly unproven: Uint8Array
  private joints: StepJoints = { joints: [], limits: [], drives: [], jointSpins: [] }
  private readonly crowd: boolean
  private lastStep = 0
  h = 0

  constructor(private readonly context: StepContext) {
    const { equations: { snapshot, layout }, world, contacts } = context
    this.motions = new BodyMotions(snapshot)
    this.passages = new Passages(this.motions)
    this.near = new NearPairs(contacts, this.motions)
    this.constraints = new StepConstraints(this.motions, this.passages, this.near, world.scales.size)
    this.memory = new ImpulseMemory(SAME_CONTACT * world.scales.size)
    this.applied = new AppliedWrenches(context.equations)
    this.external = new Float64Array(6 * world.bodies.length)
    this.end = new Float64Array(layout.length)
    this.slots = new Int32Array(world.bodies.length)
    this.open = new Uint8Array(world.bodies.length)
    this.moved = new Uint8Array(world.bodies.length)
    this.unproven = new Uint8Array(world.bodies.length)
    this.crowd = world.bodies.filter(body => body.type === 'dynamic').length >= CROWD
  }

  /** Tries a step of h seconds from the context's state into `end`; the snapshot of the equations is then that of its start. */
  attempt(h: number, contactModel: ContactModel): StepFailure | null {
    const { context, motions, near, constraints, open } = this
    const { equations } = context
    this.h = h
    this.applied = new AppliedWrenches(equations)
    equations.loads(context.time, context.state, this.applied.listen)
    this.external.set(equations.external)
    this.joints = gatherJoints(context)
    this.islands = []
    motions.begin()
    open.fill(1)
    this.moved.fill(1)
    this.unproven.fill(1)
    const step = this.arrays()
    const stuck = this.moveFreely(step, motions.all)
    near.begin()
    if (stuck !== null) return stuck
    constraints.clear()
    constraints.begin(contactModel)
    let overlapping: readonly PrimitivePair[] = []
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const unsolved = this.solveOpen(step)
      if (unsolved !== null) return unsolved
      const joining = constraints.engageViolated(this.moved)
      this.moved.fill(0)
      if (joining.length > 0) {
        this.reopen(joining.map(active => active.constraint.pair))
        continue
      }
      near.follow()
      overlapping = this.overlapping(contactModel)
      this.unproven.fill(0)
      if (overlapping.length === 0) return null
      if (this.fresh === 0) break
      this.reopen(overlapping)
    }
    const { bodyA, bodyB } = overlapping[0]!
    return { reason: 'bodies overlap at the end of the step, and no contact would prevent it', bodies: [bodyA, bodyB] }
  }

  private arrays(): StepArrays {
    const { context: { world: { scales } }, motions, end, memory, passages, slots, h } = this
    return {
      h, end, motions, passages, memory, memoryScale: this.lastStep === 0 ? 1 : h / this.lastStep, slots, stickSpeed: 1e-8 * scales.speed,
      crowd: this.crowd,
    }
  }

  /** Where forces and joints alone lead some bodies. */
  private moveFreely(step: StepArrays, bodies: readonly number[]): StepFailure | null {
    const { context, motions, external, joints: { joints } } = this
    for (const body of bodies) {
      motions.release(body, external, step.h / 2)
      motions.drift(body, step.h, context.state, this.end)
    }
    if (joints.length === 0) return null
    const moved = new Set(bodies)
    for (const island of partition(context.equations.snapshot, joints, [], [], [], [])) {
      if (!island.bodies.some(body => moved.has(body))) continue
      const reason = foreseeJoints(context, island, step)
      if (reason !== null) return { reason, bodies: island.bodies }
    }
    return null
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
  private solveOpen(step: StepArrays): StepFailure | null {
    const { open, context: { equations: { snapshot } } } = this
    const fresh = this.islands.length === 0
    if (!fresh) {
      const stuck = this.free(step, this.islands)
      if (stuck !== null) return stuck
    }
    this.constraints.foresee(open)
    const { joints, limits, drives, jointSpins } = this.joints
    const engaged = this.constraints.list.filter(active => active.engaged)
    const grouped = partition(snapshot, joints, limits, drives, jointSpins, engaged)
    // Where an island has grown into others, those begin anew too.
    const stuck = fresh ? null : this.free(step, grouped)
    if (stuck !== null) return stuck
    const solved = new Map(this.islands.map(island => [island.bodies[0]!, island]))
    this.islands = grouped.map(island => island.bodies.every(body => open[body] === 0) ? solved.get(island.bodies[0]!) ?? island : island)
    for (const island of this.islands) {
      if (!island.bodies.some(body => open[body] === 1)) continue
      const reason = this.solve(island, step)
      if (reason !== null) return { reason, bodies: island.bodies }
    }
    open.fill(0)
    return null
  }

  /** Opens every body of the islands that have an open one, and lets those that were not move freely. */
  private free(step: StepArrays, islands: readonly StepIsland[]): StepFailure | null {
    const { open } = this
    const bodies = islands.filter(island => island.bodies.some(body => open[body] === 1)).flatMap(island => island.bodies)
    for (const body of bodies) open[body] = this.moved[body] = this.unproven[body] = 1
    return this.moveFreely(step, bodies)
  }

  private solve(island: StepIsland, step: StepArrays): string | null {
    const { context, motions: { poses } } = this
    for (const active of island.constraints) {
      const { bodyA, bodyB } = active.constraint.pair
      active.row = -1
      active.foresee(poses[bodyA]!, poses[bodyB]!, true)
    }
    if (island.joints.length > 0) island.mode = 'joints'
    const touches = island.drives.length > 0 || island.jointSpins.length > 0
      || island.constraints.some(active => active.gap < -GAP_ROUNDING * context.world.scales.size)
      || !foreseeLimits(context, island, step)
    if (touches) {
      island.mode = 'contact'
      return solveContacts(context, island, step, solverFor(context.settings, island, this.rests(island), this.crowd))
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
    if (this.joints.joints.length > 0) {
      equations.snapshot.update(end)
      const velocities = new Float64Array(this.external.length)
      equations.snapshot.velocities(velocities)
      // No body belongs to two islands; what a joint does to a body that nothing moves is not asked.
      const wrench = new Float64Array(this.external.length)
      for (const island of islands) if (island.joints.length > 0) projectJointVelocities(equations, island, end, velocities, wrench)
    }
    this.memory.keep(islands)
    this.near.advance()
    this.lastStep = h
  }
}

/** m: of the larger solid of a pair that has an end; coordinates on it are rounded by as much as it is large. */
function extentOf({ a, b }: PrimitivePair): number {
  return [a, b].reduce((most, { primitive: { radius }, pose }) => Number.isFinite(radius) ? Math.max(most, radius + length(pose.position)) : most, 0)
}
