/**
 * One time step of some bodies: pairs that may touch, islands and their problems, and the proof that nothing overlaps at the end or passed through
 * anything.
 *
 * First all bodies move by forces and joints alone, with half a kick (velocity Verlet; RATTLE with joints, including their drives, limits and
 * friction). Islands without resulting overlaps keep that motion and get the other half of the kick at the end. The others are solved with contacts
 * and the whole kick at the start [PEG17 §1.2]. If omitted constraints are violated, or overlapping pairs add new ones, only the islands that gain
 * constraints are solved again. An island whose step fails is left out, with all bodies coupled to it by forces, and the others continue.
 */

import { BODY_STATE } from '../../dynamics/state'
import { keepInPlane } from '../../dynamics/state-layout'
import { AppliedWrenches } from '../../contact/applied'
import { stopWhereCancelled } from '../method'
import { BodyMotions } from './body-motions'
import { clearanceOf } from './clearance'
import { Clusters } from './clusters'
import type { ContactModel } from './contact-model'
import { solveUntilSeparated, type StepInProgress } from './contact-rounds'
import type { StepContext } from './context'
import type { Coupling } from './coupling'
import { moveFreely } from './free-motion'
import { gatherJoints, type StepJoints } from './gather-joints'
import { arrive, guide, withPathVelocities } from './guided'
import { IslandCache } from './island-cache'
import { markLoaded } from './loaded'
import type { LocalScales } from './local-scales'
import { ImpulseMemory } from './memory'
import { NearPairs } from './near-pairs'
import { Passages } from './passage'
import { ProblemWorkspaces } from './problem-workspace'
import { secondHalfKick } from './second-half-kick'
import { combineCorrections, type PositionCorrection } from './position-correction'
import { comesToRest } from './rest'
import type { Division } from './solve-island'
import type { StepArrays } from './step-arrays'
import { StepConstraints } from './step-constraints'
import { TreeMotions } from './tree-motions'
import type { DivisionPoint } from './division-point'
import type { StepIsland } from './step-island'
import { NewtonFailures } from './newton-failures'
import { Heaps } from './heap'
import { jointsWithout, spread } from './failed-bodies'

/** Why bodies cannot take a step of this length. */
export interface StepFailure {
  readonly reason: string
  /** The first impact, if the step is to be taken in two there; null if it failed. */
  readonly divisionPoint: DivisionPoint | null
  /** Bodies of the failed island, and all that must be stepped with them, sorted. */
  readonly at: readonly number[]
  readonly bodies: readonly number[]
}

export class Stepper implements StepInProgress {
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
  /** Sum of the forces at the start of its last step, six doubles a body, and the same by source, which each attempt evaluates first. */
  readonly external: Float64Array
  private applied!: AppliedWrenches
  /** Power of forces at the start of the last attempt, W. */
  readonly powerBefore: Float64Array
  readonly constraints: StepConstraints
  private readonly slots: Int32Array
  private readonly workspaces = new ProblemWorkspaces()
  /** By body: whether it takes part in the attempt and has not failed. Fixed and kinematic bodies take part if listed. */
  readonly part: Uint8Array
  /** By body: whether deformables act on it in this step; it then has its whole kick at the start. */
  readonly loaded: Uint8Array
  readonly failed: Uint8Array
  private failures: StepFailure[] = []
  /** Position correction of the last attempt. */
  correction: PositionCorrection | null = null
  readonly open: Uint8Array
  readonly moved: Uint8Array
  readonly unproven: Uint8Array
  readonly newtonFailures: NewtonFailures
  /** Immovable bodies with a motion: kinematic ones. */
  readonly kinematic: readonly number[]
  joints: StepJoints = { joints: [], limits: [], drives: [], jointSpins: [] }
  readonly scales: LocalScales
  readonly clusters: Clusters
  readonly heaps: Heaps
  readonly heaped: Uint8Array
  h = 0
  /** How steps with impacts are to be taken in two; null: not at all. */
  division: Division | null = null

  constructor(readonly context: StepContext, readonly coupling: Coupling) {
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
    this.kept = new IslandCache(context.equations, this.workspaces)
    this.heaps = new Heaps(context, this.workspaces)
    this.heaped = new Uint8Array(count)
    this.external = new Float64Array(6 * count)
    this.powerBefore = new Float64Array(power.length)
    this.end = new Float64Array(layout.length)
    this.slots = new Int32Array(count)
    this.part = new Uint8Array(count)
    this.loaded = new Uint8Array(count)
    this.failed = new Uint8Array(count)
    this.open = new Uint8Array(count)
    this.moved = new Uint8Array(count)
    this.unproven = new Uint8Array(count)
    this.newtonFailures = new NewtonFailures(count)
    this.kinematic = world.bodies.filter(body => body.type === 'kinematic').map(body => body.index)
  }

