/** Mass properties of the volume of a closed surface: cones from the origin to its elements. */

import { cbrt } from '../../math/elementary'
import { addMatrices, scaleMatrix, symmetric } from '../../math/matrix'
import { lengthSquared, scale, type Vec3 } from '../../math/vector'
import { inertiaOfMoments, parallelAxis } from '../mass-properties'
import type { MassProperties } from '../shape'

export class Enclosed {
  private volume = 0
  private readonly first = new Float64Array(3)
  /** xx yy zz xy xz yz */
  private readonly second = new Float64Array(6)

  /** @param share p · dA, m³: three times the volume of the cone */
  add([x, y, z]: Vec3, share: number): void {
    const { first, second } = this
    this.volume += share / 3
    first[0]! += share / 4 * x
    first[1]! += share / 4 * y
    first[2]! += share / 4 * z
    second[0]! += share / 5 * x * x
    second[1]! += share / 5 * y * y
    second[2]! += share / 5 * z * z
    second[3]! += share / 5 * x * y
    second[4]! += share / 5 * x * z
    second[5]! += share / 5 * y * z
  }

  properties(): MassProperties {
    const { volume, first, second } = this
    const centroid = scale([first[0]!, first[1]!, first[2]!], 1 / volume)
    const about = inertiaOfMoments(symmetric(second[0]!, second[1]!, second[2]!, second[3]!, second[4]!, second[5]!))
    return { volume, centroid, inertia: addMatrices(about, scaleMatrix(parallelAxis(volume, centroid), -1)) }
  }
}

/** Difference between two results for the same solid, relative to its size. */
export function enclosedDifference(a: MassProperties, b: MassProperties): number {
  const size = cbrt(Math.abs(b.volume))
  const moved = Math.sqrt(lengthSquared([a.centroid[0] - b.centroid[0], a.centroid[1] - b.centroid[1], a.centroid[2] - b.centroid[2]])) / size
  const scaleOfInertia = Math.max(...b.inertia.map(Math.abs))
  return Math.max(Math.abs(a.volume / b.volume - 1), moved, ...a.inertia.map((value, k) => Math.abs(value - b.inertia[k]!) / scaleOfInertia))
}

/** Relative difference between two refinements below which an integral is taken as exact. */
const CONVERGED = 1e-12

/** Doubles the number of points until convergence, or up to `most`. */
export function refined(first: number, most: number, measure: (points: number) => MassProperties): MassProperties {
  let result = measure(first)
  for (let points = 2 * first; points <= most; points *= 2) {
    const finer = measure(points)
    const change = enclosedDifference(result, finer)
    result = finer
    if (change <= CONVERGED) break
  }
  return result
}
