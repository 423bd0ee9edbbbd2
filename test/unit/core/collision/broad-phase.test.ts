import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BroadPhase, worldBounds } from '../../../../core/collision/broad-phase'
import { SortAndSweep } from '../../../../core/collision/sort-and-sweep'
import { box } from '../../../../core/geometry/box'
import { HalfSpace } from '../../../../core/geometry/half-space'
import type { Bounds } from '../../../../core/geometry/shape'
import { IDENTITY_POSE } from '../../../../core/math/pose'
import { add, sub, type Vec3 } from '../../../../core/math/vector'
import { between, hull, pose, random, vector } from './random'

const seeds = fc.integer({ min: 0, max: 0x7fffffff })

function near(phase: BroadPhase): { bodyA: number, primitiveA: number, bodyB: number, primitiveB: number }[] {
  const found: ReturnType<typeof near> = []
  phase.visit((bodyA, primitiveA, bodyB, primitiveB) => found.push({ bodyA, primitiveA, bodyB, primitiveB }) > 0)
  return found
}

describe('sort and sweep', () => {
  it('finds the pairs that testing every pair finds, through any motion', () => {
    fc.assert(fc.property(seeds, fc.integer({ min: 1, max: 30 }), (seed, n) => {
      const r = random(seed)
      const sweep = new SortAndSweep(n)
      const centers = Array.from({ length: n }, () => vector(r, 3))
      // Sizes and places on a grid, so that ends coincide.
      const snap = (v: Vec3): Vec3 => [Math.round(v[0] * 4) / 4, Math.round(v[1] * 4) / 4, Math.round(v[2] * 4) / 4]
      for (let round = 0; round < 20; round++) {
        const boxes = centers.map((c): Bounds => ({ min: snap(add(c, [-0.5, -0.5, -0.5])), max: snap(add(c, [0.5, 0.5, 0.5])) }))
        boxes.forEach((bounds, i) => sweep.set(i, bounds))
        sweep.update()
        const brute = new Set<number>()
        boxes.forEach((p, i) => boxes.slice(i + 1).forEach((q, k) => {
          if ([0, 1, 2].every(axis => p.min[axis]! <= q.max[axis]! && q.min[axis]! <= p.max[axis]!)) {
            brute.add(i * n + i + 1 + k)
          }
        }))
        expect([...sweep.pairs].sort((p, q) => p - q)).toEqual([...brute].sort((p, q) => p - q))
        centers.forEach((c, i) => { centers[i] = add(c, vector(r, r() < 0.1 ? 3 : 0.3)) })
      }
    }))
  })

  it('sorts boxes within columns, and exchanges two that pass each other', () => {
    const sweep = new SortAndSweep(100)
    const at = (x: number, y: number): Bounds => ({ min: [x - 0.4, y - 0.4, -0.4], max: [x + 0.4, y + 0.4, 0.4] })
    for (let i = 0; i < 100; i++) sweep.set(i, at(i % 10, 10 * Math.floor(i / 10)))
    sweep.update()
    const before = sweep.exchanges
    sweep.set(3, at(4, 0))
    sweep.set(4, at(3, 0))
    sweep.update()
    expect(sweep.exchanges - before).toBeGreaterThan(0)
    expect(sweep.pairs).toHaveLength(0)
  })

  it('finds those of all sizes, infinite ones included, as boxes are added, grow and shrink', () => {
    fc.assert(fc.property(seeds, fc.integer({ min: 2, max: 60 }), (seed, n) => {
      const r = random(seed)
      const sweep = new SortAndSweep(n)
      const boxes: Bounds[] = []
      for (let round = 0; round < 10; round++) {
        for (let i = 0; i < Math.min(n, 6 * (round + 1)); i++) {
          if (boxes[i] !== undefined && r() < 0.5) continue
          const center = vector(r, 10)
          const half = (): number => r() < 0.05 ? Infinity : 0.05 * 4 ** Math.floor(between(r, 0, 6))
          const reach: Vec3 = [half(), half(), half()]
          boxes[i] = { min: sub(center, reach), max: add(center, reach) }
          sweep.set(i, boxes[i]!)
        }
        sweep.update()
        const brute: number[] = []
        boxes.forEach((p, i) => boxes.forEach((q, j) => {
          if (j > i && [0, 1, 2].every(axis => p.min[axis]! <= q.max[axis]! && q.min[axis]! <= p.max[axis]!)) brute.push(i * n + j)
        }))
        expect([...sweep.pairs].sort((p, q) => p - q)).toEqual(brute)
      }
    }), { numRuns: 200 })
  })

  it('has no exchanges while the order does not change', () => {
    const sweep = new SortAndSweep(100)
    const place = (shift: number): void => {
      for (let i = 0; i < 100; i++) {
        sweep.set(i, { min: [i + shift, i + shift, i + shift], max: [i + 0.5 + shift, i + 0.5 + shift, i + 0.5 + shift] })
      }
      sweep.update()
    }
    place(0)
    place(0.7)
    expect(sweep.exchanges).toBe(0)
  })
})

describe('the broad phase', () => {
  const cube = { primitive: box([1, 1, 1]), pose: IDENTITY_POSE }
  const ground = { primitive: new HalfSpace([0, 0, 1], 0), pose: IDENTITY_POSE }

  it('gives the tightest box around a rotated solid', () => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const solid = hull(r, 12, 1)
      const at = pose(r)
      const bounds = worldBounds(solid, at)
      const turned = solid.placed(at)
      for (const axis of [0, 1, 2]) {
        expect(Math.abs(bounds.min[axis]! - turned.bounds.min[axis]!)).toBeLessThan(1e-14)
        expect(Math.abs(bounds.max[axis]! - turned.bounds.max[axis]!)).toBeLessThan(1e-14)
      }
    }))
  })

  it('names primitives in document order, half-spaces near everything, parts of unions one by one', () => {
    const legs = [-2, 2].map(x => ({ ...cube, pose: { position: [x, 0, 0] as Vec3, orientation: [0, 0, 0, 1] as const } }))
    const phase = new BroadPhase([[ground], legs, [cube]], (a, b) => !(a === 0 && b === 1))
    phase.place(0, IDENTITY_POSE)
    phase.place(1, { position: [0, 0, 10], orientation: [0, 0, 0, 1] })
    expect(near(phase)).toEqual([])
    phase.place(2, { position: [2.5, 0.5, 10], orientation: [0, 0, 0, 1] })
    expect(near(phase)).toEqual([
      { bodyA: 0, primitiveA: 0, bodyB: 2, primitiveB: 0 }, { bodyA: 1, primitiveA: 1, bodyB: 2, primitiveB: 0 },
    ])
    phase.place(2, { position: [0, 0, 10], orientation: [0, 0, 0, 1] })
    expect(near(phase)).toHaveLength(1)
    phase.remove(2)
    expect(near(phase)).toEqual([])
  })

  it('finds what a fast body passes on its way', () => {
    const phase = new BroadPhase([[cube], [cube]], () => true)
    phase.place(0, { position: [0, 0, 0], orientation: [0, 0, 0, 1] })
    phase.place(1, { position: [-100, 0, 0], orientation: [0, 0, 0, 1] }, { position: [100, 0, 0], orientation: [0, 0, 0, 1] }, 200)
    expect(near(phase)).toHaveLength(1)
  })
})
