import { utf8 } from '../../math/hash'
import { partsOfDae, readDae } from './dae'
import { partsOfGltf, readGltf } from './gltf'
import type { MeshPart } from './look'
import { latin, meshEnding, MESH_FILES, MeshError, type Mesh, type MeshEnding } from './mesh'
import { readMtl } from './mtl'
import { partsOfObj, readObj } from './obj'
import { partsOfPly, readPly } from './ply'
import { readStl } from './stl'

export { isPlain, NO_LOOK, PartCollector, type MeshPart, type PictureSource, type SeenMesh } from './look'
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

/**
 * The parts of a mesh file by their appearance. A file without any is one part.
 * @param beside the content of a file that the mesh file names; null if it does not exist
 * @throws MeshError
 */
export async function readParts(
  fileName: string, content: Uint8Array | string, beside: (file: string) => Uint8Array | string | null,
): Promise<readonly MeshPart[]> {
  const bytes = typeof content === 'string' ? utf8(content) : content
  switch (meshEnding(fileName)) {
    case 'obj': return partsOfObj(content, file => {
      const library = beside(file)
      return library === null ? new Map() : readMtl(typeof library === 'string' ? library : latin(library))
    })
    case 'ply': return partsOfPly(bytes)
    case 'dae': return partsOfDae(bytes)
    case 'gltf':
    case 'glb': return partsOfGltf(bytes)
    default: return [{ mesh: await readMesh(fileName, content), color: null, texture: null }]
  }
}
