/** Picture of bodies with flat faces, seen from the front, slightly above and to the side. Software rendering with a depth buffer. */

import { solidsOf } from '../../core/analysis/solids'
import { Polyhedron } from '../../core/geometry/polyhedron'
import { toOuter, type Pose } from '../../core/math/pose'
import { rotate } from '../../core/math/quaternion'
import { dot, type Vec3 } from '../../core/math/vector'
import type { Body } from '../../core/scene'
import { orientationOf, positionOf, shapesOf } from '../state/scene-access'

/** Unit vectors towards the eye, and right and up in the picture. */
const TO_EYE: Vec3 = [0.3640, -0.8492, 0.3827]
const RIGHT: Vec3 = [0.9191, 0.3940, 0]
const UP: Vec3 = [-0.1508, 0.3517, 0.9239]
const TO_LIGHT: Vec3 = [-0.2673, -0.5345, 0.8018]
/** Samples per pixel in each direction, for anti-aliasing. */
const SAMPLES = 2
/** Grey of a face in the shade and in full light, 0 to 255; visible on light and dark backgrounds. */
const DARK = 92
const LIT = 205

interface Corner { readonly x: number; readonly y: number; readonly depth: number }

/** RGBA of a picture that the bodies fill; transparent background. */
export function pictureOf(bodies: readonly Body[], width: number, height: number): Uint8ClampedArray<ArrayBuffer> {
  const faces = facesOf(bodies)
  const corners = faces.flatMap(face => face.corners)
  const [left, right] = ends(corners.map(({ x }) => x))
  const [low, high] = ends(corners.map(({ y }) => y))
  const [across, down] = [width * SAMPLES, height * SAMPLES]
  const unit = Math.min((across - 2 * SAMPLES) / (right - left), (down - 2 * SAMPLES) / (high - low))
  const nearest = new Float64Array(across * down).fill(-Infinity)
  const grey = new Uint8Array(across * down)
  for (const face of faces) {
    const placed = face.corners.map(({ x, y, depth }) => (
      { x: across / 2 + (x - (left + right) / 2) * unit, y: down / 2 - (y - (low + high) / 2) * unit, depth }))
    for (let k = 2; k < placed.length; k++) fill(placed[0]!, placed[k - 1]!, placed[k]!, face.grey, nearest, grey, across, down)
  }
  return mixed(nearest, grey, width, height)
}

const ends = (values: readonly number[]): readonly [number, number] => [Math.min(...values), Math.max(...values)]

/** Faces towards the eye. */
function facesOf(bodies: readonly Body[]) {
  const faces: { readonly corners: readonly Corner[]; readonly grey: number }[] = []
  for (const body of bodies) {
    const at: Pose = { position: positionOf(body), orientation: orientationOf(body) }
    for (const shape of shapesOf(body)) {
      const own: Pose = { position: positionOf(shape), orientation: orientationOf(shape) }
      for (const solid of solidsOf(shape)) {
        if (!(solid instanceof Polyhedron)) continue
        const points = solid.vertices.map(vertex => toOuter(at, toOuter(own, vertex)))
        for (const { normal, loop } of solid.faces) {
          const n = rotate(at.orientation, rotate(own.orientation, normal))
          if (dot(n, TO_EYE) <= 0) continue
          const corners = loop.map(i => ({ x: dot(points[i]!, RIGHT), y: dot(points[i]!, UP), depth: dot(points[i]!, TO_EYE) }))
          faces.push({ corners, grey: DARK + (LIT - DARK) * Math.max(0, dot(n, TO_LIGHT)) })
        }
      }
    }
  }
  return faces
}

/** Draws a triangle with a depth test. */
function fill(a: Corner, b: Corner, c: Corner, shade: number, nearest: Float64Array, grey: Uint8Array, across: number, down: number): void {
  const area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  if (area === 0) return
  const [left, right] = [Math.max(0, Math.floor(Math.min(a.x, b.x, c.x))), Math.min(across - 1, Math.ceil(Math.max(a.x, b.x, c.x)))]
  const [top, bottom] = [Math.max(0, Math.floor(Math.min(a.y, b.y, c.y))), Math.min(down - 1, Math.ceil(Math.max(a.y, b.y, c.y)))]
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const [x, y] = [column + 0.5, row + 0.5]
      const ofB = ((x - a.x) * (c.y - a.y) - (y - a.y) * (c.x - a.x)) / area
      const ofC = ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / area
      if (ofB < 0 || ofC < 0 || ofB + ofC > 1) continue
      const depth = a.depth + ofB * (b.depth - a.depth) + ofC * (c.depth - a.depth)
      const at = row * across + column
      if (depth <= nearest[at]!) continue
      nearest[at] = depth
      grey[at] = shade
    }
  }
}

function mixed(nearest: Float64Array, grey: Uint8Array, width: number, height: number): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * width * height)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      let [sum, covered] = [0, 0]
      for (let k = 0; k < SAMPLES * SAMPLES; k++) {
        const at = (row * SAMPLES + Math.floor(k / SAMPLES)) * width * SAMPLES + column * SAMPLES + k % SAMPLES
        if (nearest[at] === -Infinity) continue
        sum += grey[at]!
        covered++
      }
      const o = 4 * (row * width + column)
      if (covered > 0) pixels.fill(sum / covered, o, o + 3)
      pixels[o + 3] = 255 * covered / (SAMPLES * SAMPLES)
    }
  }
  return pixels
}
