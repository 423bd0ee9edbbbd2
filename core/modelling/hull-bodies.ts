/**
 * The convex hull of bodies. Flat shapes contribute their vertices. Curved shapes contribute points of their surface in directions of equal steps of
 * longitude and latitude about their z axis; cylinders and cones contribute only points of their rims and tips. The hull is inside the exact one, and
 * the largest distance between the two is measured.
 */

import { flatSurfacesOf, solidsOf } from '../analysis/solids'
import { convexHull } from '../geometry/hull'
import { kindOfShape } from '../geometry/primitives'
import type { Polyhedron } from '../geometry/polyhedron'
import { ShapeError } from '../geometry/shape'
import { sizeOf } from '../geometry/polyhedron-build'
import { composePoses, toOuter, type Pose } from '../math/pose'
import { rotateInverse } from '../math/quaternion'
import { cos, PI, sin } from '../math/trigonometric'
import { distance, dot, sub, type Vec3 } from '../math/vector'
import { resolveBody, resolveShape, type Body, type Scene, type Shape } from '../scene'
import { ModellingError, shapeName } from './fault'

/** Limits of the number of points around a curved shape: fewer are too coarse, more give thousands of vertices. */
export const MIN_AROUND = 8
export const MAX_AROUND = 64

/** × size */
const SAME_POINT = 1e-9

export interface HullOfBodies {
  /** m, about the origin. */
  readonly points: readonly Vec3[]
  /** Position of the origin: the hull's centroid, m, world. */
  readonly origin: Vec3
  /** Largest distance of the exact hull from a side of this one, m; 0 without curved shapes. */
  readonly error: number
  /** m³ */
  readonly volume: number
}

/**
 * @param around points around a curved shape
 * @throws ModellingError: no bodies, a body without shapes or of infinite size, or all in one plane
 */
export function hullOfBodies(scene: Scene, ids: readonly string[], around: number): HullOfBodies {
  if (ids.length === 0) throw new ModellingError('noBody', null, 'No body is selected: select the bodies for the hull')
  const planar = scene.simulation?.dimensions === 2
  const found = ids.flatMap(id => partsOf(scene.bodies!.find(body => body.id === id)!, around, planar))
  const points = planar ? prism(found.flatMap(part => part.points)) : found.flatMap(part => part.points)
  const hull = hullOf(points)
  const origin = hull.massProperties.centroid
  const error = Math.max(0, ...hull.faces.filter(({ normal }) => !planar || Math.abs(normal[1]) < 0.5).flatMap(({ normal, offset }) =>
    found.flatMap(({ reach }) => reach ? [reach(normal) - offset] : [])))
  const beyondRounding = error > 1e-9 * hull.size ? error : 0
  return { points: hull.vertices.map(p => sub(p, origin)), origin, error: beyondRounding, volume: hull.massProperties.volume }
}

interface Part {
  readonly points: readonly Vec3[]
  /** Extent of a curved solid along a world direction, m from the origin. */
  readonly reach?: (direction: Vec3) => number
}

function partsOf(body: Body, around: number, planar: boolean): Part[] {
  const pose: Pose = resolveBody(body)
  const shapes = body.shapes ?? []
  if (shapes.length === 0) throw new ModellingError('noShape', body.id, `"${body.name ?? body.id}" has no shape for a hull`)
  return shapes.flatMap((shape, index) => partsOfShape(body, shape, index, composePoses(pose, resolveShape(shape)), around, planar))
}

function partsOfShape(body: Body, shape: Shape, index: number, pose: Pose, around: number, planar: boolean): Part[] {
  const name = `${shapeName(shape.type, index)} of "${body.name ?? body.id}"`
  if (shape.type === 'halfSpace') throw new ModellingError('endless', body.id, `${name} is unbounded: every other shape can be in a hull`)
  try {
    const resolved = resolveShape(shape)
    if (kindOfShape(shape.type) === 'polyhedron') return flatSurfacesOf(resolved).map(({ vertices }) => ({ points: vertices.map(p => toOuter(pose, p)) }))
    return solidsOf(shape).map(solid => {
      const reach = (direction: Vec3) => dot(direction, toOuter(pose, solid.support(rotateInverse(pose.orientation, direction))))
      // In two dimensions only directions in the plane are used.
      const directions = planar ? inPlane(around).map(d => rotateInverse(pose.orientation, d)) : allAround(around)
      return { points: apart(directions.map(d => toOuter(pose, solid.support(d)))), reach }
    })
  } catch (error) {
    if (error instanceof ShapeError) throw new ModellingError(error.fault === 'needsPieces' ? 'needsPieces' : 'invalid', body.id, `${name}: ${error.message}`)
    throw error
  }
}

/** Both poles, and circles of latitude between them. */
function allAround(around: number): Vec3[] {
  const circles = Math.max(3, Math.floor(around / 2) - 1)
  const directions: Vec3[] = [[0, 0, 1], [0, 0, -1]]
  for (let i = 1; i <= circles; i++) {
    const latitude = PI * (i / (circles + 1) - 0.5)
    for (let k = 0; k < around; k++) {
      const longitude = 2 * PI * k / around
      directions.push([cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)])
    }
  }
  return directions
}

const inPlane = (around: number): Vec3[] => Array.from({ length: around }, (_, k): Vec3 => [cos(2 * PI * k / around), 0, sin(2 * PI * k / around)])
  .concat([[0, 1, 0], [0, -1, 0]])

/** Many directions have the same farthest point, such as a cone's tip, with different rounding. */
function apart(points: readonly Vec3[]): Vec3[] {
  const near = SAME_POINT * sizeOf(points)
  const kept: Vec3[] = []
  for (const p of points) if (kept.every(q => distance(p, q) > near)) kept.push(p)
  return kept
}

/** Two-dimensional scenes use prisms, as deep as the deepest solid. */
function prism(points: readonly Vec3[]): Vec3[] {
  const depth = Math.max(...points.map(p => Math.abs(p[1])))
  return points.flatMap(([x, , z]): Vec3[] => [[x, -depth, z], [x, depth, z]])
}

function hullOf(points: readonly Vec3[]): Polyhedron {
  try {
    return convexHull('hull', [...new Map(points.map(p => [p.map(x => x + 0).join(' '), p])).values()])
  } catch (error) {
    if (error instanceof ShapeError) throw new ModellingError('invalid', null, `These bodies have no hull: ${error.message}`)
    throw error
  }
}
