/** Drawing meshes of a body's visuals: fine meshes without edges, two-sided if they are open. */

import { cross, length, sub, type Vec3 } from '../../../core/math/vector'
import type { MeshAsset, Shape, Visual } from '../../../core/scene'
import type { DrawingMesh } from './drawing-mesh'
import { smoothedMesh } from './faceted'
import { drawingOf, type ShapeDrawing } from '../../shapes'
import { contentKey } from '../../shapes/drawing'
import { parseColor } from '../color'

/** Meshes with more faces than this are drawn without edges, which would cover the surface. */
const COARSE = 500

/** Null if the scene does not have the mesh. */
export function visualDrawing(visual: Visual, meshes: ReadonlyMap<string, MeshAsset>): ShapeDrawing | null {
  if (visual.type !== 'mesh') {
    const { color: _, ...sized } = visual
    return drawingOf({ ...sized, material: '' } as Shape)
  }
  const mesh = meshes.get(visual.mesh)
  return mesh === undefined ? null : { key: keyOf(mesh), scale: [1, 1, 1], round: false, build: () => seenMesh(mesh) }
}

function keyOf({ vertices, faces, colors, uv }: MeshAsset): string {
  return [vertices, faces, colors, uv].reduce((key, list) => list === undefined ? `${key}|` : contentKey(list, key), 'visual')
}

function seenMesh({ vertices, faces, colors, uv }: MeshAsset): DrawingMesh {
  const bounding = faces.filter(face => face.length > 3 || areaOf(vertices, face) > 0)
  // Surfaces with pictures have several vertices at one place where the coordinates jump.
  const placed = colors === undefined && uv === undefined ? null : placesOf(vertices)
  const welded = placed === null ? bounding : bounding.map(face => face.map(v => placed[v]!))
  const both = isClosed(welded, vertices.length) ? bounding : [...bounding, ...bounding.map(face => [...face].reverse())]
  const { edges } = smoothedMesh(vertices, bounding.length > COARSE ? [] : bounding, placed)
  const drawn: number[] = []
  const mesh = { ...smoothedMesh(vertices, both, placed, drawn), edges }
  return {
    ...mesh, ...colors === undefined ? {} : { colors: Float32Array.from(drawn.flatMap(v => [...parseColor(colors[v]!)])) },
    ...uv === undefined ? {} : { uv: Float32Array.from(drawn.flatMap(v => [...uv[v]!])) },
  }
}

/** By vertex: the first vertex with the same coordinates. */
function placesOf(vertices: readonly Vec3[]): number[] {
  const first = new Map<string, number>()
  return vertices.map((p, v) => {
    const key = p.join(' ')
    const known = first.get(key) ?? v
    first.set(key, known)
    return known
  })
}

function areaOf(vertices: readonly Vec3[], [a, b, c]: readonly number[]): number {
  return length(cross(sub(vertices[b!]!, vertices[a!]!), sub(vertices[c!]!, vertices[a!]!)))
}

/** Whether every edge is used once in each direction. */
function isClosed(faces: readonly (readonly number[])[], count: number): boolean {
  const open = new Set<number>()
  for (const face of faces) {
    for (let i = 0; i < face.length; i++) {
      const [from, to] = [face[i]!, face[(i + 1) % face.length]!]
      if (!open.delete(to * count + from)) open.add(from * count + to)
    }
  }
  return open.size === 0
}
