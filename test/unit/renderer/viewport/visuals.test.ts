/** Bodies drawn with their visuals, with their collision shapes, or both. */

import { describe, expect, it } from 'vitest'
import type { Scene } from '../../../../core/scene'
import { planBodies, samePlan } from '../../../../renderer/viewport/body-plan'

const scene: Scene = {
  format: 'cairn-scene', version: 1, materials: [{ id: 'm' }],
  meshes: [{ id: 'flag', vertices: [[0, 0, 0], [2, 0, 0], [0, 0, 1]], faces: [[0, 1, 2], [0, 0, 1]] }],
  bodies: [
    { id: 'robot', shapes: [{ type: 'sphere', radius: 0.5, material: 'm' }], visuals: [{ type: 'box', size: [1, 1, 1] }, { type: 'mesh', mesh: 'flag', color: '#ff0000' }] },
    { id: 'stone', shapes: [{ type: 'sphere', radius: 0.5, material: 'm' }] },
  ],
}

describe('bodies are drawn', () => {
  it('by their visuals, and by their shapes where they have none', () => {
    const plan = planBodies(scene)
    expect(plan.shapes.map(shapes => shapes.map(({ shape }) => shape))).toEqual([[-1, -2], [0]])
    expect(plan.radii[0]).toBeCloseTo(2, 12)
  })

  it('by their shapes alone', () => {
    expect(planBodies(scene, { by: 'shapes', pieces: false, coloured: [] }).shapes.map(shapes => shapes.map(({ shape }) => shape))).toEqual([[0], [0]])
  })

  it('by their visuals within the edges of their shapes', () => {
    const [, , shape] = planBodies(scene, { by: 'both', pieces: false, coloured: [] }).shapes[0]!
    expect([shape!.shape, shape!.mesh.indices.length]).toEqual([0, 0])
    expect(shape!.mesh.edges.length).toBeGreaterThan(0)
  })

  it('from both sides if a surface is open, without its degenerate faces', () => {
    expect([...planBodies(scene).shapes[0]![1]!.mesh.indices]).toHaveLength(6)
  })

  it('again when their appearance changes, and only then', () => {
    const repainted: Scene = { ...scene, bodies: [{ ...scene.bodies![0]!, visuals: [{ type: 'sphere', radius: 1 }] }, scene.bodies![1]!] }
    expect([samePlan(scene, { ...scene, name: 'other' }), samePlan(scene, repainted), samePlan(scene, { ...scene, meshes: [] })]).toEqual([true, false, false])
  })
})
