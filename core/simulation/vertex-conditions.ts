/** Compiles conditions on vertices: absent values are those at the start. */

import type { ParticleCondition } from '../dynamics/deformable'
import { curveOf } from '../dynamics/joints/curve'
import { atan2 } from '../math/elementary'
import { addScaled, cross, distance, dot, length, normalize, scale, sub, ZERO, type Vec3 } from '../math/vector'
import type { ResolvedVertexCondition } from '../scene'

/** @param first number of the deformable's first particle; @param positions, masses of its vertices, m and kg */
export function particleCondition(condition: ResolvedVertexCondition, first: number, positions: readonly Vec3[], masses: Float64Array): ParticleCondition {
  const vertices = condition.type === 'point' ? [condition.vertex] : condition.vertices
  const particles = Int32Array.from(vertices, vertex => first + vertex)
  const at = (k: number): Vec3 => positions[vertices[k]!]!
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
      const total = vertices.reduce((sum, vertex) => sum + masses[vertex]!, 0)
      const centre = scale(vertices.reduce<Vec3>((sum, vertex) => addScaled(sum, positions[vertex]!, masses[vertex]!), ZERO), 1 / total)
      return { type: 'centre', particles, point: condition.point ?? centre }
    }
  }
}

/** rad: of the sides from b to a and c. */
function angleAt(a: Vec3, b: Vec3, c: Vec3): number {
  const [p, q] = [sub(a, b), sub(c, b)]
  return atan2(length(cross(p, q)), dot(p, q))
}
