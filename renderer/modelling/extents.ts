/** Bounding boxes of bodies and deformables in the document, world axes. */

import { solidsOf } from '../../core/analysis/solids'
import { ShapeError } from '../../core/geometry/shape'
import { rotate, rotateInverse } from '../../core/math/quaternion'
import { add, dot, max, min, sub, type Vec3 } from '../../core/math/vector'
import { deformableShape } from '../../core/analysis/deformable-shape'
import { resolveDeformable, type Body, type Deformable, type Shape } from '../../core/scene'
import { orientationOf, positionOf, shapesOf } from '../state/scene-access'

export interface Box {
  readonly low: Vec3
  readonly high: Vec3
}

/** m: gap below a box that counts as standing. */
const STANDING = 1e-3

const AXES: readonly Vec3[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]

/** Null for bodies without a finite shape. */
export function boxOf(body: Body): Box | null {
  let box: Box | null = null
  for (const shape of shapesOf(body)) {
    if (shape.type === 'halfSpace') continue
    for (const primitive of primitivesOf(shape)) {
      const outer = (p: Vec3) => add(positionOf(body), rotate(orientationOf(body), add(positionOf(shape), rotate(orientationOf(shape), p))))
      const inner = (d: Vec3) => rotateInverse(orientationOf(shape), rotateInverse(orientationOf(body), d))
      const reach = (sign: 1 | -1) => AXES.map((axis, k) => {
        const direction: Vec3 = [sign * axis[0], sign * axis[1], sign * axis[2]]
        return outer(primitive.support(inner(direction)))[k]!
      }) as unknown as Vec3
      const [low, high] = [reach(-1), reach(1)]
      box = box ? { low: min(box.low, low), high: max(box.high, high) } : { low, high }
    }
  }
  return box
}

/** Empty for shapes that cannot be built; the inspector reports those. */
function primitivesOf(shape: Shape) {
  try {
    return solidsOf(shape)
  } catch (error) {
    if (error instanceof ShapeError) return []
    throw error
  }
}

/** With half the thickness of its material around its vertices. */
function boxOfDeformable(deformable: Deformable): Box {
  const resolved = resolveDeformable(deformable)
  const { vertices } = deformableShape(resolved)
  const around: Vec3 = [resolved.radius, resolved.radius, resolved.radius]
  return { low: sub(vertices.reduce(min), around), high: add(vertices.reduce(max), around) }
}

/** Height of the free place on top of the boxes that stand on the ground plane, or on each other, at a point of it, m. */
export function topAt(boxes: readonly Box[], x: number, y: number): number {
  const here = boxes.filter(({ low, high }) => low[0] < x && x < high[0] && low[1] < y && y < high[1]).sort((a, b) => a.low[2] - b.low[2])
  return here.reduce((top, { low, high }) => low[2] <= top + STANDING ? Math.max(top, high[2]) : top, 0)
}

/** m: boxes that share less than this along an axis touch. */
const TOUCHING = 1e-9

/** How far up a box has to be moved to be clear of all others, m. */
export function liftOver(boxes: readonly Box[], { low, high }: Box): number {
  const shares = (box: Box, k: number, lift = 0) => box.low[k]! < high[k]! + lift - TOUCHING && low[k]! + lift < box.high[k]! - TOUCHING
  const above = boxes.filter(box => shares(box, 0) && shares(box, 1)).sort((a, b) => a.low[2] - b.low[2])
  return above.reduce((lift, box) => shares(box, 2, lift) ? box.high[2] - low[2] : lift, 0)
}

/** Height of a shape's origin over a point of a plane that it touches from above, m. @param normal of the plane, unit, upward */
export function heightOver(shape: Shape, normal: Vec3): number {
  const lowest = Math.min(...primitivesOf(shape).map(primitive => dot(normal, primitive.support([-normal[0], -normal[1], -normal[2]]))))
  return Number.isFinite(lowest) ? -lowest / normal[2] : 0
}

export function boxOfAll(bodies: readonly Body[], deformables: readonly Deformable[] = []): Box | null {
  const boxes = [...bodies.flatMap(body => boxOf(body) ?? []), ...deformables.map(boxOfDeformable)]
  return boxes.length === 0 ? null : boxes.reduce((a, b) => ({ low: min(a.low, b.low), high: max(a.high, b.high) }))
}
