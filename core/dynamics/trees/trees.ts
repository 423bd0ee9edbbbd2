/**
 * Motion of trees of bodies in O(n) [Featherstone, Rigid Body Dynamics Algorithms, 2008, §7.3]: the solution of Lagrange's equations in the joint
 * coordinates,
 *
 *   Sᵀ M S ü = Sᵀ (Q − M Ṡ u̇)                                                      [PBM01-F eq. 13]
 *
 * without forming the matrix. For multipliers on bodies of trees (contacts, loops, limits) it is the inverse mass: P = S (Sᵀ M S)⁻¹ Sᵀ replaces M⁻¹,
 * and rows J, which do not depend on trees, act by J P Jᵀ [PBM01-F §5.1].
 *
 * Vectors of a node are six doubles, linear and angular, in world axes, about the centre of mass of its body.
 */

import type { BodyMotion } from '../../geometry/motion'
import { cross } from '../../math/vector'
import { angularMomentumOf, worldInertia, type RigidBody } from '../body'
import { addForce, addProduct, addShifted, eliminate, factorSpatial, shiftMotion, solveSpatial, SPATIAL } from './articulated'
import type { Forest } from './forest'
import { axesOf, ratesOf, writeBias, writeColumn } from './kinematics'

export class Trees {
  /** Accelerations of the coordinates as computed by the last `accelerate`. */
  readonly rates: Float64Array
  /** Velocities of the coordinates at the motions. */
  private readonly velocities: Float64Array
  private readonly columns: Float64Array
  private readonly U: Float64Array
  private readonly D: Float64Array
  /** −sₖ·p of the last pass. */
  private readonly w: Float64Array
  private readonly bias: Float64Array
  private readonly gyro: Float64Array
  /** From the parent's centre of mass to the node's, 3 a node. */
  private readonly arm: Float64Array
  /** Iᵃ of nodes with a parent; L of Iᴬ for roots. */
  private readonly inertia: Float64Array
  /** Of each body alone, 9 a node. */
  private readonly own: Float64Array
  private readonly p: Float64Array
  private readonly A: Float64Array
  private ready = false

  /** @param motionOf of any body, −1 the world, at the present instant */
  constructor(readonly forest: Forest, private readonly bodies: readonly RigidBody[], private readonly motionOf: (body: number) => BodyMotion) {
    const n = forest.nodes.length
    this.rates = new Float64Array(forest.velocities)
    this.velocities = new Float64Array(forest.velocities)
    this.columns = new Float64Array(6 * forest.velocities)
    this.U = new Float64Array(6 * forest.velocities)
    this.D = new Float64Array(forest.velocities)
    this.w = new Float64Array(forest.velocities)
    this.bias = new Float64Array(6 * n)
    this.gyro = new Float64Array(6 * n)
    this.arm = new Float64Array(3 * n)
    this.inertia = new Float64Array(SPATIAL * n)
    this.own = new Float64Array(9 * n)
    this.p = new Float64Array(6 * n)
    this.A = new Float64Array(6 * n)
  }

  /** Marks stored results as outdated: the motions have changed. */
  stale(): void {
    this.ready = false
  }

  /**
   * Accelerations of all bodies of trees.
   *
   * @param wrench loads on bodies without joints of trees, about their centres of mass, N and N m: 6 doubles a body
   * @param accelerations of the trees' base bodies, 6 doubles a body; those of the trees' bodies are written
   */
  accelerate(wrench: Float64Array, accelerations: Float64Array): void {
    this.prepare()
    const { forest: { nodes, start }, p, gyro, A } = this
    for (let n = 0; n < nodes.length; n++) {
      const body = 6 * nodes[n]!.body
      for (let k = 0; k < 6; k++) p[6 * n + k] = gyro[6 * n + k]! - wrench[body + k]!
    }
    for (let tree = 0; tree + 1 < start.length; tree++) {
      this.gather(start[tree]!, start[tree + 1]!, true)
      this.spread(start[tree]!, start[tree + 1]!, accelerations)
    }
    for (let n = 0; n < nodes.length; n++) {
      const body = 6 * nodes[n]!.body
      for (let k = 0; k < 6; k++) accelerations[body + k] = A[6 * n + k]!
    }
  }

  /** Zero accelerations for bodies in equilibrium, whose loads are rounding. */
  rest(bodies: readonly number[]): void {
    for (const body of bodies) {
      const link = this.nodeOf(body) < 0 ? null : this.forest.nodes[this.nodeOf(body)]!.link
      if (link !== null) this.rates.fill(0, link.velocity, link.velocity + link.velocities)
    }
  }

