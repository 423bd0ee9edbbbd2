/** Compiles conditions on vertices: absent values are those at the start. */

import type { RigidBody } from '../dynamics/body'
import type { BodyPoint, ParticleCondition } from '../dynamics/deformable'
import { curveOf } from '../dynamics/joints/curve'
import { atan2 } from '../math/elementary'
import { toOuter } from '../math/pose'
import { addScaled, cross, distance, dot, length, normalize, scale, sub, ZERO, type Vec3 } from '../math/vector'
import type { ResolvedVertexCondition } from '../scene'

/** Places of a world that conditions join. */
export interface Numbering {
  /** By id of a deformable: number of its first particle. */
  readonly firsts: ReadonlyMap<string, number>
  /** m, 3 a particle. */
  readonly position: Float64Array
  /** kg */
  readonly mass: Float64Array
  readonly bodies: ReadonlyMap<string, RigidBody>
  /** Points of bodies in the order in which conditions name them, with their initial places, m; and the number of the first. */
  readonly points: (BodyPoint & { readonly at: Vec3 })[]
  readonly firstPoint: number
}

/** Number of a point of a body; null is the world. The same point has one number, so that a condition that is there twice is found. */
function numberOf(id: string | null, point: Vec3, { bodies, points, firstPoint }: Numbering): number {
  const body = id === null ? undefined : bodies.get(id)!
  const known = points.findIndex(one => one.body === (body?.index ?? -1) && one.point.every((x, k) => x === point[k]))
  if (known >= 0) return firstPoint + known
  points.push({ body: body?.index ?? -1, point, at: body === undefined ? point : toOuter(body.initial.pose, point) })
  return firstPoint + points.length - 1
}

/** @param first number of the first particle of the deformable that has the condition */
export function particleCondition(condition: ResolvedVertexCondition, first: number, numbering: Numbering): ParticleCondition {
  const { firsts, position, mass, points, firstPoint } = numbering
  const particles = Int32Array.from(condition.type === 'point' ? [first + condition.vertex] : [
    ...condition.vertices.map(vertex => first + vertex),
    ...condition.others.map(other => other.type === 'vertex' ? firsts.get(other.deformable)! + other.vertex : numberOf(other.body, other.point, numbering)),
  ])
  const place = (k: number): Vec3 => k >= firstPoint ? points[k - firstPoint]!.at : [position[3 * k]!, position[3 * k + 1]!, position[3 * k + 2]!]
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
