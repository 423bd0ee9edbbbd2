import { expect, it } from 'vitest'
import { holdsOf } from '../../../../core/analysis/deformable-state'
import { resolveDeformable, type Deformable, type Scene } from '../../../../core/scene'
import { holdTitle } from '../../../../renderer/state/hold-title'

it('constraints are named one for each vertex of a line, and once for the vertices of a distance, with those of other deformables', () => {
  const others = [{ type: 'vertex', deformable: 'r', vertex: 4 }]
  const masses = resolveDeformable({
    id: 'd', name: 'Masses', type: 'particles', material: 'm', particles: [0, 1].map(x => ({ position: [x, 0, 0], mass: 1 })),
    constraints: [
      { condition: { type: 'line', vertices: [0, 1], others, point: [0, 0, 0], direction: [1, 0, 0] } }, { condition: { type: 'distance', vertices: [1], others } },
      { condition: { type: 'angle', vertices: [0, 1], others: [{ type: 'bodyPoint', body: 'b', point: [0, 0, 0] }] } },
    ],
  } as unknown as Deformable)
  const scene = { bodies: [{ id: 'b', name: 'Box' }], deformables: [{ id: 'r', name: 'Rope' }] } as unknown as Scene
  expect(holdsOf(masses).map(hold => holdTitle(hold, scene))).toEqual(['constraint of 0', 'constraint of 1', 'constraint of Rope 4', 'constraint of 1 and Rope 4', 'constraint of 0–1 and Box'])
})
