/** Pieces of a mesh coloured by their distance beyond it: for the viewport and for the picture in a question. */

import { cross, normalize, sub, type Vec3 } from '../../core/math/vector'
import type { DecomposedMesh, PiecesDeviation } from '../../main/protocol/meshes'
import type { ConvexPiece } from '../../core/scene'
import { rampColor } from '../viewport/deformables/colours'
import type { ColourScale } from '../viewport/shown-scale'
import type { DrawingMesh } from '../viewport/geometry/drawing-mesh'
import { hullMesh } from '../shapes/drawing'
import type { PictureFace } from './raster'

/** m: smaller full scales are shown in millimetres. */
const SMALL = 0.1

export function deviationScale(most: number): ColourScale {
  return most < SMALL ? { label: 'Beyond the mesh', unit: 'mm', full: 1000 * most, signed: false } : { label: 'Beyond the mesh', unit: 'm', full: most, signed: false }
}

const triple = (columns: Float32Array, i: number): Vec3 => [columns[3 * i]!, columns[3 * i + 1]!, columns[3 * i + 2]!]

interface SmallTriangle {
  readonly corners: readonly [number, number, number]
  readonly points: readonly [Vec3, Vec3, Vec3]
  readonly normal: Vec3
}

function* trianglesOf({ points, triangles }: PiecesDeviation): Generator<SmallTriangle> {
  for (let i = 0; i < triangles.length; i += 3) {
    const corners = [triangles[i]!, triangles[i + 1]!, triangles[i + 2]!] as const
    const [a, b, c] = corners.map(corner => triple(points, corner)) as [Vec3, Vec3, Vec3]
    const normal = normalize(cross(sub(b, a), sub(c, a)))
    if (Number.isFinite(normal[0])) yield { corners, points: [a, b, c], normal }
  }
}

/** Coloured triangles with the edges of the pieces, in the shape's axes. */
export function deviationMesh(deviation: PiecesDeviation, pieces: DecomposedMesh['pieces'], most: number): DrawingMesh {
  const { points, distances } = deviation
  const normals = new Float32Array(points.length)
  const indices: number[] = []
  for (const { corners, normal } of trianglesOf(deviation)) {
    indices.push(...corners)
    for (const corner of corners) normals.set(normal, 3 * corner)
  }
  const colors = new Float32Array(points.length)
  distances.forEach((distance, i) => colors.set(rampColor(distance / most), 3 * i))
  const edges = pieces.map(piece => hullMesh(piece).edges)
  const all = new Float32Array(edges.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const one of edges) {
    all.set(one, at)
    at += one.length
  }
  return { positions: points, normals, indices: Uint32Array.from(indices), edges: all, colors }
}

export function deviationFaces(deviation: PiecesDeviation, most: number): PictureFace[] {
  return [...trianglesOf(deviation)].map(({ corners, points, normal }) => ({
    points, normal, color: rampColor(corners.reduce((sum, corner) => sum + deviation.distances[corner]!, 0) / 3 / most),
  }))
}

/** Whether a shape still has the pieces that were found. */
export function samePieces(pieces: readonly ConvexPiece[] | undefined, found: DecomposedMesh['pieces']): boolean {
  return pieces?.length === found.length && pieces.every(({ points }, i) => (
    points.length === found[i]!.length && points.every((p, k) => p.every((x, axis) => x === found[i]![k]![axis]))))
}
