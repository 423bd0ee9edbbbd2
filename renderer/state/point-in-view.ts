import type { Vec3 } from '../../core/math/vector'
import { dropPoint } from './drop-point'
import { useView } from './view'
import { useViewportApi } from './viewport-api'

/** Where a new body goes: on whatever is in the middle of the view, else at the camera's target on the ground plane. */
export function pointInView(): Vec3 {
  const dropped = dropPoint.value
  dropPoint.value = null
  if (dropped) return dropped
  const api = useViewportApi().api
  const view = useView()
  const target = view.camera.target
  const middle = api?.projectToScreen(target)
  const hit = middle && api?.pickAt(middle.x, middle.y)
  if (hit && hit.normal[2] > 0.5) return hit.point
  return [target[0], target[1], 0]
}
