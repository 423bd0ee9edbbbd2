/** Wavefront OBJ: `v` and `f` records. Other records (normals, textures, groups, materials) do not affect the shape. */

import type { Vec3 } from '../../math/vector'
import { finite, latin, MAX_MESH_FACES, MAX_MESH_VERTICES, MeshError, requireCount, type Mesh } from './mesh'

const IGNORED = new Set(['vn', 'vt', 'vp', 'g', 'o', 's', 'usemtl', 'mtllib', 'l', 'p'])

/** @param pointsOnly whether a file without faces is accepted, for its convex hull @throws MeshError naming the line. */
export function readObj(source: Uint8Array | string, pointsOnly = false): Mesh {
  const vertices: Vec3[] = []
  const faces: number[][] = []
  const text = typeof source === 'string' ? source : latin(source)
  const point: [number, number, number] = [0, 0, 0]
  for (let i = 0, from = 0; from <= text.length; i++) {
    const newline = text.indexOf('\n', from)
    const to = newline < 0 ? text.length : newline
    const line = text.slice(from, to)
    from = to + 1
    // Half of all lines are vertices; this path avoids splitting them into words.
    if (vertices.length < MAX_MESH_VERTICES && threeNumbers(line, point)) {
      vertices.push([point[0], point[1], point[2]])
      continue
    }
    const comment = line.indexOf('#')
    const words = (comment < 0 ? line : line.slice(0, comment)).trim().split(/\s+/)
    const word = words[0]!
    if (word === 'v') {
      vertices.push(finite('OBJ', lineAt(i), words.slice(1, 4).map(Number)))
      if (vertices.length > MAX_MESH_VERTICES) requireCount('OBJ', lineAt(i), 'vertices', vertices.length)
    } else if (word === 'f') {
      if (words.length < 4) {
        throw new MeshError('OBJ', lineAt(i), `a face of ${words.length - 1} vertices; it needs at least 3`)
      }
      const face: number[] = []
      for (let k = 1; k < words.length; k++) face.push(vertexOf(words[k]!, vertices.length, i))
      faces.push(face)
      if (faces.length > MAX_MESH_FACES) requireCount('OBJ', lineAt(i), 'faces', faces.length)
    } else if (word !== '' && !IGNORED.has(word)) {
      throw new MeshError('OBJ', lineAt(i), `unknown record "${word.slice(0, 20)}"`)
    }
  }
  if (faces.length === 0 && !(pointsOnly && vertices.length > 0)) {
    throw new MeshError('OBJ', 'end', 'there are no faces')
  }
  return { vertices, faces }
}

/** Whether a line is `v x y z` with single spaces and finite numbers, which are written into `out`. */
function threeNumbers(line: string, out: [number, number, number]): boolean {
  if (!line.startsWith('v ')) return false
  const second = line.indexOf(' ', 2) + 1
  const third = line.indexOf(' ', second) + 1
  if (second <= 3 || third <= second + 1 || third >= line.length || line.includes(' ', third)) return false
  out[0] = Number(line.slice(2, second - 1))
  out[1] = Number(line.slice(second, third - 1))
  out[2] = Number(line.slice(third))
  return Number.isFinite(out[0]) && Number.isFinite(out[1]) && Number.isFinite(out[2])
}

const lineAt = (index: number): string => `line ${index + 1}`

/** `v`, `v/vt`, `v//vn` or `v/vt/vn`, from 1, or from the end if negative. */
function vertexOf(corner: string, count: number, line: number): number {
  const slash = corner.indexOf('/')
  const number = Number(slash < 0 ? corner : corner.slice(0, slash))
  const index = number < 0 ? count + number : number - 1
  if (!Number.isInteger(number) || number === 0 || index < 0 || index >= count) {
    throw new MeshError('OBJ', lineAt(line), `"${corner.slice(0, 20)}" does not refer to a vertex; there are ${count} so far`)
  }
  return index
}
