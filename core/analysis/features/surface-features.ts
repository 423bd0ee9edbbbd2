/**
 * The vertices, straight edges and flat faces of a triangle surface, convex or not: coplanar neighbours are merged to one
 * face, collinear edges to one edge.
 */

import type { Mesh } from '../../geometry/mesh'
import { sizeOf } from '../../geometry/polyhedron-build'
import { cross, dot, length, normalize, sub, type Vec3 } from '../../math/vector'
import type { ShapeFeature } from './feature'

/**
 * × size: largest distance of a neighbour's corners from a face's plane; room for single-precision coordinates, as in most
 * mesh files.
 */
const COPLANAR = 1e-6
/** Sine of the angle up to which two edges are one straight line, for the same reason. */
const STRAIGHT = 1e-5

interface Side {
  readonly from: number
  readonly to: number
  readonly faces: number[]
}

export function surfaceFeatures({ vertices, faces: triangles }: Mesh): ShapeFeature[] {
  const areas = triangles.map(([a, b, c]) => cross(sub(vertices[b!]!, vertices[a!]!), sub(vertices[c!]!, vertices[a!]!)))
  const sides = sidesOf(triangles, vertices.length)
  const { of, normals } = flatFaces(vertices, triangles, areas, sides)
  const bounds = [...sides.values()].filter(({ faces }) => faces.length !== 2 || of[faces[0]!] !== of[faces[1]!])
  const at = new Map<number, Side[]>()
  for (const side of bounds) {
    for (const v of [side.from, side.to]) {
      const known = at.get(v)
      if (known) known.push(side)
      else at.set(v, [side])
    }
  }
  const isVertex = (v: number): boolean => {
    const [first, second, ...more] = at.get(v)!
    if (!first || !second || more.length > 0) return true
    const [u, w] = [first, second].map(side => normalize(sub(vertices[side.from === v ? side.to : side.from]!, vertices[v]!))) as [Vec3, Vec3]
    return !(dot(u, w) < 0 && length(cross(u, w)) < STRAIGHT)
  }
  const corners = [...at.keys()].filter(isVertex).sort((a, b) => a - b)
  const normalsOf = (those: readonly Side[]): Vec3[] => [...new Set(those.flatMap(side => side.faces.map(f => of[f]!)))].map(f => normals[f]!)
  const members = normals.map((): number[] => [])
  triangles.forEach((_, f) => members[of[f]!]!.push(f))
  const outlines = normals.map((): (readonly [Vec3, Vec3])[] => [])
  for (const side of bounds) for (const f of new Set(side.faces.map(t => of[t]!))) outlines[f]!.push([vertices[side.from]!, vertices[side.to]!])
  return [
    ...corners.map((v): ShapeFeature => ({ feature: { kind: 'vertex', point: vertices[v]! }, normals: normalsOf(at.get(v)!) })),
    ...straightEdges(at, new Set(corners)).map((run): ShapeFeature => ({
      feature: { kind: 'edge', ends: [vertices[run.from]!, vertices[run.to]!] }, normals: normalsOf(run.sides),
    })),
    ...normals.map((normal, f): ShapeFeature => ({
      feature: { kind: 'face', parts: members[f]!.map(t => triangles[t]!.map(v => vertices[v]!)), outline: outlines[f]!, normal }, normals: [normal],
    })),
  ]
}

function sidesOf(triangles: Mesh['faces'], count: number): Map<number, Side> {
  const sides = new Map<number, Side>()
  triangles.forEach((triangle, f) => triangle.forEach((a, k) => {
    const b = triangle[(k + 1) % 3]!
    const key = Math.min(a, b) * count + Math.max(a, b)
    const side = sides.get(key)
    if (side) side.faces.push(f)
    else sides.set(key, { from: Math.min(a, b), to: Math.max(a, b), faces: [f] })
  }))
  return sides
}

/** Grows each face from its largest triangle over neighbours in that triangle's plane, so that small bends do not accumulate. `of`: face of each triangle. */
function flatFaces(vertices: readonly Vec3[], triangles: Mesh['faces'], areas: readonly Vec3[], sides: ReadonlyMap<number, Side>): { of: Int32Array, normals: Vec3[] } {
  const allowed = COPLANAR * sizeOf(vertices)
  const neighbours = triangles.map((): number[] => [])
  for (const { faces: [f, g, ...more] } of sides.values()) {
    if (f === undefined || g === undefined || more.length > 0) continue
    neighbours[f]!.push(g)
    neighbours[g]!.push(f)
  }
  const sizes = areas.map(length)
  const of = new Int32Array(triangles.length).fill(-1)
  const normals: Vec3[] = []
  for (const seed of triangles.map((_, f) => f).sort((f, g) => sizes[g]! - sizes[f]! || f - g)) {
    if (of[seed] !== -1) continue
    const normal = normalize(areas[seed]!)
    const origin = vertices[triangles[seed]![0]!]!
    const isFlat = (f: number): boolean => dot(areas[f]!, normal) >= 0 && triangles[f]!.every(v => Math.abs(dot(normal, sub(vertices[v]!, origin))) <= allowed)
    const group = [seed]
    of[seed] = normals.length
    for (let next = 0; next < group.length; next++) {
      for (const neighbour of neighbours[group[next]!]!) {
        if (of[neighbour] !== -1 || !isFlat(neighbour)) continue
        of[neighbour] = normals.length
        group.push(neighbour)
      }
    }
    normals.push(normal)
  }
  return { of, normals }
}

/** Chains of bounding sides between corners: straight, because a bend is a corner. */
function straightEdges(at: ReadonlyMap<number, readonly Side[]>, corners: ReadonlySet<number>): { from: number, to: number, sides: Side[] }[] {
  const used = new Set<Side>()
  const edges: { from: number, to: number, sides: Side[] }[] = []
  for (const corner of corners) {
    for (const first of at.get(corner)!) {
      if (used.has(first)) continue
      const sides: Side[] = []
      let v = corner
      let side: Side | undefined = first
      while (side) {
        used.add(side)
        sides.push(side)
        v = side.from === v ? side.to : side.from
        side = corners.has(v) ? undefined : at.get(v)!.find(other => !used.has(other))
      }
      edges.push({ from: corner, to: v, sides })
    }
  }
  return edges
}
