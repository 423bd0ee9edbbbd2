import { describe, expect, it } from 'vitest'
import type { Scene } from '../../../../core/scene'
import { planBodies } from '../../../../renderer/viewport/body-plan'

const tetrahedron: [number, number, number][] = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
const faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
const shifted = tetrahedron.map(([x, y, z]): [number, number, number] => [x + 2, y, z])
const scene: Scene = {
  format: 'cairn-scene', version: 1, materials: [{ id: 'm', color: '#808080' }],
  bodies: [
    { id: 'a', shapes: [{ type: 'mesh', vertices: tetrahedron, faces, pieces: [{ points: tetrahedron }, { points: shifted }], material: 'm' }] },
    { id: 'b', shapes: [{ type: 'mesh', vertices: tetrahedron, faces, material: 'm' }, { type: 'box', size: [1, 1, 1], material: 'm' }] },
  ],
}

describe('a mesh is drawn', () => {
  const colors = (plan: ReturnType<typeof planBodies>, body: number) => plan.shapes[body]!.map(one => [...one.attributes.slice(-3)].join(' '))

  it('as its surface, in its material\'s colour', () => {
    const plan = planBodies(scene)
    expect(plan.shapes[0]).toHaveLength(1)
    expect(new Set([...colors(plan, 0), ...colors(plan, 1)]).size).toBe(1)
  })

  it('as its convex pieces, each in its own tint, all of them picked as one shape', () => {
    const plan = planBodies(scene, { by: 'shapes', pieces: true, coloured: [] })
    expect(plan.shapes[0]).toHaveLength(2)
    expect(new Set(colors(plan, 0)).size).toBe(2)
    expect(plan.shapes[0]!.map(one => one.shape)).toEqual([0, 0])
    expect(Math.max(...plan.shapes[0]![1]!.mesh.positions)).toBe(3)
  })

  it('as its surface too if it has no pieces; other shapes are unchanged', () => {
    expect(planBodies(scene, { by: 'shapes', pieces: true, coloured: [] }).shapes[1]!.map(one => one.mesh)).toEqual(planBodies(scene).shapes[1]!.map(one => one.mesh))
  })
})
