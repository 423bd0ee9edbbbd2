import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rotate, type Quat } from '../../../../core/math/quaternion'
import { fromEuler, toEuler } from '../../../../renderer/fields/euler'

const angle = fc.double({ min: -Math.PI, max: Math.PI, noNaN: true })
const same = (a: Quat, b: Quat) => 1 - Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3])

describe('orientations as three angles', () => {
  it('rotate about the fixed x axis first, then y, then z', () => {
    const turned = rotate(fromEuler([Math.PI / 2, 0, Math.PI / 2]), [0, 1, 0])
    expect(turned[0]).toBeCloseTo(0, 12)
    expect(turned[1]).toBeCloseTo(0, 12)
    expect(turned[2]).toBeCloseTo(1, 12)
  })

  it('convert back to the same orientation', () => {
    fc.assert(fc.property(angle, angle, angle, (x, y, z) => {
      const q = fromEuler([x, y, z])
      expect(same(q, fromEuler(toEuler(q)))).toBeLessThan(1e-12)
    }))
  })

  it('convert back at gimbal lock, where y is a right angle', () => {
    for (const y of [Math.PI / 2, -Math.PI / 2]) {
      const q = fromEuler([0.7, y, -0.2])
      expect(same(q, fromEuler(toEuler(q)))).toBeLessThan(1e-12)
    }
  })
})
