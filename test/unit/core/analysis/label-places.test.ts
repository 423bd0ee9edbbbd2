/** Labels of arrows do not cover each other, wherever the arrows are. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LabelPlaces, overlap, type LabelBox, type PicturePoint } from '../../../../core/analysis/label-places'

const BOUNDS: LabelBox = { left: 0, top: 0, right: 400, bottom: 300 }
const inBounds = (box: LabelBox) => box.left >= 0 && box.top >= 0 && box.right <= 400 && box.bottom <= 300
const point = fc.tuple(fc.double({ min: 0, max: 400, noNaN: true }), fc.double({ min: 0, max: 300, noNaN: true })) as fc.Arbitrary<PicturePoint>
const towards = fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })) as fc.Arbitrary<PicturePoint>

describe('labels', () => {
  it('cover neither each other nor taken boxes, stay inside, and are the same each time', () => {
    fc.assert(fc.property(fc.array(fc.record({ near: point, towards, width: fc.integer({ min: 10, max: 90 }) }), { maxLength: 40 }), wanted => {
      const taken = { left: 300, top: 250, right: 400, bottom: 300 }
      const placed = () => {
        const places = new LabelPlaces(BOUNDS)
        places.take(taken)
        for (const { near } of wanted) places.avoid([200, 150], near)
        return wanted.map(({ near, towards, width }) => places.place(near, towards, width, 14))
      }
      const found = placed()
      const boxes = [taken, ...found.flatMap(place => place?.box ?? [])]
      for (const [i, a] of boxes.entries()) {
        expect(inBounds(a)).toBe(true)
        for (const b of boxes.slice(i + 1)) expect(overlap(a, b)).toBe(false)
      }
      expect(placed()).toEqual(found)
    }))
  })

  it('are placed in the desired direction if there is room, without a leader line', () => {
    const { box, leader } = new LabelPlaces(BOUNDS).place([100, 100], [0, -1], 50, 14)!
    expect(box).toEqual({ left: 75, top: 100 - 4 - 14, right: 125, bottom: 96 })
    expect(leader).toBeNull()
  })

  it('at one point are placed around it; distant ones have a leader line; those without room are counted', () => {
    const places = new LabelPlaces(BOUNDS)
    const found = Array.from({ length: 80 }, () => places.place([200, 150], [1, 0], 60, 14))
    expect(found.filter(place => place !== null).length).toBeGreaterThan(3)
    expect(found.at(-1)).toBeNull()
    for (const place of found) {
      if (!place?.leader) continue
      const [from, [x, y]] = place.leader
      expect(from).toEqual([200, 150])
      expect([x === place.box.left || x === place.box.right || y === place.box.top || y === place.box.bottom]).toEqual([true])
    }
    expect(found.some(place => place?.leader)).toBe(true)
  })

  it('avoid lines if another place is near', () => {
    const places = new LabelPlaces(BOUNDS)
    places.avoid([100, 0], [100, 300])
    const { box } = places.place([100, 150], [0, -1], 50, 14)!
    expect(box.left >= 100 || box.right <= 100).toBe(true)
  })
})
