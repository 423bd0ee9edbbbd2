/** Software rendering of triangles with a depth buffer, seen from the front, slightly above and to the side. */

import { dot, type Vec3 } from '../../core/math/vector'

/** Unit vectors towards the eye, and right and up in the picture. */
const TO_EYE: Vec3 = [0.3640, -0.8492, 0.3827]
const RIGHT: Vec3 = [0.9191, 0.3940, 0]
const UP: Vec3 = [-0.1508, 0.3517, 0.9239]
const TO_LIGHT: Vec3 = [-0.2673, -0.5345, 0.8018]
/** Samples per pixel in each direction, for anti-aliasing. */
const SAMPLES = 2
/** Light of a face in the shade and in full light, 0 to 1; visible on light and dark backgrounds. */
const DARK = 0.36
const LIT = 0.8

/** A flat convex face. */
export interface PictureFace {
  readonly points: readonly Vec3[]
  /** Unit, outwards; faces turned away from the eye are not drawn. */
  readonly normal: Vec3
  /** 0 … 1 of each light, or white. */
  readonly color?: Vec3
}

interface Corner { readonly x: number; readonly y: number; readonly depth: number }

/** RGBA of a picture that the faces fill; transparent background. */
export function pictureOfFaces(all: readonly PictureFace[], width: number, height: number): Uint8ClampedArray<ArrayBuffer> {
  const faces = all.filter(({ normal }) => dot(normal, TO_EYE) > 0).map(({ points, normal, color = WHITE }) => {
    const light = 255 * (DARK + (LIT - DARK) * Math.max(0, dot(normal, TO_LIGHT))) * (color === WHITE ? 1 : 1 / LIT)
    const corners = points.map((p): Corner => ({ x: dot(p, RIGHT), y: dot(p, UP), depth: dot(p, TO_EYE) }))
    return { corners, color: color.map(c => Math.min(255, c * light)) as unknown as Vec3 }
  })
  if (faces.length === 0) return new Uint8ClampedArray(4 * width * height)
  const ends = extent(faces.flatMap(({ corners }) => corners))
  const [across, down] = [width * SAMPLES, height * SAMPLES]
  const unit = Math.min((across - 2 * SAMPLES) / (ends.right - ends.left), (down - 2 * SAMPLES) / (ends.high - ends.low))
  const nearest = new Float64Array(across * down).fill(-Infinity)
  const colors = new Uint8Array(3 * across * down)
  for (const { corners, color } of faces) {
    const placed = corners.map(({ x, y, depth }): Corner => (
      { x: across / 2 + (x - (ends.left + ends.right) / 2) * unit, y: down / 2 - (y - (ends.low + ends.high) / 2) * unit, depth }))
    for (let k = 2; k < placed.length; k++) fill(placed[0]!, placed[k - 1]!, placed[k]!, color, nearest, colors, across, down)
  }
  return mixed(nearest, colors, width, height)
}

const WHITE: Vec3 = [1, 1, 1]

function extent(corners: readonly Corner[]) {
  const ends = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity }
  for (const { x, y } of corners) {
    ends.left = Math.min(ends.left, x)
    ends.right = Math.max(ends.right, x)
    ends.low = Math.min(ends.low, y)
    ends.high = Math.max(ends.high, y)
  }
  return ends
}

/** Draws a triangle with a depth test. */
function fill(a: Corner, b: Corner, c: Corner, color: Vec3, nearest: Float64Array, colors: Uint8Array, across: number, down: number): void {
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
      colors.set(color, 3 * at)
    }
  }
}

function mixed(nearest: Float64Array, colors: Uint8Array, width: number, height: number): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * width * height)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const sum = [0, 0, 0]
      let covered = 0
      for (let k = 0; k < SAMPLES * SAMPLES; k++) {
        const at = (row * SAMPLES + Math.floor(k / SAMPLES)) * width * SAMPLES + column * SAMPLES + k % SAMPLES
        if (nearest[at] === -Infinity) continue
        for (let channel = 0; channel < 3; channel++) sum[channel]! += colors[3 * at + channel]!
        covered++
      }
      const o = 4 * (row * width + column)
      if (covered > 0) pixels.set(sum.map(x => x / covered), o)
      pixels[o + 3] = 255 * covered / (SAMPLES * SAMPLES)
    }
  }
  return pixels
}
