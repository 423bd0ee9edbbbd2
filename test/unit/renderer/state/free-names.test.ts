import { expect, it } from 'vitest'
import type { Scene } from '../../../../core/scene'
import { newElement } from '../../../../renderer/state/free-names'

const scene: Scene = {
  format: 'cairn-scene', version: 1,
  bodies: [{ id: 'box', name: 'Box', shapes: [] }, { id: 'crate', name: 'Box 3', shapes: [] }],
  joints: [{ id: 'hinge', name: 'Hinge', type: 'hinge', bodyA: 'box', bodyB: null, anchor: [0, 0, 0], axis: [0, 0, 1] }],
}

it('gives new elements names in sentence case, with ids that follow them and both free', () => {
  expect(newElement(scene, 'Sphere', 'sphere')).toEqual({ id: 'sphere', name: 'Sphere' })
  expect(newElement(scene, 'Box', 'box')).toEqual({ id: 'box-2', name: 'Box 2' })
  expect(newElement(scene, 'Hinge', 'hinge')).toEqual({ id: 'hinge-2', name: 'Hinge 2' })
  const more: Scene = { ...scene, bodies: [...scene.bodies!, { id: 'box-2', name: 'Box 2', shapes: [] }] }
  // The name is taken by a body with another id.
  expect(newElement(more, 'Box', 'box')).toEqual({ id: 'box-3', name: 'Box 4' })
})
