import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exactHull } from '../../../../core/geometry/exact-hull'
import { difference, negated, plus, productDifference, rounded, times, type Expansion } from '../../../../core/geometry/expansion'
import { convexHull } from '../../../../core/geometry/hull'
import { orientation } from '../../../../core/geometry/orientation'
import { ShapeError } from '../../../../core/geometry/shape'
import { scale, type Vec3 } from '../../../../core/math/vector'
import { between, direction, random, vector, type Random } from '../collision/random'

const FAILURES = resolve(import.meta.dirname, '../../../../../shared/reference/failures/hull-of-cone-refused')

/** A double as an integer multiple of 2⁻²²⁵: exact unless it is less than 2⁻¹⁷². */
function integer(x: number): bigint {
  if (x === 0) return 0n
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, x)
  const raw = bits.getBigUint64(0)
  const exponent = Number((raw >> 52n) & 0x7ffn)
  const magnitude = ((raw & 0xfffffffffffffn) | 0x10000000000000n) << BigInt(exponent - 851)
  return raw >> 63n === 1n ? -magnitude : magnitude
}

type Exact = readonly [bigint, bigint, bigint]

/** The sign of the orientation by whole numbers alone. */
function sideOf(a: Exact, b: Exact, c: Exact, p: Exact): number {
  const [u, v, w] = [b, c, p].map(q => [q[0] - a[0], q[1] - a[1], q[2] - a[2]] as const) as [Exact, Exact, Exact]
  const height = w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) + w[2] * (u[0] * v[1] - u[1] * v[0])
  return height > 0n ? 1 : height < 0n ? -1 : 0
}

/** Whether no point lies above a triangle, each edge has two, and every triangle has an area: by whole numbers. */
function isHull(exact: readonly Exact[], triangles: readonly (readonly [number, number, number])[]): boolean {
  const edges = new Set<string>()
  for (const [a, b, c] of triangles) {
    const sides = exact.map(p => sideOf(exact[a]!, exact[b]!, exact[c]!, p))
    // A triangle without area would have every point in its plane.
    if (sides.includes(1) || !sides.includes(-1)) return false
    for (const [u, v] of [[a, b], [b, c], [c, a]]) edges.add(`${u} ${v}`)
  }
  const isClosed = [...edges].every(edge => edges.has(edge.split(' ').reverse().join(' ')))
  return isClosed && edges.size === 3 * triangles.length && triangles.length === 2 * new Set(triangles.flat()).size - 4
}

const decimals = (x: number, digits: number): number => Number(x.toFixed(digits))

/** Points of a kind that makes rounded sides: rings of cones and frusta, grids, spheres, planes a little off, clusters. */
function set(r: Random): Vec3[] {
  const n = 4 + Math.floor(between(r, 0, 14))
  const digits = Math.floor(between(r, 3, 10))
  const written = (p: Vec3): Vec3 => [decimals(p[0], digits), decimals(p[1], digits), decimals(p[2], digits)]
  const ring = (radius: number, z: number): Vec3[] => Array.from({ length: n }, (_, k) =>
    [radius * Math.cos(2 * Math.PI * k / n), radius * Math.sin(2 * Math.PI * k / n), z])
  switch (Math.floor(between(r, 0, 7))) {
    case 0: return [...ring(between(r, 0.1, 1), 0), [0, 0, between(r, 0.1, 1)] as Vec3].map(written)
    case 1: return [...ring(between(r, 0.1, 1), 0), ...ring(between(r, 0.1, 1), 1)].map(written)
    case 2: return Array.from({ length: 2 * n }, () => direction(r)).map(written)
    case 3: return Array.from({ length: 3 * n }, () => vector(r, 2).map(Math.round) as unknown as Vec3)
    case 4: return Array.from({ length: 2 * n }, () => { const [x, y] = vector(r); return [x, y, 0.3 * x - 0.7 * y + 1e-15 * Math.round(between(r, -3, 3))] as Vec3 })
    case 5: return Array.from({ length: 2 * n }, (_, k) => k % 2 === 0 ? vector(r) : vector(r, 1e-13))
    default: return Array.from({ length: 2 * n }, () => scale(vector(r), 10 ** between(r, -12, 0)))
  }
}

