/** All shapes of a scene as surfaces in the world, each with its owner. */

import type { Mesh } from '../../geometry/mesh'
import { composePoses, toOuter } from '../../math/pose'
import { length } from '../../math/vector'
import type { ResolvedScene } from '../../scene'
import type { Losses } from '../shared/losses'
import { surfaceOf } from '../shared/surface'

export interface PlacedSurface {
  readonly body: string
  readonly material: string
  /** In the world, m. */
  readonly mesh: Mesh
}

export function surfacesOf(scene: ResolvedScene, around: number, losses: Losses): PlacedSurface[] {
  const extent = scene.bodies.reduce((most, body) => Math.max(most, 2 * length(body.position)), 10)
  return scene.bodies.flatMap((body, i) => body.shapes.flatMap((shape, k) => {
    const where = `bodies[${i}].shapes[${k}]`
    if (shape.type === 'mesh' && shape.pieces === undefined && shape.vertices === undefined) {
      losses.add(where, `the mesh "${shape.file ?? ''}" is in a file, and its pieces have not been found`, 'nothing: cut it into convex pieces first')
      return []
    }
    if (shape.type === 'halfSpace') losses.add(where, 'a half-space is unbounded', `a square of ${2 * extent} m`)
    const { vertices, faces } = surfaceOf(shape, extent, around)
    const pose = composePoses(body, shape)
    return [{ body: body.id, material: shape.material, mesh: { vertices: vertices.map(p => toOuter(pose, p)), faces } }]
  }))
}
