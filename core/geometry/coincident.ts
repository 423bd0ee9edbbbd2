/** Finds coincident points. Few points are compared pair by pair, which is faster than a table and allocates nothing. */

import type { Vec3 } from '../math/vector'

const FEW = 64

/** For each point, the index of the first point with the same coordinates, often its own. Coordinates are finite; −0 equals 0. */
export function firstAtPlace(points: readonly Vec3[]): Int32Array {
  const first = new Int32Array(points.length)
  if (points.length <= FEW) {
    for (let i = 0; i < points.length; i++) {
      const p = points[i]!
      let j = 0
      while (j < i && !(points[j]![0] === p[0] && points[j]![1] === p[1] && points[j]![2] === p[2])) j++
      first[i] = j
    }
    return first
  }
  const seen = new Map<string, number>()
  points.forEach((p, i) => {
    const key = `${p[0] + 0} ${p[1] + 0} ${p[2] + 0}`
    const known = seen.get(key)
    if (known === undefined) seen.set(key, i)
    first[i] = known ?? i
  })
  return first
}
