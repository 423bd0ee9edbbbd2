/** Bodies from sketches in a plane: polygons, discs, rods and lines of ground. */

import { area, centroid, convexParts, outlineFault, type OutlineFault, type Point2 } from '../geometry/outline'
import { normalizeQuaternion } from '../math/quaternion'
import { add, type Vec3 } from '../math/vector'
import type { Body, Shape } from '../scene'
import { ModellingError } from './fault'

/** Two axes of the world: horizontal and vertical in the picture. */
export type DrawingPlane = 'xy' | 'xz' | 'yz'

/** A point of a drawing in the world; `out` along the plane's third axis, m. */
export function inSpace(plane: DrawingPlane, [u, v]: Point2, out: number): Vec3 {
  return plane === 'xy' ? [u, v, out] : plane === 'xz' ? [u, out, v] : [out, u, v]
}

/** A point of the world in the drawing. */
export function dropped(plane: DrawingPlane, [x, y, z]: Vec3): Point2 {
  return plane === 'xy' ? [x, y] : plane === 'xz' ? [x, z] : [y, z]
}

type Parts = Pick<Body, 'position' | 'orientation' | 'shapes' | 'type'>

/**
 * A polygon as a prism, in convex pieces, with its frame at the centroid. It stands on the ground plane, and extends equally on both sides of other planes.
 * @param origin of the drawing in the world
 * @throws ModellingError if the outline is invalid
 */
export function prismOf(outline: readonly Point2[], plane: DrawingPlane, origin: Vec3, depth: number, material: string): Parts {
  const fault = outlineFault(outline)
  if (fault) throw new ModellingError('outline', null, outlineSentence(fault))
  requirePositive('depth', depth)
  const middle = centroid(outline)
  const shapes = convexParts(outline).map((part): Shape => ({
    type: 'convexHull', material,
    points: [-depth / 2, depth / 2].flatMap(out => part.map(i => inSpace(plane, [outline[i]![0] - middle[0], outline[i]![1] - middle[1]], out))),
  }))
  return { position: add(origin, inSpace(plane, middle, plane === 'xy' ? depth / 2 : 0)), shapes }
}

/** Message for an invalid outline, with the allowed values. */
export function outlineSentence(fault: OutlineFault): string {
  switch (fault.kind) {
    case 'tooFew': return 'A polygon has at least three points'
    case 'twice': return `Points ${fault.points[0] + 1} and ${fault.points[1] + 1} coincide: each is allowed once`
    case 'crosses': return `The side from point ${fault.sides[0] + 1} meets the side from point ${fault.sides[1] + 1}: an outline may not cross or touch itself`
    case 'noArea': return 'The points enclose no area'
  }
}

/** A box with two opposite corners in the plane y = 0. */
export function rectangleOf([ax, az]: Point2, [bx, bz]: Point2, depth: number, material: string): Parts {
  if (ax === bx || az === bz) throw new ModellingError('outline', null, 'The two corners of a rectangle have to differ in x and in z')
  requirePositive('depth', depth)
  return { position: [(ax + bx) / 2, 0, (az + bz) / 2], shapes: [{ type: 'box', size: [Math.abs(bx - ax), depth, Math.abs(bz - az)], material }] }
}

/** A cylinder along y. */
export function discOf([x, z]: Point2, rim: Point2, depth: number, material: string): Parts {
  const radius = distanceOf([x, z], rim)
  if (radius === 0) throw new ModellingError('outline', null, 'The rim point of a disc has to differ from its centre')
  requirePositive('depth', depth)
  return { position: [x, 0, z], shapes: [{ type: 'cylinder', radius, height: depth, material, orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] }] }
}

/** A capsule between the centres of its two ends. */
export function rodOf(a: Point2, b: Point2, thickness: number, material: string): Parts {
  const height = distanceOf(a, b)
  if (height === 0) throw new ModellingError('outline', null, 'The two ends of a rod have to differ')
  requirePositive('thickness', thickness)
  // Both directions give the same rod; upwards, the rotation about y from z to its direction is at most a right angle.
  const side = b[1] < a[1] ? -1 : 1
  const [sine, cosine] = [side * (b[0] - a[0]) / height, side * (b[1] - a[1]) / height]
  return {
    position: [(a[0] + b[0]) / 2, 0, (a[1] + b[1]) / 2], orientation: normalizeQuaternion([0, sine, 0, 1 + cosine]),
    shapes: [{ type: 'capsule', radius: thickness / 2, height, material }],
  }
}

/** A half-space below the line through two points; for a vertical line, to the left of it. */
export function groundOf(a: Point2, b: Point2, material: string): Parts {
  const length = distanceOf(a, b)
  if (length === 0) throw new ModellingError('outline', null, 'The two points of a line of ground have to differ')
  const side = b[0] < a[0] || (b[0] === a[0] && b[1] > a[1]) ? -1 : 1
  const normal: Vec3 = [-side * (b[1] - a[1]) / length + 0, 0, side * (b[0] - a[0]) / length + 0]
  return { type: 'fixed', position: [a[0], 0, a[1]], shapes: [{ type: 'halfSpace', normal, offset: 0, material }] }
}

const distanceOf = (a: Point2, b: Point2): number => Math.sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]))

function requirePositive(name: string, value: number): void {
  if (!(value > 0)) throw new ModellingError('invalid', null, `The ${name} is ${value} m: it has to be greater than 0`)
}

/** m² inside an outline, independent of its orientation. */
export const areaOf = (outline: readonly Point2[]): number => outline.length < 3 ? 0 : Math.abs(area(outline))
