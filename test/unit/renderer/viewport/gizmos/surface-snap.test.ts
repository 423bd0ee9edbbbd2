import { describe, expect, it } from 'vitest'
import type { Scene } from '../../../../../core/scene'
import type { Vec3 } from '../../../../../core/math/vector'
import { project, toPixel } from '../../../../../renderer/viewport/camera/projection'
import { surfaceAt } from '../../../../../renderer/viewport/gizmos/surface-snap'
import { poseScene } from '../../../../../renderer/viewport/posed-scene'

const scene: Scene = {
  format: 'cairn-scene', version: 1, materials: [{ id: 'm' }], bodies: [
    { id: 'wedge', position: [0, 0, 0], shapes: [{ type: 'convexHull', points: [[0, 0, 0], [3, 0, 0], [0, 3, 0], [0, 0, 1], [3, 0, 1], [0, 3, 1]], material: 'm' }] },
  ],
}
const posed = poseScene(scene, null, null)
/** From straight above. */
const view = project({ target: [1, 1, 0], azimuth: -Math.PI / 2, elevation: Math.PI / 2, distance: 8, orthographic: true }, 800, 800, { center: [1, 1, 0], radius: 4 }, [0, 0, 0])
const at = ([x, y, z]: Vec3, off = 0) => {
  const [px, py] = toPixel(view, [x, y, z])!
  return surfaceAt(posed, view, px + off, py, () => true)!
}

describe('a point on a surface', () => {
  it('snaps to near corners, centres of edges and faces, and edges, in this order', () => {
    expect(at([0.03, 0.03, 1])).toMatchObject({ kind: 'vertex', point: [0, 0, 1] })
    const middle = at([1.5, 0.02, 1])
    expect(middle.kind).toBe('centre')
    middle.point.forEach((x, k) => expect(x).toBeCloseTo([1.5, 0, 1][k]!, 9))
    const face = at([1, 1, 1], 4)
    expect(face.kind).toBe('centre')
    // The centroid of the triangle.
    face.point.forEach((x, k) => expect(x).toBeCloseTo([1, 1, 1][k]!, 9))
    expect(at([0.75, 0.03, 1]).kind).toBe('edge')
    expect(at([0.6, 0.5, 1]).kind).toBe('face')
  })

  it('does not snap to features on the far side of the body', () => {
    const boxes: Scene = { format: 'cairn-scene', version: 1, materials: [{ id: 'm' }], bodies: [{ id: 'box', shapes: [{ type: 'box', size: [1, 1, 1], material: 'm' }] }] }
    // The middle of a hidden edge, and a hidden corner, are drawn over the front face.
    const front = project({ target: [-2, 0, 0], azimuth: -Math.PI / 2, elevation: 0, distance: 8, orthographic: false }, 800, 800, { center: [0, 0, 0], radius: 4 }, [0, 0, 0])
    for (const hidden of [[0.5, 0.5, 0], [0.5, 0.5, 0.5], [0.5, 0.5, 0.3]] as const) {
      const pixel = toPixel(front, [...hidden])!
      const target = surfaceAt(poseScene(boxes, null, null), front, pixel[0] - 2, pixel[1], () => true)!
      expect(target.normal[1]).toBeCloseTo(-1, 12)
      expect(target.point[1]).toBeCloseTo(-0.5, 9)
    }
  })
})
