/** The direction in which two features face each other is the direction between their facing points, whatever the search starts from. */

import { describe, expect, it } from 'vitest'
import { Difference } from '../../../../core/collision/curved/difference'
import { FeaturePairDirection } from '../../../../core/collision/curved/feature-pair-direction'
import { flatConvex, PLANE, RIM } from '../../../../core/collision/curved/flat-convex'
import { createPrimitive, type ShapeSpec } from '../../../../core/geometry/primitives'
import { IDENTITY_POSE } from '../../../../core/math/pose'
import { cross, length, scale, type Vec3 } from '../../../../core/math/vector'
import { between, direction, orientation, random, type Random } from './random'

const SHAPES: Readonly<Record<string, (r: Random) => ShapeSpec>> = {
  box: r => ({ type: 'box', size: [between(r, 0.5, 1), between(r, 0.5, 1), between(r, 0.5, 1)] }),
  capsule: r => ({ type: 'capsule', radius: 0.2, height: between(r, 0.5, 1) }),
  cylinder: r => ({ type: 'cylinder', radius: between(r, 0.2, 1), height: between(r, 0.5, 1) }),
  cone: r => ({ type: 'cone', radius: between(r, 0.2, 1), height: between(r, 0.5, 1) }),
  ellipsoid: r => ({ type: 'ellipsoid', radii: [between(r, 0.5, 1), between(r, 0.5, 1), between(r, 0.5, 1)] }),
}
const PAIRS = Object.keys(SHAPES).flatMap(a => Object.keys(SHAPES).map(b => [a, b] as const)).filter(pair => pair.some(kind => kind !== 'box' && kind !== 'capsule'))

describe.each(PAIRS)('%s and %s', (kindA, kindB) => {
  const r = random(3)
  const difference = new Difference()
  const pair = new FeaturePairDirection(difference)

  it('the vector between the facing points is along the direction, which is a unit vector; within the ends of straight features', () => {
    let compared = 0
    let rims = 0
    let lost = 0
    for (let n = 0; n < 20; n++) {
      const [a, b] = [flatConvex(createPrimitive(SHAPES[kindA]!(r))), flatConvex(createPrimitive(SHAPES[kindB]!(r)))]
      difference.place(a, b, { position: scale(direction(r), between(r, 2, 3)), orientation: orientation(r) }, IDENTITY_POSE,
        { position: [0, 0, 0], orientation: orientation(r) }, IDENTITY_POSE)
      const there = [...difference.position] as unknown as Vec3
      const [nx, ny, nz] = scale(there, -1 / length(there))
      for (let i = 0; i < a.count; i++) {
        for (let j = 0; j < b.count; j++) {
          if (a.types[i] === PLANE || b.types[j] === PLANE) continue
          Object.assign(pair, { nx, ny, nz, px: 0, py: 0, pz: 0, qx: there[0], qy: there[1], qz: there[2] })
          pair.one.inside = pair.two.inside = 0
          if (!pair.find(i, j)) continue
          const normal: Vec3 = [pair.nx, pair.ny, pair.nz]
          expect(Math.abs(length(normal) - 1)).toBeLessThan(1e-15 * 4)
          // Beyond the ends of straight features their end points face each other, along another direction.
          if (pair.one.inside < 0 || pair.two.inside < 0) continue
          const between: Vec3 = [pair.px - pair.qx, pair.py - pair.qy, pair.pz - pair.qz]
          expect(length(between)).toBeCloseTo(pair.distance, 14)
          const along = length(cross(normal, between)) < 2e-14 * difference.scale
          // Newton's method between two rims can end where no step improves; the search then proposes other features.
          const areRims = a.types[i] === RIM && b.types[j] === RIM
          if (areRims) rims++
          if (areRims && !along) lost++
          else expect(along, `features ${i} and ${j}`).toBe(true)
          compared++
        }
      }
    }
    expect(compared).toBeGreaterThan(10)
    expect(lost).toBeLessThanOrEqual(rims / 10)
  })
})
