/** Compiles conditions on vertices: absent values are those at the start. */

import type { ParticleCondition } from '../dynamics/deformable'
import { curveOf } from '../dynamics/joints/curve'
import { atan2 } from '../math/elementary'
import { addScaled, cross, distance, dot, length, normalize, scale, sub, ZERO, type Vec3 } from '../math/vector'
import type { ResolvedVertexCondition } from '../scene'

/** Particles of a world, and where those of each deformable begin. */
export interface Numbering {
  /** By id: number of the first particle. */
  readonly firsts: ReadonlyMap<string, number>
  /** m, 3 a particle. */
  readonly position: Float64Array
  /** kg */
  readonly mass: Float64Array
}

/** @param first number of the first particle of the deformable that has the condition */
export function particleCondition(condition: ResolvedVertexCondition, first: number, { firsts, position, mass }: Numbering): ParticleCondition {
  const particles = Int32Array.from(condition.type === 'point' ? [first + condition.vertex] : [
    ...condition.vertices.map(vertex => first + vertex), ...condition.others.map(({ deformable, vertex }) => firsts.get(deformable)! + vertex),
  ])
  const place = (particle: number): Vec3 => [position[3 * particle]!, position[3 * particle + 1]!, position[3 * particle + 2]!]
  const at = (k: number): Vec3 => place(particles[k]!)
  switch (condition.type) {
    case 'coincide': return { type: 'coincide', particles }
    case 'distance': return { type: 'distance', particles, distance: condition.distance ?? distance(at(0), at(1)) }
    case 'point': return { type: 'point', particles, point: condition.point ?? at(0) }
    case 'line': return { type: 'line', particles, point: condition.point, direction: normalize(condition.direction) }
    case 'plane': return { type: 'plane', particles, point: condition.point, normal: normalize(condition.normal) }
    case 'curve': return { type: 'curve', particles, curve: curveOf(condition.curve) }
    case 'angle': return { type: 'angle', particles, angle: condition.angle ?? angleAt(at(0), at(1), at(2)) }
    case 'area': return { type: 'area', particles, area: condition.area ?? 0.5 * length(cross(sub(at(1), at(0)), sub(at(2), at(0)))) }
    case 'volume': {
      const initial = dot(sub(at(1), at(0)), cross(sub(at(2), at(0)), sub(at(3), at(0)))) / 6
      return { type: 'volume', particles, volume: condition.volume === undefined ? initial : initial < 0 ? -condition.volume : condition.volume }
    }
    case 'centre': {
      const total = particles.reduce((sum, particle) => sum + mass[particle]!, 0)
      const centre = scale([...particles].reduce<Vec3>((sum, particle) => addScaled(sum, place(particle), mass[particle]!), ZERO), 1 / total)
      return { type: 'centre', particles, point: condition.point ?? centre }
    }
  }
}

/** rad: of the sides from b to a and c. */
function angleAt(a: Vec3, b: Vec3, c: Vec3): number {
  const [p, q] = [sub(a, b), sub(c, b)]
  return atan2(length(cross(p, q)), dot(p, q))
}
