/**
 * The equations of motion with frozen index sets, as the integrator uses them between two events.
 *
 *   ċ = v,  q̇ = ½ ω q,  m v̇ = F + Σ Jᵀ f,  L̇ = τ + Σ Jᵀ f
 *
 * The works of the energy audit follow the bodies in the state vector and are integrated with the motion.
 */

import { dot, type Vec3 } from '../math/vector'
import { angularMomentumOf, kineticEnergy } from '../dynamics/body'
import { OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../dynamics/state'
import { stateLayout, writeKinematics, type StateLayout } from '../dynamics/state-layout'
import { TreeCoordinates, type Forest } from '../dynamics/trees'
import type { WorkAccount, WrenchSink } from '../dynamics/forces/force'
import type { JointCoordinate } from '../dynamics/joints/joint'
import { addConstraintPower, addTreePower, velocityAlong } from './constraint-power'
import type { Island } from './island'
import { JointLoads } from './joint-loads'
import { Snapshot } from './snapshot'
import { WORKS } from './works'
import type { World } from './world'

const FRICTION = WORKS.indexOf('friction')
const DRAG = WORKS.indexOf('drag')
const SCRIPTS = WORKS.indexOf('scripts')
const JOINTS = WORKS.indexOf('joints')
const KINEMATIC = WORKS.indexOf('kinematic')

/** Called with every external wrench of one evaluation: force k of the world, or −1 − j for the springs, damping and saturated drives of joint j. */
export type WrenchListener = (source: number, body: number, force: Vec3, torque: Vec3) => void

export class EquationsOfMotion implements WrenchSink {
  readonly snapshot: Snapshot
  /** Islands of the current index set; replaced at every restart. */
  islands: readonly Island[] = []
  /** Loads on the coordinates of joints. */
  readonly jointLoads: JointLoads
  /** Positions of joint coordinates near which angles are unwrapped, by joint and coordinate. */
  readonly jointPositions: Float64Array[]
  /** Accelerations without multipliers, 6 doubles a body. */
  readonly free: Float64Array
  /** External wrench, about the centre of mass, 6 doubles a body. */
  readonly external: Float64Array
  /** External and constraint wrench, 6 doubles a body. */
  readonly total: Float64Array
  /** Rates of the works at the snapshot, W, in the order of `WORKS`; the power of multipliers is added by `derivative` only. */
  readonly power = new Float64Array(WORKS.length)
  /** Latest time at which forces are evaluated, s. */
  private lastInstant = Infinity
  private listener: WrenchListener | null = null
  private source = 0
  /** s: last time at which forces were evaluated. */
  private instant = 0
  /** By body: whether loads on it count in this evaluation; null: all count. */
  private part: Uint8Array | null = null
  /** Whether a load on an immovable body counts: it does if the load of the same force on the other body counts. */
  private counts = true
  readonly layout: StateLayout
  /** Coordinates of bodies in trees; null if all joints are rows. */
  readonly coordinates: TreeCoordinates | null

  /**
   * @param own the moving bodies to integrate; default: all
   * @param jointPositions initial joint positions, updated here; default: zero
   * @param forest of the joints that are coordinates; null: all joints are rows
   */
  constructor(readonly world: World, own?: ReadonlySet<number>, jointPositions?: Float64Array[], forest: Forest | null = null) {
    this.layout = stateLayout(world.bodies, WORKS.length, own)
    this.snapshot = new Snapshot(this.layout, forest)
    this.coordinates = forest === null ? null : new TreeCoordinates(forest, this.layout)
    const n = world.bodies.length
    this.free = new Float64Array(6 * n)
    this.external = new Float64Array(6 * n)
    this.total = new Float64Array(6 * n)
    this.jointPositions = jointPositions ?? world.joints.map(joint => new Float64Array(joint.constraint.coordinates))
    this.jointLoads = new JointLoads(world, this.snapshot, this.jointPositions)
  }

  /** From now on evaluates forces strictly before `breakpoint`: the stages of a step that ends there must not include the jump. */
  before(breakpoint: number): void {
    // The largest double below a positive one.
    this.lastInstant = breakpoint * (1 - Number.EPSILON / 2)
  }

  /** ẏ with frozen index sets. */
  readonly derivative = (time: number, state: Float64Array, out: Float64Array): void => {
    this.loads(time, state)
    this.total.set(this.external)
    for (const island of this.islands) {
      if (island.equilibrium !== null) {
        for (const body of island.bodies) this.total.fill(0, 6 * body, 6 * body + 6)
        continue
      }
      island.refill(this.snapshot, this.free)
      const f = island.indexSet.multipliers(this.snapshot)
      island.rows.addWrench(f, this.total)
      addConstraintPower(this.snapshot, island, f, this.power)
    }
    const beforeTrees = this.completeTrees(this.total)
    addTreePower(this.snapshot, beforeTrees, this.total, this.power)
    this.writeRates(state, out)
  }

  /**
   * Unpacks the state and evaluates everything but the multipliers: external wrenches and free accelerations.
   *
   * @param part by body: whether loads on it count, in `external` and in `power`; null: all count. A force between bodies counts wholly or not at
   *   all if its dynamic bodies have the same entry
   */
  loads(time: number, state: Float64Array, listener: WrenchListener | null = null, part: Uint8Array | null = null): void {
    this.listener = listener
    this.part = part
    this.snapshot.update(state)
    this.external.fill(0)
    this.power.fill(0)
    const instant = this.instant = Math.min(time, this.lastInstant)
    this.world.forces.forEach((force, k) => {
      this.source = k
      this.counts = part === null || part[this.leaderOf(force.bodies)] === 1
      force.apply(instant, this.snapshot.motions, this.snapshot.exists, this)
    })
    this.jointLoads.apply(instant, this.pushCoordinate)
    this.freeAccelerations()
  }

  /** The first dynamic one of `bodies`; the first one if none is dynamic. */
  private leaderOf(bodies: readonly number[]): number {
    for (const body of bodies) if (body >= 0 && this.snapshot.inverseMass[body]! > 0) return body
    return bodies.find(body => body >= 0) ?? 0
  }

  force(index: number, [fx, fy, fz]: Vec3, [px, py, pz]: Vec3, account: WorkAccount): void {
    const { center, velocity: v, angularVelocity: w } = this.snapshot.motions[index]!
    const x = px - center[0]
    const y = py - center[1]
    const z = pz - center[2]
    const power = fx * (v[0] + (w[1] * z - w[2] * y)) + fy * (v[1] + (w[2] * x - w[0] * z)) + fz * (v[2] + (w[0] * y - w[1] * x))
    this.push(index, fx, fy, fz, y * fz - z * fy, z * fx - x * fz, x * fy - y * fx, account, power)
  }

  torque(index: number, torque: Vec3, account: WorkAccount): void {
    this.push(index, 0, 0, 0, torque[0], torque[1], torque[2], account, dot(torque, this.snapshot.motions[index]!.angularVelocity))
  }

  private push(index: number, fx: number, fy: number, fz: number, mx: number, my: number, mz: number, account: WorkAccount, power: number): void {
    if (!this.snapshot.exists[index]) return
    if (this.world.planar) fy = mx = mz = 0
    if (this.part !== null) {
      if (this.snapshot.inverseMass[index]! > 0) this.counts = this.part[index] === 1
      if (!this.counts) return
    }
    if (account !== 'potential') this.pay(account, power)
    if (this.snapshot.inverseMass[index] === 0) {
      // A kinematic body keeps its velocity against the force, so it supplies the work of the force.
      this.power[KINEMATIC] = this.power[KINEMATIC]! - power
      return
    }
    this.listener?.(this.source, index, [fx, fy, fz], [mx, my, mz])
    const { external } = this
    const at = 6 * index
    external[at] = external[at]! + fx
    external[at + 1] = external[at + 1]! + fy
    external[at + 2] = external[at + 2]! + fz
    external[at + 3] = external[at + 3]! + mx
    external[at + 4] = external[at + 4]! + my
    external[at + 5] = external[at + 5]! + mz
  }

  private pay(account: WorkAccount, power: number): void {
    const at = account === 'drag' ? DRAG : account === 'friction' ? FRICTION : SCRIPTS
    this.power[at] = this.power[at]! + power
  }

  /** Potential energy of all conservative forces at the snapshot, J. */
  potential(): number {
    const { motions, exists } = this.snapshot
    return this.world.forces.reduce((sum, force) => sum + force.potential(motions, exists), 0) + this.jointLoads.springEnergy()
  }

  /** Kinetic energy of one body at the snapshot, J. */
  kineticEnergyOf(body: number): number {
    return kineticEnergy(this.world.bodies[body]!, this.snapshot.motions[body]!)
  }

  private readonly pushCoordinate = (joint: number, { jacobian, velocity }: JointCoordinate, force: number, dissipative: boolean): void => {
    const { constraint } = this.world.joints[joint]!
    const bodies = [constraint.bodyA, constraint.bodyB]
    if (this.part !== null && this.part[this.leaderOf(bodies)] === 0) return
    this.source = -1 - joint
    for (let side = 0; side < 2; side++) {
      const body = bodies[side]!
      if (body < 0) continue
      if (this.snapshot.inverseMass[body] === 0) {
        // Power supplied by a kinematic body through the element.
        this.power[KINEMATIC] = this.power[KINEMATIC]! - force * velocityAlong(jacobian, 6 * side, this.snapshot, body)
        continue
      }
      const at = 6 * side
      this.listener?.(
        this.source, body, [force * jacobian[at]!, force * jacobian[at + 1]!, force * jacobian[at + 2]!],
        [force * jacobian[at + 3]!, force * jacobian[at + 4]!, force * jacobian[at + 5]!])
      for (let k = 0; k < 6; k++) this.external[6 * body + k] = this.external[6 * body + k]! + force * jacobian[at + k]!
    }
    if (dissipative) this.power[JOINTS] = this.power[JOINTS]! + force * velocity
  }

  private freeAccelerations(): void {
    const { bodies, motions, inverseMass, inverseInertia: I } = this.snapshot
    for (const body of bodies) {
      const i = body.index
      const m = inverseMass[i]!
      const at = 6 * i
      if (m === 0) {
        this.free.fill(0, at, at + 6)
        if (body.path !== null && this.snapshot.exists[i]) {
          const { acceleration, angularAcceleration } = body.path.at(this.instant)
          this.free.set(acceleration, at)
          this.free.set(angularAcceleration, at + 3)
        }
        continue
      }
      const [wx, wy, wz] = motions[i]!.angularVelocity
      const [Lx, Ly, Lz] = angularMomentumOf(body, motions[i]!)
      const tx = this.external[at + 3]! - (wy * Lz - wz * Ly)
      const ty = this.external[at + 4]! - (wz * Lx - wx * Lz)
      const tz = this.external[at + 5]! - (wx * Ly - wy * Lx)
      for (let k = 0; k < 3; k++) {
        this.free[at + k] = m * this.external[at + k]!
        this.free[at + 3 + k] = I[9 * i + 3 * k]! * tx + I[9 * i + 3 * k + 1]! * ty + I[9 * i + 3 * k + 2]! * tz
      }
    }
    this.snapshot.trees?.accelerate(this.external, this.free)
  }

  /**
   * Adds the joint reactions of trees to the sum of all other wrenches, 6 doubles a body, in place; the coordinates' accelerations are stored in the
   * trees.
   *
   * @returns that sum before the addition
   */
  completeTrees(total: Float64Array): Float64Array {
    const { snapshot: { trees } } = this
    if (trees === null) return total
    const before = total.slice()
    // Without multipliers the trees have just been evaluated.
    if (this.islands.length > 0) trees.accelerate(total, this.free.slice())
    trees.complete(total)
    for (const island of this.islands) {
      if (island.equilibrium === null) continue
      for (const body of island.bodies) total.fill(0, 6 * body, 6 * body + 6)
      trees.rest(island.bodies)
    }
    return before
  }

  private writeRates(state: Float64Array, out: Float64Array): void {
    const { motions, inverseMass, exists } = this.snapshot
    writeKinematics(this.layout, state, motions, exists, out)
    for (let i = 0; i < motions.length; i++) {
      const at = this.layout.offsets[i]!
      const m = inverseMass[i]!
      if (m === 0) {
        // A kinematic body's last three are its angular velocity.
        if (at >= 0 && exists[i]! && this.world.bodies[i]!.path !== null) {
          for (let k = 0; k < 6; k++) out[at + (k < 3 ? OFFSET_VELOCITY : OFFSET_MOMENTUM - 3) + k] = this.free[6 * i + k]!
        }
        continue
      }
      for (let k = 0; k < 3; k++) {
        out[at + OFFSET_VELOCITY + k] = m * this.total[6 * i + k]!
        out[at + OFFSET_MOMENTUM + k] = this.total[6 * i + 3 + k]!
      }
    }
    out.set(this.power, this.layout.bodyLength)
  }
}
