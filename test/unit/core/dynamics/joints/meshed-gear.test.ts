import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jointEquations, meshedGear, type MeshedWheel } from '../../../../../core/dynamics/joints'
import type { BodyMotion } from '../../../../../core/geometry/motion'
import { add, addScaled, cross, dot, length, normalize, type Vec3 } from '../../../../../core/math/vector'
import { applyRow, derivatives, directions, drift, motions, vectors } from './motions'

const gear = (a0: BodyMotion, b0: BodyMotion, anchor: Vec3, across: Vec3, axis: Vec3, ratio: number) => {
  const wheel = (body: number, initial: BodyMotion, at: Vec3, sign: 1 | -1): MeshedWheel => ({ body, initial, anchor: at, axis, sign })
  return meshedGear({ id: 'teeth', wheelA: wheel(0, a0, anchor, -1), wheelB: wheel(1, b0, add(anchor, across), 1), ratio })
}
const errorOf = (joint: ReturnType<typeof gear>, a: BodyMotion, b: BodyMotion) => {
  const out = jointEquations(1)
  joint.evaluate(a, b, out)
  return out
}

describe('wheels that mesh on a moving frame', () => {
  const scene = fc.record({ a0: motions, b0: motions, anchor: vectors(2), across: directions, axis: directions, ratio: fc.constantFrom(-0.75, -2, 0.3, 1) })

  it('have the Jacobian and the velocity-product term of their equation', () => {
    fc.assert(fc.property(scene, ({ a0, b0, anchor, across, axis, ratio }) => {
      const e = normalize(axis)
      fc.pre(length(addScaled(across, e, -dot(across, e))) > 0.3)
      const joint = gear(a0, b0, anchor, across, e, ratio)
      const out = errorOf(joint, a0, b0)
      expect(Math.abs(out.error[0]!)).toBeLessThan(1e-12)
      const jacobian = out.jacobian.slice()
      const bias = out.bias[0]!
      const { first, second } = derivatives(t => errorOf(joint, drift(a0, t), drift(b0, t)).error[0]!)
      expect(Math.abs(applyRow(jacobian, 0, a0, b0) - first)).toBeLessThan(1e-6 * Math.max(1, Math.abs(first)))
      expect(Math.abs(bias - second)).toBeLessThan(1e-4 * Math.max(1, Math.abs(second)))
    }), { endOnFailure: true })
  })

  it('push each other with opposite forces at one point', () => {
    fc.assert(fc.property(scene, ({ a0, b0, anchor, across, axis, ratio }) => {
      const e = normalize(axis)
      fc.pre(length(addScaled(across, e, -dot(across, e))) > 0.3)
      const { jacobian: J } = errorOf(gear(a0, b0, anchor, across, e, ratio), a0, b0)
      const v = (at: number): Vec3 => [J[at]!, J[at + 1]!, J[at + 2]!]
      expect(length(add(v(0), v(6)))).toBeLessThan(1e-12)
      // About the origin the two wrenches cancel: nothing else has to hold the pair.
      const moment = add(add(v(3), cross(a0.center, v(0))), add(v(9), cross(b0.center, v(6))))
      expect(length(moment)).toBeLessThan(1e-9)
    }), { endOnFailure: true })
  })

  it('need parallel axes that do not coincide', () => {
    fc.assert(fc.property(motions, motions, (a0, b0) => {
      expect(() => gear(a0, b0, [0, 0, 0], [0, 0, 1], [0, 0, 1], -1)).toThrow(/"teeth".*must not coincide/)
      const wheel = (body: number, axis: Vec3): MeshedWheel => ({ body, initial: body === 0 ? a0 : b0, anchor: [body, 0, 0], axis, sign: 1 })
      expect(() => meshedGear({ id: 'teeth', wheelA: wheel(0, [0, 0, 1]), wheelB: wheel(1, [0, 1, 0]), ratio: -1 })).toThrow(/"teeth".*parallel/)
    }), { numRuns: 3 })
  })
})