  /** Adds the joint loads of trees to `wrench`, which is then M times the accelerations of the last `accelerate`, without gyroscopic torque. */
  complete(wrench: Float64Array): void {
    const { forest: { nodes }, A, gyro, own, bodies } = this
    nodes.forEach(({ body }, n) => {
      const { mass } = bodies[body]!
      for (let k = 0; k < 3; k++) {
        const I = 9 * n + 3 * k
        wrench[6 * body + k] = mass * A[6 * n + k]!
        wrench[6 * body + 3 + k] = gyro[6 * n + 3 + k]! + own[I]! * A[6 * n + 3]! + own[I + 1]! * A[6 * n + 4]! + own[I + 2]! * A[6 * n + 5]!
      }
    })
  }

  /** Whether a body belongs to a tree. */
  has(body: number): boolean {
    return body >= 0 && this.forest.nodeOf[body]! >= 0
  }

  nodeOf(body: number): number {
    return body < 0 ? -1 : this.forest.nodeOf[body]!
  }

  /** First node of the tree of a node, and the end of its nodes. */
  range(node: number): readonly [number, number] {
    const { nodes, start } = this.forest
    const { tree } = nodes[node]!
    return [start[tree]!, start[tree + 1]!]
  }

  /** P times six doubles at one node: the response of all nodes of its tree to that wrench (an impulse, a unit multiplier), into their places of `out`. */
  respond(node: number, wrench: Float64Array, from: number, out: Float64Array, at: number): void {
    this.prepare()
    const { p, A } = this
    const [first, end] = this.range(node)
    p.fill(0, 6 * first, 6 * end)
    for (let k = 0; k < 6; k++) p[6 * node + k] = -wrench[from + k]!
    this.gather(first, end, false, node)
    this.spread(first, end, null)
    for (let i = 6 * first; i < 6 * end; i++) out[at + i] = A[i]!
  }

  /** P times a wrench for each body, for all trees: velocities or displacements of nodes; those of coordinates are in `rates`. */
  respondAll(wrench: Float64Array): Float64Array {
    this.prepare()
    const { forest: { nodes, start }, p, A } = this
    nodes.forEach(({ body }, n) => { for (let k = 0; k < 6; k++) p[6 * n + k] = -wrench[6 * body + k]! })
    for (let tree = 0; tree + 1 < start.length; tree++) {
      this.gather(start[tree]!, start[tree + 1]!, false)
      this.spread(start[tree]!, start[tree + 1]!, null)
    }
    return A
  }

  /**
   * Wrenches of the joints on their nodes, 6 doubles a node, about its centre of mass: the momentum rate of the subtree minus its other loads.
   *
   * @param before loads on bodies without joints of trees, `after` with them, 6 doubles a body
   */
  reactions(before: Float64Array, after: Float64Array): Float64Array {
    this.prepare()
    const { forest: { nodes }, arm } = this
    const out = new Float64Array(6 * nodes.length)
    for (let n = nodes.length - 1; n >= 0; n--) {
      const { body, parentNode } = nodes[n]!
      const at = 6 * n
      for (let k = 0; k < 6; k++) out[at + k] = out[at + k]! + after[6 * body + k]! - before[6 * body + k]!
      if (parentNode >= 0) addForce(out, at, arm, 3 * n, out, 6 * parentNode)
    }
    return out
  }

  /**
   * The largest power of reactions along a coordinate, relative to the largest load there: 0 up to rounding.
   *
   * @param least N m: smaller loads count as zero
   */
  reactionError(reactions: Float64Array, least: number): number {
    const { forest: { nodes }, columns } = this
    let work = 0
    let size = least
    nodes.forEach(({ link }, n) => {
      if (link === null) return
      for (let k = link.velocity; k < link.velocity + link.velocities; k++) {
        let sum = 0
        let scale = 0
        for (let i = 0; i < 6; i++) {
          const part = columns[6 * k + i]! * reactions[6 * n + i]!
          sum += part
          scale += Math.abs(part)
        }
        work = Math.max(work, Math.abs(sum))
        size = Math.max(size, scale)
      }
    })
    return size > 0 ? work / size : 0
  }

