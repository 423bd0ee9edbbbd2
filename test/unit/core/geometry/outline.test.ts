import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { area, centroid, convexParts, outlineFault, turn, type Point2 } from '../../../../core/geometry/outline'

/** Seen from the middle every point once round: simple, mostly not convex. */
const star = fc.array(fc.integer({ min: 2, max: 40 }), { minLength: 3, maxLength: 24 })
  .map(radii => radii.map((r, k): Point2 => [r * Math.cos(2 * Math.PI * k / radii.length), r * Math.sin(2 * Math.PI * k / radii.length)]))

describe('an outline', () => {
  it('is decomposed into convex pieces of its own points that fill it', () => {
    fc.assert(fc.property(star, fc.boolean(), (points, backwards) => {
      const outline = backwards ? [...points].reverse() : points
      fc.pre(outlineFault(outline) === null)
      const parts = convexParts(outline).map(part => part.map(i => outline[i]!))
      const sum = parts.reduce((total, part) => total + area(part), 0)
      expect(Math.abs(sum - Math.abs(area(outline)))).toBeLessThan(1e-11 * Math.abs(area(outline)))
      for (const part of parts) part.forEach((p, k) => { expect(turn(p, part[(k + 1) % part.length]!, part[(k + 2) % part.length]!)).toBeGreaterThanOrEqual(0) })
    }))
  })

  it('that is convex is one piece, an L two, and points on a side are left out', () => {
    const square: Point2[] = [[0, 0], [0.5, 0], [1, 0], [1, 1], [0, 1]]
    expect(convexParts(square)).toHaveLength(1)
    expect(convexParts(square)[0]).toHaveLength(4)
    expect(convexParts([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]])).toHaveLength(2)
  })

  it('that crosses, touches or folds back on itself is reported, with the sides', () => {
    expect(outlineFault([[0, 0], [1, 1], [1, 0], [0, 1]])).toEqual({ kind: 'crosses', sides: [0, 2] })
    expect(outlineFault([[0, 0], [2, 0], [2, 2], [1, 0], [0, 2]])).toMatchObject({ kind: 'crosses' })
    expect(outlineFault([[0, 0], [2, 0], [1, 0], [1, 1]])).toMatchObject({ kind: 'crosses' })
    expect(outlineFault([[0, 0], [1, 0], [0, 0], [0, 1]])).toEqual({ kind: 'twice', points: [0, 2] })
    expect(outlineFault([[0, 0], [1, 0]])).toEqual({ kind: 'tooFew' })
    expect(outlineFault([[0, 0], [1, 0], [1, 1], [0, 1]])).toBeNull()
  })

  it('has the centroid of its area', () => {
    const [x, y] = centroid([[1, 1], [4, 1], [1, 4]])
    expect(x).toBeCloseTo(2, 14)
    expect(y).toBeCloseTo(2, 14)
  })
})
