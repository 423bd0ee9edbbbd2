/** Places a flat face of one body on a flat face of another: the smallest rotation that makes their normals opposite, then a translation. */

import { solidsOf } from '../analysis/solids'
import { ShapeError, type Primitive } from '../geometry/shape'
import { HalfSpace } from '../geometry/half-space'
import { Polyhedron } from '../geometry/polyhedron'
import { Cylinder } from '../geometry/cylinder'
import { Cone } from '../geometry/cone'
import { composePoses, toOuter, type Pose } from '../math/pose'
import { multiplyQuaternions, normalizeQuaternion, rotate, type Quat } from '../math/quaternion'
import { add, addScaled, cross, distance, dot, negate, perpendicular, scale, sub, UNIT_Y, UNIT_Z, ZERO, type Vec3 } from '../math/vector'
import type { Body } from '../scene'
import { ModellingError } from './fault'

/** World. */
export interface FlatFace {
  /** Mean of its vertices, m; for a half-space, any point of its plane. */
  readonly center: Vec3
  /** Unit, outwards. */
  readonly normal: Vec3
  /** Whether the face contains this point of its plane. */
  has(point: Vec3): boolean
  readonly endless: boolean
}

/** Tolerance of a picked point relative to a face, as sine of the angle and × size: pictures are drawn in single precision. */
const PICKED = 1e-4

interface Placed {
  readonly position?: Vec3 | undefined
  readonly orientation?: Quat | undefined
}

const poseOf = ({ position = [0, 0, 0], orientation = [0, 0, 0, 1] }: Placed): Pose => ({ position, orientation })

/**
 * Flat faces of a body: sides of its polyhedra and mesh pieces, ends of cylinders, bases of cones, planes of half-spaces.
 * @param inPlane only faces perpendicular to the plane y = 0, for two dimensions
 */
export function flatFacesOf(body: Body, inPlane = false): FlatFace[] {
  const faces = (body.shapes ?? []).flatMap(shape => {
    try {
      const pose = composePoses(poseOf(body), poseOf(shape))
      return solidsOf(shape).flatMap(solid => facesOf(solid, pose))
    } catch (error) {
      if (error instanceof ShapeError) return []
      throw error
    }
  })
  return inPlane ? faces.filter(({ normal }) => Math.abs(normal[1]) <= PICKED) : faces
}

function facesOf(solid: Primitive, pose: Pose): FlatFace[] {
  if (solid instanceof HalfSpace) {
    return [{ center: toOuter(pose, scale(solid.normal, solid.offset)), normal: rotate(pose.orientation, solid.normal), endless: true, has: () => true }]
  }
  if (solid instanceof Cylinder) return [1, -1].map(side => disc(pose, scale(UNIT_Z, side * solid.height / 2), scale(UNIT_Z, side), solid.girth))
  if (solid instanceof Cone) return [disc(pose, ZERO, negate(UNIT_Z), solid.girth)]
  if (!(solid instanceof Polyhedron)) return []
  return solid.faces.map(({ normal, loop, sides }) => {
    const corners = loop.map(v => toOuter(pose, solid.vertices[v]!))
    const inwards = sides.map(side => rotate(pose.orientation, side))
    return {
      center: scale(corners.reduce(add, ZERO), 1 / corners.length), normal: rotate(pose.orientation, normal), endless: false,
      has: (p: Vec3) => corners.every((corner, k) => dot(inwards[k]!, sub(p, corner)) >= 0),
    }
  })
}

function disc(pose: Pose, middle: Vec3, normal: Vec3, radius: number): FlatFace {
  const center = toOuter(pose, middle)
  return { center, normal: rotate(pose.orientation, normal), endless: false, has: p => distance(p, center) <= radius }
}

/** The face that contains a picked point; null if it is not flat. */
export function faceAt(faces: readonly FlatFace[], point: Vec3, normal: Vec3): FlatFace | null {
  return faces.find(face => {
    const foot = footOn(face, point)
    return dot(face.normal, normal) >= 1 - PICKED && distance(foot, point) <= PICKED * (distance(point, face.center) + 1) && face.has(foot)
  }) ?? null
}

/** Projection of a face's centre onto the plane of another face. */
const footOn = (face: FlatFace, point: Vec3): Vec3 => addScaled(point, face.normal, dot(face.normal, sub(face.center, point)))

/** Bodies that are moved as a unit. */
interface Faced {
  readonly id: string
  readonly name?: string | undefined
  readonly bodies: readonly Body[]
}

/**
 * The pair of faces, one of each piece, that face each other (their normals are more than a right angle apart) and have the nearest centres.
 * @throws ModellingError if there is none
 */
export function nearestFaces(moving: Faced, onto: Faced, inPlane = false): readonly [FlatFace, FlatFace] {
  const targets = onto.bodies.flatMap(body => flatFacesOf(body, inPlane))
  let best: readonly [FlatFace, FlatFace] | null = null
  let least = Infinity
  for (const a of moving.bodies.flatMap(body => flatFacesOf(body, inPlane))) {
    if (a.endless) continue
    for (const b of targets) {
      const gap = distance(a.center, b.endless ? footOn(b, a.center) : b.center)
      if (dot(a.normal, b.normal) >= 0 || gap >= least) continue
      least = gap
      best = [a, b]
    }
  }
  if (best) return best
  throw new ModellingError('curved', moving.id, `"${moving.name ?? moving.id}" and "${onto.name ?? onto.id}" have no flat faces that face each other: `
    + 'sides of boxes, hulls, polyhedra and mesh pieces, ends of cylinders and bases of cones are flat')
}

/**
 * The pose of the moving body with its face on the other one. A face above the other face keeps its lateral position; otherwise it moves to the
 * other's centre.
 * @param inPlane a rotation by half a turn is about y, for two dimensions
 */
export function laidOnto(pose: Pose, face: FlatFace, onto: FlatFace, inPlane = false): Pose {
  const turn = turnBetween(face.normal, negate(onto.normal), inPlane)
  const foot = footOn(onto, face.center)
  const target = onto.endless || onto.has(foot) ? foot : onto.center
  const arm = sub(pose.position, face.center)
  if (!turn) return { position: add(pose.position, sub(target, face.center)), orientation: pose.orientation }
  return { position: add(target, rotate(turn, arm)), orientation: normalizeQuaternion(multiplyQuaternions(turn, pose.orientation)) }
}

/** Squared sine of half of the angle below which a rotation is rounding. */
const NO_TURN = 1e-30

/** The smallest rotation of a unit vector to another; null for none: half-angle form (a × b, 1 + a · b). */
function turnBetween(from: Vec3, to: Vec3, inPlane: boolean): Quat | null {
  const axis = cross(from, to)
  const cosine = dot(from, to)
  if (cosine > 0 && dot(axis, axis) < NO_TURN) return null
  if (cosine < 0 && dot(axis, axis) < NO_TURN) {
    const across = inPlane ? UNIT_Y : perpendicular(from)
    return [...across, 0] as unknown as Quat
  }
  return normalizeQuaternion([...axis, 1 + cosine] as unknown as Quat)
}
