import { existsSync } from 'node:fs'
import { basename, dirname, relative, sep } from 'node:path'
import { isMeshFile, MESH_FILES } from '../../core/formats/mesh'
import { meshScene, meshShape } from '../../core/formats/mesh/shape'
import { writeScene } from '../../core/scene'
import { readMeshFile } from '../engine/decompositions'
import { writeWhole } from '../engine/files'
import { Arguments } from './arguments'
import { decomposed, decompositionOptions, settingsOf } from './decomposition'
import { exitCodes, print, printJson, usage } from './output'

export const importOptions = {
  output: { type: 'string', short: 'o' }, scale: { type: 'string' }, density: { type: 'string' }, reference: { type: 'boolean' },
  ...decompositionOptions, json: { type: 'boolean' },
} as const

/** `cairn import <mesh> [-o scene]`: a scene with the mesh, cut into convex pieces, over the ground. */
export async function importMesh(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, importOptions, ['file'])
  const path = given.positionals[0]!
  if (!isMeshFile(path)) throw usage(`"${path}" is no mesh.`, `a file ending in ${MESH_FILES.join(', ')}`)
  const stem = basename(path).replace(/\.[^.]*$/, '')
  const named = given.text('output')
  const output = named ?? `${path.replace(/\.[^.]*$/, '')}.cairn.json`
  if (named === undefined && existsSync(output)) throw usage(`"${output}" is there already.`, 'another path, or this one, with -o')
  const scale = given.number('scale', { above: 0 }) ?? 1
  const density = given.number('density', { above: 0 }) ?? 1000
  const found = await decomposed(basename(path), { source: { name: path, bytes: readMeshFile(path) }, scale, settings: settingsOf(given) })
  const shape = meshShape(found, 'material', scale, given.flag('reference') ? pathFrom(output, path) : undefined)
  const id = `body-${stem.replace(/[^A-Za-z0-9_.-]+/g, '-').slice(0, 100)}`
  writeWhole(output, writeScene(meshScene(stem, id, shape, density), null))
  if (given.flag('json')) {
    const { method, volume, piecesVolume, notes } = found
    printJson({ status: 'completed', scene: output, pieces: found.pieces.length, method, volume, piecesVolume, notes })
  } else {
    print(output)
  }
  return exitCodes.done
}

/** The mesh's path as the scene writes it. */
function pathFrom(scene: string, mesh: string): string {
  const path = relative(dirname(scene), mesh)
  if (path.startsWith('..')) throw usage('--reference needs the mesh below the folder of the scene.')
  return path.split(sep).join('/')
}
