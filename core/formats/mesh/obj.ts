/** Wavefront OBJ: `v` and `f` records; what else such files hold (normals, textures, groups, materials) says nothing about the shape. */

import type { Vec3 } from '../../math/vector'
import { finite, latin, MeshError, requireCount, type Mesh } from './mesh'

const IGNORED = new Set(['vn', 'vt', 'vp', 'g', 'o', 's', 'usemtl', 'mtllib', 'l', 'p'])

/** @param pointsOnly whether a file without faces will do, for its convex hull @throws MeshError naming the line. */
export function readObj(bytes: Uint8Array, pointsOnly = false): Mesh {
  const vertices: Vec3[] = []
  const faces: number[][] = []
  latin(bytes).split(/\r?\n/).forEach((text, i) => {
    const where = `line ${i + 1}`
    const [word, ...rest] = text.replace(/#.*/, '').trim().split(/\s+/)
    if (word === 'v') {
      requireCount('OBJ', where, 'vertices', vertices.push(finite('OBJ', where, rest.map(Number))))
    } else if (word === 'f') {
      if (rest.length < 3) {
        throw new MeshError('OBJ', where, `a face of ${rest.length} vertices; it needs at least 3`)
      }
      requireCount('OBJ', where, 'faces', faces.push(rest.map(corner => vertexOf(corner, vertices.length, where))))
    } else if (word !== '' && word !== undefined && !IGNORED.has(word)) {
      throw new MeshError('OBJ', where, `unknown record "${word.slice(0, 20)}"`)
    }
  })
  if (faces.length === 0 && !(pointsOnly && vertices.length > 0)) {
    throw new MeshError('OBJ', 'end', 'there are no faces')
  }
  return { vertices, faces }
}

/** `v`, `v/vt`, `v//vn` or `v/vt/vn`, from 1, or from the end if negative. */
function vertexOf(corner: string, count: number, where: string): number {
  const number = Number(corner.split('/')[0])
  const index = number < 0 ? count + number : number - 1
  if (!Number.isInteger(number) || number === 0 || index < 0 || index >= count) {
    throw new MeshError('OBJ', where, `"${corner.slice(0, 20)}" names no vertex; there are ${count} so far`)
  }
  return index
}
