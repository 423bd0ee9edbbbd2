/** Distance of feature pairs from the end of their features, by closed forms, with the slack by which they may exceed it. */

import { describe, expect, it } from 'vitest'
import { OutlineCrossingPair } from '../../../../core/collision/pairs/outline-crossing'
import { RuledPair, type Ruled } from '../../../../core/collision/pairs/ruled'
import type { Pose } from '../../../../core/math/pose'

const feature = { kind: 'edge', index: 0 } as const

describe('the lines of two cylinders that cross', () => {
  // Axes at right angles, 0.25 m apart: the upper one along y from y = 1 to −1, the lower one along x from x = 2 to −2.
  const along = (axis: 0 | 1, length: number): Ruled =>
    ({ apex: axis === 0 ? [length / 2, 0, 0] : [0, length / 2, 0], axis: axis === 0 ? [1, 0, 0] : [0, 1, 0], lean: 0, length, radius: 0.1 })
  const lower: Pose = { position: [0, 0, 0], orientation: [0, 0, 0, 1] }
  it.each([1e-9, 1e-3])('end where one of them ends, and %f m beyond it', slack => {
    const pair = (['1', '-1'] as const).map(sign => new RuledPair({ featureA: feature, featureB: feature, a: along(1, 2), b: along(0, 4), sign: sign === '1' ? 1 : -1, slack }))
      .find(one => one.locate({ position: [0, 0, 0.25], orientation: [0, 0, 0, 1] }, lower).gap > 0)!
    const at = (x: number, y: number): number => pair.margin({ position: [x, y, 0.25], orientation: [0, 0, 0, 1] }, lower)
    expect(pair.locate({ position: [0, 0, 0.25], orientation: [0, 0, 0, 1] }, lower).gap).toBeCloseTo(0.05, 12)
    expect(at(0, 0)).toBeCloseTo(1 + slack, 12)
    expect(at(0, 0.7)).toBeCloseTo(0.3 + slack, 12)
    expect(at(0, -0.9)).toBeCloseTo(0.1 + slack, 12)
    expect(at(1.8, 0)).toBeCloseTo(0.2 + slack, 12)
    expect(at(-2 - slack, 0)).toBeCloseTo(0, 12)
  })
})

describe('the corner where a line lies over the rim of a disc', () => {
  it.each([1e-9, 1e-7])('ends where the line ends, %f m beyond it', slack => {
    // A line of 1 m along x, as the axis of a cylinder that lies on a disc of radius 0.3 m.
    const pair = new OutlineCrossingPair({
      featureA: feature, featureB: feature, outlineA: { origin: [0, 0, 0], direction: [1, 0, 0], length: 1, radius: 0.1 },
      outlineB: { center: [0, 0, 0], normal: [0, 0, 1], radius: 0.3 }, normal: [0, 0, 1], side: 1, slack,
    })
    // The far crossing is at x = 0.3: s m before the line's end where the line begins at 0.3 + s − 1.
    const end = (s: number): number => pair.margin({ position: [s - 0.7, 0, 0.1], orientation: [0, 0, 0, 1] }, { position: [0, 0, 0], orientation: [0, 0, 0, 1] })
    expect(end(-slack / 2)).toBeCloseTo(slack / 2, 12)
    expect(end(0)).toBeCloseTo(slack, 12)
    expect(end(-slack)).toBeCloseTo(0, 12)
  })
})
