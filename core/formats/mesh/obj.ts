/** Wavefront OBJ: `v` and `f` records; what else such files hold (normals, textures, groups, materials) says nothing about the shape. */

import type { Vec3 } from '../../math/vector'
import { finite, latin, MAX_MESH_FACES, MAX_MESH_VERTICES, MeshError, requireCount, type Mesh } from './mesh'

const IGNORED = new Set(['vn', 'vt', 'vp', 'g', 'o', 's', 'usemtl', 'mtllib', 'l', 'p'])

/** @param pointsOnly whether a file without faces will do, for its convex hull @throws MeshError naming the line. */
export function readObj(source: Uint8Array | string, pointsOnly = false): Mesh {
  const vertices: Vec3[] = []
  const faces: number[][] = []
  const lines = (typeof source === 'string' ? source : latin(source)).split('\n')
  for (const [i, line] of lines.entries()) {
    const comment = line.indexOf('#')
    const words = (comment < 0 ? line : line.slice(0, comment)).trim().split(/\s+/)
    const word = words[0]!
    if (word === 'v') {
      const point: Vec3 = [Number(words[1]), Number(words[2]), Number(words[3])]
      if (!point.every(Number.isFinite)) finite('OBJ', lineAt(i), point)
      vertices.push(point)
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

const lineAt = (index: number): string => `line ${index + 1}`

/** `v`, `v/vt`, `v//vn` or `v/vt/vn`, from 1, or from the end if negative. */
function vertexOf(corner: string, count: number, line: number): number {
  const slash = corner.indexOf('/')
  const number = Number(slash < 0 ? corner : corner.slice(0, slash))
  const index = number < 0 ? count + number : number - 1
  if (!Number.isInteger(number) || number === 0 || index < 0 || index >= count) {
    throw new MeshError('OBJ', lineAt(line), `"${corner.slice(0, 20)}" names no vertex; there are ${count} so far`)
  }
  return index
}
