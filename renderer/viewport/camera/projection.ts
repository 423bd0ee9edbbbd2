/**
 * From the world to the picture and back, in double precision. Drawing and picking both take their matrices from here.
 *
 * Picture coordinates are CSS pixels, x right, y down, from the canvas's top left corner. Matrices are column-major, as GL takes them.
 */

import { add, addScaled, dot, normalize, scale, sub, type Vec3 } from '../../../core/math/vector'
import type { CameraState } from '../../state/view'
import { cameraAxes, eyeOf, halfHeightAt, FIELD_OF_VIEW, type CameraAxes } from './camera-state'

export interface Ray {
  readonly origin: Vec3
  /** Unit. */
  readonly direction: Vec3
}

export interface Sphere {
  readonly center: Vec3
  readonly radius: number
}

/** The projection of one picture; computed once a frame. */
export interface Projection {
  readonly camera: CameraState
  readonly axes: CameraAxes
  readonly eye: Vec3
  /** CSS pixels. */
  readonly width: number
  readonly height: number
  readonly near: number
  readonly far: number
  /** World → eye, translation relative to `origin`. */
  readonly view: Float64Array
  readonly projection: Float64Array
  /** projection · view. */
  readonly viewProjection: Float64Array
  /** World point that the matrices use as origin, so that single precision is enough on the graphics card. */
  readonly origin: Vec3
}

/** Depth range that contains the sphere and the target, with a far-to-near ratio that 24 bits of depth can resolve. */
function depthRange(camera: CameraState, axes: CameraAxes, eye: Vec3, scene: Sphere): [number, number] {
  const depth = dot(sub(scene.center, eye), axes.forward)
  const reach = Math.max(scene.radius, camera.distance) * 1.05
  if (camera.orthographic) return [Math.min(depth, camera.distance) - reach, Math.max(depth, camera.distance) + reach]
  const far = Math.max(depth + reach, camera.distance * 2)
  // Objects near the target are drawn even if they are outside the sphere.
  const near = Math.max(Math.min(depth - reach, camera.distance * 0.3), camera.distance * 0.01, far * 2e-5)
  return [near, far]
}

export function project(camera: CameraState, width: number, height: number, scene: Sphere, origin: Vec3): Projection {
  const axes = cameraAxes(camera)
  const eye = eyeOf(camera)
  const [near, far] = depthRange(camera, axes, eye, scene)
  const view = viewMatrix(axes, sub(eye, origin))
  const projection = projectionMatrix(camera, width / height, near, far)
  return { camera, axes, eye, width, height, near, far, view, projection, viewProjection: multiply4(projection, view), origin }
}

function viewMatrix({ right, up, forward }: CameraAxes, eye: Vec3): Float64Array {
  return Float64Array.of(
    right[0], up[0], -forward[0], 0,
    right[1], up[1], -forward[1], 0,
    right[2], up[2], -forward[2], 0,
    -dot(right, eye), -dot(up, eye), dot(forward, eye), 1,
  )
}

function projectionMatrix(camera: CameraState, aspect: number, near: number, far: number): Float64Array {
  const span = 1 / (near - far)
  if (camera.orthographic) {
    const half = halfHeightAt(camera)
    return Float64Array.of(
      1 / (half * aspect), 0, 0, 0,
      0, 1 / half, 0, 0,
      0, 0, 2 * span, 0,
      0, 0, (near + far) * span, 1,
    )
  }
  const f = 1 / Math.tan(FIELD_OF_VIEW / 2)
  return Float64Array.of(
    f / aspect, 0, 0, 0,
    0, f, 0, 0,
    0, 0, (near + far) * span, -1,
    0, 0, 2 * near * far * span, 0,
  )
}

function multiply4(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(16)
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0
      for (let k = 0; k < 4; k++) sum += a[k * 4 + row]! * b[column * 4 + k]!
      out[column * 4 + row] = sum
    }
  }
  return out
}

/** Pixel of a point; null behind the eye. */
export function toPixel(view: Projection, point: Vec3): [number, number] | null {
  const out: [number, number, number] = [0, 0, 0]
  return toPixelInto(view, point[0], point[1], point[2], out) ? [out[0], out[1]] : null
}

/** `toPixel` without allocation: writes x, y and the depth in front of the eye (m); false behind the eye. */
export function toPixelInto(view: Projection, x: number, y: number, z: number, out: [number, number, number]): boolean {
  const m = view.viewProjection
  const px = x - view.origin[0]
  const py = y - view.origin[1]
  const pz = z - view.origin[2]
  const w = m[3]! * px + m[7]! * py + m[11]! * pz + m[15]!
  if (!(w > 0)) return false
  out[0] = (0.5 + 0.5 * (m[0]! * px + m[4]! * py + m[8]! * pz + m[12]!) / w) * view.width
  out[1] = (0.5 - 0.5 * (m[1]! * px + m[5]! * py + m[9]! * pz + m[13]!) / w) * view.height
  const { forward } = view.axes
  out[2] = (x - view.eye[0]) * forward[0] + (y - view.eye[1]) * forward[1] + (z - view.eye[2]) * forward[2]
  return true
}

/** Ray through a pixel. In orthographic projection it starts in the near plane, so that everything drawn lies in front of its origin. */
export function rayThrough(view: Projection, x: number, y: number): Ray {
  const { right, up, forward } = view.axes
  const half = halfHeightAt(view.camera)
  const sx = (2 * x / view.width - 1) * half * view.width / view.height
  const sy = (1 - 2 * y / view.height) * half
  const inPlane = add(scale(right, sx), scale(up, sy))
  if (view.camera.orthographic) return { origin: addScaled(add(view.camera.target, inPlane), forward, view.near - view.camera.distance), direction: forward }
  return { origin: view.eye, direction: normalize(add(scale(forward, view.camera.distance), inPlane)) }
}

/** Metres that one CSS pixel covers at a point. */
export function metresPerPixel(view: Projection, point: Vec3): number {
  const atTarget = 2 * halfHeightAt(view.camera) / view.height
  if (view.camera.orthographic) return atTarget
  return atTarget * Math.max(view.near, dot(sub(point, view.eye), view.axes.forward)) / view.camera.distance
}

/** Intersection of a ray with the plane through `point` with the given normal; null if the ray is parallel to the plane or points away from it. */
export function meetPlane(ray: Ray, point: Vec3, normal: Vec3): Vec3 | null {
  const slope = dot(ray.direction, normal)
  if (Math.abs(slope) < 1e-9) return null
  const t = dot(sub(point, ray.origin), normal) / slope
  return t >= 0 ? addScaled(ray.origin, ray.direction, t) : null
}

/** Parameter s (m along the unit axis) of the point `point + s axis` nearest to the ray; null if they are parallel. */
export function nearestOnLine(ray: Ray, point: Vec3, axis: Vec3): number | null {
  const w = sub(point, ray.origin)
  const b = dot(axis, ray.direction)
  const denominator = 1 - b * b
  if (denominator < 1e-9) return null
  return (b * dot(w, ray.direction) - dot(w, axis)) / denominator
}
