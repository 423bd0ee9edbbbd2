/**
 * One time step of some bodies: pairs that may touch, islands and their problems, and the proof that nothing overlaps at the end or passed through
 * anything.
 *
 * First all bodies move by forces and joints alone, with half a kick (velocity Verlet; RATTLE with joints, including their drives, limits and
 * friction). Islands without resulting overlaps keep that
 * motion and get the other half of the kick at the end. The others are solved with contacts and the whole kick at the start [PEG17 §1.2]. If omitted
 * constraints are violated, or overlapping
 * pairs add new ones, only the islands that gain constraints are solved again. An island whose step fails is left out, with all bodies coupled to it
 * by forces, and the others go on.
 */

import type { PrimitivePair } from '../../contact/contact-set'
import { BODY_STATE } from '../../dynamics/state'
import { keepInPlane } from '../../dynamics/state-layout'
import { stopWhereCancelled } from '../method'
import { AppliedWrenches } from '../../contact/applied'
import { BodyMotions } from './body-motions'
import { clearanceOf } from './clearance'
import { Clusters } from './clusters'
import type { ContactModel } from './contact-model'
import type { StepContext } from './context'
import type { Coupling } from './coupling'
import { pileGap } from './pile-gap'
import { moveFreely } from './free-motion'
import { gatherJoints, type StepJoints } from './gather-joints'
import { arrive, guide, unguided } from './guided'
import { IslandCache } from './island-cache'
import { markLoaded } from './loaded'
import type { LocalScales } from './local-scales'
import { ImpulseMemory } from './memory'
import { NearPairs } from './near-pairs'
import { partition } from './partition'
import { Passages } from './passage'
import { overlaps } from './overlaps'
import { ProblemWorkspaces } from './problem-workspace'
import { secondKick } from './second-kick'
import { moveApart, together, type MovedApart } from './moving-apart'
import { comesToRest } from './rest'
import type { StepArrays } from './step-arrays'
import { solveIsland } from './solve-island'
import { StepConstraints } from './step-constraints'
import { TreeMotions } from './tree-motions'
import type { StepIsland } from './step-island'
import { NewtonFailures } from './newton-failures'
import { Heaps } from './heap'
import { jointsWithout, spread } from './step-loss'

/** Rounds in which omitted constraints join the problem, or overlapping pairs add new ones. */
const MAX_ROUNDS = 32
/** The same in a pile, before remaining overlaps are corrected. */
const PILE_ROUNDS = 2

const UNPREVENTED = 'bodies overlap at the end of the step, and no contact would prevent it'

/** Why bodies cannot take a step of this length. */
export interface StepFailure {
  readonly reason: string
  /** Bodies of the failed island, and all that must be stepped with them, sorted. */
  readonly at: readonly number[]
  readonly bodies: readonly number[]
}

export class Stepper {
  readonly motions: BodyMotions
  readonly passages: Passages
  readonly near: NearPairs
  readonly memory: ImpulseMemory
  /** State at the end of the last attempt; for bodies that did not take part, that at its start. */
  readonly end: Float64Array
  /** Of the last attempt. */
  islands: StepIsland[] = []
  readonly kept: IslandCache
  /** The last attempt's bodies without those that failed, sorted. */
  bodies: readonly number[] = []
  /** Sum of the forces at the start of its last step, six doubles a body, and the same by source. */
  readonly external: Float64Array
  private applied: AppliedWrenches
  /** Power of forces at the start of the last attempt, W. */
  readonly powerBefore: Float64Array
  private readonly constraints: StepConstraints
  private readonly slots: Int32Array
  private readonly workspaces = new ProblemWorkspaces()
  /** By body: whether it takes part in the attempt and has not failed. Fixed and kinematic bodies take part if listed. */
  readonly part: Uint8Array
  /** By body: whether deformables act on it in this step; it then has its whole kick at the start. */
  readonly loaded: Uint8Array
  private readonly lost: Uint8Array
  private failures: StepFailure[] = []
  /** Position correction of the last attempt. */
  movedApart: MovedApart | null = null
  /** By body: whether its island is to be solved, or solved again. */
  private readonly open: Uint8Array
  /** By body: whether it has moved since its constraints, and its pairs, were last evaluated. */
  private readonly moved: Uint8Array
  /** By body: whether it has moved since its pairs were last proven separated. */
  readonly unproven: Uint8Array
  readonly newtonFailures: NewtonFailures
  /** Immovable bodies with a motion: kinematic ones. */
  readonly driven: readonly number[]
  joints: StepJoints = { joints: [], limits: [], drives: [], jointSpins: [] }
  readonly scales: LocalScales
  readonly clusters: Clusters
  readonly heaps: Heaps
  /** By body: whether it was stepped as part of a heap. */
  private readonly heaped: Uint8Array
  h = 0

