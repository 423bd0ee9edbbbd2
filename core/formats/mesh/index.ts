import { MeshError, type Mesh } from './mesh'
import { readObj } from './obj'
import { readPly } from './ply'
import { readStl } from './stl'

export { MeshError, type Mesh } from './mesh'

/** Endings of the mesh files that can be read, without the dot. */
export const MESH_FILES = ['obj', 'stl', 'ply'] as const

/** Reads a mesh by its file's ending. @throws MeshError */
export function readMesh(fileName: string, bytes: Uint8Array): Mesh {
  const ending = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase()
  switch (ending) {
    case 'obj':
      return readObj(bytes)
    case 'stl':
      return readStl(bytes)
    case 'ply':
      return readPly(bytes)
    default:
      throw new MeshError('mesh', fileName, `"${ending}" files are not known; known are ${MESH_FILES.join(', ')}`)
  }
}
