import { describe, expect, it } from 'vitest'
import type { Scene, ShapeOf } from '../../../../core/scene'
import { scaleMesh } from '../../../../renderer/modelling/mesh-scale'

const CORNERS: [number, number, number][] = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]]
const scene = (): Scene => ({
  format: 'cairn-scene', version: 1, materials: [{ id: 'wood' }],
  meshes: [{ id: 'own', vertices: CORNERS, faces: [[0, 2, 1]] }, { id: 'shared', vertices: CORNERS, faces: [[0, 2, 1]] }],
  bodies: [
    {
      id: 'part', shapes: [{
        type: 'mesh', file: 'part.obj', pieces: [{ points: CORNERS }], position: [1, 0, 0], material: 'wood',
        solid: { volume: 4, centroid: [1, 1, 1], inertia: [1, 2, 3, 0, 0, 0] },
      }],
      visuals: [{ type: 'mesh', mesh: 'own', position: [1, 0, 4] }, { type: 'mesh', mesh: 'shared' }],
    },
    { id: 'other', visuals: [{ type: 'mesh', mesh: 'shared' }] },
  ],
})

describe('a mesh of another scale', () => {
  const scaled = scene()
  scaleMesh(scaled, 0, 0, 0.5)
  const shape = scaled.bodies![0]!.shapes![0] as ShapeOf<'mesh'>

  it('takes its pieces and its solid along: lengths, volume and inertia by their powers of the factor', () => {
    expect(shape.scale).toBe(0.5)
    expect(shape.pieces![0]!.points[1]).toEqual([1, 0, 0])
    expect(shape.solid).toEqual({ volume: 0.5, centroid: [0.5, 0.5, 0.5], inertia: [1 / 32, 2 / 32, 3 / 32, 0, 0, 0] })
  })

  it('takes the surfaces along that only its body shows, about the origin of the shape', () => {
    expect(scaled.meshes![0]!.vertices[1]).toEqual([1, 0, 0])
    expect(scaled.bodies![0]!.visuals![0]).toMatchObject({ position: [1, 0, 2] })
    expect(scaled.meshes![1]).toEqual(scene().meshes![1])
    expect(scaled.bodies![0]!.visuals![1]).toEqual(scene().bodies![0]!.visuals![1])
  })
})
