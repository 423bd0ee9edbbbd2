/** Picture of bodies with flat faces. */

import { solidsOf } from '../../core/analysis/solids'
import { Polyhedron } from '../../core/geometry/polyhedron'
import { toOuter, type Pose } from '../../core/math/pose'
import { rotate } from '../../core/math/quaternion'
import type { Vec3 } from '../../core/math/vector'
import type { Body } from '../../core/scene'
import { orientationOf, positionOf, shapesOf } from '../state/scene-access'
import { pictureOfFaces, type PictureFace } from './raster'

/** RGBA of a picture that the bodies fill; transparent background. */
export function pictureOf(bodies: readonly Body[], width: number, height: number): Uint8ClampedArray<ArrayBuffer> {
  return pictureOfFaces(bodies.flatMap(facesOf), width, height)
}

function facesOf(body: Body): PictureFace[] {
  const at: Pose = { position: positionOf(body), orientation: orientationOf(body) }
  return shapesOf(body).flatMap(shape => {
    const own: Pose = { position: positionOf(shape), orientation: orientationOf(shape) }
    return solidsOf(shape).flatMap(solid => {
      if (!(solid instanceof Polyhedron)) return []
      const points = solid.vertices.map(vertex => toOuter(at, toOuter(own, vertex)))
      const turn = (normal: Vec3) => rotate(at.orientation, rotate(own.orientation, normal))
      return solid.faces.map(({ normal, loop }) => ({ points: Array.from(loop, i => points[i]!), normal: turn(normal) }))
    })
  })
}
