/**
 * Moving heaps: clusters of many bodies with frequent impacts, stepped in substeps.
 *
 * Hulls that land may rotate by half a radian in a step of 1/60 s. The linearisation error of a gap, θ² r / 2, is sixteen times smaller in a quarter
 * of the step. A few sweeps in each substep, with the features that face each other at that time, are therefore more accurate than many sweeps over
 * the features found at the start of the step. Remaining overlaps are removed by a position correction, pair by pair, before the next substep. Bodies
 * never overlap and rest up to `timeStepping.tolerance` above each other. Frames show the impulses of the last substep divided by its length.
 */

import type { PrimitivePair } from '../../../contact/contact-set'
import { bodiesOfJoint } from '../../../dynamics/joints'
import { length, sub } from '../../../math/vector'
import { ActiveConstraint } from '../active-constraint'
import type { BodyMotions } from '../body-motions'
import type { Clusters } from '../clusters'
import type { StepContext } from '../context'
import { pileGap } from '../pile-gap'
import type { PositionCorrection } from '../position-correction'
import type { NearPairs } from '../near-pairs'
import { thicknessOf } from '../passage'
import type { ProblemWorkspaces } from '../problem-workspace'
import { stillSpeed } from '../rest'
import { unilateral } from '../standard-model'
import { StepIsland } from '../step-island'
import { HeapBodies } from './heap-bodies'
import { at, featuresOf } from './heap-impacts'
import { HeapPairs } from './heap-pairs'
import { Substep } from './substep'
import { STICKING } from '../tolerances'

/** Most substeps for the sake of accuracy (`FINE`), and most substeps altogether. Clusters that would need more are not treated as heaps. */
const FINE_SUBSTEPS = 4
const MAX_SUBSTEPS = 64
/** × thickness of the thinnest solid: largest displacement of a point in a step of one substep. Faster bodies get more substeps, up to four. */
const FINE = 0.02

/** × thickness of the thinnest solid: largest displacement of a point in any substep, so that no body tunnels through another. */
const SHARE = 0.25

/** @param share displacement of the fastest point in the step ÷ thickness of the thinnest solid */
function substepsFor(share: number): number {
  return Math.max(1, Math.min(Math.ceil(share / FINE), FINE_SUBSTEPS), Math.ceil(share / SHARE))
}

export interface Heap {
  /** Sorted. */
  readonly bodies: readonly number[]
  readonly pairs: readonly PrimitivePair[]
  /** m/s: speed of the fastest point. */
  readonly fastest: number
  readonly substeps: number
}

export interface HeapStep {
  /** s */
  readonly h: number
  /** Kinematic bodies. */
  readonly kinematic: readonly number[]
  /** Wrenches at the start of the step, six doubles a body. */
  readonly external: Float64Array
  readonly motions: BodyMotions
  readonly near: NearPairs
  /** State at the end of the step. */
  readonly end: Float64Array
  /** By body: whether pairs that were not checked may overlap at the end of the step. */
  readonly unproven: Uint8Array
}

/**
 * State from which a continued run resumes its heaps. Without it, heaps that have come to rest would count as built structures and be solved from
 * scratch.
 */
export interface CarriedHeaps {
  readonly fallen: readonly number[]
  readonly contacts: HeapPairs['carried']
}

export class Heaps {
  private readonly substep: Substep
  private readonly columns: HeapBodies
  private readonly pairs: HeapPairs
  private readonly jointed: Uint8Array
  /** By body: whether its heap has fallen. */
  private readonly fallen: Uint8Array
  /** By body: bounds on the path of its points, m, and on the part of it that is due to rotation. */
  private readonly path: Float64Array
  private readonly swing: Float64Array
  /** Handles of the pairs that may come into contact in a step. */
  private list = new Int32Array(64)

  constructor(private readonly context: StepContext, workspaces: ProblemWorkspaces) {
    const { equations: { layout }, world } = context
    this.columns = new HeapBodies(layout)
    this.pairs = new HeapPairs(context)
    this.substep = new Substep(context, this.columns, this.pairs, workspaces)
    this.jointed = new Uint8Array(world.bodies.length)
    for (const { constraint } of world.joints) for (const body of bodiesOfJoint(constraint)) if (body >= 0) this.jointed[body] = 1
    this.fallen = new Uint8Array(world.bodies.length)
    this.path = new Float64Array(world.bodies.length)
    this.swing = new Float64Array(world.bodies.length)
  }

  get carried(): CarriedHeaps {
    return { fallen: [...this.fallen.keys()].filter(body => this.fallen[body] === 1), contacts: this.pairs.carried }
  }

  set carried({ fallen, contacts }: CarriedHeaps) {
    for (const body of fallen) this.fallen[body] = 1
    this.pairs.carried = contacts
  }