  constructor(private readonly context: StepContext, readonly coupling: Coupling) {
    const { equations: { snapshot, layout, power }, world, contacts } = context
    const { length: count } = world.bodies
    this.motions = new BodyMotions(snapshot)
    if (snapshot.trees !== null) this.motions.trees = new TreeMotions(context.equations, this.motions, snapshot.trees, context.equations.coordinates!)
    this.passages = new Passages(this.motions)
    this.near = new NearPairs(contacts, this.motions)
    this.scales = context.scales
    this.clusters = new Clusters(snapshot)
    this.memory = new ImpulseMemory(this.scales)
    this.constraints = new StepConstraints(this.motions, this.passages, this.near, this.scales, this.clusters, this.memory, context.settings.tolerance)
    this.applied = new AppliedWrenches(context.equations)
    this.kept = new IslandCache(context.equations, this.workspaces)
    this.heaps = new Heaps(context, this.workspaces)
    this.heaped = new Uint8Array(count)
    this.external = new Float64Array(6 * count)
    this.powerBefore = new Float64Array(power.length)
    this.end = new Float64Array(layout.length)
    this.slots = new Int32Array(count)
    this.part = new Uint8Array(count)
    this.loaded = new Uint8Array(count)
    this.lost = new Uint8Array(count)
    this.open = new Uint8Array(count)
    this.moved = new Uint8Array(count)
    this.unproven = new Uint8Array(count)
    this.newtonFailures = new NewtonFailures(count)
    this.driven = world.bodies.filter(body => body.type === 'kinematic').map(body => body.index)
  }

  /**
   * Tries a step of h seconds of some bodies from the context's state into `end`; the snapshot of the equations is then that of its start. Kinematic
   * bodies move along, listed or not; forces on them
   * count if they are listed.
   *
   * @param bodies sorted; complete with respect to coupling
   * @returns the failures, with each body in at most one of them; `bodies` then has the remaining ones
   */
  attempt(h: number, contactModel: ContactModel, bodies: readonly number[]): readonly StepFailure[] {
    const { near, constraints, part } = this
    const { step, moving } = this.foresee(h, bodies)
    this.clusters.find(near.all)
    constraints.clear()
    const heaps = this.takeHeaps(h, bodies)
    constraints.begin(contactModel, this.heaped)
    this.settle(step, contactModel, moving)
    this.islands.push(...heaps.filter(island => this.lost[island.bodies[0]!] === 0))
    this.motions.trees?.note(this.bodies)
    if (this.failures.length > 0) {
      this.bodies = bodies.filter(body => part[body] === 1)
      this.evaluateForces()
    }
    return this.failures
  }

  /** Steps the heaps among some bodies. */
  private takeHeaps(h: number, bodies: readonly number[]): StepIsland[] {
    const { heaps, heaped, clusters, near, open, moved } = this
    heaped.fill(0)
    return heaps.find(clusters, near.pairs, bodies, h).map(heap => {
      for (const body of heap.bodies) {
        heaped[body] = 1
        open[body] = moved[body] = 0
      }
      const island = heaps.take(heap, this)
      this.movedApart = together(this.movedApart, heaps.movedApart(heap))
      return island
    })
  }

  /** The bodies marked in `still`, skipped in this step, that a moving body may approach. */
  approached(h: number, bodies: readonly number[], still: (body: number) => boolean): number[] {
    this.foresee(h, bodies)
    const { near: { all, way }, motions: { turned, snapshot: { motions, bodies: known } } } = this
    const found: number[] = []
    for (const pair of all) {
      const { bodyA, bodyB } = pair
      if (still(bodyA) === still(bodyB)) continue
      const [stands, comes] = still(bodyA) ? [bodyA, bodyB] : [bodyB, bodyA]
      if (known[comes]!.type === 'fixed' || clearanceOf(pair).startsApart(motions[bodyA]!.pose, motions[bodyB]!.pose, way[comes]!, turned)) continue
      found.push(stands)
    }
    return found
  }

