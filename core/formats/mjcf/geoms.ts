/** Shapes as MJCF geoms. Boxes take half extents; quaternions are wxyz; hulls are meshes of which MuJoCo takes the hull itself. */

import { solidsOf } from '../../analysis/solids'
import type { Polyhedron } from '../../geometry/polyhedron'
import { composePoses, type Pose } from '../../math/pose'
import { fromMatrix, multiplyQuaternions, type Quat } from '../../math/quaternion'
import { cos, pow, sin } from '../../math/elementary'
import { addScaled, cross, normalize, perpendicular, type Vec3 } from '../../math/vector'
import { rotate } from '../../math/quaternion'
import type { ResolvedShape } from '../../scene'
import { element, type XmlElement } from '../xml'
import type { Loss } from '../format'

export interface Geoms {
  readonly geoms: readonly XmlElement[]
  readonly assets: readonly XmlElement[]
  readonly losses: readonly Loss[]
}

/** Points on a circle where MuJoCo has only a hull of points. */
const SIDES = 64

export const wxyz = ([x, y, z, w]: Quat): readonly number[] => [w, x, y, z]

/**
 * @param name of the geom; several convex pieces get a number behind it
 * @param attributes common to the shape's geoms: material, friction
 */
export function geomsOf(shape: ResolvedShape, name: string, path: string, attributes: XmlElement['attributes']): Geoms {
  const pose: Pose = { position: shape.position, orientation: shape.orientation }
  const placed = (at: Pose) => ({ pos: at.position, quat: wxyz(at.orientation) })
  const one = (type: string, size: readonly number[], at = pose): Geoms =>
    ({ geoms: [element('geom', { name, type, size, ...placed(at), ...attributes })], assets: [], losses: [] })
  const hull = (points: readonly (readonly Vec3[])[], losses: readonly Loss[]): Geoms => {
    const names = points.map((_, k) => points.length === 1 ? name : `${name}:${k}`)
    return {
      geoms: names.map(mesh => element('geom', { name: mesh, type: 'mesh', mesh, ...placed(pose), ...attributes })),
      assets: points.map((list, k) => element('mesh', { name: names[k]!, vertex: list.flat() })),
      losses,
    }
  }
  const approximated = (what: string): readonly Loss[] =>
    [{ path, message: `MuJoCo has no ${shape.type}`, instead: `the convex hull of ${what}` }]
  switch (shape.type) {
    case 'box':
      return one('box', shape.size.map(edge => edge / 2))
    case 'sphere':
      return one('sphere', [shape.radius])
    case 'ellipsoid':
      return one('ellipsoid', shape.radii)
    case 'capsule':
      return one('capsule', [shape.radius, shape.height / 2])
    case 'cylinder':
      return one('cylinder', [shape.radius, shape.height / 2])
    case 'halfSpace':
      return one('plane', [0, 0, 1], planePose(pose, shape.normal, shape.offset))
    case 'convexHull':
    case 'polyhedron':
      return hull(solidsOf(shape).map(solid => (solid as Polyhedron).vertices), [])
    case 'mesh':
      return hull((shape.pieces ?? []).map(piece => piece.points), [])
    case 'cone':
      return hull([[[0, 0, shape.height], ...circle(shape.radius)]], approximated(`its apex and ${SIDES} points of its rim`))
    case 'superquadric':
      return hull([superquadricPoints(shape.radii, shape.exponents)], approximated('points on its surface'))
  }
}

/** A plane geom is the body's z = 0: its frame has z along the normal. */
function planePose(pose: Pose, normal: Vec3, offset: number): Pose {
  const z = normalize(normal)
  const x = perpendicular(z)
  const y = cross(z, x)
  const orientation = fromMatrix([x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]])
  return composePoses(pose, { position: addScaled([0, 0, 0], z, offset), orientation })
}

function circle(radius: number): Vec3[] {
  return Array.from({ length: SIDES }, (_, k): Vec3 => [radius * cos(2 * Math.PI * k / SIDES), radius * sin(2 * Math.PI * k / SIDES), 0])
}

/** Points at equal angles of the superquadric's parametric form. */
function superquadricPoints([a, b, c]: Vec3, [e1, e2]: readonly [number, number]): Vec3[] {
  const signed = (base: number, exponent: number): number => Math.sign(base) * pow(Math.abs(base), exponent)
  const points: Vec3[] = [[0, 0, -c], [0, 0, c]]
  for (let i = 1; i < SIDES / 2; i++) {
    const latitude = Math.PI * (i / (SIDES / 2) - 0.5)
    for (let k = 0; k < SIDES; k++) {
      const longitude = 2 * Math.PI * k / SIDES
      const ring = signed(cos(latitude), e1)
      points.push([a * ring * signed(cos(longitude), e2), b * ring * signed(sin(longitude), e2), c * signed(sin(latitude), e1)])
    }
  }
  return points
}

/** A direction of the world seen from a pose. */
export function localDirection(pose: Pose, direction: Vec3): Vec3 {
  const [x, y, z, w] = pose.orientation
  return rotate([-x, -y, -z, w], direction)
}

/** The pose of `inner` in the frame of `outer`, both given in the world. */
export function relativePose(outer: Pose, inner: Pose): Pose {
  const [x, y, z, w] = outer.orientation
  const inverse: Quat = [-x, -y, -z, w]
  const d: Vec3 = [inner.position[0] - outer.position[0], inner.position[1] - outer.position[1], inner.position[2] - outer.position[2]]
  return { position: rotate(inverse, d), orientation: multiplyQuaternions(inverse, inner.orientation) }
}
