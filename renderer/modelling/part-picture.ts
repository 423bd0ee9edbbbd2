/** Picture of bodies: their shapes, in grey or in the colours of their materials. */

import { toOuter, type Pose } from '../../core/math/pose'
import { cross, normalize, sub, type Vec3 } from '../../core/math/vector'
import type { Body, Material, Shape } from '../../core/scene'
import { drawingOf } from '../shapes'
import { colorOf, orientationOf, positionOf, shapesOf } from '../state/scene-access'
import { parseColor } from '../viewport/color'
import { COARSE } from '../viewport/geometry/round'
import { pictureOfFaces, type PictureFace } from './raster'

/** RGBA of a picture that the bodies fill; transparent background. @param materials that give the colours; none: grey */
export function pictureOf(bodies: readonly Body[], width: number, height: number, materials: readonly Material[] = []): Uint8ClampedArray<ArrayBuffer> {
  const colors = new Map(materials.map(material => [material.id, parseColor(colorOf(material))]))
  return pictureOfFaces(bodies.flatMap(body => shapesOf(body).flatMap(shape => facesOf(body, shape, colors.get(shape.material)))), width, height)
}

/** The triangles that the viewport draws. Half-spaces have none. */
function facesOf(body: Body, shape: Shape, color: Vec3 | undefined): PictureFace[] {
  const drawing = drawingOf(shape)
  if (drawing === null) return []
  const at: Pose = { position: positionOf(body), orientation: orientationOf(body) }
  const own: Pose = { position: positionOf(shape), orientation: orientationOf(shape) }
  const { positions, indices } = drawing.build(COARSE)
  const point = (i: number) => toOuter(at, toOuter(own, [0, 1, 2].map(k => positions[3 * i + k]! * drawing.scale[k]!) as unknown as Vec3))
  return Array.from({ length: indices.length / 3 }, (_, t) => {
    const [a, b, c] = [0, 1, 2].map(k => point(indices[3 * t + k]!)) as [Vec3, Vec3, Vec3]
    return { points: [a, b, c], normal: normalize(cross(sub(b, a), sub(c, a))), ...color ? { color } : {} }
  })
}
