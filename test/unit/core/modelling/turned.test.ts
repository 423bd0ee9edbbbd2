import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { solidsOf } from '../../../../core/analysis/solids'
import { area, outlineFault, turn, type Point2 } from '../../../../core/geometry/outline'
import { profileParts } from '../../../../core/geometry/profile-parts'
import { ModellingError, turnedSolid } from '../../../../core/modelling'

const star = fc.array(fc.integer({ min: 4, max: 20 }), { minLength: 3, maxLength: 12 })
  .map(radii => radii.map((r, k): Point2 => [30 + Math.round(r * Math.cos(2 * Math.PI * k / radii.length)), Math.round(r * Math.sin(2 * Math.PI * k / radii.length))]))
const volume = (shapes: ReturnType<typeof turnedSolid>['body']['shapes']) =>
  shapes!.reduce((sum, shape) => sum + solidsOf(shape).reduce((total, solid) => total + solid.massProperties!.volume, 0), 0)

describe('a profile turned about an axis', () => {
  it('is decomposed into convex parts that fill it', () => {
    fc.assert(fc.property(star, outline => {
      fc.pre(outlineFault(outline) === null)
      const parts = profileParts(outline).map(({ left, right }) => [...right, ...[...left].reverse()].filter((p, i, all) => {
        const before = all.at(i - 1)!
        return p[0] !== before[0] || p[1] !== before[1]
      }))
      expect(parts.reduce((sum, part) => sum + area(part), 0)).toBeCloseTo(Math.abs(area(outline)), 8)
      for (const part of parts) {
        part.forEach((p, k) => { expect(turn(p, part[(k + 1) % part.length]!, part[(k + 2) % part.length]!)).toBeGreaterThan(-1e-9) })
      }
    }))
  })

  it('has the volume given by Pappus\'s theorem, less what its flat sides leave out', () => {
    fc.assert(fc.property(star, outline => {
      fc.pre(outlineFault(outline) === null)
      const { body, missing } = turnedSolid(outline, 'xz', 5, 12, 'wood')
      expect(missing).toBeCloseTo(1 - 12 / (2 * Math.PI) * Math.sin(2 * Math.PI / 12), 9)
      // ∫ r dA over the triangles between the origin and each side.
      const moment = outline.reduce((sum, [x, z], i) => {
        const [u, w] = outline[(i + 1) % outline.length]!
        return sum + (x * w - u * z) / 2 * ((x + u) / 3 - 5)
      }, 0)
      expect(volume(body.shapes) / (2 * Math.PI * Math.abs(moment) * (1 - missing))).toBeCloseTo(1, 9)
    }), { numRuns: 20 })
  })

  it('is a cylinder, a cone or both, exactly', () => {
    const pencil: Point2[] = [[0, 0], [1, 0], [1, 3], [0, 5]]
    const { body, missing } = turnedSolid(pencil, 'xz', 0, 24, 'wood')
    expect(missing).toBeGreaterThan(0)
    expect(turnedSolid([[0, 0], [1, 0], [1, 3], [0, 3]], 'xz', 0, 24, 'wood')).toMatchObject({ missing: 0, body: { position: [0, 0, 1.5], shapes: [{ type: 'cylinder', radius: 1, height: 3 }] } })
    expect(turnedSolid([[2, 0], [3, 0], [2, 4]], 'xz', 2, 24, 'wood')).toMatchObject({ missing: 0, body: { position: [2, 0, 2], shapes: [{ type: 'cone', radius: 1, height: 4 }] } })
    expect(turnedSolid([[0, 0], [-1, 4], [0, 4]], 'yz', 0, 24, 'wood').body.shapes).toMatchObject([{ type: 'cone', orientation: [1, 0, 0, 0], position: [0, 0, 2] }])
    expect(body.shapes).toHaveLength(1)
  })

  it('of a ring is divided into wedges, of a cup into a bottom and a wall', () => {
    expect(turnedSolid([[1, 0], [2, 0], [2, 1], [1, 1]], 'xz', 0, 24, 'wood').body.shapes).toHaveLength(24)
    const cup = turnedSolid([[0, 0], [1, 0], [1, 1], [0.9, 1], [0.9, 0.1], [0, 0.1]], 'xz', 0, 12, 'wood').body.shapes!
    expect(cup.map(({ type }) => type)).toEqual(['cylinder', ...Array.from({ length: 12 }, () => 'convexHull')])
  })

  it('is refused if it lies on both sides of the axis', () => {
    expect(() => turnedSolid([[-1, 0], [1, 0], [0, 1]], 'xz', 0, 24, 'wood')).toThrow(ModellingError)
  })
})
