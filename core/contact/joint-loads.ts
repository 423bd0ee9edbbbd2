/** Loads on the coordinates of joints: springs, damping, controllers, drives of the scene, servos, and saturated drives. */

import { bodiesOfJoint } from '../dynamics/joints'
import type { JointCoordinate } from '../dynamics/joints/joint'
import type { Drive } from './constraints'
import { servoForce, servoOf } from './servo'
import type { Snapshot } from './snapshot'
import type { CoordinateElements, Servo, World } from './world'

const AT_REST = { position: 0, velocity: 0 } as const

/** Called with each load, N or N m, and the state of its coordinate; `dissipative`: whether its work is not the change of a potential. */
export type CoordinateSink = (joint: number, coordinate: JointCoordinate, force: number, dissipative: boolean) => void

export class JointLoads {
  /** Saturated drives, which act with a known force. */
  saturated: readonly Drive[] = []
  /** Whether servos are rows of the step, and so exert no force here. */
  servosAreRows = false
  /** s: time of the last `apply`. */
  private instant = 0

  /** @param positions of joint coordinates near which angles are unwrapped, by joint and coordinate; current */
  constructor(private readonly world: World, private readonly snapshot: Snapshot, private readonly positions: readonly Float64Array[]) {}

  /** Whether a joint is not broken and all its bodies exist: otherwise it exerts no force, and its limits do not hold. */
  acts(joint: number): boolean {
    const { broken, constraint } = this.world.joints[joint]!
    return !broken && bodiesOfJoint(constraint).every(body => this.snapshot.exists[body])
  }

  /** Computes all loads at the snapshot. */
  apply(instant: number, sink: CoordinateSink): void {
    this.instant = instant
    this.world.joints.forEach((joint, index) => {
      if (!this.acts(index)) return
      joint.coordinates.forEach((elements, coordinate) => {
        const servo = this.servoOf(elements)
        const given = this.givenForce(elements)
        if (elements.spring === null && elements.damping === 0 && servo === null && given === 0) return
        const state = this.coordinate(index, coordinate)
        const { position, velocity } = state
        if (given !== 0) sink(index, state, given, true)
        if (servo !== null) sink(index, state, servoForce(servo, instant, position, velocity), true)
        if (elements.spring !== null) sink(index, state, -elements.spring.stiffness * (position - elements.spring.rest), false)
        if (elements.damping > 0) sink(index, state, -elements.damping * velocity, true)
      })
    })
    for (const drive of this.saturated) {
      if (!this.acts(drive.joint)) continue
      sink(drive.joint, this.coordinate(drive.joint, drive.coordinate), drive.state === 'positive' ? drive.maxForce : -drive.maxForce, true)
    }
  }

  /** N or N m: load of controllers, drives and servos on a joint at the snapshot, without motors. */
  commanded(joint: number): number {
    if (!this.acts(joint)) return 0
    return this.world.joints[joint]!.coordinates.reduce((sum, elements, coordinate) => {
      const servo = this.servoOf(elements)
      const { position, velocity } = servo === null ? AT_REST : this.coordinate(joint, coordinate)
      return sum + this.givenForce(elements) + (servo === null ? 0 : servoForce(servo, this.instant, position, velocity))
    }, 0)
  }

  /** Energy of the springs at the snapshot, J. */
  springEnergy(): number {
    let energy = 0
    this.world.joints.forEach((joint, index) => joint.coordinates.forEach(({ spring }, coordinate) => {
      if (spring === null || !this.acts(index)) return
      const stretch = this.coordinate(index, coordinate).position - spring.rest
      energy += 0.5 * spring.stiffness * stretch * stretch
    }))
    return energy
  }

  /** Position and velocity of a joint coordinate at the snapshot. */
  coordinate(joint: number, coordinate: number): JointCoordinate {
    const { constraint } = this.world.joints[joint]!
    const near = this.positions[joint]![coordinate]!
    return constraint.coordinate(coordinate, this.snapshot.motionOf(constraint.bodyA), this.snapshot.motionOf(constraint.bodyB), near)
  }

  /** N or N m: a controller's force, or that of the scene's drive if no controller has set one. */
  private givenForce({ command, drive }: CoordinateElements): number {
    if (command === null) return drive?.at(this.instant) ?? 0
    return command.kind === 'force' ? command.force : 0
  }

  /** The servo of a coordinate, if it is a force here. */
  private servoOf(elements: CoordinateElements): Servo | null {
    return this.servosAreRows ? null : servoOf(elements)
  }
}
