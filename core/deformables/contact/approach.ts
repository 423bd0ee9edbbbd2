/** Bounds on the approach of points and features on straight motions. */

/** m: bound on the approach of any two points on straight motions from P0 to P1; common translation does not count. */
export function approachOfAny(P0: Float64Array, P1: Float64Array): number {
  const count = P0.length / 3
  let [mx, my, mz] = [0, 0, 0]
  for (let k = 0; k < P0.length; k += 3) {
    mx += P1[k]! - P0[k]!
    my += P1[k + 1]! - P0[k + 1]!
    mz += P1[k + 2]! - P0[k + 2]!
  }
  mx /= count
  my /= count
  mz /= count
  let most = 0
  for (let k = 0; k < P0.length; k += 3) {
    const x = P1[k]! - P0[k]! - mx
    const y = P1[k + 1]! - P0[k + 1]! - my
    const z = P1[k + 2]! - P0[k + 2]! - mz
    most = Math.max(most, x * x + y * y + z * z)
  }
  return 2 * Math.sqrt(most)
}

/**
 * m: bound on the approach of the two features of a pair on straight motions from P0 to P1; common translation does not count.
 *
 * @param points the pair's four points are at k, the first `own` of them those of its first feature
 */
export function approachOfPair(points: Int32Array, k: number, own: number, P0: Float64Array, P1: Float64Array): number {
  let [mx, my, mz] = [0, 0, 0]
  for (let q = k; q < k + 4; q++) {
    const at = 3 * points[q]!
    mx += P1[at]! - P0[at]!
    my += P1[at + 1]! - P0[at + 1]!
    mz += P1[at + 2]! - P0[at + 2]!
  }
  mx /= 4
  my /= 4
  mz /= 4
  let [one, two] = [0, 0]
  const split = k + own
  for (let q = k; q < k + 4; q++) {
    const at = 3 * points[q]!
    const x = P1[at]! - P0[at]! - mx
    const y = P1[at + 1]! - P0[at + 1]! - my
    const z = P1[at + 2]! - P0[at + 2]! - mz
    const square = x * x + y * y + z * z
    if (q < split) {
      if (square > one) one = square
    } else if (square > two) {
      two = square
    }
  }
  return Math.sqrt(one) + Math.sqrt(two)
}
