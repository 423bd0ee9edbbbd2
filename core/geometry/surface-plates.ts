/**
 * Surfaces that enclose nothing, such as terrain, as thin convex plates: behind each flat part of the surface one whose front is exactly that part. Bodies
 * touch the surface as it is; only its back, which is a plate's depth behind, is not. Since no motion passes through a solid, however thin, the depth may be
 * small.
 *
 * A plate is the prism behind its part, cut by the planes of those neighbours behind which the part lies. So at a ridge no plate comes through the surface
 * beside it; in a valley the prisms spread apart, behind the surface. Where the surface comes back behind itself, plates are half as deep as the room is.
 */

import { addScaled, cross, dot, length, lengthSquared, lerp, negate, normalize, scale, sub, type Vec3 } from '../math/vector'
import { cutConvex } from './cut-convex'
import { hullFaces } from './hull'
import { triangleMesh, type Mesh } from './mesh'
import { newell, sizeOf } from './polyhedron-build'
import { ShapeError } from './shape'
import { firstIntersection, surfaceTree, type Node } from './surface-tree'

export interface Plates {
  /** Triangles; neighbours have the same side in front. */
  readonly surface: Mesh
  /** Whether all faces looked down and were turned: terrain is seen from above. */
  readonly turned: boolean
  /** Whether some faces looked to the other side than their neighbours and were turned. */
  readonly evened: boolean
  /** Corners of each plate, in the surface's unit. */
  readonly pieces: Vec3[][]
  /** Largest depth of a plate. */
  readonly depth: number
}

/** Most plates of a surface, about as many as columns of a height field: each is a solid that contact is sought with. */
export const MOST_PLATES = 5000
/** Depth of plates where there is room, × size of the surface: thin beside it, and thick beside the gap that bodies in contact keep. */
const DEPTH = 0.01
/** Least depth, × size, where the surface touches its own back: less is no volume. */
const LEAST_DEPTH = 1e-6
/**
 * Distance of a corner from a plane that is due to rounding of its coordinates, × size: files have them in single precision. Parts that meet in smaller bends
 * are one, so that bodies slide over a flat surface as over one plane.
 */
const ON_PLANE = 1e-6
/** Share of the way from a corner of a part to its middle from which the room behind it is measured. The corner itself touches the neighbours. */
const INWARDS = 0.1

/** A flat convex part of the surface: indices of its corners, anticlockwise seen from the front. */
interface Part {
  readonly loop: readonly number[]
  readonly normal: Vec3
}

/** @throws ShapeError: invalid faces, no area, or too many flat parts */
export function surfacePlates(mesh: Mesh): Plates {
  const triangles = triangleMesh(mesh)
  const even = evenlyOriented(triangles)
  const turned = even.faces.every(face => newell(even.vertices, face)[2] <= 0) && even.faces.some(face => newell(even.vertices, face)[2] < 0)
  const surface = turned ? { ...even, faces: even.faces.map(face => [...face].reverse()) } : even
  const { vertices } = surface
  const size = sizeOf(vertices)
  const parts = flatParts(surface, ON_PLANE * size)
  if (parts.length === 0) throw new ShapeError('mesh', 'zeroVolume', 'its faces have no area')
  if (parts.length > MOST_PLATES) {
    throw new ShapeError('mesh', 'tooManyFaces', `its open surface has ${parts.length} flat parts, and at most ${MOST_PLATES} are used as they are; simplify it first`)
  }
  const around = partsAround(parts)
  const tree = surfaceTree(surface)
  const depths = parts.map(part => depthOf(part, vertices, tree, size))
  const pieces = parts.map((part, k) => plateOf(part, depths[k]!, vertices, neighboursOf(part, around), ON_PLANE * size))
  const evened = even.faces.some((face, k) => face !== triangles.faces[k])
  return { surface, turned, evened, pieces, depth: Math.max(...depths) }
}

/** Turns faces so that neighbours run along their common edge in opposite directions, as most of each connected part do, by area. */
function evenlyOriented({ vertices, faces }: Mesh): Mesh {
  const byEdge = new Map<number, number[]>()
  const keyOf = (a: number, b: number) => Math.min(a, b) * vertices.length + Math.max(a, b)
  faces.forEach((face, f) => face.forEach((a, k) => {
    const key = keyOf(a, face[(k + 1) % face.length]!)
    const known = byEdge.get(key)
    if (known === undefined) byEdge.set(key, [f])
    else known.push(f)
  }))
  const runs = (f: number, a: number, b: number) => faces[f]!.some((v, k) => v === a && faces[f]![(k + 1) % faces[f]!.length] === b)
  /** Whether a face is turned against the first of its connected part; −1 before it is known. */
  const against = new Int8Array(faces.length).fill(-1)
  const isTurned = new Uint8Array(faces.length)
  for (let first = 0; first < faces.length; first++) {
    if (against[first] !== -1) continue
    against[first] = 0
    const connected = [first]
    for (const f of connected) {
      const face = faces[f]!
      face.forEach((a, k) => {
        const b = face[(k + 1) % face.length]!
        const sharing = byEdge.get(keyOf(a, b))!
        const other = sharing.length === 2 ? sharing[sharing[0] === f ? 1 : 0]! : f
        if (other === f || against[other] !== -1) return
        against[other] = runs(other, a, b) ? 1 - against[f]! : against[f]!
        connected.push(other)
      })
    }
    const areas = [0, 0]
    for (const f of connected) areas[against[f]!]! += length(newell(vertices, faces[f]!))
    for (const f of connected) isTurned[f] = against[f] === (areas[0]! >= areas[1]! ? 1 : 0) ? 1 : 0
  }
  return { vertices, faces: faces.map((face, f) => isTurned[f] === 1 ? [...face].reverse() : face) }
}

