/**
 * Bodies of trees within one step, by their joint coordinates [PBM01-F §5]. Impulses change the coordinates' velocities u by P, and the poses of
 * bodies follow from the coordinates q, so that joints hold to rounding without rows.
 *
 *   ū = u + (SᵀMS)⁻¹ Sᵀ (k + p − h/2 (M Ṡ u + ω × L)),   q⁺ = q + h ū
 *
 * k are the impulses of forces: without contacts for half the step, the other half by the forces at its end (velocity Verlet, `tree-kick.ts`),
 * otherwise for the whole step. The bodies reach the end of the step with the velocities of their paths, v̄ = (c⁺ − c)/h, and a momentum L̄ that
 * produces their rotations. These are projected onto the joints there, S⁺ᵀ M (V⁺ − V̄) = 0 [PBM01-F §5]. This includes the other half of M Ṡ u, as in
 * RATTLE, and prevents energy drift.
 *
 * Row velocities are linear in the impulses, as for bodies outside trees: v + h/2 A(2 (k + p)/h) at the poses of the start.
 */

import type { EquationsOfMotion } from '../../contact/equations'
import { WORLD_MOTION } from '../../dynamics/joints/frame'
import { alongCount } from '../../dynamics/joints/mobility'
import { OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../../dynamics/state'
import { readMotion, writeMotion } from '../../dynamics/state-layout'
import { motionFrom, type Forest, type Link, type TreeCoordinates, type Trees } from '../../dynamics/trees'
import type { BodyMotion } from '../../geometry/motion'
import { transform } from '../../math/matrix'
import { multiplyQuaternions, normalizeQuaternion, rotate, type Quat } from '../../math/quaternion'
import { rotationQuaternion } from '../../math/rotation'
import { scale, type Vec3 } from '../../math/vector'
import type { BodyMotions } from './body-motions'
import type { TreeBodies } from './tree-bodies'

/** Share of a step above which forces count as acting for the whole of it. */
const WHOLE = 0.75

export class TreeMotions implements TreeBodies {
  readonly forest: Forest
  private readonly coordinates: TreeCoordinates
  private readonly trees: Trees
  /** Coordinates at the start of the step, preceded by those of their bases. */
  private readonly start: Float64Array
  /** Positions and velocities of coordinates at its end. */
  private readonly positions: Float64Array
  private readonly velocities: Float64Array
  /** Loads on bodies without joints, N and N m, and then with them; accelerations; six doubles a body. */
  private readonly wrench: Float64Array
  private readonly total: Float64Array
  private readonly accelerations: Float64Array
  /** Accelerations of the bases of trees, at the start. */
  private readonly ground: Float64Array
  /** s: length of the step. */
  private h = 0
  private readonly ends: BodyMotion[]
  /** Impulses of the joints of the last step, six doubles a node. */
  private readonly reactions: Float64Array
  readonly joined: Float64Array
  readonly seconds: Float64Array

  constructor(private readonly equations: EquationsOfMotion, private readonly motions: BodyMotions, trees: Trees, coordinates: TreeCoordinates) {
    const { forest } = trees
    const { bodies } = equations.world
    this.forest = forest
    this.trees = trees
    this.coordinates = coordinates
    this.start = new Float64Array(coordinates.length)
    this.positions = new Float64Array(forest.positions)
    this.velocities = new Float64Array(forest.velocities)
    this.wrench = new Float64Array(6 * bodies.length)
    this.total = new Float64Array(6 * bodies.length)
    this.accelerations = new Float64Array(6 * bodies.length)
    this.ground = new Float64Array(6 * bodies.length)
    this.ends = forest.nodes.map(() => WORLD_MOTION)
    this.reactions = new Float64Array(6 * forest.nodes.length)
    this.joined = new Float64Array(6 * bodies.length)
    this.seconds = new Float64Array(bodies.length)
  }

  has(body: number): boolean {
    return this.trees.has(body)
  }

  /** Starts a step of h seconds at the snapshot. */
  begin(state: Float64Array, h: number): void {
    this.h = h
    this.coordinates.reduce(state, this.start)
    this.ground.set(this.equations.free)
  }

  /** Accelerations if kick and impulses act over this time, s, and the resulting joint loads. */
  private respond(timeOf: (body: number) => number): void {
    const { forest: { nodes }, trees, motions: { kick, push }, wrench, total, accelerations, ground } = this
    wrench.fill(0)
    for (const { body } of nodes) {
      const time = timeOf(body)
      if (time > 0) for (let k = 6 * body; k < 6 * body + 6; k++) wrench[k] = (kick[k]! + push[k]!) / time
    }
    accelerations.set(ground)
    trees.accelerate(wrench, accelerations)
    total.set(wrench)
    trees.complete(total)
  }

  /** v̄ and ω̄ of all bodies of the trees that contain some bodies, from kick and push. */
  accelerate(bodies: readonly number[]): void {
    const { forest: { nodes, start }, trees, motions: { before, velocity }, accelerations, velocities } = this
    const touched = this.treesOf(bodies)
    if (touched.length === 0) return
    const time = this.h / 2
    this.respond(() => time)
    for (const tree of touched) {
      for (let n = start[tree]!; n < start[tree + 1]!; n++) {
        const { body, link } = nodes[n]!
        for (let k = 6 * body; k < 6 * body + 6; k++) velocity[k] = before[k]! + time * accelerations[k]!
        if (link === null) continue
        const from = this.coordinates.velocities + link.velocity
        for (let k = 0; k < link.velocities; k++) velocities[link.velocity + k] = this.start[from + k]! + time * trees.rates[link.velocity + k]!
      }
    }
  }

  /** Advances the trees of some bodies to the end of the step, after `accelerate`; their base bodies have moved before. */
  drift(bodies: readonly number[], h: number, state: Float64Array, end: Float64Array): void {
    const { forest: { nodes, start }, motions, equations: { layout }, ends, positions, velocities, total } = this
    for (const tree of this.treesOf(bodies)) {
      for (let n = start[tree]!; n < start[tree + 1]!; n++) {
        const { body, parent, parentNode, link } = nodes[n]!
        if (link === null) {
          const time = h / 2
          motions.drift(body, h, state, end, [0, 1, 2].map(k => time * total[6 * body + 3 + k]!) as unknown as Vec3)
          ends[n] = readMotion(layout, body, end)
          continue
        }
        this.advance(link, h)
        const above = parentNode >= 0 ? ends[parentNode]! : parent < 0 ? WORLD_MOTION : readMotion(layout, parent, end)
        const motion = ends[n] = motionFrom(link, above, layout.bodies[body]!.centerOfMass, positions, velocities)
        writeMotion(layout, body, motion, end)
        motions.takeEnd(body, h, motion, end)
        // Without a second half of the kick, velocities are the mean ones of the step.
        if (motions.kickTime[body]! > WHOLE * h) this.travel(body, h, motion, end)
      }
    }
  }

  /** The mean velocity of a body's path, and the momentum that produces its rotation by the midpoint rule. */
  private travel(body: number, h: number, { center }: BodyMotion, end: Float64Array): void {
    const { motions: { turns, snapshot: { motions, bodies } }, equations: { layout } } = this
    const { center: from, pose: { orientation } } = motions[body]!
    const o = layout.offsets[body]!
    for (let k = 0; k < 3; k++) end[o + OFFSET_VELOCITY + k] = (center[k]! - from[k]!) / h
    const turn = turns[body]!
    const middle = multiplyQuaternions(orientation, rotationQuaternion(scale(turn, 0.5)))
    end.set(rotate(middle, transform(bodies[body]!.inertia, scale(turn, 1 / h))), o + OFFSET_MOMENTUM)
  }

  /** Positions of a joint's coordinates after h seconds at their velocities; a free rotation is about a fixed axis of B. */
  private advance({ mobility, position, velocity }: Link, h: number): void {
    const { start, positions, velocities, coordinates } = this
    const from = coordinates.positions + position
    const along = alongCount(mobility)
    const simple = along + (mobility.free ? 0 : mobility.turns.length)
    for (let k = 0; k < simple; k++) positions[position + k] = start[from + k]! + h * velocities[velocity + k]!
    if (!mobility.free) return
    const q = from + simple
    const t = velocity + along
    const before: Quat = [start[q]!, start[q + 1]!, start[q + 2]!, start[q + 3]!]
    const turn = rotationQuaternion([h * velocities[t]!, h * velocities[t + 1]!, h * velocities[t + 2]!])
    positions.set(normalizeQuaternion(multiplyQuaternions(turn, before)), position + simple)
  }

  /** Adds the joint impulses of the kick at the start, for the trees that contain some bodies. */
  note(bodies: readonly number[]): void {
    const touched = this.treesOf(bodies)
    if (touched.length === 0) return
    const { forest: { nodes, start }, motions: { kickTime }, seconds, joined, reactions } = this
    this.respond(body => kickTime[body]!)
    const found = this.trees.reactions(this.wrench, this.total)
    for (const tree of touched) {
      for (let n = start[tree]!; n < start[tree + 1]!; n++) {
        const { body } = nodes[n]!
        const time = seconds[body] = kickTime[body]!
        for (let k = 0; k < 6; k++) {
          reactions[6 * n + k] = time * found[6 * n + k]!
          joined[6 * body + k] = time * (this.total[6 * body + k]! - this.wrench[6 * body + k]!)
        }
      }
    }
  }

  addEnd(bodies: readonly number[], before: Float64Array, after: Float64Array, time: number): void {
    const { forest: { nodes, start }, seconds, joined, reactions } = this
    const found = this.trees.reactions(before, after)
    for (const tree of this.treesOf(bodies)) {
      for (let n = start[tree]!; n < start[tree + 1]!; n++) {
        const { body } = nodes[n]!
        seconds[body]! += time
        for (let k = 0; k < 6; k++) {
          reactions[6 * n + k]! += time * found[6 * n + k]!
          joined[6 * body + k]! += time * (after[6 * body + k]! - before[6 * body + k]!)
        }
      }
    }
  }

  /** N and N m, six doubles a node. */
  forces(): Float64Array {
    const { forest: { nodes }, seconds, reactions } = this
    return reactions.map((impulse, i) => {
      const time = seconds[nodes[Math.floor(i / 6)]!.body]!
      return time > 0 ? impulse / time : 0
    })
  }

  private treesOf(bodies: readonly number[]): number[] {
    const { nodeOf, nodes } = this.forest
    const found = new Set<number>()
    for (const body of bodies) if (nodeOf[body]! >= 0) found.add(nodes[nodeOf[body]!]!.tree)
    return [...found].sort((a, b) => a - b)
  }
}
