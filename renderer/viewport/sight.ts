/** What the camera should see: the box to frame, and whether anything that moves is in the picture. */

import { addScaled, distance, dot, sub, type Vec3 } from '../../core/math/vector'
import { rotate } from '../../core/math/quaternion'
import { toOuter } from '../../core/math/pose'
import type { Joint } from '../../core/scene'
import { bodiesOf, typeOf } from '../state/scene-access'
import { toPixelInto, type Projection, type Sphere } from './camera/projection'
import { cornersOfConditions, curveCorners } from './curve-extents'
import { anchorNow } from './glyphs/joint-pose'
import { middleOf, type Box, type PosedScene } from './posed-scene'

/** A plane is framed with the bodies above it up to this height, × the bodies' own radius: from higher up they would be specks. */
const MAX_HEIGHT = 30

/**
 * The box of all bodies and particles and of the closed or bounded curves that they slide on, extended to where they would land on planes below them,
 * so that a fall ends in the picture. Null without shapes.
 */
export function boxToFrame(posed: PosedScene): Box | null {
  const box = posed.bounds()
  if (!box) return null
  for (const corner of curveCorners(posed)) include(box, corner)
  const middle = middleOf(box)
  const radius = 0.5 * distance(box.low, box.high)
  for (const { body, point, normal } of posed.plan.planes) {
    if (!posed.exists(body)) continue
    const pose = posed.pose(body)
    const up = rotate(pose.orientation, normal)
    const height = dot(sub(middle, toOuter(pose, point)), up)
    if (height > radius && height < MAX_HEIGHT * radius) include(box, addScaled(middle, up, -height))
  }
  return box
}

/** A sphere around the bodies, particles and curves; null if there are none. */
export function contentOf(posed: PosedScene): Sphere | null {
  const sphere = posed.sphere()
  if (!sphere) return null
  const reach = curveCorners(posed).reduce((most, corner) => Math.max(most, distance(corner, sphere.center)), sphere.radius)
  return { center: sphere.center, radius: reach }
}

/** The box of these bodies or deformables, with the bounded curves of their vertices, or around a joint's anchor. @param radius m, about the anchor */
export function boxOf(posed: PosedScene, ids: readonly string[], joint: Joint | null, radius: number): Box | null {
  const bodies = ids.map(id => posed.index.get(id) ?? -1).filter(index => index >= 0)
  if (bodies.length > 0) return posed.bounds(bodies)
  const chosen = (posed.scene.deformables ?? []).filter(({ id }) => ids.includes(id))
  const deformables = posed.deformableBounds(chosen.map(one => posed.scene.deformables!.indexOf(one)))
  if (deformables) for (const corner of cornersOfConditions(chosen)) include(deformables, corner)
  const anchor = !deformables && joint && joint.type !== 'gear' ? anchorNow(posed, joint) : null
  if (!anchor) return deformables
  return { low: [anchor[0] - radius, anchor[1] - radius, anchor[2] - radius], high: [anchor[0] + radius, anchor[1] + radius, anchor[2] + radius] }
}

function include({ low, high }: Box, point: Vec3): void {
  for (const k of [0, 1, 2] as const) {
    low[k] = Math.min(low[k], point[k])
    high[k] = Math.max(high[k], point[k])
  }
}

const pixel: [number, number, number] = [0, 0, 0]
const isInPicture = (view: Projection, x: number, y: number, z: number, radius: number): boolean => {
  if (!toPixelInto(view, x, y, z, pixel)) return false
  const margin = radius * pixelsPerMetre(view, pixel[2])
  return pixel[0] > -margin && pixel[0] < view.width + margin && pixel[1] > -margin && pixel[1] < view.height + margin
}

/** @param depth m, in front of the eye */
function pixelsPerMetre({ projection, height, camera }: Projection, depth: number): number {
  return 0.5 * height * projection[5]! / (camera.orthographic ? 1 : depth)
}

/** Whether a moving body or a particle is in the picture, judged by bounding spheres; true for scenes in which nothing moves. */
export function isMotionInSight(view: Projection, posed: PosedScene): boolean {
  let moving = false
  const bodies = bodiesOf(posed.scene)
  for (let b = 0; b < posed.count; b++) {
    const radius = posed.plan.radii[b]!
    if (radius === 0 || typeOf(bodies[b]!) === 'fixed' || !posed.exists(b)) continue
    moving = true
    const [x, y, z] = posed.position(b)
    if (isInPicture(view, x, y, z, radius)) return true
  }
  const particles = posed.particlePlaces
  for (let i = 0; i < particles.length; i += 3) {
    if (isInPicture(view, particles[i]!, particles[i + 1]!, particles[i + 2]!, 0)) return true
  }
  return !moving && particles.length === 0
}
