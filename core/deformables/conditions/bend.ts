/**
 * Bending about an edge of cloth: C = θ − θ₀, the dihedral angle between the triangles on both sides against its rest angle [slides SE; Bridson et al. 03].
 *
 * Edge x₀x₁ with e = x₁ − x₀, opposite corners x₂ and x₃, normals m = (x₂ − x₀) × e of the one triangle and n = e × (x₃ − x₀) of the other (their lengths are
 * twice the areas), θ = atan2(ê · (n × m), m · n), 0 where flat:
 *
 *   ∂θ/∂x₂ = g₂ = −|e| m / |m|²,   ∂θ/∂x₃ = g₃ = −|e| n / |n|²,
 *   ∂θ/∂x₀ = −(1 − s) g₂ − (1 − t) g₃,   ∂θ/∂x₁ = −s g₂ − t g₃,
 *
 * with s and t the feet of x₂ and x₃ on the edge, from x₀ = 0 to x₁ = 1. Second derivatives are those of these formulas.
 */

import { atan2, PI } from '../../math/elementary'
import type { Condition } from '../condition'
import { addOuter } from './flat'

interface Hinge {
  edge: number
  theta: number
  s: number
  t: number
  readonly e: Float64Array
  /** x₂ − x₀ and x₃ − x₀. */
  readonly p: Float64Array
  readonly q: Float64Array
  readonly m: Float64Array
  readonly n: Float64Array
  readonly g2: Float64Array
  readonly g3: Float64Array
  mm: number
  nn: number
}

/** @param hinges x₀, x₁, x₂, x₃ of each element; @param angles θ₀, rad */
export function bendCondition(hinges: Int32Array, angles: Float64Array): Condition {
  const hinge = newHinge()
  const block = new Float64Array(9)
  return {
    kind: 'bend', arity: 4, vertices: hinges, count: angles.length, rows: 1, convexRows: 0,
    evaluate(e, x, C, J) {
      measure(hinge, hinges, e, x)
      C[0] = turnBetween(hinge.theta, angles[e]!)
      const { s, t, g2, g3 } = hinge
      for (let k = 0; k < 3; k++) {
        J[k] = -(1 - s) * g2[k]! - (1 - t) * g3[k]!
        J[3 + k] = -s * g2[k]! - t * g3[k]!
        J[6 + k] = g2[k]!
        J[9 + k] = g3[k]!
      }
    },
    curvature(e, x, w, H) {
      measure(hinge, hinges, e, x)
      addCorner(H, hinge, w[0]!, 2, hinge.g2, hinge.m, hinge.mm, hinge.p, hinge.s, 1, block)
      addCorner(H, hinge, w[0]!, 3, hinge.g3, hinge.n, hinge.nn, hinge.q, hinge.t, -1, block)
    },
  }
}

/** θ − θ₀, wrapped to [−π, π]. */
export function turnBetween(theta: number, rest: number): number {
  const d = theta - rest
  return d > PI ? d - 2 * PI : d < -PI ? d + 2 * PI : d
}

/** The dihedral angles of hinges, rad: the rest angles of a shape that is not flat. */
export function hingeAngles(hinges: Int32Array, x: Float64Array): Float64Array {
  const hinge = newHinge()
  return Float64Array.from({ length: hinges.length / 4 }, (_, e) => {
    measure(hinge, hinges, e, x)
    return hinge.theta
  })
}

function newHinge(): Hinge {
  const three = (): Float64Array => new Float64Array(3)
  return { edge: 0, theta: 0, s: 0, t: 0, e: three(), p: three(), q: three(), m: three(), n: three(), g2: three(), g3: three(), mm: 0, nn: 0 }
}

