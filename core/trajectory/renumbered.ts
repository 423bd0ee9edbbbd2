/** Converts the output of a run that knew fewer bodies and joints, or had them in another order, to the numbers of a complete header. */

import { BODY_STRIDE, WRENCH_SOURCES, type CertificateFrame, type ContactFrame, type ForceFrame, type Frame, type JointFrame, type TrajectoryEvent, type TrajectoryHeader } from './frame'
import { frameHash, hashOrder } from './frame-hash'

/** Numbered elements; deformables are the same on both sides. */
export type Numbered = Pick<TrajectoryHeader, 'bodyIds' | 'jointIds' | 'deformableIds'>

const FORCE = WRENCH_SOURCES.indexOf('force')

export class Renumbering {
  /** Whether known elements keep their numbers: then only frames and joints, which have an entry for each element, become longer. */
  readonly keepsNumbers: boolean
  private readonly bodies: readonly number[]
  private readonly joints: readonly number[]
  /** Order of the bodies in the hash of a frame. */
  readonly order: readonly number[]

  constructor(private readonly from: Numbered, private readonly to: Numbered) {
    this.bodies = numbersIn(from.bodyIds, to.bodyIds)
    this.joints = numbersIn(from.jointIds, to.jointIds)
    this.order = hashOrder(to.bodyIds)
    this.keepsNumbers = [this.bodies, this.joints].every(numbers => numbers.every((number, i) => number === i))
      && (from.deformableIds.length === 0 || from.bodyIds.length === to.bodyIds.length)
  }

  get hasParticles(): boolean {
    return this.from.deformableIds.length > 0
  }

  /** @param particles positions and velocities of the frame, which are part of its hash; empty for runs without deformables */
  frame({ index, time, bodies: given }: Frame, particles: readonly Float64Array[]): Frame {
    const bodies = this.motions(given)
    return { index, time, bodies, hash: frameHash(bodies, this.order, particles) }
  }

  contacts(frame: ContactFrame): ContactFrame {
    return { ...frame, bodyA: this.owners(frame.bodyA), bodyB: this.owners(frame.bodyB) }
  }

  jointFrame(frame: JointFrame): JointFrame {
    const column = (given: Float64Array, width: number, absent: number): Float64Array => {
      const out = new Float64Array(width * this.to.jointIds.length).fill(absent)
      this.joints.forEach((joint, k) => out.set(given.subarray(width * k, width * k + width), width * joint))
      return out
    }
    const { index, time, force, torque, anchor, error, position, velocity, secondPosition, secondVelocity, motorForce, limitForce, broken } = frame
    const unknown = this.to.jointIds.flatMap((_, joint) => this.joints.includes(joint) ? [] : [joint])
    return {
      index, time, force: column(force, 3, 0), torque: column(torque, 3, 0), anchor: column(anchor, 3, NaN), error: column(error, 1, 0),
      position: column(position, 1, NaN), velocity: column(velocity, 1, NaN), secondPosition: column(secondPosition, 1, NaN),
      secondVelocity: column(secondVelocity, 1, NaN), motorForce: column(motorForce, 1, 0), limitForce: column(limitForce, 1, 0),
      broken: Int32Array.from([...[...broken].map(joint => this.joints[joint]!), ...unknown]).sort(),
    }
  }

  forces(frame: ForceFrame): ForceFrame {
    return {
      ...frame, body: this.owners(frame.body), sourceBody: this.owners(frame.sourceBody),
      source: frame.source.map((source, k) => frame.sourceKind[k] === FORCE ? source : this.joints[source]!),
    }
  }

  certificate(frame: CertificateFrame): CertificateFrame {
    return { ...frame, asleep: this.owners(frame.asleep) }
  }

  event(event: TrajectoryEvent): TrajectoryEvent {
    const { bodyA, bodyB, joint, solutions } = event
    return {
      ...event, bodyA: this.owner(bodyA), bodyB: this.owner(bodyB), joint: joint < 0 ? joint : this.joints[joint]!,
      solutions: solutions.map(solution => this.contacts(solution)),
    }
  }

  /** Motions of all bodies, as `Frame.bodies`. */
  motions(given: Float64Array): Float64Array {
    const out = new Float64Array(this.to.bodyIds.length * BODY_STRIDE).fill(NaN)
    this.bodies.forEach((body, k) => out.set(given.subarray(k * BODY_STRIDE, (k + 1) * BODY_STRIDE), body * BODY_STRIDE))
    return out
  }

  private owners(given: Int32Array): Int32Array {
    return given.map(owner => this.owner(owner))
  }

  /** A body, a deformable (numbered after all bodies), or the world. */
  private owner(owner: number): number {
    return owner < 0 ? owner : this.bodies[owner] ?? owner - this.from.bodyIds.length + this.to.bodyIds.length
  }
}

function numbersIn(ids: readonly string[], all: readonly string[]): number[] {
  const places = new Map(all.map((id, place) => [id, place]))
  return ids.map(id => places.get(id)!)
}
