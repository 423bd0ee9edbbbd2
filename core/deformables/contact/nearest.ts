/** Nearest points of a point and a triangle, and of two segments, by Voronoi regions [Ericson 2005, §5.1.5 and §5.1.9], on points in flat arrays. */

/** Result of the last query; one object is reused. */
export class Nearest {
  /** m */
  distance = 0
  /** Unit, from the second feature to the first; zero if they touch. */
  nx = 0
  ny = 0
  nz = 0
  /** Position on the first feature: (1 − s) of its start and s of its end; 0 for a point. */
  s = 0
  /** Weights of the second feature's points: three of a triangle, two of a segment. Weights of points outside the nearest region are exactly 0. */
  readonly weights = new Float64Array(3)

  /** Point p and triangle abc, as indices into P. */
  pointTriangle(P: Float64Array, p: number, a: number, b: number, c: number): void {
    const [i, j, k, l] = [3 * p, 3 * a, 3 * b, 3 * c]
    const ax = P[j]!
    const ay = P[j + 1]!
    const az = P[j + 2]!
    const ux = P[k]! - ax
    const uy = P[k + 1]! - ay
    const uz = P[k + 2]! - az
    const vx = P[l]! - ax
    const vy = P[l + 1]! - ay
    const vz = P[l + 2]! - az
    const x = P[i]! - ax
    const y = P[i + 1]! - ay
    const z = P[i + 2]! - az
    const uu = ux * ux + uy * uy + uz * uz
    const uv = ux * vx + uy * vy + uz * vz
    const vv = vx * vx + vy * vy + vz * vz
    const d1 = ux * x + uy * y + uz * z
    const d2 = vx * x + vy * y + vz * z
    this.s = 0
    let beta = 0
    let gamma = 0
    const d3 = d1 - uu
    const d4 = d2 - uv
    const d5 = d1 - uv
    const d6 = d2 - vv
    const va = d3 * d6 - d5 * d4
    const vb = d5 * d2 - d1 * d6
    const vc = d1 * d4 - d3 * d2
    if (d1 <= 0 && d2 <= 0) {
      beta = gamma = 0
    } else if (d3 >= 0 && d4 <= d3) {
      beta = 1
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
      beta = d1 / uu
    } else if (d6 >= 0 && d5 <= d6) {
      gamma = 1
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
      gamma = d2 / vv
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
      gamma = (d4 - d3) / (d4 - d3 + (d5 - d6))
      beta = 1 - gamma
      this.weights[0] = 0
      this.weights[1] = beta
      this.weights[2] = gamma
      this.between(x - beta * ux - gamma * vx, y - beta * uy - gamma * vy, z - beta * uz - gamma * vz)
      return
    } else {
      const over = 1 / (va + vb + vc)
      beta = vb * over
      gamma = vc * over
    }
    this.weights[0] = 1 - beta - gamma
    this.weights[1] = beta
    this.weights[2] = gamma
    this.between(x - beta * ux - gamma * vx, y - beta * uy - gamma * vy, z - beta * uz - gamma * vz)
  }

  /** Segments ab and cd, either of which may be a single point, as indices into P. */
  segments(P: Float64Array, a: number, b: number, c: number, d: number): void {
    const [i, j, k, l] = [3 * a, 3 * b, 3 * c, 3 * d]
    const ux = P[j]! - P[i]!
    const uy = P[j + 1]! - P[i + 1]!
    const uz = P[j + 2]! - P[i + 2]!
    const vx = P[l]! - P[k]!
    const vy = P[l + 1]! - P[k + 1]!
    const vz = P[l + 2]! - P[k + 2]!
    const x = P[i]! - P[k]!
    const y = P[i + 1]! - P[k + 1]!
    const z = P[i + 2]! - P[k + 2]!
    const uu = ux * ux + uy * uy + uz * uz
    const vv = vx * vx + vy * vy + vz * vz
    const uv = ux * vx + uy * vy + uz * vz
    const ur = ux * x + uy * y + uz * z
    const vr = vx * x + vy * y + vz * z
    const crossed = uu * vv - uv * uv
    let s = crossed > PARALLEL * uu * vv ? clamped((uv * vr - ur * vv) / crossed) : 0
    let t = vv > 0 ? (uv * s + vr) / vv : 0
    if (t < 0 || vv === 0) {
      t = 0
      s = uu > 0 ? clamped(-ur / uu) : 0
    } else if (t > 1) {
      t = 1
      s = uu > 0 ? clamped((uv - ur) / uu) : 0
    }
    this.s = s
    this.weights[0] = 1 - t
    this.weights[1] = t
    this.weights[2] = 0
    this.between(x + s * ux - t * vx, y + s * uy - t * vy, z + s * uz - t * vz)
  }

  private between(x: number, y: number, z: number): void {
    const distance = Math.sqrt(x * x + y * y + z * z)
    this.distance = distance
    const over = distance > 0 ? 1 / distance : 0
    this.nx = x * over
    this.ny = y * over
    this.nz = z * over
  }
}

/** Square of the sine of the angle below which segments count as parallel; nearest points are then taken at an end. */
const PARALLEL = 1e-14

function clamped(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value
}