function measure(h: Hinge, hinges: Int32Array, element: number, x: Float64Array): void {
  const { e, p, q, m, n } = h
  const i0 = 3 * hinges[4 * element]!
  const i1 = 3 * hinges[4 * element + 1]!
  const i2 = 3 * hinges[4 * element + 2]!
  const i3 = 3 * hinges[4 * element + 3]!
  for (let k = 0; k < 3; k++) {
    e[k] = x[i1 + k]! - x[i0 + k]!
    p[k] = x[i2 + k]! - x[i0 + k]!
    q[k] = x[i3 + k]! - x[i0 + k]!
  }
  m[0] = p[1]! * e[2]! - p[2]! * e[1]!
  m[1] = p[2]! * e[0]! - p[0]! * e[2]!
  m[2] = p[0]! * e[1]! - p[1]! * e[0]!
  n[0] = e[1]! * q[2]! - e[2]! * q[1]!
  n[1] = e[2]! * q[0]! - e[0]! * q[2]!
  n[2] = e[0]! * q[1]! - e[1]! * q[0]!
  const ee = Math.max(e[0]! * e[0]! + e[1]! * e[1]! + e[2]! * e[2]!, Number.MIN_VALUE)
  const l = Math.sqrt(ee)
  h.edge = l
  h.mm = Math.max(m[0]! * m[0]! + m[1]! * m[1]! + m[2]! * m[2]!, Number.MIN_VALUE)
  h.nn = Math.max(n[0]! * n[0]! + n[1]! * n[1]! + n[2]! * n[2]!, Number.MIN_VALUE)
  h.s = (p[0]! * e[0]! + p[1]! * e[1]! + p[2]! * e[2]!) / ee
  h.t = (q[0]! * e[0]! + q[1]! * e[1]! + q[2]! * e[2]!) / ee
  const along = (n[1]! * m[2]! - n[2]! * m[1]!) * e[0]! + (n[2]! * m[0]! - n[0]! * m[2]!) * e[1]! + (n[0]! * m[1]! - n[1]! * m[0]!) * e[2]!
  h.theta = atan2(along / l, m[0]! * n[0]! + m[1]! * n[1]! + m[2]! * n[2]!)
  for (let k = 0; k < 3; k++) {
    h.g2[k] = (-l * m[k]!) / h.mm
    h.g3[k] = (-l * n[k]!) / h.nn
  }
}

/**
 * Adds w times the second derivatives due to one corner's g = −|e| m/|m|² and its foot s: the rows of the corner are dg, those of x₀ and x₁ are
 * −d((1 − s) g) and −d(s g).
 *
 * @param side 1 where m = p × e, −1 where n = e × q
 */
function addCorner(
  H: Float64Array, { e, edge }: Hinge, w: number, corner: number, g: Float64Array, m: Float64Array, mm: number, p: Float64Array, s: number, side: number,
  block: Float64Array,
): void {
  const ee = edge * edge
  // For j over x₀, x₁ and the corner: dm = D_j dx_j with D_corner = −side [e]×, D_1 = side [p]×, D_0 = −D_1 − D_corner.
  for (let j = 0; j < 3; j++) {
    const column = j === 2 ? corner : j
    const cross0 = j === 2 ? -side * e[0]! : j === 1 ? side * p[0]! : side * (e[0]! - p[0]!)
    const cross1 = j === 2 ? -side * e[1]! : j === 1 ? side * p[1]! : side * (e[1]! - p[1]!)
    const cross2 = j === 2 ? -side * e[2]! : j === 1 ? side * p[2]! : side * (e[2]! - p[2]!)
    // dg = −|e| (dm/|m|² − 2 m (m · dm)/|m|⁴) − m (ê · de)/|m|²
    const c = -edge / mm
    block[0] = 0
    block[1] = -c * cross2
    block[2] = c * cross1
    block[3] = c * cross2
    block[4] = 0
    block[5] = -c * cross0
    block[6] = -c * cross1
    block[7] = c * cross0
    block[8] = 0
    // m · (v × dx) = (m × v) · dx
    const mv0 = m[1]! * cross2 - m[2]! * cross1
    const mv1 = m[2]! * cross0 - m[0]! * cross2
    const mv2 = m[0]! * cross1 - m[1]! * cross0
    addOuter(block, 3, 0, 0, (2 * edge) / (mm * mm), m[0]!, m[1]!, m[2]!, mv0, mv1, mv2)
    const de = j === 2 ? 0 : j === 1 ? 1 : -1
    if (de !== 0) addOuter(block, 3, 0, 0, -de / (mm * edge), m[0]!, m[1]!, m[2]!, e[0]!, e[1]!, e[2]!)
    // ds = (e · dp + p · de − 2 s e · de)/|e|², with p = x_corner − x₀.
    const dp = j === 2 ? 1 : j === 1 ? 0 : -1
    const ds0 = (dp * e[0]! + de * (p[0]! - 2 * s * e[0]!)) / ee
    const ds1 = (dp * e[1]! + de * (p[1]! - 2 * s * e[1]!)) / ee
    const ds2 = (dp * e[2]! + de * (p[2]! - 2 * s * e[2]!)) / ee
    for (let r = 0; r < 3; r++) {
      for (let k = 0; k < 3; k++) {
        const dg = w * block[3 * r + k]!
        H[(3 * corner + r) * 12 + 3 * column + k]! += dg
        H[r * 12 + 3 * column + k]! -= (1 - s) * dg
        H[(3 + r) * 12 + 3 * column + k]! -= s * dg
      }
    }
    addOuter(H, 12, 0, 3 * column, w, g[0]!, g[1]!, g[2]!, ds0, ds1, ds2)
    addOuter(H, 12, 3, 3 * column, -w, g[0]!, g[1]!, g[2]!, ds0, ds1, ds2)
  }
}
