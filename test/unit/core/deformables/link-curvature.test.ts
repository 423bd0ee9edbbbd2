/** Rotation of contact normals: blocks against difference quotients of the distance. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { carriers } from '../../../../core/deformables/contact/carriers'
import { addCurvature, Facing } from '../../../../core/deformables/contact/link-curvature'
import { eigenvectors } from '../../../../core/math/jacobi'
import { Nearest } from '../../../../core/deformables/contact/nearest'

const nearest = new Nearest()
const distance = (edges: boolean, x: Float64Array): number => {
  if (edges) nearest.segments(x, 0, 1, 2, 3)
  else nearest.pointTriangle(x, 0, 1, 2, 3)
  return nearest.distance
}

/** −p ∇²d, 12 × 12, from the blocks; each point is a block. */
function curvature(edges: boolean, x: Float64Array, p: number, whole = true): number[][] {
  distance(edges, x)
  const { s, weights } = nearest
  const shares = edges ? [1 - s, s, -weights[0]!, -weights[1]!] : [1, -weights[0]!, -weights[1]!, -weights[2]!]
  const facing = new Facing()
  facing.clear()
  shares.forEach((share, k) => { facing.point(share, x, 3 * k, k) })
  if (edges) {
    if (shares[0] !== 0 && shares[1] !== 0) facing.slide(1, 0)
    if (shares[2] !== 0 && shares[3] !== 0) facing.slide(2, 3)
  } else {
    const [base, ...others] = [1, 2, 3].filter(k => shares[k] !== 0)
    for (const k of others) facing.slide(base!, k)
  }
  const H = Array.from({ length: 12 }, () => new Array<number>(12).fill(0))
  addCurvature(facing, p, carriers([-1]), (i, j, block) => {
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) H[3 * i + r]![3 * j + c]! += block[3 * r + c]!
    return true
  }, whole)
  for (let i = 0; i < 12; i++) for (let j = 3 * (Math.floor(i / 3) + 1); j < 12; j++) H[i]![j] = H[j]![i]!
  return H
}

it.each([['a point and a triangle', false], ['two edges', true]] as const)('%s: the second derivative of their distance', (_, edges) => {
  fc.assert(fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 }), list => {
    const x = Float64Array.from(list)
    // Far from touching, from flat triangles and parallel edges, and from where the nearest points reach a border: there it jumps.
    fc.pre(distance(edges, x) > 0.2)
    const inner = [nearest.s, ...nearest.weights].every(w => w === 0 || w === 1 || (w > 0.05 && w < 0.95))
    const [u, v] = edges ? [[0, 1], [2, 3]] : [[1, 2], [1, 3]]
    const way = ([a, b]: number[]): number[] => [0, 1, 2].map(k => x[3 * b! + k]! - x[3 * a! + k]!)
    const [d, e] = [way(u!), way(v!)]
    const area = Math.hypot(d[1]! * e[2]! - d[2]! * e[1]!, d[2]! * e[0]! - d[0]! * e[2]!, d[0]! * e[1]! - d[1]! * e[0]!)
    fc.pre(inner && area > 0.2)
    const kind = (): string => [nearest.s, ...nearest.weights].map(w => w === 0 ? 0 : w === 1 ? 1 : 2).join()
    const own = kind()
    const h = 1e-4
    const H = curvature(edges, x, 2)
    for (let i = 0; i < 12; i++) {
      for (let j = 0; j <= i; j++) {
        const at = (a: number, b: number): number => {
          const y = x.slice()
          y[i]! += a * h
          y[j]! += b * h
          const found = distance(edges, y)
          fc.pre(kind() === own)
          return found
        }
        const quotient = (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * h * h)
        expect(H[i]![j]!).toBeCloseTo(-2 * quotient, 3)
      }
    }
  }), { numRuns: 50, maxSkipsPerRun: 2000 })
})

it.each([['a point and a triangle', false], ['two edges', true]] as const)('%s: the positive part has the positive eigenvalues and their vectors, and no others', (_, edges) => {
  fc.assert(fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 }), list => {
    const x = Float64Array.from(list)
    fc.pre(distance(edges, x) > 0.05)
    const [u, v] = edges ? [[0, 1], [2, 3]] : [[1, 2], [1, 3]]
    const way = ([a, b]: number[]): number[] => [0, 1, 2].map(k => x[3 * b! + k]! - x[3 * a! + k]!)
    const [d, e] = [way(u!), way(v!)]
    fc.pre(Math.hypot(d[1]! * e[2]! - d[2]! * e[1]!, d[2]! * e[0]! - d[0]! * e[2]!, d[0]! * e[1]! - d[1]! * e[0]!) > 0.05)
    const A = Float64Array.from(curvature(edges, x, 2).flat())
    const size = Math.max(...A.map(Math.abs))
    const V = new Float64Array(144)
    eigenvectors(A, V, 12)
    const projected = curvature(edges, x, 2, false)
    for (let i = 0; i < 12; i++) {
      for (let j = 0; j < 12; j++) {
        let sum = 0
        for (let k = 0; k < 12; k++) sum += Math.max(0, A[13 * k]!) * V[12 * i + k]! * V[12 * j + k]!
        expect(Math.abs(projected[i]![j]! - sum)).toBeLessThan(1e-9 * size)
      }
    }
  }), { numRuns: 200, maxSkipsPerRun: 2000 })
})
