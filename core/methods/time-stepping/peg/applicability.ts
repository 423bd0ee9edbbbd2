/**
 * Which features of two convex polyhedra can touch, by their directions (applicability) and by their places (feasibility) [PEG17 §4].
 *
 * Applicability is a sine, ≥ 0 where the features can touch as they are turned now; relaxing it to ≥ −sin θ admits what can come to touch when the
 * bodies turn against each other by θ within the step [PEG17 eq. 28–31]. Feasibility admits what lies near enough.
 */

import { cross, dot, length, lengthSquared, scale, sub, type Vec3 } from '../../../math/vector'
import type { PlacedSolid } from './placed'

/**
 * APPL of vertex v on a face with outward normal η̂: the least of (w − v)·η̂/|w − v| over the vertices w next to v [PEG17 eq. 30]. At 0 or above no
 * neighbour lies lower than v.
 */
export function vertexApplicability(of: PlacedSolid, v: number, normal: Vec3): number {
  const at = of.vertices[v]!
  let least = Infinity
  for (const w of of.solid.vertexNeighbors[v]!) {
    const along = sub(of.vertices[w]!, at)
    least = Math.min(least, dot(along, normal) / length(along))
  }
  return least
}

/**
 * Half of the APPL of an edge pair [PEG17 eq. 31]: for a direction n̂ at right angles to edge e, pointing *into* its body, the least t_i · n̂ over the
 * edge's two faces, t_i the unit vector in the face at right angles to e, into the face [PEG17 eq. 26]. At 0 or above the body lies on n̂'s side of the edge.
 */
export function edgeApplicability(of: PlacedSolid, e: number, inwards: Vec3): number {
  const edge = of.solid.edges[e]!
  const direction = of.directions[e]!
  // The left face's loop runs along the edge, the right one's against it.
  return Math.min(dot(cross(of.normals[edge.left]!, direction), inwards), dot(cross(direction, of.normals[edge.right]!), inwards))
}

/**
 * Whether a point can come to lie on face f when nothing moves farther than `reach`, m: its foot lies within the face's polygon, or no farther beyond a side.
 * (The relaxed feasibility region of [PEG17 fig. 15], with the way of a whole step for ε.)
 */
export function isOverFace(on: PlacedSolid, f: number, point: Vec3, reach: number): boolean {
  const { solid, normals, vertices } = on
  const { loop } = solid.faces[f]!
  const normal = normals[f]!
  return loop.every((a, k) => {
    const from = vertices[a]!
    const side = sub(vertices[loop[(k + 1) % loop.length]!]!, from)
    return dot(cross(normal, side), sub(point, from)) >= -reach * length(side)
  })
}

/** sin² of the angle between two unit directions. */
export function sineSquared(a: Vec3, b: Vec3): number {
  return lengthSquared(cross(a, b))
}

/** n̂ = ± e × e′/|e × e′| for edge i of one solid and edge j of another that are not parallel: the sign for which it points out of the other at its edge. */
export function outOfEdge(of: PlacedSolid, i: number, other: PlacedSolid, j: number): { normal: Vec3, sign: 1 | -1 } {
  const m = cross(of.directions[i]!, other.directions[j]!)
  const { left, right } = other.solid.edges[j]!
  const sign = dot(m, other.normals[left]!) + dot(m, other.normals[right]!) < 0 ? -1 : 1
  return { normal: scale(m, sign / length(m)), sign }
}
