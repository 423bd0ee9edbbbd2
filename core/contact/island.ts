/**
 * The contact problem of one island: bodies that can interact through touching points and joints at this instant.
 *
 * The indices of its rows are constant between restarts (the frozen index set of the event-driven method), so that an evaluation at another state
 * only refills numbers.
 */

import { evaluateJoint } from '../dynamics/joints/joint'
import type { ContactProblem, ContactSolution } from '../lcp/problem'
import { slipLength } from '../lcp/spin'
import type { FrozenSystem } from './frozen'
import { FrozenIndexSet } from './frozen-index-set'
import { add, scale, ZERO, type Vec3 } from '../math/vector'
import type { Drive, JointSpin, TouchingLimit, TouchingPoint } from './constraints'
import { axisFriction, COULOMB, poseProblem, type AxisFriction, type FrictionalContact, type FrictionLaw } from './friction-law'
import { layOut, type IslandContents, type IslandJoint, type MutableFriction } from './island-layout'
import type { IslandSpin } from './island-spin'
import { POINT, PointGeometry, pointKinematics, writeTangents } from './point-kinematics'
import { Rows } from './rows'
import { crawlDirection, slipDirection } from './slip'
import type { Snapshot } from './snapshot'
import type { JointElement } from './world'

/** × the largest load of an island: smaller accelerations are rounding. */
const STILL = 1e-9

/** Solvers for the projection of positions and velocities. */
export interface ProjectionSystems {
  readonly position: FrozenSystem
  readonly velocity: FrozenSystem
  readonly velocityBasis: Uint8Array
}

/** Joint errors decay by C̈ = −k_d Ċ − k_s C [PBM01-F §2]: 1/s² and 1/s. */
export interface Feedback {
  readonly stiffness: number
  readonly damping: number
}

export class Island {
  readonly bodies: readonly number[]
  readonly points: readonly TouchingPoint[]
  readonly limits: readonly TouchingLimit[]
  readonly drives: readonly Drive[]
  readonly jointSpins: readonly JointSpin[]
  readonly joints: readonly IslandJoint[]
  readonly geometry: readonly PointGeometry[]
  readonly rows: Rows
  /** First row of each drive, limit and point. */
  readonly driveRow: readonly number[]
  readonly limitRow: readonly number[]
  readonly pointRow: readonly number[]
  /** Coordinate positions of limits and velocities of drives at the snapshot last assembled. */
  readonly limitPosition: Float64Array
  readonly driveVelocity: Float64Array
  /** Under the exact law of friction. */
  readonly exact: ContactProblem
  /** Under the law in use; equal to `exact` except for approximations. */
  problem: ContactProblem
  /** Index in `exact.friction` of each point; −1 where frictionless. */
  readonly frictionIndex: readonly number[]
  /** Index in `problem.friction` of each point; −1 if its friction has no rows there. */
  readonly coneIndex: readonly number[]
  /** By point: friction with separately bounded axes; null if there is none, or a cone. */
  readonly axes: readonly (AxisFriction | null)[]
  /** Spins of joints, then of points, in the order of `problem.spin`. */
  readonly spins: readonly IslandSpin[]
  /** The frozen index set, `BASIS_…` a row; null until forces have been solved. */
  basis: Uint8Array | null = null
  /** Slip directions in the present tangents, 2 a frictional point, and of the spins: refreshed by `fillRows` from the world directions of the points. */
  readonly slip: Float64Array
  /** Solvers for the projection onto the frozen index set; null until first used. */
  projection: ProjectionSystems | null = null
  /**
   * Multipliers of an island in equilibrium. Nothing of it moves, and its loads depend neither on time nor on moving bodies, so these are its forces
   * until the next restart. Null for an island that moves.
   */
  equilibrium: Float64Array | null = null
  /** Solvers of the frozen index set. */
  readonly indexSet = new FrozenIndexSet(this)
  private readonly frictionRows: MutableFriction[]
  private readonly frictional: FrictionalContact[]

