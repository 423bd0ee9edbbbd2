/** Shapes as MJCF geoms: boxes with half extents, wxyz quaternions, and hulls as meshes whose hull MuJoCo computes itself. */

import { composePoses, type Pose } from '../../../math/pose'
import { fromMatrix } from '../../../math/quaternion'
import { addScaled, cross, normalize, perpendicular, type Vec3 } from '../../../math/vector'
import type { ResolvedShape } from '../../../scene'
import type { Loss } from '../../format'
import { hullPointsOf } from '../../shared/hull-points'
import { wxyz } from '../../shared/rotations'
import { element, type XmlElement } from '../../shared/write-xml'

export interface Geoms {
  readonly geoms: readonly XmlElement[]
  readonly assets: readonly XmlElement[]
  readonly losses: readonly Loss[]
}

/**
 * @param name of the geom; convex pieces get a numeric suffix
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
    default: {
      const { pieces, approximation } = hullPointsOf(shape)!
      if (shape.type === 'mesh') return hull(pieces, [{ path, message: 'MuJoCo takes a mesh as its convex hull', instead: `its ${pieces.length} convex pieces` }])
      return hull(pieces, approximation === null ? [] : [{ path, message: `MuJoCo has no ${shape.type}`, instead: `the convex hull of ${approximation}` }])
    }
  }
}

/** A plane geom is its frame's z = 0, with z along the normal. */
function planePose(pose: Pose, normal: Vec3, offset: number): Pose {
  const z = normalize(normal)
  const x = perpendicular(z)
  const y = cross(z, x)
  const orientation = fromMatrix([x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]])
  return composePoses(pose, { position: addScaled([0, 0, 0], z, offset), orientation })
}
