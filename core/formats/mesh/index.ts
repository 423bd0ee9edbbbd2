import { utf8 } from '../../math/hash'
import { readDae } from './dae'
import { readGltf } from './gltf'
import { meshEnding, MESH_FILES, MeshError, type Mesh, type MeshEnding } from './mesh'
import { readObj } from './obj'
import { readPly } from './ply'
import { readStl } from './stl'

export { lookIn } from './look'
export { isMeshFile, MESH_FILES, MeshError, type Mesh } from './mesh'

const readers: { readonly [E in Exclude<MeshEnding, 'obj'>]: (bytes: Uint8Array, pointsOnly: boolean) => Mesh | Promise<Mesh> } = {
  stl: readStl, ply: readPly, gltf: readGltf, glb: readGltf, dae: readDae,
}

/**
 * Reads a mesh, in the format given by its extension.
 * @param content bytes, or text
 * @param pointsOnly whether points without faces are accepted
 * @throws MeshError
 */
export async function readMesh(fileName: string, content: Uint8Array | string, pointsOnly = false): Promise<Mesh> {
  const ending = meshEnding(fileName)
  if (ending === null) {
    throw new MeshError('mesh', fileName, `unknown kind of file; allowed are ${MESH_FILES.join(', ')}`)
  }
  if (ending === 'obj') return readObj(content, pointsOnly)
  return readers[ending](typeof content === 'string' ? utf8(content) : content, pointsOnly)
}
