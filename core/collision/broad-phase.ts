/**
 * Pairs of primitives that may touch: sort-and-sweep over one box per body, then the boxes of the primitives of bodies with overlapping boxes. Half-spaces
 * have infinite boxes, so they overlap everything.
 */

import type { Bounds, Primitive } from '../geometry/shape'
import { composePoses, type Pose } from '../math/pose'
import { rotateInverse } from '../math/quaternion'
import { dot, max, min, UNIT_X, UNIT_Y, UNIT_Z, type Vec3 } from '../math/vector'
import { SortAndSweep } from './sort-and-sweep'

export interface BroadPrimitive {
  readonly primitive: Primitive
  /** In the body frame. */
  readonly pose: Pose
}

const EVERYWHERE: Bounds = { min: [-Infinity, -Infinity, -Infinity], max: [Infinity, Infinity, Infinity] }

export class BroadPhase {
  private readonly sweep: SortAndSweep
  private readonly boxes: (readonly Bounds[])[]
  private readonly present: boolean[]

  /** `mayMeet(a, b)`, a < b: false for excluded pairs of bodies, such as two fixed or joined ones. */
  constructor(private readonly bodies: readonly (readonly BroadPrimitive[])[], private readonly mayMeet: (a: number, b: number) => boolean) {
    this.sweep = new SortAndSweep(bodies.length)
    this.boxes = bodies.map(() => [])
    this.present = bodies.map(() => false)
  }

  /** Exchanges in the sorted lists since creation: a measure of coherence. */
  get exchanges(): number {
    return this.sweep.exchanges
  }

  /**
   * Sets the pose of a body, or its two poses during a step. Boxes enclose both poses, widened by half of `path`, the longest path of any of its points
   * between them, m. (A point is always within half its path length of one of its two ends.) The body exists from then on.
   */
  place(body: number, from: Pose, to: Pose = from, path = 0): void {
    const boxes = this.bodies[body]!.map(({ primitive, pose }) => {
      const start = worldBounds(primitive, composePoses(from, pose))
      return widen(to === from ? start : union(start, worldBounds(primitive, composePoses(to, pose))), path / 2)
    })
    this.boxes[body] = boxes
    this.present[body] = boxes.length > 0
    if (boxes.length > 0) {
      this.sweep.set(body, boxes.reduce(union))
    }
  }

  /** Removes a body that does not exist (yet): it overlaps nothing. */
  remove(body: number): void {
    this.present[body] = false
  }

  /**
   * Visits the pairs of primitives with overlapping boxes, in document order, until `seen` returns false. They are not stored: coincident bodies have
   * millions of them. Body numbers satisfy bodyA < bodyB; primitives are numbered within their bodies.
   */
  visit(seen: (bodyA: number, primitiveA: number, bodyB: number, primitiveB: number) => boolean): void {
    this.sweep.update()
    const keys = this.sweep.pairs.sort()
    for (const key of keys) {
      const bodyA = Math.floor(key / this.bodies.length)
      const bodyB = key - bodyA * this.bodies.length
      if (this.present[bodyA] && this.present[bodyB] && this.mayMeet(bodyA, bodyB)) {
        const boxesA = this.boxes[bodyA]!
        const boxesB = this.boxes[bodyB]!
        for (let primitiveA = 0; primitiveA < boxesA.length; primitiveA++) {
          for (let primitiveB = 0; primitiveB < boxesB.length; primitiveB++) {
            if (overlapping(boxesA[primitiveA]!, boxesB[primitiveB]!) && !seen(bodyA, primitiveA, bodyB, primitiveB)) return
          }
        }
      }
    }
  }
}

/** The smallest axis-aligned box around a primitive at a pose in the world, m. */
export function worldBounds(primitive: Primitive, pose: Pose): Bounds {
  if (primitive.radius === Infinity) {
    return EVERYWHERE
  }
  const reach = (axis: Vec3, sign: 1 | -1): number => {
    const direction = rotateInverse(pose.orientation, [sign * axis[0], sign * axis[1], sign * axis[2]])
    return sign * dot(direction, primitive.support(direction))
  }
  const [x, y, z] = pose.position
  return {
    min: [x + reach(UNIT_X, -1), y + reach(UNIT_Y, -1), z + reach(UNIT_Z, -1)],
    max: [x + reach(UNIT_X, 1), y + reach(UNIT_Y, 1), z + reach(UNIT_Z, 1)],
  }
}

export function union(a: Bounds, b: Bounds): Bounds {
  return { min: min(a.min, b.min), max: max(a.max, b.max) }
}

export function widen(bounds: Bounds, by: number): Bounds {
  return {
    min: [bounds.min[0] - by, bounds.min[1] - by, bounds.min[2] - by],
    max: [bounds.max[0] + by, bounds.max[1] + by, bounds.max[2] + by],
  }
}

export function overlapping(a: Bounds, b: Bounds): boolean {
  return a.min[0] <= b.max[0] && b.min[0] <= a.max[0] && a.min[1] <= b.max[1] && b.min[1] <= a.max[1]
    && a.min[2] <= b.max[2] && b.min[2] <= a.max[2]
}