  /**
   * Tries a step of h seconds of some bodies from the context's state into `end`; the snapshot of the equations is then that of its start. Kinematic
   * bodies move along, listed or not; forces on them count if they are listed.
   *
   * @param bodies sorted; complete with respect to coupling
   * @param piled whether they count as a pile, however few they are
   * @param division null to take steps with impacts undivided; otherwise islands with impacts are left out too
   * @returns the failures, with each body in at most one of them; `bodies` then has the remaining ones
   */
  attempt(h: number, contactModel: ContactModel, bodies: readonly number[], piled = false, division: Division | null = null): readonly StepFailure[] {
    this.division = division
    const { near, constraints, part } = this
    const { step, moving } = this.begin(h, bodies)
    this.clusters.find(near.all)
    if (piled) this.clusters.pile(bodies)
    constraints.clear()
    const heaps = this.takeHeaps(h, bodies)
    constraints.begin(contactModel, this.heaped)
    solveUntilSeparated(this, step, contactModel, moving)
    this.islands.push(...heaps.filter(island => this.failed[island.bodies[0]!] === 0))
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
      this.correction = combineCorrections(this.correction, heaps.correction(heap))
      return island
    })
  }

  /** The bodies marked in `still`, skipped in this step, that a moving body may approach. */
  approached(h: number, bodies: readonly number[], still: (body: number) => boolean): number[] {
    this.begin(h, bodies)
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
  private begin(h: number, bodies: readonly number[]): { step: StepArrays, moving: readonly number[] } {
    const { context, motions, near, part, failed, end } = this
    this.h = h
    this.failures = []
    this.correction = null
    this.bodies = bodies
    this.kept.drop(this.islands)
    this.islands = []
    guide(context, h)
    part.fill(0)
    for (const body of bodies) part[body] = 1
    failed.fill(0)
    markLoaded(context.world, this.loaded)
    this.evaluateForces()
    this.joints = gatherJoints(context, body => body >= 0 && part[body] === 1 && motions.snapshot.inverseMass[body]! > 0)
    motions.begin()
    // Coordinates are relative to the base body, which moves when the step begins: its acceleration is included automatically.
    motions.trees?.begin(withPathVelocities(context), h)
    end.set(context.state)
    const moving = [...new Set([...bodies, ...this.kinematic])]
    for (const marks of [this.open, this.moved, this.unproven]) {
      marks.fill(0)
      for (const body of moving) marks[body] = 1
    }
    const step = this.arrays()
    this.moveFreely(step, moving)
    near.begin(moving, part)
    return { step, moving }
  }

  private evaluateForces(): void {
    const { context: { equations, time, state }, bodies, part, external, powerBefore } = this
    this.applied = new AppliedWrenches(equations)
    equations.loads(time, state, this.applied.listen, part)
    for (const body of bodies) external.set(equations.external.subarray(6 * body, 6 * body + 6), 6 * body)
    powerBefore.set(equations.power)
  }

  private arrays(): StepArrays {
    const { motions, end, memory, passages, slots, workspaces, h, context: { leapfrog, environment } } = this
    return { h, end, motions, passages, memory, leapfrog, slots, workspaces, interrupt: () => { stopWhereCancelled(environment) } }
  }

  /**
   * Removes bodies whose step failed or has to be divided, with their islands and everything coupled to these; no effect if they are removed already.
   *
   * @param divisionPoint the instant at which the step is divided
   */
  fail(reason: string, at: readonly number[], divisionPoint: DivisionPoint | null = null): void {
    const { part, failed, open, moved, unproven, end, motions: { snapshot: { inverseMass } }, context: { state, equations: { layout } } } = this
    if (at.some(body => failed[body] === 1)) return
    const removed = new Set(at.filter(body => inverseMass[body]! > 0))
    if (removed.size === 0) return
    spread(removed, this.coupling, this.islands, part)
    for (const body of removed) {
      part[body] = open[body] = moved[body] = unproven[body] = 0
      failed[body] = 1
      const o = layout.offsets[body]!
      end.set(state.subarray(o, o + BODY_STATE), o)
    }
    this.failures.push({ reason, at, divisionPoint, bodies: [...removed].sort((a, b) => a - b) })
    this.islands = this.islands.filter(({ bodies }) => !removed.has(bodies[0]!))
    this.joints = jointsWithout(removed, this.joints)
    this.constraints.leave(failed)
    this.near.choose(part)
  }

  /** Free motion of some bodies, under forces and joints. */
  moveFreely(step: StepArrays, bodies: readonly number[]): void {
    for (const { reason, island } of moveFreely(this.context, step, bodies, this)) this.fail(reason, island)
  }

  /** Accepts the last attempt's impulses: they are reported, and warm-start the next step. */
  keep(): void {
    const { islands, bodies, part, applied } = this
    this.memory.keep(islands, this.kept.keep(islands, bodies, part, applied))
  }

  /** The end of the step at `time`, in `end`; the power of forces there is then that of the equations. */
  finish(time: number): void {
    const { context: { equations, state, world, leapfrog }, end, external, bodies, islands, motions, h } = this
    leapfrog.finish(bodies, islands, motions, external, h, end)
    secondHalfKick(equations, this, { start: state, end, external, time, arrive: at => arrive(this.context, time, at) })
    leapfrog.followEnds(islands)
    if (world.planar) keepInPlane(equations.layout, end)
    arrive(this.context, time, end)
    for (const island of islands) {
      const stops = comesToRest(this.context, island, motions, end, h)
      if (stops) leapfrog.stop(island.bodies)
      island.settled = stops && this.kept.has(island)
    }
    this.keep()
    this.near.advance([...new Set([...bodies, ...this.kinematic])])
  }
}