  /**
   * @param slowSlip m/s: slower slips keep their direction
   * @param slowSpin rad/s: the same for rotations
   * @param feedback of joints; null: joint errors are removed by projection
   */
  constructor(
    contents: IslandContents, private readonly jointPositions: Float64Array[], private readonly slowSlip: number, private readonly slowSpin: number,
    readonly law: FrictionLaw = COULOMB, readonly feedback: Feedback | null = null,
  ) {
    this.bodies = contents.bodies
    this.points = contents.points
    this.limits = contents.limits
    this.drives = contents.drives
    this.jointSpins = contents.jointSpins
    const { joints, driveRow, limitRow, pointRow, spins, frictionRows, frictional, frictionIndex, exact } = layOut(contents)
    this.joints = joints
    this.driveRow = driveRow
    this.limitRow = limitRow
    this.pointRow = pointRow
    this.spins = spins
    this.frictionRows = frictionRows
    this.frictional = frictional
    this.frictionIndex = frictionIndex
    this.exact = exact
    this.rows = new Rows(exact.size)
    this.limitPosition = new Float64Array(this.limits.length)
    this.driveVelocity = new Float64Array(this.drives.length)
    const records = new Float64Array(POINT.length * this.points.length)
    this.geometry = this.points.map((_, i) => new PointGeometry(records, POINT.length * i))
    this.problem = poseProblem(law, this.exact, this.frictional)
    const { friction } = this.problem
    const axes = axisFriction(this.exact, this.problem, this.frictional)
    this.axes = frictionIndex.map(index => axes[index] ?? null)
    this.coneIndex = this.pointRow.map(normal => friction.findIndex(rows => rows.normal === normal))
    let slips = 2 * friction.length
    for (const spin of spins) {
      spin.at = slips
      slips += spin.rows.rows.length
    }
    this.slip = new Float64Array(slipLength(this.problem))
  }

  /** Refills rows, A and b for the given instant. `free` holds the accelerations without multipliers, 6 doubles a body. */
  assemble(snapshot: Snapshot, free: Float64Array): void {
    this.refill(snapshot, free)
    this.fillDelassus(snapshot)
  }

  /** Refills rows and b, which is sufficient for frozen multipliers. */
  refill(snapshot: Snapshot, free: Float64Array): void {
    this.fillRows(snapshot)
    this.rows.accelerationBias(free, this.problem.b)
    if (this.feedback === null) return
    const { stiffness, damping } = this.feedback
    const { b } = this.problem
    for (const { firstRow, equations: { error } } of this.joints) {
      for (let r = 0; r < error.length; r++) {
        const row = firstRow + r
        b[row] = b[row]! - stiffness * error[r]! - damping * this.rows.velocity(row, snapshot)
      }
    }
  }

  /** Refills A from the present rows. */
  fillDelassus(snapshot: Snapshot): void {
    this.rows.weigh(snapshot)
    this.rows.delassus(this.problem.A)
  }

  /** Refills rows and geometry only, which is sufficient for gaps, relative velocities and errors. */
  fillRows(snapshot: Snapshot): void {
    this.rows.clear()
    for (const joint of this.joints) this.fillJoint(snapshot, joint)
    this.drives.forEach((drive, i) => { this.driveVelocity[i] = this.fillCoordinate(snapshot, drive, 1).velocity })
    let spin = 0
    for (let k = 0; k < this.jointSpins.length; k++) this.fillSpin(snapshot, this.spins[spin++]!, ZERO, ZERO)
    this.limits.forEach((limit, i) => { this.limitPosition[i] = this.fillCoordinate(snapshot, limit, limit.side).position })
    for (let i = 0; i < this.points.length; i++) spin = this.fillPoint(snapshot, i, spin)
    if (this.law.name !== 'exact') this.problem = poseProblem(this.law, this.exact, this.frictional)
  }

  private fillJoint(snapshot: Snapshot, joint: IslandJoint): void {
    const { constraint } = joint.element
    evaluateJoint(constraint, body => snapshot.motionOf(body), joint.equations)
    for (let r = 0; r < constraint.rows; r++) this.rows.pushJoint(constraint, joint.equations, r)
  }

  private fillCoordinate(snapshot: Snapshot, at: { joint: number; element: JointElement; coordinate: number }, sign: number) {
    const { constraint } = at.element
    const near = this.jointPositions[at.joint]![at.coordinate]!
    const coordinate = constraint.coordinate(
      at.coordinate, snapshot.motionOf(constraint.bodyA), snapshot.motionOf(constraint.bodyB), near)
    this.rows.pushJacobian(constraint.bodyA, constraint.bodyB, coordinate.jacobian, 0, sign, sign * coordinate.bias)
    return coordinate
  }

  private fillSpin(snapshot: Snapshot, spin: IslandSpin, normal: Vec3, normalRate: Vec3): void {
    spin.fill(snapshot, this.rows, normal, normalRate, this.slowSpin)
    this.slip.set(spin.rows.slip, spin.at)
  }

