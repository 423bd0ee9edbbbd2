import { describe, expect, it } from 'vitest'
import type { Scene } from '../../../../core/scene'
import { extracted } from '../../../../core/scene/prefabs/extract'

describe('a template of deformables that conditions join', () => {
  const chain = (): Scene => ({
    format: 'cairn-scene', version: 1, materials: [{ id: 'wool' }],
    deformables: ['a', 'b', 'c'].map((id, k) => ({
      id, type: 'particles' as const, material: 'wool', particles: [{ position: [k, 0, 0] as const, mass: 1 }],
      ...k === 0 ? {} : { constraints: [{ condition: { type: 'distance' as const, vertices: [0], others: [{ type: 'vertex' as const, deformable: 'abc'[k - 1]!, vertex: 0 }] } }] },
    })),
  })
  it('leaves out those joined to deformables that stay, and those joined to them', () => {
    expect(extracted(chain(), new Set(['b', 'c']), 'part', 'part.cairn.json')).toBeNull()
  })
  it('takes what is joined within it; what stays refers to its contents', () => {
    const made = extracted(chain(), new Set(['a', 'b']), 'part', 'part.cairn.json')!
    expect(made.prefab.deformables!.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(made.scene.deformables).toMatchObject([{ id: 'c', constraints: [{ condition: { others: [{ deformable: `${made.instance}.b` }] } }] }])
  })
})
