/**
 * The viewport's camera: an orbit about a target, z up. Pure functions of the view store's camera, so that tests can compute what is visible.
 * At azimuth 0 the eye is on the +x side of the target; elevation is its angle above the horizon.
 */

import { add, addScaled, cross, dot, scale, sub, type Vec3 } from '../../../core/math/vector'
import { DEFAULT_CAMERA, type CameraState } from '../../state/view'
import type { StandardView } from '../../state/viewport-api'

/** Vertical field of view, rad. */
export const FIELD_OF_VIEW = 40 * Math.PI / 180
/** m: range of viewing distances that single precision can draw. */
const DISTANCE_RANGE: readonly [number, number] = [1e-4, 1e6]
const QUARTER = Math.PI / 2
const TAN_HALF = Math.tan(FIELD_OF_VIEW / 2)
/** Share of the picture that framed objects take. */
const FRAME_PART = 0.72

export const STANDARD_VIEWS: readonly StandardView[] = ['front', 'back', 'left', 'right', 'top', 'bottom', 'isometric']

/** Azimuth and elevation of each standard view, rad. */
const angles: Record<StandardView, readonly [number, number]> = {
  front: [-QUARTER, 0], right: [0, 0], back: [QUARTER, 0], left: [-2 * QUARTER, 0],
  top: [-QUARTER, QUARTER], bottom: [-QUARTER, -QUARTER],
  isometric: [-QUARTER / 2, Math.asin(1 / Math.sqrt(3))],
}

/** Right, up and forward of the picture, unit vectors in the world; `right` is always horizontal. */
export interface CameraAxes {
  readonly right: Vec3
  readonly up: Vec3
  readonly forward: Vec3
}

export function cameraAxes(camera: CameraState): CameraAxes {
  const sa = Math.sin(camera.azimuth)
  const ca = Math.cos(camera.azimuth)
  const se = Math.sin(camera.elevation)
  const ce = Math.cos(camera.elevation)
  const right: Vec3 = [-sa, ca, 0]
  const forward: Vec3 = [-ca * ce, -sa * ce, -se]
  return { right, up: cross(right, forward), forward }
}

export function eyeOf(camera: CameraState): Vec3 {
  return addScaled(camera.target, cameraAxes(camera).forward, -camera.distance)
}

/** Half of the height of the picture at the target, m. */
export function halfHeightAt(camera: CameraState): number {
  return camera.distance * TAN_HALF
}

function wrapAngle(angle: number): number {
  return angle - 2 * Math.PI * Math.floor((angle + Math.PI) / (2 * Math.PI))
}

function clampDistance(distance: number): number {
  return Math.min(DISTANCE_RANGE[1], Math.max(DISTANCE_RANGE[0], distance))
}

/** Turns about the target, rad; stops at the zenith. */
export function orbit(camera: CameraState, azimuth: number, elevation: number): CameraState {
  return {
    ...camera,
    azimuth: wrapAngle(camera.azimuth + azimuth),
    elevation: Math.min(QUARTER, Math.max(-QUARTER, camera.elevation + elevation)),
  }
}

/** Shifts the target in the picture plane so that the point under the pointer follows it; pixels, y down, picture `height` pixels high. */
export function pan(camera: CameraState, dx: number, dy: number, height: number): CameraState {
  const { right, up } = cameraAxes(camera)
  const perPixel = 2 * halfHeightAt(camera) / height
  return { ...camera, target: addScaled(addScaled(camera.target, right, -dx * perPixel), up, dy * perPixel) }
}

/** Multiplies the distance by `factor` and keeps the picture position of the point `fixed`, which lies in the target's plane. */
export function zoom(camera: CameraState, factor: number, fixed: Vec3 = camera.target): CameraState {
  const distance = clampDistance(camera.distance * factor)
  const ratio = distance / camera.distance
  return { ...camera, distance, target: add(fixed, scale(sub(camera.target, fixed), ratio)) }
}

/** Flies: moves eye and target along right, up and forward, m. */
export function fly(camera: CameraState, right: number, up: number, forward: number): CameraState {
  const axes = cameraAxes(camera)
  const step = add(add(scale(axes.right, right), scale(axes.up, up)), scale(axes.forward, forward))
  return { ...camera, target: add(camera.target, step) }
}

/** Looks around: turns about the eye instead of the target, rad. */
export function lookAround(camera: CameraState, azimuth: number, elevation: number): CameraState {
  const eye = eyeOf(camera)
  const turned = orbit(camera, azimuth, elevation)
  return { ...turned, target: addScaled(eye, cameraAxes(turned).forward, camera.distance) }
}

/** Frames these points with a margin around their centre, in a picture of the given width ÷ height. Keeps the direction. */
export function framePoints(camera: CameraState, center: Vec3, points: readonly Vec3[], aspect: number, part = FRAME_PART): CameraState {
  const { right, up, forward } = cameraAxes(camera)
  const [wide, high] = [TAN_HALF * aspect * part, TAN_HALF * part]
  let distance = 0
  for (const point of points) {
    const d = sub(point, center)
    // In perspective, points closer to the eye appear larger and need a larger distance.
    const nearer = camera.orthographic ? 0 : -dot(d, forward)
    distance = Math.max(distance, 1.5 * nearer, Math.abs(dot(d, right)) / wide + nearer, Math.abs(dot(d, up)) / high + nearer)
  }
  return { ...camera, target: center, distance: clampDistance(Math.max(distance, 1e-3)) }
}

/** Turns to a standard view, keeping target, distance and projection. */
export function toStandardView(camera: CameraState, view: StandardView): CameraState {
  const [azimuth, elevation] = angles[view]
  return { ...camera, azimuth, elevation }
}

/** The direction and projection of one camera at the target and distance of another. */
export const lookingAs = ({ azimuth, elevation, orthographic }: CameraState, at: CameraState): CameraState => ({ ...at, azimuth, elevation, orthographic })

/** View of a scene that is opened: from the front and above, or face-on if it lies in a plane. */
export const firstLook = (at: CameraState, planar: boolean): CameraState =>
  planar ? { ...toStandardView(at, 'front'), orthographic: true } : lookingAs(DEFAULT_CAMERA, at)

/** The standard view that this camera shows exactly, or null. */
export function standardViewOf(camera: CameraState): StandardView | null {
  const same = (a: number, b: number) => Math.abs(wrapAngle(a - b)) < 1e-6
  return STANDARD_VIEWS.find(view => same(camera.azimuth, angles[view][0]) && same(camera.elevation, angles[view][1])) ?? null
}

/** Interpolates between two cameras, `s` in 0 … 1: angles the short way round, distances geometrically. */
export function blendCameras(from: CameraState, to: CameraState, s: number): CameraState {
  return {
    target: add(scale(from.target, 1 - s), scale(to.target, s)),
    distance: from.distance * Math.pow(to.distance / from.distance, s),
    azimuth: wrapAngle(from.azimuth + wrapAngle(to.azimuth - from.azimuth) * s),
    elevation: from.elevation + (to.elevation - from.elevation) * s,
    orthographic: s < 0.5 ? from.orthographic : to.orthographic,
  }
}
