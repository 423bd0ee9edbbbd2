/**
 * Particles that are fixed to points of bodies or of the world, or move on prescribed paths.
 *
 * A particle on a static or prescribed body is held: its position follows the body. Particles on dynamic bodies, points of triangles, and seams are
 * ties: links that the implicit step satisfies by multipliers, together with the bodies.
 */

import type { World } from '../../contact/world'
import { outward, ROD, TIE, TIES, type Carriers, type Finder, type Links } from '../../deformables'
import { bodyPoint } from '../../dynamics/forces/targets'
import { WORLD_MOTION } from '../../dynamics/joints/frame'
import type { ParticlePath } from '../../dynamics/joints/particle-path'
import { velocityAt, type BodyMotion } from '../../geometry/motion'
import { add, type Vec3 } from '../../math/vector'

export interface AttachedPoint {
  readonly deformable: number
  /** One particle, the three of a triangle, or the two of a seam, with weights. */
  readonly particles: Int32Array
  readonly weights: Float64Array
  /** −1 is the world. */
  readonly body: number
  /** In the body frame. */
  readonly point: Vec3
  /** Displacement of the point with time; null if it does not move by itself. */
  readonly path: ParticlePath | null
  /** Constrained by a tie; otherwise its one particle is held. */
  readonly tied: boolean
}

/**
 * In the order of their reactions: for each deformable its pins, its attachments, its seams (two particles whose difference is held at zero), and its
 * controlled particles.
 */
export function attachedPoints({ deformables, bodies }: World): AttachedPoint[] {
  return deformables!.list.flatMap(({ attachments, pins, sheet, controlled }, deformable) => [
    ...[...pins].map((particle): AttachedPoint => ({
      deformable, particles: Int32Array.of(particle), weights: Float64Array.of(1), body: -1, point: pointOf(deformables!.position, particle), path: null,
      tied: false,
    })),
    ...attachments.map(({ particles, weights, body, point }): AttachedPoint => ({
      deformable, particles, weights, body, point, path: null, tied: particles.length > 1 || (body >= 0 && bodies[body]!.type === 'dynamic'),
    })),
    ...pairsOf(sheet?.seams ?? new Int32Array(0)).map((pair): AttachedPoint => ({
      deformable, particles: pair, weights: Float64Array.of(1, -1), body: -1, point: [0, 0, 0], path: null, tied: true,
    })),
    ...controlled.map(({ particle, from, path }): AttachedPoint => ({
      deformable, particles: Int32Array.of(particle), weights: Float64Array.of(1), body: -1, point: from, path, tied: false,
    })),
  ])
}

/** By particle: 1 if forces do not move it. @param blocks their number, of bodies too */
export function heldBlocks(attached: readonly AttachedPoint[], blocks: number): Uint8Array {
  const held = new Uint8Array(blocks)
  for (const { particles: [particle], tied } of attached) if (!tied) held[particle!] = 1
  return held
}

function pairsOf(list: Int32Array): Int32Array[] {
  return Array.from({ length: list.length / 2 }, (_, k) => list.slice(2 * k, 2 * k + 2))
}

/** Position of a particle, m, world frame. */
export function pointOf(x: Float64Array, particle: number): Vec3 {
  return [x[3 * particle]!, x[3 * particle + 1]!, x[3 * particle + 2]!]
}

interface Place {
  readonly position: Vec3
  readonly velocity: Vec3
}

/** Position of a point, m, and its velocity with its body or on its path, m/s. @param time s, for paths */
export function placeOf({ body, point, path }: AttachedPoint, motions: readonly BodyMotion[], time: number): Place {
  if (path !== null) {
    const { offset, velocity } = path(time)
    return { position: add(point, offset), velocity }
  }
  const motion = body < 0 ? WORLD_MOTION : motions[body]!
  const position = bodyPoint(motion, point)
  return { position, velocity: velocityAt(motion, position) }
}

/** The links of ties and rods. A link's first number is the index of the attached point or, beyond these, of the rod. */
export function ties(links: Links, all: Carriers, points: readonly AttachedPoint[],
  rods: readonly { readonly particles: Int32Array; readonly length: number }[]): Finder {
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
      rods.forEach(({ particles, length }, k) => {
        const i = links.add(ROD, TIES, points.length + k, 0)
        links.particles[4 * i] = particles[0]!
        links.particles[4 * i + 1] = particles[1]!
        links.weights[4 * i] = 1
        links.weights[4 * i + 1] = -1
        links.offsets[i] = length
      })
    },
    carry: () => true,
    limit: () => 1,
    place(i, X) {
      if (links.kinds[i] === ROD) {
        const [a, b] = [3 * links.particles[4 * i]!, 3 * links.particles[4 * i + 1]!]
        const [x, y, z] = [X[a]! - X[b]!, X[a + 1]! - X[b + 1]!, X[a + 2]! - X[b + 2]!]
        const distance = Math.sqrt(x * x + y * y + z * z)
        links.gaps[i] = distance - links.offsets[i]!
        links.normals[3 * i] = x / distance
        links.normals[3 * i + 1] = y / distance
        links.normals[3 * i + 2] = z / distance
        return
      }
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