  /** @param spin index of the point's first spin in `spins` @returns that of the next point */
  private fillPoint(snapshot: Snapshot, i: number, spin: number): number {
    const point = this.points[i]!
    const { values, at } = this.geometry[i]!
    pointKinematics(snapshot, point, values, at)
    writeTangents(values, at)
    this.pushAlong(snapshot, i, POINT.normal, values[at + POINT.normalDrift]!)
    this.fillFriction(snapshot, i)
    if (point.spins.length === 0) return spin
    const n = at + POINT.normal
    const rate = at + POINT.normalRate
    const normal: Vec3 = [values[n]!, values[n + 1]!, values[n + 2]!]
    const normalRate: Vec3 = [values[rate]!, values[rate + 1]!, values[rate + 2]!]
    point.spins.forEach((_, k) => { this.fillSpin(snapshot, this.spins[spin + k]!, normal, normalRate) })
    return spin + point.spins.length
  }

  /** Appends the row of point `i` along a unit vector of its record. */
  private pushAlong(snapshot: Snapshot, i: number, direction: number, bias: number): void {
    const { bodyA, bodyB } = this.points[i]!
    const { values, at } = this.geometry[i]!
    const d = at + direction
    this.rows.pushAt(snapshot, bodyA, bodyB, values[at]!, values[at + 1]!, values[at + 2]!, values[d]!, values[d + 1]!, values[d + 2]!, bias)
  }

  private fillFriction(snapshot: Snapshot, i: number): void {
    const index = this.frictionIndex[i]!
    if (index < 0) return
    const point = this.points[i]!
    const geometry = this.geometry[i]!
    const { values, at } = geometry
    const t1 = at + POINT.tangent1
    const t2 = at + POINT.tangent2
    this.pushAlong(snapshot, i, POINT.tangent1, dotAt(values, t1, values, at + POINT.drift))
    this.pushAlong(snapshot, i, POINT.tangent2, dotAt(values, t2, values, at + POINT.drift))
    const friction = this.frictionRows[index]!
    const contact = this.frictional[index]!
    contact.velocity1 = dotAt(values, at + POINT.relativeVelocity, values, t1)
    contact.velocity2 = dotAt(values, at + POINT.relativeVelocity, values, t2)
    const axes = this.axes[i]!
    // With separately bounded axes, a beginning slip keeps its previous bounds.
    const sliding = axes === null ? point.friction === 'sliding' : axes.slides
    friction.state = sliding ? 'sliding' : 'static'
    const direction = sliding ? slipDirection(point, geometry, this.slowSlip) : point.slip
    friction.slip1 = dotAt(direction, 0, values, t1)
    friction.slip2 = dotAt(direction, 0, values, t2)
    this.keepSlip(i)
  }

  /** Updates the slip of a point with a cone in `slip`. */
  private keepSlip(i: number): void {
    const cone = this.coneIndex[i]!
    if (cone < 0) return
    const crawling = this.law.name === 'crawl' && this.points[i]!.friction !== 'sliding'
    const { slip1, slip2 } = crawling ? crawlDirection(this.frictional[this.frictionIndex[i]!]!) : this.frictionRows[this.frictionIndex[i]!]!
    this.slip[2 * cone] = slip1
    this.slip[2 * cone + 1] = slip2
  }

  /** Freezes the index set of a solution, with its slip directions as world vectors. */
  freeze(snapshot: Snapshot, solution: Pick<ContactSolution, 'basis' | 'slip' | 'f' | 'a'>): void {
    this.basis = solution.basis
    this.projection = null
    this.slip.set(solution.slip)
    const still = STILL * this.problem.b.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    this.points.forEach((point, i) => {
      const index = this.coneIndex[i]!
      if (this.frictionIndex[i]! < 0 || point.friction === 'sliding') return
      const { tangent1, tangent2 } = this.geometry[i]!
      point.slip = index < 0 ? this.axes[i]!.beginsAlong(solution.basis, solution.a, still, [tangent1, tangent2])
        : add(scale(tangent1, this.slip[2 * index]!), scale(tangent2, this.slip[2 * index + 1]!))
    })
    for (const found of this.spins) {
      const { spin, at, rows: { rows } } = found
      if (spin.friction !== 'sliding') spin.slip = found.vector([...this.slip.subarray(at, at + rows.length)])
    }
    this.indexSet.freeze(snapshot, solution)
  }
}

function dotAt(a: ArrayLike<number>, i: number, b: Float64Array, j: number): number {
  return a[i]! * b[j]! + a[i + 1]! * b[j + 1]! + a[i + 2]! * b[j + 2]!
}