/** Neighbouring triangles of one plane are joined while the result is convex. */
function flatParts({ vertices, faces }: Mesh, tolerance: number): Part[] {
  const parts = new Map<number, Part>()
  const byEdge = new Map<number, number>()
  const keyOf = (a: number, b: number) => a * vertices.length + b
  const enter = (k: number, part: Part) => {
    parts.set(k, part)
    part.loop.forEach((a, i) => byEdge.set(keyOf(a, part.loop[(i + 1) % part.loop.length]!), k))
  }
  faces.forEach((loop, k) => {
    const area = newell(vertices, loop)
    if (lengthSquared(area) > 0) enter(k, { loop, normal: normalize(area) })
  })
  for (const k of [...parts.keys()]) {
    for (let joined = true; joined;) {
      joined = false
      const part = parts.get(k)
      if (part === undefined) break
      for (const [i, a] of part.loop.entries()) {
        const other = byEdge.get(keyOf(part.loop[(i + 1) % part.loop.length]!, a))
        const next = other === undefined || other === k ? undefined : parts.get(other)
        const union = next === undefined ? null : unionOf(part, next, vertices, tolerance)
        if (union === null) continue
        parts.delete(other!)
        enter(k, union)
        joined = true
        break
      }
    }
  }
  return [...parts.values()]
}

/** Null unless both lie in one plane, meet in one chain of edges, and are convex together. */
function unionOf(a: Part, b: Part, vertices: readonly Vec3[], tolerance: number): Part | null {
  if (dot(a.normal, b.normal) <= 0) return null
  const origin = vertices[a.loop[0]!]!
  if (b.loop.some(v => Math.abs(dot(a.normal, sub(vertices[v]!, origin))) > tolerance)) return null
  const [n, m] = [a.loop.length, b.loop.length]
  const isCommon = a.loop.map((v, i) => {
    const at = b.loop.indexOf(v)
    return at >= 0 && b.loop[(at + m - 1) % m] === a.loop[(i + 1) % n]
  })
  const starts = isCommon.flatMap((common, i) => common && !isCommon[(i + n - 1) % n]! ? [i] : [])
  const [first] = starts
  const common = isCommon.filter(Boolean).length
  if (first === undefined || starts.length > 1) return null
  const start = b.loop.indexOf(a.loop[first]!)
  const loop = [
    ...Array.from({ length: n - common }, (_, k) => a.loop[(first + common + k) % n]!),
    ...Array.from({ length: m - common }, (_, k) => b.loop[(start + k) % m]!),
  ]
  if (loop.length < 3 || new Set(loop).size < loop.length) return null
  const isConvex = loop.every((v, k) => {
    const [p, q, r] = [vertices[loop[(k + loop.length - 1) % loop.length]!]!, vertices[v]!, vertices[loop[(k + 1) % loop.length]!]!]
    const [into, out] = [sub(q, p), sub(r, q)]
    // Corners on a straight side are allowed, also where rounding bends it in.
    return dot(cross(into, out), a.normal) >= -tolerance * Math.max(Math.sqrt(lengthSquared(into)), Math.sqrt(lengthSquared(out)))
  })
  return isConvex ? { loop, normal: a.normal } : null
}

function partsAround(parts: readonly Part[]): Map<number, Part[]> {
  const around = new Map<number, Part[]>()
  for (const part of parts) {
    for (const v of part.loop) {
      const known = around.get(v)
      if (known === undefined) around.set(v, [part])
      else known.push(part)
    }
  }
  return around
}

function neighboursOf(part: Part, around: ReadonlyMap<number, readonly Part[]>): Set<Part> {
  const neighbours = new Set(part.loop.flatMap(v => around.get(v)!))
  neighbours.delete(part)
  return neighbours
}

function depthOf({ loop, normal }: Part, vertices: readonly Vec3[], tree: Node, size: number): number {
  const corners = loop.map(v => vertices[v]!)
  const middle = scale(corners.reduce((sum, p) => [sum[0] + p[0], sum[1] + p[1], sum[2] + p[2]]), 1 / corners.length)
  const inwards = negate(normal)
  const room = [middle, ...corners.map(p => lerp(p, middle, INWARDS))].map(p => (
    // It starts behind the part itself.
    firstIntersection(tree, addScaled(p, inwards, LEAST_DEPTH * size), inwards, 2 * DEPTH * size)))
  return Math.max(LEAST_DEPTH * size, Math.min(DEPTH * size, ...room.map(distance => distance / 2)))
}

/** Corners of the plate. Neighbours behind which the part does not lie are valleys, and cut nothing. */
function plateOf({ loop, normal }: Part, depth: number, vertices: readonly Vec3[], neighbours: Iterable<Part>, tolerance: number): Vec3[] {
  const front = loop.map(v => vertices[v]!)
  let plate = hullOf([...front, ...front.map(p => addScaled(p, normal, -depth))])
  for (const other of neighbours) {
    const plane = { normal: other.normal, offset: dot(other.normal, vertices[other.loop[0]!]!) }
    if (front.some(p => dot(plane.normal, p) - plane.offset > tolerance)) continue
    const { behind, section } = cutConvex(plate, plane)
    if (section.length > 0) plate = hullOf(behind)
  }
  return [...plate.vertices]
}

function hullOf(points: readonly Vec3[]): Mesh {
  const { vertices, loops } = hullFaces('mesh', points)
  return { vertices, faces: loops }
}
