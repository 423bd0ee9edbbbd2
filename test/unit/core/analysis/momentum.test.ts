import { describe, expect, it } from 'vitest'
import { bodyMasses } from '../../../../core/analysis/body-masses'
import { momentumOf } from '../../../../core/analysis/momentum'
import { resolveScene, type Scene } from '../../../../core/scene'
import { BODY_STRIDE } from '../../../../core/trajectory/frame'

const scene = {
  format: 'cairn-scene', version: 1, materials: [{ id: 'm', density: 2, friction: { static: 0, dynamic: 0 } }],
  bodies: [
    { id: 'fixed', type: 'fixed', shapes: [{ type: 'sphere', radius: 1, material: 'm' }] },
    { id: 'box', shapes: [{ type: 'box', size: [1, 2, 3], material: 'm' }] },
    { id: 'later', spawnTime: 1, shapes: [{ type: 'box', size: [1, 1, 1], material: 'm' }] },
  ],
} as unknown as Scene

describe('momentum of a recorded frame', () => {
  it('is m v, and the spin plus the moment of m v about the origin; fixed and absent bodies left out', () => {
    const bodies = new Float64Array(3 * BODY_STRIDE)
    bodies.fill(7, 0, BODY_STRIDE)
    // A quarter turn about z: the box lies with its edge of 2 along x.
    bodies.set([1, 2, 3, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 4, 5, 6, 0, 0.5, 0], BODY_STRIDE)
    bodies.fill(NaN, 2 * BODY_STRIDE)
    const { linear, angular } = momentumOf(bodyMasses(resolveScene(scene)))(bodies)
    const mass = 12
    expect(linear).toEqual([4 * mass, 5 * mass, 6 * mass])
    // About the world's y the edges across are 2 and 3: I = m (2² + 3²)/12.
    const spin = mass * 13 / 12 * 0.5
    const moment = [mass * (2 * 6 - 3 * 5), mass * (3 * 4 - 1 * 6), mass * (1 * 5 - 2 * 4)]
    angular.forEach((x, k) => expect(x).toBeCloseTo(moment[k]! + (k === 1 ? spin : 0), 10))
  })
})
