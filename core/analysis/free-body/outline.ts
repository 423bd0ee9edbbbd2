/** Outline of a body seen from a side: the outlines of its convex solids, projected. Exact for every shape, by its support function. */

import { dot, scale, add, type Vec3 } from '../../math/vector'
import { cos, PI, sin } from '../../math/elementary'
import { composePoses, toOuter, type Pose } from '../../math/pose'
import { rotateInverse } from '../../math/quaternion'
import type { ResolvedBody } from '../../scene'
import { solidsOf } from '../solids'

/** Unit vectors of the picture in the world: to the right and up. */
export interface View {
  readonly right: Vec3
  readonly up: Vec3
}

export type Point2 = readonly [x: number, y: number]

export const project = ({ right, up }: View, v: Vec3): Point2 => [dot(right, v), dot(up, v)]

/** Number of directions of an outline; outlines of curved shapes are polygons with an error of 1e-5 of their size. */
const DIRECTIONS = 720
/** m, × size: tolerance for identical points of an outline. */
const SAME = 1e-9

/** Closed polygons, m, in the picture's axes; half-spaces have none. */
export function outlinesOf(body: ResolvedBody, pose: Pose, view: View): Point2[][] {
  return body.shapes.flatMap(shape => solidsOf(shape).filter(solid => solid.kind !== 'halfSpace').map(solid => {
    const placed = composePoses(pose, { position: shape.position, orientation: shape.orientation })
    const points: Point2[] = []
    for (let k = 0; k < DIRECTIONS; k++) {
      // Offset by half a step, so that no direction coincides with that of a face.
      const angle = 2 * PI * (k + 0.5) / DIRECTIONS
      const direction = add(scale(view.right, cos(angle)), scale(view.up, sin(angle)))
      const point = project(view, toOuter(placed, solid.support(rotateInverse(placed.orientation, direction))))
      const last = points.at(-1)
      const apart = last === undefined ? Infinity : Math.max(Math.abs(point[0] - last[0]), Math.abs(point[1] - last[1]))
      if (apart > SAME * (1 + solid.radius)) points.push(point)
    }
    return points
  }))
}
