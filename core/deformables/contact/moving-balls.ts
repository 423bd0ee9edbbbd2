/**
 * Balls around elements that move straight from P0 to P1: a cheap lower bound of the distance of two elements during their motion. An element has the ball
 * around the middle of its points at P0, and moves by the mean of their motions, from which each differs by at most `stray`.
 */

/** × the distance: rounding of the bound. */
const ROUNDING = 1e-12
/** Middle (3), radius, motion (3), stray. */
const SIZE = 8

export class MovingBalls {
  private readonly balls: Float64Array

  /** @param elements `arity` points each */
  constructor(private readonly elements: Int32Array, private readonly arity: number) {
    this.balls = new Float64Array(SIZE * elements.length / arity)
  }

  enclose(P0: Float64Array, P1: Float64Array): void {
    const { balls, elements, arity } = this
    const share = 1 / arity
    for (let e = 0, at = 0; e < elements.length; e += arity, at += SIZE) {
      let x = 0, y = 0, z = 0, u = 0, v = 0, w = 0
      for (let q = e; q < e + arity; q++) {
        const p = 3 * elements[q]!
        x += P0[p]!
        y += P0[p + 1]!
        z += P0[p + 2]!
        u += P1[p]! - P0[p]!
        v += P1[p + 1]! - P0[p + 1]!
        w += P1[p + 2]! - P0[p + 2]!
      }
      x *= share
      y *= share
      z *= share
      u *= share
      v *= share
      w *= share
      let radius = 0, stray = 0
      for (let q = e; q < e + arity; q++) {
        const p = 3 * elements[q]!
        const dx = P0[p]! - x, dy = P0[p + 1]! - y, dz = P0[p + 2]! - z
        const du = P1[p]! - P0[p]! - u, dv = P1[p + 1]! - P0[p + 1]! - v, dw = P1[p + 2]! - P0[p + 2]! - w
        radius = Math.max(radius, dx * dx + dy * dy + dz * dz)
        stray = Math.max(stray, du * du + dv * dv + dw * dw)
      }
      balls[at] = x
      balls[at + 1] = y
      balls[at + 2] = z
      balls[at + 3] = Math.sqrt(radius)
      balls[at + 4] = u
      balls[at + 5] = v
      balls[at + 6] = w
      balls[at + 7] = Math.sqrt(stray)
    }
  }

  /** m: lower bound of the distance of two elements during the motion. */
  gap(a: number, b: number): number {
    const { balls } = this
    const i = SIZE * a
    const j = SIZE * b
    return bound(balls[i]! - balls[j]!, balls[i + 1]! - balls[j + 1]!, balls[i + 2]! - balls[j + 2]!, balls[i + 4]! - balls[j + 4]!,
      balls[i + 5]! - balls[j + 5]!, balls[i + 6]! - balls[j + 6]!, balls[i + 3]! + balls[j + 3]! + balls[i + 7]! + balls[j + 7]!)
  }

  /** The same of an element and a point. */
  gapToPoint(a: number, P0: Float64Array, P1: Float64Array, point: number): number {
    const { balls } = this
    const i = SIZE * a
    const p = 3 * point
    return bound(balls[i]! - P0[p]!, balls[i + 1]! - P0[p + 1]!, balls[i + 2]! - P0[p + 2]!, balls[i + 4]! - (P1[p]! - P0[p]!),
      balls[i + 5]! - (P1[p + 1]! - P0[p + 1]!), balls[i + 6]! - (P1[p + 2]! - P0[p + 2]!), balls[i + 3]! + balls[i + 7]!)
  }
}

/** Distance of the middles less the approach and the extent. */
function bound(x: number, y: number, z: number, u: number, v: number, w: number, extent: number): number {
  return Math.sqrt(x * x + y * y + z * z) * (1 - ROUNDING) - Math.sqrt(u * u + v * v + w * w) - extent
}
