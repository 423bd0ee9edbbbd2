/**
 * A reduced state, in which bodies of trees have joint coordinates instead of 13 doubles each, beside the full state. The other entries keep their order;
 * the positions and then the velocities of all coordinates follow them.
 */

import type { BodyMotion } from '../../geometry/motion'
import { WORLD_MOTION } from '../joints/frame'
import { BODY_STATE, OFFSET_CENTER, OFFSET_VELOCITY } from '../state'
import { readMotion, writeMotion, type StateLayout } from '../state-layout'
import type { Forest, Node } from './forest'
import { motionFrom, positionRates, positionsOf, ratesOf } from './kinematics'

export class TreeCoordinates {
  /** Doubles of a reduced state. */
  readonly length: number
  /** Starts of the coordinates' positions and velocities in it. */
  readonly positions: number
  readonly velocities: number
  /** The ranges of a full state that a reduced one copies: start and end of each. */
  private readonly kept: readonly number[]
  private readonly motions: BodyMotion[]

  constructor(private readonly forest: Forest, private readonly layout: StateLayout) {
    const { offsets, length, bodies } = layout
    const linked = [...offsets.keys()].filter(body => offsets[body]! >= 0 && this.linkOf(body) !== null).sort((a, b) => offsets[a]! - offsets[b]!)
    const kept = [0]
    for (const body of linked) kept.push(offsets[body]!, offsets[body]! + BODY_STATE)
    kept.push(length)
    this.kept = kept
    this.positions = length - BODY_STATE * linked.length
    this.velocities = this.positions + forest.positions
    this.length = this.velocities + forest.velocities
    this.motions = bodies.map(() => WORLD_MOTION)
  }

  /** Reduces a full state: its coordinates describe the nearest poses that the joints allow. */
  reduce(state: Float64Array, out: Float64Array): void {
    this.copy(state, out, true)
    const positions = out.subarray(this.positions, this.velocities)
    const velocities = out.subarray(this.velocities, this.length)
    this.visitLinked((node, link, parent) => {
      const motion = readMotion(this.layout, node.body, state)
      const [a, b] = link.isA ? [motion, parent] : [parent, motion]
      positionsOf(link, a, b, positions, link.position)
      ratesOf(link, a, b, velocities, link.velocity)
      return motion
    }, state)
  }

  /** Expands a reduced state to a full one, in which the joints of trees are satisfied to rounding. */
  expand(reduced: Float64Array, out: Float64Array): void {
    this.copy(reduced, out, false)
    const positions = reduced.subarray(this.positions, this.velocities)
    const velocities = reduced.subarray(this.velocities, this.length)
    this.visitLinked((node, link, parent) => {
      const motion = motionFrom(link, parent, this.layout.bodies[node.body]!.centerOfMass, positions, velocities)
      writeMotion(this.layout, node.body, motion, out)
      return motion
    }, out)
  }

  /** The derivative of a reduced state: copied entries of the full derivative, rates of the positions, and the coordinates' accelerations `rates`. */
  derivative(reduced: Float64Array, full: Float64Array, rates: Float64Array, out: Float64Array): void {
    this.copy(full, out, true)
    const positions = reduced.subarray(this.positions, this.velocities)
    const velocities = reduced.subarray(this.velocities, this.length)
    for (const { link } of this.forest.nodes) if (link !== null) positionRates(link, positions, velocities, out, this.positions + link.position)
    out.set(rates, this.velocities)
  }

  /** Error scales of the components of a reduced state, from those of a full one. */
  scales(full: Float64Array, out: Float64Array): void {
    this.copy(full, out, true)
    for (const { body, link } of this.forest.nodes) {
      if (link === null) continue
      const at = this.layout.offsets[body]!
      const length = full[at + OFFSET_CENTER]!
      const speed = full[at + OFFSET_VELOCITY]!
      const { wire, slides } = link.mobility
      // The parameter of a wire is not a length.
      const unit = wire === null ? 1 : 1 / wire.speed
      const along = wire === null ? slides.length : 1
      for (let k = 0; k < link.positions; k++) out[this.positions + link.position + k] = k < along ? unit * length : 1
      for (let k = 0; k < link.velocities; k++) out[this.velocities + link.velocity + k] = k < along ? unit * speed : speed / length
    }
  }

  /** Copies the entries that are not coordinates from a full state. */
  keep(full: Float64Array, out: Float64Array): void {
    this.copy(full, out, true)
  }

  /** The reduced state of a full one, with its coordinates displaced by `by`, one entry per velocity. */
  moved(state: Float64Array, by: Float64Array): Float64Array {
    const reduced = new Float64Array(this.length)
    const rate = new Float64Array(this.forest.positions)
    this.reduce(state, reduced)
    const positions = reduced.subarray(this.positions, this.velocities)
    for (const { link } of this.forest.nodes) {
      if (link === null) continue
      positionRates(link, positions, by, rate, link.position)
    }
    rate.forEach((value, k) => { positions[k] = positions[k]! + value })
    return reduced
  }

  /** Sets the poses and velocities of bodies of trees in a full state from their coordinates; everything else is unchanged. */
  place(reduced: Float64Array, state: Float64Array): void {
    this.keep(state, reduced)
    this.expand(reduced, state)
  }

  /** Visits children after their parent; `visit` returns the motion. */
  private visitLinked(visit: (node: Node, link: NonNullable<Node['link']>, parent: BodyMotion) => BodyMotion, full: Float64Array): void {
    const { motions, layout } = this
    for (const node of this.forest.nodes) {
      const { body, parent, parentNode, link } = node
      if (link === null) {
        motions[body] = readMotion(layout, body, full)
        continue
      }
      const above = parent < 0 ? WORLD_MOTION : parentNode >= 0 ? motions[parent]! : readMotion(layout, parent, full)
      motions[body] = visit(node, link, above)
    }
  }

  private copy(from: Float64Array, to: Float64Array, reducing: boolean): void {
    let at = 0
    for (let k = 0; k < this.kept.length; k += 2) {
      const start = this.kept[k]!
      const end = this.kept[k + 1]!
      if (reducing) to.set(from.subarray(start, end), at)
      else to.set(from.subarray(at, at + end - start), start)
      at += end - start
    }
  }

  private linkOf(body: number): Node['link'] {
    const node = this.forest.nodeOf[body]!
    return node < 0 ? null : this.forest.nodes[node]!.link
  }
}