  /** Columns, biases and inertias at the present motions. */
  private prepare(): void {
    if (this.ready) return
    this.ready = true
    const { forest: { nodes }, bodies, motionOf, columns, U, D, bias, gyro, arm, inertia, own, velocities } = this
    inertia.fill(0)
    nodes.forEach(({ body, parent, link }, n) => {
      const motion = motionOf(body)
      const above = motionOf(parent)
      const turning = cross(motion.angularVelocity, angularMomentumOf(bodies[body]!, motion))
      const I = worldInertia(bodies[body]!, motion.rotation)
      const at = SPATIAL * n
      for (let k = 0; k < 3; k++) {
        gyro[6 * n + 3 + k] = turning[k]!
        arm[3 * n + k] = motion.center[k]! - above.center[k]!
        inertia[at + 7 * k] = bodies[body]!.mass
        for (let i = 0; i < 3; i++) inertia[at + 21 + 6 * k + i] = own[9 * n + 3 * k + i] = I[3 * k + i]!
      }
      if (link === null) return
      const a = link.isA ? motion : above
      const b = link.isA ? above : motion
      const axes = axesOf(link.mobility, a, b)
      ratesOf(link, a, b, velocities, link.velocity, axes)
      axes.forEach((axis, k) => writeColumn(link, k, axis, a, b, columns, 6 * (link.velocity + k)))
      writeBias(link, axes, a, b, velocities, bias, 6 * n)
    })
    for (let n = nodes.length - 1; n >= 0; n--) {
      const { link, parentNode } = nodes[n]!
      const at = SPATIAL * n
      if (link === null) {
        factorSpatial(inertia, at)
        continue
      }
      for (let k = link.velocity + link.velocities - 1; k >= link.velocity; k--) D[k] = eliminate(inertia, at, columns, 6 * k, U, 6 * k)
      if (parentNode >= 0) addShifted(inertia, at, arm[3 * n]!, arm[3 * n + 1]!, arm[3 * n + 2]!, inertia, SPATIAL * parentNode)
    }
  }

  /** From the leaves to the roots: the forces p on the parents. @param from the only node with a load */
  private gather(first: number, end: number, biased: boolean, from = -1): void {
    const { forest: { nodes }, p, w, U, D, columns, inertia, bias, arm } = this
    if (from >= 0) {
      const { velocity: low } = this.firstLink(first)
      w.fill(0, low, this.lastVelocity(end))
    }
    for (let n = from >= 0 ? from : end - 1; n >= first; n = from >= 0 ? nodes[n]!.parentNode : n - 1) {
      const { link, parentNode } = nodes[n]!
      if (link === null) {
        if (from >= 0) return
        continue
      }
      const at = 6 * n
      for (let k = link.velocity + link.velocities - 1; k >= link.velocity; k--) {
        let sum = 0
        for (let i = 0; i < 6; i++) sum -= columns[6 * k + i]! * p[at + i]!
        w[k] = sum
        const share = sum / D[k]!
        for (let i = 0; i < 6; i++) p[at + i] = p[at + i]! + U[6 * k + i]! * share
      }
      if (parentNode < 0) {
        if (from >= 0) return
        continue
      }
      if (biased) addProduct(inertia, SPATIAL * n, bias, at, p, at)
      addForce(p, at, arm, 3 * n, p, 6 * parentNode)
    }
  }

  private firstLink(first: number): { readonly velocity: number } {
    const { nodes } = this.forest
    return nodes[first]!.link ?? nodes[first + 1]!.link!
  }

  private lastVelocity(end: number): number {
    const link = this.forest.nodes[end - 1]!.link!
    return link.velocity + link.velocities
  }

  /**
   * From the roots to the leaves: accelerations. @param ground accelerations of the bodies that carry the trees, 6 doubles a body; null: they do not
   * move, and biases are zero
   */
  private spread(first: number, end: number, ground: Float64Array | null): void {
    const { forest: { nodes }, p, w, A, U, D, columns, inertia, bias, arm, rates } = this
    for (let n = first; n < end; n++) {
      const { link, parent, parentNode } = nodes[n]!
      const at = 6 * n
      if (link === null) {
        for (let i = 0; i < 6; i++) A[at + i] = -p[at + i]!
        solveSpatial(inertia, SPATIAL * n, A, at)
        continue
      }
      if (parentNode >= 0) shiftMotion(A, 6 * parentNode, arm, 3 * n, A, at)
      else if (ground !== null && parent >= 0) shiftMotion(ground, 6 * parent, arm, 3 * n, A, at)
      else A.fill(0, at, at + 6)
      if (ground !== null) for (let i = 0; i < 6; i++) A[at + i] = A[at + i]! + bias[at + i]!
      for (let k = link.velocity; k < link.velocity + link.velocities; k++) {
        let sum = w[k]!
        for (let i = 0; i < 6; i++) sum -= U[6 * k + i]! * A[at + i]!
        const rate = rates[k] = sum / D[k]!
        for (let i = 0; i < 6; i++) A[at + i] = A[at + i]! + columns[6 * k + i]! * rate
      }
    }
  }
}
