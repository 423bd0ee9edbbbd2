/**
 * The paths of bodies through one step, each in as many parts as the body took, and whether two of them met: bodies stepped separately must not have
 * met.
 */

import type { PrimitivePair } from '../../contact/contact-set'
import type { Snapshot } from '../../contact/snapshot'
import { AT_REST, type MovingBody } from '../../collision/moving-body'
import { timeOfContact } from '../../collision/time-of-contact'
import type { WorldPrimitive } from '../../contact/world'
import type { BodyMotion } from '../../geometry/motion'
import type { Pose } from '../../math/pose'
import { length } from '../../math/vector'
import type { BodyMotions } from './body-motions'
import { clearanceOf } from './clearance'
import type { Passages } from './passage'

/** One part of a body's path: along a straight line, with rotation about a fixed axis. */
interface Part {
  /** s */
  readonly from: number
  readonly to: number
  readonly motionAt: (time: number) => BodyMotion
  /** m: a bound on the path of any of its points. */
  readonly path: number
}

/** All parts of a body's path, in order. */
interface Way {
  readonly parts: readonly Part[]
  /** Where it begins. */
  readonly pose: Pose
  /** s */
  readonly from: number
  readonly to: number
  /** m: bound on the path of any of its points. */
  readonly path: number
}

export class Traces {
  private readonly ways = new Map<number, Way>()

  /** Adds the step of some bodies that has just been accepted, starting at `time`, s. */
  add(bodies: readonly number[], { snapshot: { motions }, path }: BodyMotions, passages: Passages, time: number, h: number): void {
    for (const body of bodies) {
      const motionAt = passages.wayOf(body, h)
      const part: Part = { from: time, to: time + h, motionAt: at => motionAt(at - time), path: path[body]! }
      this.append(body, { parts: [part], pose: motions[body]!.pose, from: part.from, to: part.to, path: part.path })
    }
  }

  /** Appends the later parts of another object. */
  addAll(others: Traces): void {
    for (const [body, way] of others.ways) this.append(body, way)
  }

  private append(body: number, next: Way): void {
    const way = this.ways.get(body)
    this.ways.set(body, way === undefined ? next : { ...way, parts: [...way.parts, ...next.parts], to: next.to, path: way.path + next.path })
  }

  /** Whether two bodies touch on their paths; a body without one stays at its snapshot pose. */
  meet(pair: PrimitivePair, snapshot: Snapshot): boolean {
    const { bodyA, bodyB, collider } = pair
    const [a, b] = [this.ways.get(bodyA), this.ways.get(bodyB)]
    const reach = (a?.path ?? 0) + (b?.path ?? 0)
    if (reach === 0) return false
    const start = Math.min(a?.from ?? Infinity, b?.from ?? Infinity)
    const [poseA, poseB] = [poseAt(a, start) ?? snapshot.motions[bodyA]!.pose, poseAt(b, start) ?? snapshot.motions[bodyB]!.pose]
    if (clearanceOf(pair).isKnownApart(poseA, poseB, reach) || collider.separation(poseA, poseB) > reach) return false
    // Velocities jump between parts, so each is checked separately.
    const times = [...new Set([...a?.parts ?? [], ...b?.parts ?? []].flatMap(({ from, to }) => [from, to]))].sort((s, t) => s - t)
    return times.slice(1).some((to, k) => {
      const from = times[k]!
      const [first, second] = [moving(a, pair.a, snapshot.motions[bodyA]!, from, to), moving(b, pair.b, snapshot.motions[bodyB]!, from, to)]
      return timeOfContact(collider, first, second, from, to).outcome !== 'apart'
    })
  }
}

function poseAt(way: Way | undefined, time: number): Pose | undefined {
  return way === undefined || way.from === time ? way?.pose : motionOn(way, time).pose
}

function motionOn({ parts }: Way, time: number): BodyMotion {
  return (parts.find(({ to }) => time <= to) ?? parts.at(-1)!).motionAt(time)
}

/** The part of a path between two times. */
function moving(way: Way | undefined, { primitive, pose }: WorldPrimitive, still: BodyMotion, from: number, to: number): MovingBody {
  if (way === undefined) return { motionAt: () => still, primitive, pose, bounds: AT_REST }
  const { motionAt } = way.parts.find(part => (from + to) / 2 <= part.to) ?? way.parts.at(-1)!
  const { velocity, angularVelocity } = motionAt(from)
  return {
    motionAt, primitive, pose, bounds: { speed: length(velocity), acceleration: 0, angularSpeed: length(angularVelocity), angularAcceleration: 0 },
  }
}
