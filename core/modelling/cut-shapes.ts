/** The shapes of a body on either side of a plane. */

import { flatSurfacesOf, meshMass, solidsOf } from '../analysis/solids'
import { cutConvex } from '../geometry/cut-convex'
import { around, type Plane } from '../geometry/solid-cells'
import { ShapeError, type Primitive } from '../geometry/shape'
import { kindOfShape } from '../geometry/primitives'
import { hullVolume } from '../geometry/hull'
import { toInner, toOuter, type Pose } from '../math/pose'
import { rotateInverse } from '../math/quaternion'
import { dot, negate, normalize, type Vec3 } from '../math/vector'
import { resolveShape, type Body, type Shape } from '../scene'
import { ModellingError, shapeName } from './fault'

/** In the world or in another frame, as each function specifies. */
export interface CutPlane {
  readonly point: Vec3
  /** Points out of the half behind; nonzero, any length. */
  readonly normal: Vec3
}

export interface ShapeHalves {
  readonly behind: readonly Shape[]
  readonly front: readonly Shape[]
  /** Vertices of the sections, one list per convex piece, in the frame of the plane. */
  readonly sections: readonly (readonly Vec3[])[]
  /** Notes for the user. */
  readonly notes: readonly string[]
}

export const planeIn = (pose: Pose, { point, normal }: CutPlane): CutPlane => ({ point: toInner(pose, point), normal: rotateInverse(pose.orientation, normal) })

const poseOf = ({ position = [0, 0, 0], orientation = [0, 0, 0, 1] }: Shape): Pose => ({ position, orientation })

/** Difference between the pieces of a mesh and its surface that is not reported, × volume: rounding. */
const SAME_VOLUME = 1e-9

/**
 * @param plane in the body's frame
 * @throws ModellingError if a crossed shape cannot be cut
 */
export function cutShape(body: Body, index: number, plane: CutPlane): ShapeHalves {
  const shape = body.shapes![index]!
  const name = `${shapeName(shape.type, index)} of "${body.name ?? body.id}"`
  const whole = (side: number): ShapeHalves => ({ behind: side < 0 ? [shape] : [], front: side > 0 ? [shape] : [], sections: [], notes: [] })
  if (shape.type === 'halfSpace') {
    throw new ModellingError('endless', body.id, `${name} is unbounded: bodies of boxes, hulls, polyhedra and meshes can be cut`)
  }
  const pose = poseOf(resolveShape(shape))
  const own = planeIn(pose, plane)
  const normal = normalize(own.normal)
  const local: Plane = { normal, offset: dot(normal, own.point) }
  if (kindOfShape(shape.type) !== 'polyhedron') {
    const side = sideOf(solids(body, name, shape), local)
    if (side !== 0) return whole(side)
    throw new ModellingError('curved', body.id, `${name} is curved, and its halves would not be shapes of Cairn: boxes, hulls, polyhedra and meshes can be cut. `
      + 'A curved shape may stay beside the plane')
  }
  const halves = flat(body, name, shape).map(solid => cutConvex(solid, local))
  if (halves.every(({ front }) => front.length === 0)) return whole(-1)
  if (halves.every(({ behind }) => behind.length === 0)) return whole(1)
  const hulls = (side: 'behind' | 'front'): Shape[] => halves.flatMap(half => half[side].length === 0 ? [] : [hullOf(half[side], shape)])
  return {
    behind: hulls('behind'), front: hulls('front'), notes: meshNotes(name, shape),
    sections: halves.flatMap(({ section }) => section.length < 3 ? [] : [section.map(p => toOuter(pose, p))]),
  }
}

function hullOf(points: readonly Vec3[], { material, position, orientation }: Shape): Shape {
  return {
    type: 'convexHull', points: points.map(p => [...p] as unknown as Vec3), material,
    ...position === undefined ? {} : { position }, ...orientation === undefined ? {} : { orientation },
  }
}

function solids(body: Body, name: string, shape: Shape): readonly Primitive[] {
  return understood(body, name, () => solidsOf(shape))
}

const flat = (body: Body, name: string, shape: Shape) => understood(body, name, () => flatSurfacesOf(resolveShape(shape)))

function understood<T>(body: Body, name: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof ShapeError) throw new ModellingError(error.fault === 'needsPieces' ? 'needsPieces' : 'invalid', body.id, `${name}: ${error.message}`)
    throw error
  }
}

/** −1 behind the plane, 1 in front of it, 0 on both sides. */
function sideOf(solid: readonly Primitive[], { normal, offset }: Plane): number {
  const high = Math.max(...solid.map(one => dot(normal, one.support(normal)) - offset))
  const low = Math.min(...solid.map(one => dot(normal, one.support(negate(normal))) - offset))
  const near = 1e-9 * (high - low)
  return high <= near ? -1 : low >= -near ? 1 : 0
}

/** The mass of a mesh is that inside its surface; the masses of its halves are those of their pieces. */
function meshNotes(name: string, shape: Shape): string[] {
  if (shape.type !== 'mesh') return []
  const surface = meshMass(shape)
  const pieces = (shape.pieces ?? []).reduce((sum, { points }) => sum + hullVolume(points), 0)
  if (surface instanceof ShapeError || Math.abs(pieces - surface.volume) <= SAME_VOLUME * surface.volume) return []
  const share = 100 * (pieces / surface.volume - 1)
  return [`The halves are made of the convex pieces of ${name}, which hold ${Math.abs(share).toPrecision(2)} % ${share > 0 ? 'more' : 'less'} than its surface encloses`]
}

/** Sections in the world, for a preview: without shapes that cannot be cut. */
export function sectionsOf(body: Body, plane: CutPlane): Vec3[][] {
  const pose: Pose = { position: body.position ?? [0, 0, 0], orientation: body.orientation ?? [0, 0, 0, 1] }
  const inner = planeIn(pose, plane)
  return (body.shapes ?? []).flatMap((_, index) => {
    try {
      return cutShape(body, index, inner).sections.map(section => around(section, normalize(inner.normal)).map(p => toOuter(pose, p)))
    } catch (error) {
      if (error instanceof ModellingError) return []
      throw error
    }
  })
}
