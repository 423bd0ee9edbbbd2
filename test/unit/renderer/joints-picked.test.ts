import { describe, expect, it } from 'vitest'
import type { Joint } from '../../../core/scene'
import { pickedField, valueOfPick } from '../../../renderer/joints/picked'
import type { Vec3 } from '../../../core/math/vector'

const hinge = { id: 'pin', type: 'hinge', bodyA: 'door', bodyB: 'wall', anchor: [0, 0, 0], axis: [0, 0, 1] } as Exclude<Joint, { type: 'gear' }>
const initial = (id: string) => ({ position: (id === 'door' ? [1, 0, 0] : [0, 5, 0]) as Vec3, orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const })

describe('a place picked for a joint', () => {
  it('is offered for anchors, axes and curves only', () => {
    expect(pickedField('joints[2].anchor')).toEqual({ joint: 2, field: { what: 'point', side: null } })
    expect(pickedField('joints[0].curve.center')!.field.what).toBe('point')
    for (const path of ['joints[0].poseA.position', 'bodies[0].position', 'joints[0].limits.lower']) expect(pickedField(path)).toBeNull()
  })

  it('is taken as it is if the joint is defined at the initial poses', () => {
    expect(valueOfPick(hinge, { what: 'point', side: null }, { body: 'door', value: [1, 2, 3] }, initial)).toEqual([1, 2, 3])
  })

  it('moves with its body to the pose for which the joint is defined', () => {
    // The door is turned by 90° about z at the start, and upright at the origin where the joint is defined.
    const posed = { ...hinge, poseA: { position: [0, 0, 0], orientation: [0, 0, 0, 1] } } as typeof hinge
    const at = (what: 'point' | 'direction', body: string, value: Vec3) => valueOfPick(posed, { what, side: null }, { body, value }, initial).map(x => Math.round(x * 1e9) / 1e9 + 0)
    expect(at('point', 'door', [1, 2, 3])).toEqual([2, 0, 3])
    expect(at('direction', 'door', [0, 1, 0])).toEqual([1, 0, 0])
    expect(at('point', 'wall', [1, 2, 3])).toEqual([1, 2, 3])
  })
})
