/**
 * Particles that are fixed to points of bodies or of the world.
 *
 * On bodies that nothing moves a particle is held: it is where the body is. Those on dynamic bodies, points of triangles, and seams are ties: links that the
 * implicit step keeps by multipliers, together with the bodies.
 */

import type { World } from '../../contact/world'
import { outward, TIE, TIES, type Carriers, type Finder, type Links } from '../../deformables'
import { bodyPoint } from '../../dynamics/forces/targets'
import { WORLD_MOTION } from '../../dynamics/joints/frame'
import { velocityAt, type BodyMotion } from '../../geometry/motion'
import type { Vec3 } from '../../math/vector'

export interface AttachedPoint {
  readonly deformable: number
  /** One, or the three of a triangle, weighted. */
  readonly particles: Int32Array
  readonly weights: Float64Array
  /** −1 is the world. */
  readonly body: number
  /** In the body frame. */
  readonly point: Vec3
  /** Kept by a tie; else its one particle is held. */
  readonly tied: boolean
}

/** In the order of their reactions: of each deformable its pins, then its attachments. */
export function attachedPoints({ deformables, bodies }: World): AttachedPoint[] {
  return deformables!.list.flatMap(({ attachments, pins }, deformable) => [
    ...[...pins].map((particle): AttachedPoint => ({
      deformable, particles: Int32Array.of(particle), weights: Float64Array.of(1), body: -1, point: pointOf(deformables!.position, particle), tied: false,
    })),
    ...attachments.map(({ particles, weights, body, point }): AttachedPoint => ({
      deformable, particles, weights, body, point, tied: particles.length > 1 || (body >= 0 && bodies[body]!.type === 'dynamic'),
    })),
  ])
}

export function pointOf(x: Float64Array, particle: number): Vec3 {
  return [x[3 * particle]!, x[3 * particle + 1]!, x[3 * particle + 2]!]
}

/** Where a point is, m, and how it moves, m/s, with its body. */
export function placeOf({ body, point }: AttachedPoint, motions: readonly BodyMotion[]): { readonly position: Vec3; readonly velocity: Vec3 } {
  const motion = body < 0 ? WORLD_MOTION : motions[body]!
  const position = bodyPoint(motion, point)
  return { position, velocity: velocityAt(motion, position) }
}

/** The links of ties: which attached point a link's first number names. */
export function ties(links: Links, all: Carriers, points: readonly AttachedPoint[]): Finder {
  const at = new Float64Array(3)
  const tied = points.flatMap((point, i) => point.tied ? [i] : [])
  return {
    begin() {
      for (const k of tied) {
        const { particles, weights, body } = points[k]!
        const i = links.add(TIE, TIES, k, 0)
        links.particles.set(particles, 4 * i)
        links.weights.set(weights, 4 * i)
        links.carriers[i] = body + 1
      }
    },
    carry: () => true,
    limit: () => 1,
    place(i, X) {
      const { particles, weights, body, point: [x, y, z] } = points[links.first[i]!]!
      outward(all.rotations, all.origins, body + 1, x, y, z, at)
      for (let k = 0; k < 3; k++) {
        links.arms[3 * i + k] = at[k]! - all.centers[3 * (body + 1) + k]!
        let error = -at[k]!
        for (let w = 0; w < particles.length; w++) error += weights[w]! * X[3 * particles[w]! + k]!
        links.slips[3 * i + k] = error
      }
    },
  }
}
