/**
 * Groups of bodies that must step together. Different groups step independently until they come near each other: every body has a bounding box for
 * its motion, and boxes of different groups do not overlap. Groups cannot interact while their bodies stay in their boxes.
 */

import { bodiesOfJoint } from '../../dynamics/joints'
import type { World } from '../../contact/world'
import type { BodyMotion } from '../../geometry/motion'
import { overlapping, union, widen } from '../../collision/broad-phase'
import type { Bounds } from '../../geometry/shape'
import { addScaled, max, min, type Vec3 } from '../../math/vector'
import { coupledByForces } from '../../contact/coupled-by-forces'
import type { RunContext } from './context'
import type { EventDrivenSettings } from './settings'
import type { StepMotion } from './step-motion'

/** Margin of a body's predicted box: × its radius, and along each axis × its predicted motion. */
const RADIUS_MARGIN = 0.05
const WAY_MARGIN = 0.25

export class Groups {
  /** Bodies that always step together. */
  private readonly coupled: readonly (readonly number[])[]
  /** By body; undefined for a body without a box. */
  private readonly reserved: (Bounds | undefined)[]
  /** Whether there may be more than one group. */
  readonly possible: boolean
  /** Bodies with joints. They form one group, and only its context contains joints. */
  readonly jointed: ReadonlySet<number>

  constructor(private readonly world: World, settings: EventDrivenSettings) {
    const { bodies, forces, joints } = world
    const joined = joints.flatMap(({ constraint }) => bodiesOfJoint(constraint)).filter(body => this.moves(body))
    this.jointed = new Set(joined)
    this.coupled = [...coupledByForces(forces), joined].map(list => list.filter(body => this.moves(body)))
    this.reserved = bodies.map(() => undefined)
    // One group is required for fixed steps (a common time grid), for scripts (which may read any body), and for Lötstedt's law (bounds persist
    // between steps).
    const moving = bodies.filter(({ index }) => this.moves(index)).length
    this.possible = moving > 1 && !this.coupled.some(list => new Set(list).size === moving) && settings.integrator().name === 'dormand-prince'
      && !forces.some(force => force.type === 'script') && settings.friction.name !== 'lotstedt'
  }

  /** Whether a body moves by itself. */
  moves(body: number): boolean {
    return body >= 0 && this.world.bodies[body]!.type !== 'fixed'
  }

  /** Removes all boxes. */
  clear(): void {
    this.reserved.fill(undefined)
  }

  /** Whether the given bodies stay in their boxes during a step; without shapes a body needs no box. */
  hold(bodies: readonly number[], motion: () => StepMotion): boolean {
    return bodies.every(body => {
      if (this.world.primitives[body]!.length === 0) return true
      const box = this.reserved[body]
      return box !== undefined && contains(box, this.around(body, motion().centers(body)))
    })
  }

  /** Gives a body a new box, for `horizon` seconds of its motion, or for the whole given step. */
  furnish(body: number, motion: BodyMotion, horizon: number, step: StepMotion | null): void {
    if (this.world.primitives[body]!.length === 0) return
    const { center, velocity } = motion
    const end = addScaled(center, velocity, horizon)
    const predicted: Bounds = { min: min(center, end), max: max(center, end) }
    const swept = step === null ? predicted : union(predicted, step.centers(body))
    const way: Vec3 = [Math.abs(velocity[0]), Math.abs(velocity[1]), Math.abs(velocity[2])]
    const ahead = WAY_MARGIN * horizon
    const margin = RADIUS_MARGIN * this.world.bodies[body]!.boundingRadius
    this.reserved[body] = widen(this.around(body, { min: addScaled(swept.min, way, -ahead), max: addScaled(swept.max, way, ahead) }), margin)
  }

  /** Whether the boxes of two bodies that may collide overlap. */
  meet(a: number, b: number): boolean {
    const { world: { bodies }, reserved } = this
    const p = reserved[a]
    const q = reserved[b]
    if (p === undefined || q === undefined || !overlapping(p, q)) return false
    return (bodies[a]!.type === 'dynamic' || bodies[b]!.type === 'dynamic') && this.world.mayCollide(Math.min(a, b), Math.max(a, b))
  }

  /**
   * Partitions the bodies into groups by permanent coupling, by contact, and by overlapping boxes. Each group is sorted; groups are in the order of
   * their first bodies.
   */
  partition(bodies: readonly number[], contexts: readonly RunContext[]): number[][] {
    const home = new Map(bodies.map(body => [body, body]))
    const find = (body: number): number => {
      let at = body
      while (home.get(at) !== at) at = home.get(at)!
      return at
    }
    const join = (list: readonly number[]): void => {
      const homes = list.filter(body => home.has(body)).map(find)
      const first = Math.min(...homes)
      for (const other of homes) home.set(other, first)
    }
    for (const list of this.coupled) join(list)
    for (const { equations, points } of contexts) {
      for (const island of equations.islands) join(island.bodies)
      for (const { bodyA, bodyB } of points) join([bodyA, bodyB])
    }
    for (const [i, a] of bodies.entries()) {
      for (const b of bodies.slice(i + 1)) if (find(a) !== find(b) && this.meet(a, b)) join([a, b])
    }
    const groups = new Map<number, number[]>()
    for (const body of [...bodies].sort((a, b) => a - b)) {
      const list = groups.get(find(body))
      if (list === undefined) groups.set(find(body), [body])
      else list.push(body)
    }
    return [...groups.values()]
  }

  private around(body: number, centers: Bounds): Bounds {
    return widen(centers, this.world.bodies[body]!.boundingRadius)
  }
}

function contains(outer: Bounds, inner: Bounds): boolean {
  return outer.min.every((low, k) => low <= inner.min[k]!) && outer.max.every((high, k) => high >= inner.max[k]!)
}
