/** Features of a solid in its body's frame, wherever the solid is placed in the body: each lies on the solid's surface, by its support function. */

import { describe, expect, it } from 'vitest'
import { featureSet } from '../../../../core/collision/feature-set'
import { chords, featurePairs } from '../../../../core/collision/feature-set-pairs'
import { createPrimitive, type ShapeSpec } from '../../../../core/geometry/primitives'
import { IDENTITY_POSE } from '../../../../core/math/pose'
import { dot, scale, type Vec3 } from '../../../../core/math/vector'
import { direction, pose, random } from './random'

const r = random(5)
const SHAPES: readonly ShapeSpec[] = [
  { type: 'cylinder', radius: 0.3, height: 0.8 }, { type: 'cone', radius: 0.4, height: 0.7 }, { type: 'box', size: [0.3, 0.5, 0.7] },
  { type: 'convexHull', points: Array.from({ length: 20 }, () => scale(direction(r), 0.5)) },
]

describe.each(SHAPES)('a $type', shape => {
  const primitive = createPrimitive(shape)

  it('lies below the planes of its flats and touches them', () => {
    for (let n = 0; n < 20; n++) {
      const { flats, support } = featureSet(primitive, pose(r, 2))
      expect(flats.length).toBeGreaterThan(0)
      for (const { normal, offset } of flats) expect(dot(normal, support(IDENTITY_POSE, normal))).toBeCloseTo(offset, 13)
    }
  })

  it('has its points and lines inside its support in every direction', () => {
    for (let n = 0; n < 20; n++) {
      const { points, lines, support } = featureSet(primitive, pose(r, 2))
      const ends: Vec3[] = [
        ...points.map(({ point }) => point),
        ...lines.filter(({ line }) => line.radius === 0).flatMap(({ line: { origin, direction: d, length } }): Vec3[] =>
          [origin, [origin[0] + length * d[0], origin[1] + length * d[1], origin[2] + length * d[2]]]),
      ]
      for (let k = 0; k < 50; k++) {
        const d = direction(r)
        for (const point of ends) expect(dot(d, point)).toBeLessThanOrEqual(dot(d, support(IDENTITY_POSE, d)) + 1e-14)
      }
    }
  })
})

it('the ends of a line on both rims of a cylinder have keys of their own', () => {
  const [cylinder, box] = [createPrimitive({ type: 'cylinder', radius: 0.3, height: 0.8 }), createPrimitive({ type: 'box', size: [1, 1, 1] })]
  for (const [a, b] of [[cylinder, box], [box, cylinder]] as const) {
    const [p, q] = [featureSet(a, IDENTITY_POSE), featureSet(b, IDENTITY_POSE)]
    const ends = chords(p, q, 0).flatMap(chord => chord.ends.map(({ key }) => key))
    // Two ends of each of the box's twelve edges over each of the two discs.
    expect(new Set(ends).size).toBe(48)
    expect(featurePairs(p, q, 0).filter(({ key }) => ends.includes(key))).toEqual([])
  }
})