  /** Begins a step: forces at its start, free motion under forces and joints, and pairs that are near each other on the way. */
  private foresee(h: number, bodies: readonly number[]): { step: StepArrays, moving: readonly number[] } {
    const { context, motions, near, part, lost, end } = this
    this.h = h
    this.failures = []
    this.movedApart = null
    this.bodies = bodies
    this.kept.drop(this.islands)
    this.islands = []
    guide(context, h)
    part.fill(0)
    for (const body of bodies) part[body] = 1
    lost.fill(0)
    markLoaded(context.world, this.loaded)
    this.evaluateForces()
    this.joints = gatherJoints(context, body => body >= 0 && part[body] === 1 && motions.snapshot.inverseMass[body]! > 0)
    motions.begin()
    // Coordinates are relative to the base body, which moves when the step begins: its acceleration is included automatically.
    motions.trees?.begin(unguided(context), h)
    end.set(context.state)
    const moving = [...new Set([...bodies, ...this.driven])]
    for (const marks of [this.open, this.moved, this.unproven]) {
      marks.fill(0)
      for (const body of moving) marks[body] = 1
    }
    const step = this.arrays()
    this.moveFreely(step, moving)
    near.begin(moving, part)
    return { step, moving }
  }

  /** Solves and proves, round by round, until every island has succeeded or failed. */
  private settle(step: StepArrays, contactModel: ContactModel, moving: readonly number[]): void {
    const { near, constraints, part, unproven, clusters, heaped } = this
    let overlapping: readonly PrimitivePair[] = []
    /** Pairs of piles that overlap after the last round. */
    const left: PrimitivePair[] = []
    for (let round = 0; round < MAX_ROUNDS; round++) {
      this.solveOpen(step, round === 0)
      const goesOn = ({ bodyA, bodyB }: PrimitivePair): boolean =>
        heaped[bodyA] === 0 && heaped[bodyB] === 0 && (round < PILE_ROUNDS || !clusters.isPile(bodyA))
      const joining = constraints.engageViolated(contactModel, this.moved).filter(active => goesOn(active.constraint.pair))
      this.moved.fill(0)
      if (joining.length > 0) {
        this.reopen(joining.map(active => active.constraint.pair))
        continue
      }
      near.follow(moving, part)
      const found = overlaps(this, unproven)
      if (this.context.settings.linearizations !== null) {
        unproven.fill(0)
        if (constraints.widen(contactModel, found.map(({ pair }) => pair)) === 0) break
        this.reopen(found.map(({ pair }) => pair))
        continue
      }
      left.push(...found.filter(({ pair }) => !goesOn(pair)).map(({ pair }) => pair))
      const open = found.filter(({ pair }) => goesOn(pair))
      overlapping = open.map(({ pair }) => pair)
      unproven.fill(0)
      if (overlapping.length === 0) break
      const fresh = open.reduce((sum, { pair, time }) => sum + constraints.again(contactModel, pair, time, this.h), 0)
      if (fresh === 0) break
      this.reopen(overlapping)
    }
    overlapping = [...left, ...overlapping]
    if (overlapping.length === 0 && !this.anyOpen()) return
    const piled = overlapping.filter(({ bodyA }) => clusters.isPile(bodyA))
    const others = overlapping.filter(({ bodyA }) => !clusters.isPile(bodyA))
    if (piled.length > 0) overlapping = [...others, ...this.moveApart(moving, piled)]
    for (const { bodyA, bodyB } of overlapping) this.lose(UNPREVENTED, [bodyA, bodyB])
    // Out of rounds: bodies still unsolved, or unchecked since their solve, have failed.
    for (const body of this.bodies) if (unproven[body] === 1 || this.open[body] === 1) this.lose(UNPREVENTED, [body])
  }

  /** Corrects the positions of overlapping pairs. @returns those that still overlap */
  private moveApart(moving: readonly number[], overlapping: readonly PrimitivePair[]): readonly PrimitivePair[] {
    const { context, motions, near, end, part, unproven, islands, open } = this
    const held = new Set(islands.flatMap(({ jointed, hung, bodies }) => jointed || hung ? bodies : []))
    if (overlapping.some(({ bodyA, bodyB }) => held.has(bodyA) || held.has(bodyB))) return overlapping
    const gapOf = ({ bodyA, bodyB }: PrimitivePair): number => pileGap(context, [bodyA, bodyB])
    const moved = moveApart(motions, near.pairs, overlapping, end, gapOf)
    if (moved === null) return overlapping
    for (const body of moved.bodies) unproven[body] = 1
    near.follow(moving, part)
    const left = overlaps(this, unproven)
    unproven.fill(0)
    open.fill(0)
    this.movedApart = together(this.movedApart, moved)
    return left.map(({ pair }) => pair)
  }

  private anyOpen(): boolean {
    return this.bodies.some(body => this.unproven[body] === 1 || this.open[body] === 1)
  }

  private evaluateForces(): void {
    const { context: { equations, time, state }, bodies, part, external, powerBefore } = this
    this.applied = new AppliedWrenches(equations)
    equations.loads(time, state, this.applied.listen, part)
    for (const body of bodies) external.set(equations.external.subarray(6 * body, 6 * body + 6), 6 * body)
    powerBefore.set(equations.power)
  }

