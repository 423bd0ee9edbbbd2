/** Deformables moved, rotated or mirrored: their vertices are in the world frame, so an edit of the pose changes each vertex. */

import { cross, dot, length, sub, type Vec3 } from '../math/vector'
import { mappedCurve, type Isometry } from './mapped-curve'
import type { Deformable, DeformableOf, ParticleMotion, VertexCondition } from './types'

/**
 * The image of a deformable. Pins and vertex numbers do not change; points of the world that hold it move with it.
 * @param inBody changes the points in the frames of bodies that hold it; absent: they do not change
 */
export function mappedDeformable(deformable: Deformable, { point, direction }: Isometry, inBody?: (p: Vec3) => Vec3): Deformable {
  const holds = deformable.attachments?.map(one => {
    if (one.point === undefined || (one.body !== null && inBody === undefined)) return one
    return { ...one, point: one.body === null ? point(one.point) : inBody!(one.point) }
  })
  const controlled = deformable.controlled?.map(one => ({ ...one, motion: mappedMotion(one.motion, direction) }))
  const mapped = (condition: VertexCondition): VertexCondition => withPlaces(mappedCondition(condition, { point, direction }), point, inBody)
  const behaviours = deformable.behaviours?.map(one => ({ ...one, condition: mapped(one.condition) }))
  const constraints = deformable.constraints?.map(one => ({ ...one, condition: mapped(one.condition) }))
  const held = {
    ...holds === undefined ? {} : { attachments: holds }, ...controlled === undefined ? {} : { controlled },
    ...behaviours === undefined ? {} : { behaviours }, ...constraints === undefined ? {} : { constraints },
  }
  const moving = 'velocity' in deformable && deformable.velocity !== undefined ? { velocity: direction(deformable.velocity) } : {}
  switch (deformable.type) {
    case 'particles': return {
      ...deformable, ...held,
      particles: deformable.particles.map(one => ({ ...one, position: point(one.position), ...one.velocity ? { velocity: direction(one.velocity) } : {} })),
    }
    case 'rope': return { ...deformable, ...held, ...moving, points: deformable.points.map(point) }
    case 'hair': return { ...deformable, ...held, strands: deformable.strands.map(strand => ({ ...strand, points: strand.points.map(point) })) }
    case 'cloth': return withWarp({ ...deformable, ...held, ...moving, vertices: deformable.vertices.map(point) }, deformable, direction)
  }
}

/** Changes the points of the world and of bodies that take part. */
function withPlaces(condition: VertexCondition, point: Isometry['point'], inBody?: (p: Vec3) => Vec3): VertexCondition {
  if (condition.type === 'point' || !condition.others?.some(({ type }) => type === 'bodyPoint')) return condition
  const others = condition.others.map(place => {
    if (place.type !== 'bodyPoint' || (place.body !== null && inBody === undefined)) return place
    return { ...place, point: place.body === null ? point(place.point) : inBody!(place.point) }
  })
  return { ...condition, others }
}

function mappedCondition(condition: VertexCondition, isometry: Isometry): VertexCondition {
  const { point, direction } = isometry
  switch (condition.type) {
    case 'point':
    case 'centre': return condition.point === undefined ? condition : { ...condition, point: point(condition.point) }
    case 'line': return { ...condition, point: point(condition.point), direction: direction(condition.direction) }
    case 'plane': return { ...condition, point: point(condition.point), normal: direction(condition.normal) }
    case 'curve': return { ...condition, curve: mappedCurve(condition.curve, isometry) }
    default: return condition
  }
}

/** Offsets are displacements, so they change as directions do. */
function mappedMotion(motion: ParticleMotion, direction: Isometry['direction']): ParticleMotion {
  switch (motion.type) {
    case 'keys': return { ...motion, keys: motion.keys.map(key => ({ ...key, offset: direction(key.offset) })) }
    case 'ellipse': return { ...motion, ...motion.semiAxisA === undefined ? {} : { semiAxisA: direction(motion.semiAxisA) }, semiAxisB: direction(motion.semiAxisB) }
    case 'loop': return { ...motion, points: motion.points.map(direction) }
  }
}

const DEFAULT_WARP: Vec3 = [1, 0, 0]
/** Sine of an angle: rounding of a rotation. */
const PARALLEL = 1e-12
/** As in the simulation: triangles steeper than this relative to the warp have another warp direction. */
const STEEP = 1e-3

/** The warp direction of a sheet without rest coordinates rotates with it, and is written unless it is the default. Its sign is irrelevant. */
function withWarp(image: DeformableOf<'cloth'>, { restUV, warp: given, vertices, triangles }: DeformableOf<'cloth'>, direction: (v: Vec3) => Vec3): Deformable {
  if (restUV !== undefined) return image
  const { warp: _, ...plain } = image
  const warp = direction(given ?? defaultWarp({ vertices, triangles }))
  return length(cross(warp, defaultWarp(plain))) < PARALLEL * length(warp) ? plain : { ...plain, warp }
}

/** A sheet that is perpendicular to the default has its warp along y. */
function defaultWarp({ vertices, triangles }: Pick<DeformableOf<'cloth'>, 'vertices' | 'triangles'>): Vec3 {
  const isSteep = triangles.every(([a, b, c]) => {
    const [p, q, r] = [vertices[a!], vertices[b!], vertices[c!]]
    if (!p || !q || !r) return false
    const across = cross(sub(q, p), sub(r, p))
    const size = length(across)
    return size > 0 && Math.abs(dot(across, DEFAULT_WARP)) / size > Math.sqrt(1 - STEEP * STEEP)
  })
  return isSteep ? [0, 1, 0] : DEFAULT_WARP
}
