/**
 * The ways that bodies have gone through one step, each in as many parts as it took, and whether two of them met: bodies that stepped without each other
 * must not have.
 */

import type { PrimitivePair } from '../../contact/contact-set'
import type { Snapshot } from '../../contact/snapshot'
import { timeOfContact, type MovingBody } from '../../collision/time-of-contact'
import type { WorldPrimitive } from '../../contact/world'
import type { BodyMotion } from '../../geometry/motion'
import { length } from '../../math/vector'
import { clearanceOf } from './clearance'
import type { Passages } from './passage'

/** One part of a body's way: straight and about a fixed axis. */
interface Part {
  /** s */
  readonly from: number
  readonly to: number
  readonly motionAt: (time: number) => BodyMotion
  /** m: a bound on the way of any of its points. */
  readonly path: number
}

export class Traces {
  private readonly parts = new Map<number, Part[]>()

  /** The step of some bodies that has just been accepted, from `time` on, s. */
  add(bodies: readonly number[], passages: Passages, path: Float64Array, time: number, h: number): void {
    for (const body of bodies) {
      const motionAt = passages.wayOf(body, h)
      const part = { from: time, to: time + h, motionAt: (at: number) => motionAt(at - time), path: path[body]! }
      const list = this.parts.get(body)
      if (list === undefined) this.parts.set(body, [part])
      else list.push(part)
    }
  }

  /** Adds the ways of another, which come after those known. */
  addAll(others: Traces): void {
    for (const [body, parts] of others.parts) this.parts.set(body, [...this.parts.get(body) ?? [], ...parts])
  }

  /** Whether two bodies come to touch on their ways; one that has none stays where the snapshot has it. */
  meet(pair: PrimitivePair, snapshot: Snapshot): boolean {
    const { bodyA, bodyB, collider } = pair
    const [a, b] = [this.moving(bodyA, pair.a, snapshot), this.moving(bodyB, pair.b, snapshot)]
    const start = Math.min(a.from, b.from)
    const end = Math.max(a.to, b.to)
    const reach = a.path + b.path
    if (reach === 0) return false
    const [poseA, poseB] = [a.motionAt(start).pose, b.motionAt(start).pose]
    if (clearanceOf(pair).isKnownApart(poseA, poseB, reach) || collider.separation(poseA, poseB) > reach) return false
    return timeOfContact(collider, a, b, start, end).outcome !== 'apart'
  }

  private moving(body: number, { primitive, pose }: WorldPrimitive, snapshot: Snapshot): MovingBody & { from: number, to: number, path: number } {
    const parts = this.parts.get(body)
    if (parts === undefined) {
      const still = snapshot.motions[body]!
      return { motionAt: () => still, primitive, pose, bounds: boundsOf([]), from: Infinity, to: -Infinity, path: 0 }
    }
    return {
      motionAt: time => (parts.find(({ to }) => time <= to) ?? parts.at(-1)!).motionAt(time), primitive, pose, bounds: boundsOf(parts),
      from: parts[0]!.from, to: parts.at(-1)!.to, path: parts.reduce((sum, part) => sum + part.path, 0),
    }
  }
}

/** Largest speeds on the parts of a way. */
function boundsOf(parts: readonly Part[]): MovingBody['bounds'] {
  const motions = parts.map(({ from, motionAt }) => motionAt(from))
  return {
    speed: motions.reduce((most, { velocity }) => Math.max(most, length(velocity)), 0), acceleration: 0,
    angularSpeed: motions.reduce((most, { angularVelocity }) => Math.max(most, length(angularVelocity)), 0), angularAcceleration: 0,
  }
}
