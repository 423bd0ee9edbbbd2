/** Values at forces keep out of each other's way. */

import { describe, expect, it } from 'vitest'
import { freePlace, type Rectangle } from '../../../../renderer/viewport/overlay/force-values'

describe('values of forces', () => {
  it('at one point stand around it, and none over another', () => {
    const taken: Rectangle[] = []
    for (let k = 0; k < 12; k++) {
      const place = freePlace(100, 100, 50, taken)
      if (place !== null) taken.push(place)
    }
    expect(taken.length).toBeGreaterThanOrEqual(4)
    for (const [i, a] of taken.entries()) {
      for (const b of taken.slice(i + 1)) expect(a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height).toBe(false)
    }
    expect(freePlace(100, 100, 50, taken)).toBeNull()
  })

  it('stand above the tip where there is room', () => {
    expect(freePlace(100, 100, 50, [])).toEqual({ x: 75, y: 74.5, width: 50, height: 17 })
  })
})