  /**
   * Finds the clusters of many bodies that are coupled by contacts only and are falling, or have fallen since the cluster became large. A structure
   * that was built and stands, or slides slowly, is not a heap.
   *
   * @param h s: length of the step
   */
  find(clusters: Clusters, pairs: readonly PrimitivePair[], bodies: readonly number[], h: number): Heap[] {
    const { context: { settings, equations: { snapshot } }, jointed, fallen } = this
    if (settings.solver !== 'auto' || settings.frictionDirections > 0 || settings.impact !== 'simultaneous' || settings.linearizations !== null) return []
    const groups = new Map<number, { bodies: number[], pairs: PrimitivePair[], falls: boolean, plain: boolean, fastest: number, thinnest: number }>()
    for (const body of bodies) {
      if (snapshot.inverseMass[body] === 0) continue
      if (!clusters.isPile(body)) {
        fallen[body] = 0
        continue
      }
      const home = clusters.homeOf(body)
      let group = groups.get(home)
      if (group === undefined) groups.set(home, group = { bodies: [], pairs: [], falls: false, plain: true, fastest: 0, thinnest: Infinity })
      group.bodies.push(body)
      group.plain &&= jointed[body] === 0
      group.falls ||= fallen[body] === 1
      const { velocity, angularVelocity } = snapshot.motions[body]!
      group.fastest = Math.max(group.fastest, length(velocity) + snapshot.bodies[body]!.boundingRadius * length(angularVelocity))
    }
    for (const pair of pairs) {
      const { a, b, material } = pair
      const group = groups.get(clusters.homeOf(pair.bodyA))
      if (group === undefined) continue
      group.pairs.push(pair)
      group.plain &&= material.torsionalFriction === 0 && material.rollingFriction === 0
      group.thinnest = Math.min(group.thinnest, thicknessOf(a.primitive), thicknessOf(b.primitive))
    }
    const found: Heap[] = []
    for (const { bodies: members, pairs: own, falls, plain, fastest, thinnest } of groups.values()) {
      const share = h * fastest / thinnest
      // Bodies too fast for substeps get a swept proof of non-intersection, like single bodies.
      if (!plain || !(falls || share > FINE) || share > SHARE * MAX_SUBSTEPS) continue
      for (const body of members) fallen[body] = 1
      found.push({ bodies: members, pairs: own, fastest, substeps: substepsFor(share) })
    }
    return found
  }

  /**
   * Advances a heap through a step and writes its `motions` and `end`.
   *
   * @returns the problem and solution of its last substep, as an island
   */
  take({ bodies, pairs, fastest, substeps: count }: Heap, { kinematic, external, h, motions, near: { way }, end, unproven }: HeapStep): StepIsland {
    const { substep, context: { equations: { snapshot: { exists } }, state, scales }, columns, path, swing } = this
    const moving = [...bodies, ...kinematic.filter(body => exists[body])]
    for (const body of moving) {
      columns.load(body, state)
      path[body] = swing[body] = 0
    }
    const listed = this.choose(pairs, way)
    substep.begin(this.list, listed, fastest, stillSpeed(scales, bodies, true, h))
    let solvedApart = true
    for (let k = 0; k < count; k++) {
      if (k > 0) columns.advance(moving)
      solvedApart = substep.take(bodies, moving, external, h / count) && solvedApart
      for (const body of moving) {
        path[body] = path[body]! + columns.path[body]!
        swing[body] = swing[body]! + columns.swing[body]!
      }
    }
    const island = this.islandOf(bodies, h / count)
    for (const body of bodies) {
      columns.store(body, end)
      motions.kickBody(body, external, h)
      motions.arrive(body, h, columns.velocity, columns.end.poseOf(body), path[body]!, swing[body]!, end)
      unproven[body] = !solvedApart || path[body]! > way[body]! ? 1 : 0
    }
    columns.advance(moving)
    return island
  }

  /** Writes the pairs that may come into contact in the step into `list`. @returns their number */
  private choose(pairs: readonly PrimitivePair[], way: Float64Array): number {
    const { pairs: known, columns: { start, turned } } = this
    if (this.list.length < pairs.length) this.list = new Int32Array(2 * pairs.length)
    let listed = 0
    for (let k = 0; k < pairs.length; k++) {
      const pair = known.handleOf(pairs[k]!)
      const reach = way[known.bodyA[pair]!]! + way[known.bodyB[pair]!]!
      if (known.least(pair, start, turned) > reach || known.between(pair, start) > reach) continue
      this.list[listed++] = pair
    }
    return listed
  }

  /** The bodies of the last heap that position correction moved farther than the gap target; null if there are none. */
  correction({ bodies }: Heap): PositionCorrection | null {
    const { substep: { correction: { moved, most } }, context } = this
    return most > 2 * pileGap(context, bodies) ? { bodies: new Set(moved), most } : null
  }

  /** The solution of the last substep in the form that frames, events and the next initial guess read. */
  private islandOf(bodies: readonly number[], h: number): StepIsland {
    const { substep: { contacts, problem, solution, works, impacts }, context, pairs, columns } = this
    const island = new StepIsland()
    island.mode = 'contact'
    island.pile = true
    island.h = island.kickTime = h
    island.bodies.push(...bodies)
    island.recordedWorks = { ...works, impacts: impacts.events(pairs) }
    island.solver = solution!.solver
    island.residual = solution!.residual
    island.sweeps = solution!.iterations
    island.history = solution!.history
    island.stickSpeed = STICKING * context.scales.speed(...bodies)
    island.adopt(problem!, this.substep.releaseWorkspace())
    for (let k = 0; k < contacts.count; k++) {
      const active = new ActiveConstraint(unilateral(pairs.pairs[contacts.pairs[k]!]!, featuresOf(contacts, pairs, k)))
      const point = at(contacts.points, k)
      const { bodyA, bodyB } = active.constraint.pair
      active.adopt(
        { point, normal: at(contacts.normals, k), gap: contacts.gaps[k]! }, sub(columns.velocityAt(bodyA, point), columns.velocityAt(bodyB, point)),
        contacts.aim[k]!, contacts.friction[k]!)
      active.row = contacts.row[k]!
      active.bounce = contacts.bounce[k]!
      island.constraints.push(active)
    }
    return island
  }
}
