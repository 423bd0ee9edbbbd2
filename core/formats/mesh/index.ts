import { readDae } from './dae'
import { readGltf } from './gltf'
import { meshEnding, MESH_FILES, MeshError, type Mesh, type MeshEnding } from './mesh'
import { readObj } from './obj'
import { readPly } from './ply'
import { readStl } from './stl'

export { isMeshFile, MESH_FILES, MeshError, type Mesh } from './mesh'

const readers: { readonly [E in MeshEnding]: (bytes: Uint8Array, pointsOnly: boolean) => Mesh | Promise<Mesh> } = {
  obj: readObj, stl: readStl, ply: readPly, gltf: readGltf, glb: readGltf, dae: readDae,
}

/** Reads a mesh by its file's ending. @param pointsOnly whether points without faces will do @throws MeshError */
export async function readMesh(fileName: string, bytes: Uint8Array, pointsOnly = false): Promise<Mesh> {
  const ending = meshEnding(fileName)
  if (ending === null) {
    throw new MeshError('mesh', fileName, `this kind of file is not known; known are ${MESH_FILES.join(', ')}`)
  }
  return readers[ending](bytes, pointsOnly)
}
