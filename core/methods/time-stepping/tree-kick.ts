/** The second half of the kick at the end of a step for bodies of trees, in their joints' coordinates. */

import type { EquationsOfMotion } from '../../contact/equations'
import { BODY_STATE, OFFSET_MOMENTUM, OFFSET_VELOCITY } from '../../dynamics/state'
import type { TreeBodies } from './tree-bodies'

export class TreeKick {
  /** Coordinates at the end of the step with the first half of the kick. */
  private readonly half: Float64Array

  /**
   * @param kicked bodies that get their second half
   * @param end state with the first half
   */
  constructor(
    private readonly equations: EquationsOfMotion, private readonly motions: TreeBodies, private readonly kicked: ReadonlySet<number>, end: Float64Array,
  ) {
    this.half = new Float64Array(equations.coordinates!.length)
    equations.coordinates!.reduce(end, this.half)
  }

  /** Predicts the velocities of the end from those of the start and of the first half, in place. */
  predict(start: Float64Array, end: Float64Array): void {
    const coordinates = this.equations.coordinates!
    const before = new Float64Array(coordinates.length)
    coordinates.reduce(start, before)
    this.place(end, (at, half) => 2 * half - before[at]!)
  }

  /**
   * Applies the second half, by the forces of the last evaluation. Base bodies of trees moved with their mean velocity; their descendants end
   * relative to the velocity at the end.
   *
   * @param h s, of the step
   * @param arrive sets the velocities of bodies on paths at the end, in place
   */
  finish(h: number, half: Float64Array, end: Float64Array, arrive: (end: Float64Array) => void): void {
    const { equations, motions, kicked } = this
    const { snapshot: { trees }, layout, external, free } = equations
    const total = external.slice()
    trees!.complete(total)
    for (const { body, link } of motions.forest.nodes) {
      if (link !== null || !kicked.has(body)) continue
      const o = layout.offsets[body]!
      for (let k = 0; k < 3; k++) {
        end[o + OFFSET_VELOCITY + k] = half[o + OFFSET_VELOCITY + k]! + h / 2 * free[6 * body + k]!
        end[o + OFFSET_MOMENTUM + k] = half[o + OFFSET_MOMENTUM + k]! + h / 2 * total[6 * body + 3 + k]!
      }
    }
    const { velocities } = equations.coordinates!
    motions.addEnd([...kicked], external, total, h / 2)
    this.place(end, (at, value) => value + h / 2 * trees!.rates[at - velocities]!, arrive)
  }

  /** Writes the kicked bodies of trees with other velocities of their coordinates. */
  private place(end: Float64Array, velocity: (at: number, half: number) => number, arrive: (end: Float64Array) => void = () => undefined): void {
    const { equations, motions: { forest }, kicked, half } = this
    const coordinates = equations.coordinates!
    const moved = half.slice()
    for (let at = coordinates.velocities; at < coordinates.length; at++) moved[at] = velocity(at, half[at]!)
    const placed = end.slice()
    arrive(placed)
    coordinates.place(moved, placed)
    for (const { body } of forest.nodes) {
      if (!kicked.has(body)) continue
      const o = equations.layout.offsets[body]!
      end.set(placed.subarray(o, o + BODY_STATE), o)
    }
  }
}
