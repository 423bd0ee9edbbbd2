/** Finds the bodies that contain a point. */

import { bodyDistance, type PlacedSolid } from '../analysis/distance'
import { solidsOf } from '../analysis/solids'
import { ShapeError } from '../geometry/shape'
import { Sphere } from '../geometry/sphere'
import { composePoses, IDENTITY_POSE } from '../math/pose'
import type { Vec3 } from '../math/vector'
import { resolveBody, resolveShape, type Body, type Scene } from '../scene'

/** m: radius of the ball that represents the point, and the distance to a solid that counts as inside; rounding within a solid is smaller. */
const [POINT, MET] = [1e-15, 1e-9]

/** In the order of the scene. Bodies whose shapes cannot be built are empty. */
export function bodiesAtPoint(scene: Scene, position: Vec3): Body[] {
  const point: PlacedSolid[] = [{ primitive: new Sphere(POINT), pose: { ...IDENTITY_POSE, position } }]
  return (scene.bodies ?? []).filter(body => (bodyDistance(placed(body), point)?.distance ?? Infinity) <= MET)
}

function placed(body: Body): PlacedSolid[] {
  const pose = resolveBody(body)
  try {
    return (body.shapes ?? []).flatMap(shape => solidsOf(shape).map(primitive => ({ primitive, pose: composePoses(pose, resolveShape(shape)) })))
  } catch (error) {
    if (error instanceof ShapeError) return []
    throw error
  }
}
