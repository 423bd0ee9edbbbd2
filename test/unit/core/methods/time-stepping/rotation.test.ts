/** The rotation of one step conserves angular momentum: I θ = h R(−θ/2) L, also for axes that are not principal ones. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { multiply, transform, transpose, type Mat3 } from '../../../../../core/math/matrix'
import { normalizeQuaternion, rotate, toMatrix, type Quat } from '../../../../../core/math/quaternion'
import { rotationQuaternion } from '../../../../../core/math/rotation'
import { length, scale, sub, type Vec3 } from '../../../../../core/math/vector'
import { midpointTurn } from '../../../../../core/methods/time-stepping/rotation'

const value = fc.double({ min: -1, max: 1, noNaN: true })
const moment = fc.double({ min: 1, max: 1.9, noNaN: true })

it('satisfies its equation to rounding, for any inertia and any axes', () => {
  fc.assert(fc.property(moment, moment, fc.tuple(value, value, value, fc.double({ min: 0.1, max: 1, noNaN: true })), fc.tuple(value, value, value), (y, z, q, l) => {
    const turn = toMatrix(normalizeQuaternion(q as Quat))
    const about = (diagonal: Vec3): Mat3 => multiply(multiply(turn, [diagonal[0], 0, 0, 0, diagonal[1], 0, 0, 0, diagonal[2]]), transpose(turn))
    const inertia = about([1, y, z])
    const momentum = l as Vec3
    const h = 0.4
    const theta = midpointTurn(inertia, about([1, 1 / y, 1 / z]), momentum, h)
    const left = sub(transform(inertia, theta), scale(rotate(rotationQuaternion(theta, -0.5), momentum), h))
    expect(length(left)).toBeLessThanOrEqual(1e-14)
  }))
})
