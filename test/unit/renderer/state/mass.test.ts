import { describe, expect, it } from 'vitest'
import type { Body, Scene } from '../../../../core/scene'
import { massOf } from '../../../../renderer/state/mass'
import { principalMoments } from '../../../../renderer/state/principal-moments'

const scene: Scene = { format: 'cairn-scene', version: 1, materials: [{ id: 'water', density: 1000 }] }
const box: Body = { id: 'box', shapes: [{ type: 'box', size: [1, 2, 3], material: 'water' }] }

describe('mass properties in the inspector', () => {
  it('are those of the box: m = ρ V, I = m (b² + c²)/12', () => {
    const { properties, warning } = massOf(box, scene)
    expect(properties!.mass).toBeCloseTo(6000, 9)
    expect(properties!.principal[0]).toBeCloseTo(6000 * 5 / 12, 6)
    expect(properties!.principal[1]).toBeCloseTo(6000 * 10 / 12, 6)
    expect(properties!.principal[2]).toBeCloseTo(6000 * 13 / 12, 6)
    expect(warning).toBe('')
  })

  it('scale with an overriding mass', () => {
    expect(massOf({ ...box, mass: { mass: 3 } }, scene).properties!.principal[2]).toBeCloseTo(3 * 13 / 12, 9)
  })

  it('warn of an inertia that no solid can have', () => {
    expect(massOf({ ...box, mass: { mass: 1, inertia: [1, 1, 3, 0, 0, 0] } }, scene).warning).toContain('A + B ≥ C')
  })

  it('report why there are none', () => {
    expect(massOf({ ...box, type: 'fixed' }, scene).reason).toContain('does not move')
    expect(massOf({ id: 'empty' }, scene).reason).toContain('given')
  })
})

describe('principal moments', () => {
  it('are the eigenvalues of the inertia, in any frame', () => {
    // diag(1, 2, 4) turned by 30° about z and 50° about x.
    const [c, s, d, e] = [Math.cos(0.5), Math.sin(0.5), Math.cos(0.9), Math.sin(0.9)]
    const r = [[c, -s, 0], [d * s, d * c, -e], [e * s, e * c, d]] as const
    const at = (i: number, j: number) => [1, 2, 4].reduce((sum, value, k) => sum + r[i]![k]! * value * r[j]![k]!, 0)
    const moments = principalMoments([at(0, 0), at(0, 1), at(0, 2), at(1, 0), at(1, 1), at(1, 2), at(2, 0), at(2, 1), at(2, 2)])
    expect(moments[0]).toBeCloseTo(1, 12)
    expect(moments[1]).toBeCloseTo(2, 12)
    expect(moments[2]).toBeCloseTo(4, 12)
  })
})