  private arrays(): StepArrays {
    const { motions, end, memory, passages, slots, workspaces, h } = this
    return { h, end, motions, passages, memory, slots, workspaces }
  }

  /** Removes bodies whose step failed, with their islands and everything coupled to these; no effect if they are removed already. */
  private lose(reason: string, at: readonly number[]): void {
    const { part, lost, open, moved, unproven, end, motions: { snapshot: { inverseMass } }, context: { state, equations: { layout } } } = this
    if (at.some(body => lost[body] === 1)) return
    const gone = new Set(at.filter(body => inverseMass[body]! > 0))
    if (gone.size === 0) return
    spread(gone, this.coupling, this.islands, part)
    for (const body of gone) {
      part[body] = open[body] = moved[body] = unproven[body] = 0
      lost[body] = 1
      const o = layout.offsets[body]!
      end.set(state.subarray(o, o + BODY_STATE), o)
    }
    this.failures.push({ reason, at, bodies: [...gone].sort((a, b) => a - b) })
    this.islands = this.islands.filter(({ bodies }) => !gone.has(bodies[0]!))
    this.joints = jointsWithout(gone, this.joints)
    this.constraints.leave(lost)
    this.near.choose(part)
  }

  /** Free motion of some bodies, under forces and joints. */
  private moveFreely(step: StepArrays, bodies: readonly number[]): void {
    for (const { reason, island } of moveFreely(this.context, step, bodies, this)) this.lose(reason, island)
  }

  /** Marks the bodies of pairs that gained constraints, with their islands. */
  private reopen(pairs: readonly PrimitivePair[]): void {
    const { open, motions: { snapshot: { inverseMass } } } = this
    for (const { bodyA, bodyB } of pairs) {
      open[bodyA] = inverseMass[bodyA]! > 0 ? 1 : 0
      open[bodyB] = inverseMass[bodyB]! > 0 ? 1 : 0
    }
  }

  /** Groups bodies again and solves the islands with open bodies; the others keep their solution. Leaves none open. */
  private solveOpen(step: StepArrays, first: boolean): void {
    const { open, lost } = this
    if (!first) this.free(step, this.islands)
    this.constraints.foresee(open)
    const { constraints, context: { equations: { snapshot } }, joints: { joints, limits, drives, jointSpins } } = this
    const grouped = partition(snapshot, joints, limits, drives, jointSpins, constraints.list.filter(active => active.engaged))
    // If an island has merged with others, those are solved from the start too.
    if (!first) this.free(step, grouped)
    const solved = new Map(this.islands.map(island => [island.bodies[0]!, island]))
    const before = this.islands
    this.islands = grouped.filter(({ bodies }) => lost[bodies[0]!] === 0)
      .map(island => island.bodies.every(body => open[body] === 0) ? solved.get(island.bodies[0]!) ?? island : island)
    const stay = new Set(this.islands)
    this.kept.drop(before.filter(island => !stay.has(island)))
    for (const island of this.islands) {
      if (!island.bodies.some(body => open[body] === 1)) continue
      // A failing step is solved about a hundred times, in repeated halves.
      stopWhereCancelled(this.context.environment)
      const reason = solveIsland(this.context, island, step, this)
      if (reason !== null) this.lose(reason, island.bodies)
    }
    open.fill(0)
  }

  /** Opens every body of the islands that have an open one, and restores free motion to those that were closed. */
  private free(step: StepArrays, islands: readonly StepIsland[]): void {
    const { open } = this
    const bodies = islands.filter(island => island.bodies.some(body => open[body] === 1)).flatMap(island => island.bodies)
    for (const body of bodies) open[body] = this.moved[body] = this.unproven[body] = 1
    this.moveFreely(step, bodies)
  }

  /** Accepts the last attempt's impulses: they are reported, and warm-start the next step. */
  keep(): void {
    const { islands, bodies, part, applied } = this
    this.memory.keep(islands, this.kept.keep(islands, bodies, part, applied))
  }

  /** The end of the step at `time`, in `end`; the power of forces there is then that of the equations. */
  finish(time: number): void {
    const { context: { equations, state, world }, end, external, bodies } = this
    secondKick(equations, this, { start: state, end, external, time, arrive: at => arrive(this.context, time, at) })
    if (world.planar) keepInPlane(equations.layout, end)
    arrive(this.context, time, end)
    for (const island of this.islands) island.settled = comesToRest(this.context, island, this.motions, end, this.h) && this.kept.has(island)
    this.keep()
    this.near.advance([...new Set([...bodies, ...this.driven])])
  }
}
