/** Dimension handles shared by several shape types. */

import { length, type Vec3 } from '../../core/math/vector'
import type { Shape } from '../../core/scene'
import { replaced, tidy } from '../viewport/gizmos/snapping'
import type { ShapeSize } from './description'

/** Smallest size that a drag can make, m. */
export const MIN_SIZE = 1e-4

export function radial(radius: number, resized: (radius: number) => Shape): ShapeSize {
  return { at: [radius, 0, 0], axis: 0, label: 'radius', unit: 'm', value: radius, rate: 1, oneSided: false, resized }
}

/** @param half from the origin to either end, m */
export function ends(half: number, height: number, resized: (height: number) => Shape): ShapeSize[] {
  return [1, -1].map(sign => ({ at: [0, 0, sign * half], axis: 2, label: 'height', unit: 'm', value: height, rate: 1, oneSided: true, resized }))
}

export function radii(of: Vec3, resized: (radii: Vec3) => Shape): ShapeSize[] {
  return ([0, 1, 2] as const).map(k => ({
    at: replaced([0, 0, 0], k, of[k]), axis: k, label: `radius ${'xyz'[k]}`, unit: 'm', value: of[k], rate: 1, oneSided: false,
    resized: value => resized(replaced(of, k, value)),
  }))
}

/** One handle at the outermost point that scales all points about the shape's origin. */
export function scaling(points: readonly Vec3[], resized: (factor: number) => Shape): ShapeSize {
  const at = points.reduce<Vec3>((best, p) => length(p) > length(best) ? p : best, [MIN_SIZE, 0, 0])
  return { at, axis: null, label: 'scale', unit: '×', value: 1, rate: 1 / length(at), oneSided: false, resized }
}

export function scaled(points: readonly Vec3[], factor: number): Vec3[] {
  return points.map(([x, y, z]) => [tidy(x * factor), tidy(y * factor), tidy(z * factor)])
}
