import { addScaled, length, type Vec3 } from '../../core/math/vector'
import type { Shape } from '../../core/scene'
import { boxOf, topAt } from '../modelling/extents'
import { useDocument } from './document'
import { dropPoint, type Spot } from './drop-point'
import { bodiesOf } from './scene-access'
import { useView } from './view'
import { useViewportApi } from './viewport-api'

/** The normal of a surface on which a new body lies has at least this upward component. */
const UPWARD = 0.5

export const pointInView = (): Vec3 => spotInView().point

/** m: a ground is at the height of the ground plane. */
const LEVEL = 1e-9

/**
 * Place of a new body: on the body or slope in the middle of the view, else at the camera's target on the ground, or on the bodies that stand there. The
 * ground that is seen in the middle of the view lies farther back than the target, which is above it.
 */
export function spotInView(): Spot {
  const dropped = dropPoint.value
  dropPoint.value = null
  // On a side there is no slope to lie on: the body is put over the point, on top of what is there.
  if (dropped) return dropped.normal[2] > UPWARD ? dropped : { point: dropped.point, normal: [0, 0, 1], isSuggested: true }
  const api = useViewportApi().api
  const view = useView()
  const target = view.camera.target
  const middle = api?.projectToScreen(target)
  const hit = middle && api?.pickAt(middle.x, middle.y)
  if (hit && hit.normal[2] > UPWARD && !isGround(hit)) return { ...hit, lies: true }
  const boxes = bodiesOf(useDocument().scene).flatMap(body => boxOf(body) ?? [])
  return { point: [target[0], target[1], topAt(boxes, target[0], target[1])], normal: [0, 0, 1], isSuggested: true }
}

function isGround({ body, point, normal }: { readonly body: string; readonly point: Vec3; readonly normal: Vec3 }): boolean {
  const shapes = bodiesOf(useDocument().scene).find(({ id }) => id === body)?.shapes ?? []
  return shapes.some(({ type }) => type === 'halfSpace') && Math.abs(point[2]) < LEVEL && normal[2] > 1 - LEVEL
}

/**
 * A place that does not overlap the object in the middle of the view: on its near side, or above the ground plane. For bodies added during a
 * live session.
 */
export function outsideInView(shape: Shape, planar: boolean): Vec3 {
  const api = useViewportApi().api
  const { target } = useView().camera
  const middle = api?.projectToScreen(target)
  const hit = middle && api?.pickAt(middle.x, middle.y)
  const box = boxOf({ id: '', shapes: [shape] })
  const reach = box ? length([0, 1, 2].map(k => Math.max(-box.low[k]!, box.high[k]!)) as unknown as Vec3) : 0
  const place: Vec3 = hit ? addScaled(hit.point, planar ? [hit.normal[0], 0, hit.normal[2]] : hit.normal, reach)
    : [target[0], target[1], Math.max(0, target[2]) + reach]
  // Numbers that a person can read; its height never less.
  const [x, y, z] = [Math.round(place[0] * 1e4) / 1e4, Math.round(place[1] * 1e4) / 1e4, Math.ceil(place[2] * 1e4) / 1e4]
  // In two dimensions the near side is outside of the plane: place the body above instead.
  return planar ? [x, 0, hit && Math.abs(hit.normal[1]) > 0.5 ? z + 2 * reach : z] : [x, y, z]
}
