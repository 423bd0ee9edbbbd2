/**
 * Sections of solids with the plane y = 0, for two-dimensional scenes. A prism along y becomes a polygon, a cylinder along
 * y a disc. Every solid must extend equally far on both sides of the plane, so that contacts cannot push it out of the
 * plane.
 */

import { IDENTITY_POSE, type Pose } from '../math/pose'
import { rotate, type Quat } from '../math/quaternion'
import { UNIT_Z, type Vec3 } from '../math/vector'
import type { Capsule } from './capsule'
import type { Cylinder } from './cylinder'
import { HalfSpace } from './half-space'
import { Polyhedron } from './polyhedron'
import { ShapeError, type Primitive } from './shape'
import { Sphere } from './sphere'

/** × size: allowed distance from the plane, for the rounding of coordinates entered by hand. */
export const OFF_PLANE = 1e-9

/** The planar section of a solid, in the body frame. */
export interface PlanarSolid {
  readonly primitive: Primitive
  readonly pose: Pose
}

/**
 * @param pose of the solid in the body frame, whose plane y = 0 is the plane of motion
 * @throws ShapeError if the solid has no planar section
 */
export function planarSolid(shape: string, primitive: Primitive, pose: Pose): PlanarSolid {
  switch (primitive.kind) {
    case 'polyhedron':
      return { primitive: polygonOf(shape, (primitive as Polyhedron).placed(pose)), pose: IDENTITY_POSE }
    case 'halfSpace': {
      const { normal, offset } = (primitive as HalfSpace).placed(pose)
      if (Math.abs(normal[1]) > OFF_PLANE) throw fault(shape, 'its normal is not in the plane of x and z')
      return { primitive: new HalfSpace([normal[0], 0, normal[2]], offset), pose: IDENTITY_POSE }
    }
    case 'sphere':
      return { primitive, pose: centred(shape, pose, primitive.radius) }
    case 'cylinder': {
      const { girth } = primitive as Cylinder
      if (1 - Math.abs(rotate(pose.orientation, UNIT_Z)[1]) > OFF_PLANE) throw fault(shape, 'its axis is not along y: a disc is a cylinder along y')
      return { primitive: new Sphere(girth), pose: centred(shape, pose, girth) }
    }
    case 'capsule': {
      const axis = rotate(pose.orientation, UNIT_Z)
      const { position } = centred(shape, pose, primitive.radius)
      if (1 - Math.abs(axis[1]) <= OFF_PLANE) return { primitive: new Sphere((primitive as Capsule).girth), pose: { ...IDENTITY_POSE, position } }
      if (Math.abs(axis[1]) > OFF_PLANE) throw fault(shape, 'its axis is neither in the plane of x and z nor along y')
      return { primitive, pose: { position, orientation: turnTo(axis) } }
    }
    default:
      throw fault(shape, 'there is no section of it: two dimensions have prisms and cylinders along y, spheres, capsules and half-spaces')
  }
}

function fault(shape: string, message: string): ShapeError {
  return new ShapeError(shape, 'offPlane', message)
}

function centred(shape: string, { position: [x, y, z] }: Pose, size: number): Pose {
  if (Math.abs(y) > OFF_PLANE * size) throw fault(shape, `its centre is ${y} m off the plane y = 0`)
  return { ...IDENTITY_POSE, position: [x, 0, z] }
}

/** The rotation about y from z to an axis in the plane, or to its opposite, which is the same axis. */
function turnTo([x, , z]: Vec3): Quat {
  const side = z < 0 ? -1 : 1
  const [sine, cosine] = [side * x, 1 + side * z]
  const size = Math.sqrt(sine * sine + cosine * cosine)
  return [0, sine / size, 0, cosine / size]
}

/** The polygon that is the base of a prism along y. */
function polygonOf(shape: string, solid: Polyhedron): Polyhedron {
  const near = OFF_PLANE * solid.size
  const depth = solid.bounds.max[1]
  if (Math.abs(solid.bounds.min[1] + depth) > near) throw fault(shape, `it reaches from y = ${solid.bounds.min[1]} m to ${depth} m, not as far on either side of the plane`)
  const front = solid.faces.find(({ normal }) => -normal[1] >= 1 - OFF_PLANE)
  const isBase = (face: typeof front): boolean => face !== undefined && face.loop.every(v => Math.abs(solid.vertices[v]![1] + depth) <= near)
  const isLevel = ({ normal }: { readonly normal: Vec3 }): boolean => Math.abs(normal[1]) <= OFF_PLANE || Math.abs(normal[1]) >= 1 - OFF_PLANE
  if (front === undefined || !isBase(front) || solid.vertices.length !== 2 * front.loop.length || !solid.faces.every(isLevel)) {
    throw fault(shape, 'it is not a prism along y')
  }
  // Seen from its outside, where y points away, the base runs counter-clockwise with x to the right and z up.
  return Polyhedron.polygon(front.loop.map(v => [solid.vertices[v]![0], solid.vertices[v]![2]]), depth)
}