const distinct = (points: readonly Vec3[]): Vec3[] => [...new Map(points.map(p => [p.map(x => x + 0).join(' '), p])).values()]

describe('exact hulls', () => {
  it('decide the side of a plane as integer arithmetic does', () => {
    const r = random(3)
    for (let k = 0; k < 3000; k++) {
      const [a, b, c, p] = Array.from({ length: 4 }, () => vector(r, 2).map(x => k % 2 === 0 ? Math.round(x) / 10 : x)) as unknown as [Vec3, Vec3, Vec3, Vec3]
      const near: Vec3 = k % 3 === 0 ? p : [0, 1, 2].map(i => (a[i]! + b[i]!) / 2 + (c[i]! - a[i]!) / 4) as unknown as Vec3
      const exact = [a, b, c, near].map(q => q.map(integer) as unknown as Exact) as [Exact, Exact, Exact, Exact]
      expect(Math.sign(orientation(a, b, c, near))).toBe(sideOf(...exact))
    }
  })

  it('contain all points of random and nearly degenerate sets and are closed, by integer arithmetic', () => {
    const r = random(11)
    let [found, wrong] = [0, 0]
    for (let k = 0; k < 700; k++) {
      const points = distinct(set(r))
      const exact = points.map(p => p.map(integer) as unknown as Exact)
      const triangles = exactHull(points)
      found += triangles === null ? 0 : 1
      wrong += triangles === null || isHull(exact, triangles) ? 0 : 1
    }
    expect(found).toBeGreaterThan(600)
    expect(wrong).toBe(0)
  })

  it('become solids for every set: only those without volume are refused', () => {
    const r = random(5)
    const faults = new Map<string, number>()
    let [above, torn] = [0, 0]
    for (let k = 0; k < 2000; k++) {
      const points = distinct(set(r))
      if (points.length < 4) continue
      try {
        const solid = convexHull('convexHull', points)
        const { vertices, edges, faces } = solid
        for (const { normal: [x, y, z], offset } of faces) {
          for (const p of points) above = Math.max(above, (x * p[0] + y * p[1] + z * p[2] - offset) / solid.size)
        }
        torn += vertices.length - edges.length + faces.length === 2 && solid.massProperties.volume > 0 ? 0 : 1
      } catch (error) {
        if (!(error instanceof ShapeError)) throw error
        faults.set(error.fault, (faults.get(error.fault) ?? 0) + 1)
      }
    }
    expect(torn).toBe(0)
    expect(above).toBeLessThan(1e-11)
    expect([...faults.keys()].filter(fault => fault !== 'coplanarPoints')).toEqual([])
  })

  it.skipIf(!existsSync(FAILURES)).each(['D-friction-rolling-cone', 'shrunk', 'smallest-family'])('are found for the points of %s, once refused', name => {
    const scene = JSON.parse(readFileSync(join(FAILURES, `${name}.cairn.json`), 'utf8')) as { bodies: { shapes: { type: string, points?: Vec3[] }[] }[] }
    for (const { shapes } of scene.bodies) {
      for (const { points } of shapes) if (points !== undefined) expect(convexHull('convexHull', points).faces.length).toBeGreaterThan(3)
    }
  })
})

describe('differences of products of differences', () => {
  it('are the same without allocation, to the last bit', () => {
    const minor = (p: Expansion, q: Expansion, r: Expansion, s: Expansion) => rounded(plus(times(p, q), negated(times(r, s))))
    const r = random(11)
    for (let i = 0; i < 20_000; i++) {
      // Some on a grid, where differences are exact and products cancel.
      const value = () => i % 2 === 0 ? Math.round(between(r, -4, 4)) / 4 : between(r, -1, 1)
      const [a, b, c, d, e, f, g, h] = Array.from({ length: 8 }, value) as [number, number, number, number, number, number, number, number]
      expect(productDifference(a, b, c, d, e, f, g, h)).toBe(minor(difference(a, b), difference(c, d), difference(e, f), difference(g, h)))
    }
  })
})
