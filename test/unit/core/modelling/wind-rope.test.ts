import { describe, expect, it } from 'vitest'
import { windRope, type Winding } from '../../../../core/modelling'
import type { Body } from '../../../../core/scene'
import { distance, type Vec3 } from '../../../../core/math/vector'

const drum: Body = { id: 'drum', position: [0, 0, 2], orientation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2], shapes: [{ type: 'cylinder', radius: 0.25, height: 0.7, material: 'steel' }] }
const common: Winding = { axis: [0, 1, 0], turns: 0, reversed: false, ends: [{ hangs: 0.5 }, { hangs: 0.8 }], down: [0, 0, -1], radius: 0.01 }
const fromAxis = ([x, , z]: Vec3) => Math.sqrt(x * x + (z - 2) * (z - 2))

describe('a rope wound round a body', () => {
  it('lies over a drum for half a turn where both ends hang, one on each side', () => {
    const { points, angle, length, perimeter } = windRope(drum, common)
    expect(angle).toBeCloseTo(Math.PI, 9)
    expect(perimeter).toBeCloseTo(2 * Math.PI * 0.26, 3)
    expect(length).toBeCloseTo(0.5 + 0.8 + Math.PI * 0.26, 3)
    const [first, last] = [points[0]!, points.at(-1)!]
    // Right-handed about y, over the top: from x < 0 to x > 0.
    expect(first[0]).toBeCloseTo(-0.26, 4)
    expect(first[2]).toBeCloseTo(1.5, 9)
    expect(last[0]).toBeCloseTo(0.26, 4)
    expect(last[2]).toBeCloseTo(1.2, 9)
    expect(Math.min(...points.map(fromAxis))).toBeGreaterThan(0.26)
    expect(windRope(drum, { ...common, reversed: true }).points[0]![0]).toBeCloseTo(0.26, 4)
  })

  it('takes whole turns beside each other, in the middle of the drum', () => {
    const { points, angle } = windRope(drum, { ...common, turns: 3 })
    expect(angle).toBeCloseTo(7 * Math.PI, 9)
    const along = points.map(([, y]) => y)
    expect(along[0]! + along.at(-1)!).toBeCloseTo(0, 9)
    // No two turns come closer than the rope is thick.
    const spread = points.slice(1, -1)
    for (let i = 0; i + 361 < spread.length; i++) expect(distance(spread[i]!, spread[i + 360]!)).toBeGreaterThan(0.02)
  })

  it('runs straight from its ends onto the drum, and round it as far as they need', () => {
    const { points, angle } = windRope(drum, { ...common, ends: [{ point: [-1, 0.1, 2.26] }, { point: [1, 0.1, 2.26] }] })
    // Both ends are level with the top of the rope: it touches the drum at the top only.
    expect(angle).toBeLessThan(0.01)
    expect(points.every(([, y]) => Math.abs(y - 0.1) < 1e-9)).toBe(true)
    expect(windRope(drum, { ...common, turns: 1, ends: [{ point: [-1, 0.1, 2.26] }, { point: [1, 0.1, 2.26] }] }).angle).toBeCloseTo(2 * Math.PI, 1)
    const low = windRope(drum, { ...common, ends: [{ point: [-1, -0.2, 1] }, { point: [1, 0.2, 1] }] })
    expect(low.points[0]).toEqual([-1, -0.2, 1])
    // A line in the unrolled outline: it advances evenly along its whole way.
    const rise = low.points.map(([, y]) => y)
    expect(rise.every((y, k) => k === 0 || y >= rise[k - 1]!)).toBe(true)
    const middle = low.points.findIndex(([x]) => x > 0)
    expect(rise[middle]).toBeCloseTo(0, 2)
  })

  it('goes round the corners of a box at the distance of its radius', () => {
    const box: Body = { id: 'box', position: [0, 0, 2], shapes: [{ type: 'box', size: [0.4, 1, 0.2], material: 'steel' }] }
    const { points, perimeter } = windRope(box, { ...common, turns: 1 })
    expect(perimeter).toBeCloseTo(2 * (0.4 + 0.2) + 2 * Math.PI * 0.01, 4)
    for (const [x, , z] of points) {
      const [dx, dz] = [Math.max(Math.abs(x) - 0.2, 0), Math.max(Math.abs(z - 2) - 0.1, 0)]
      expect(Math.sqrt(dx * dx + dz * dz)).toBeGreaterThan(0.01 - 1e-9)
    }
  })

  it('goes round a standing post, where no end hangs along it', () => {
    const post: Body = { ...drum, orientation: [0, 0, 0, 1] }
    const { points, angle } = windRope(post, { ...common, axis: [0, 0, 1] })
    expect(angle).toBeCloseTo(Math.PI, 9)
    expect(points.every(([, , z]) => Math.abs(z - 2) < 1e-9)).toBe(true)
  })

  it('refuses what cannot be', () => {
    expect(() => windRope(drum, { ...common, turns: 40 })).toThrow(/0.7 m wide along the axis/)
    expect(() => windRope(drum, { ...common, ends: [{ point: [0, 0, 2.1] }, { hangs: 1 }] })).toThrow(/outside of its outline/)
    expect(() => windRope(drum, { ...common, axis: [0, 0, 0] })).toThrow(/axis must not be zero/)
    expect(() => windRope({ id: 'ground', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'steel' }] }, common)).toThrow(/unbounded/)
  })
})
