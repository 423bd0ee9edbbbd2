import { existsSync } from 'node:fs'
import { basename, dirname, relative, sep } from 'node:path'
import { importFormats, recogniseFormat } from '../../core/formats'
import { isMeshFile, MESH_FILES } from '../../core/formats/mesh'
import { meshScene, meshShape } from '../../core/formats/mesh/shape'
import { addLook, filesNamedBy } from '../../core/formats/shared/file-look'
import { freshIds, writeScene } from '../../core/scene'
import { readMeshFile } from '../engine/decompositions'
import { writeWhole } from '../engine/files'
import { Arguments } from './arguments'
import { decomposed, decompositionOptions, settingsOf } from './decomposition'
import { formatOption } from './format-options'
import { filesBelow, importSceneFile } from './import-scene'
import { exitCodes, print, printJson, usage } from './output'

export const importOptions = {
  output: { type: 'string', short: 'o' }, scale: { type: 'string' }, density: { type: 'string' }, reference: { type: 'boolean' },
  ...decompositionOptions, ...formatOption, from: { type: 'string' }, json: { type: 'boolean' },
} as const

/** `cairn import <file> [-o scene]`: another runtime's scene, or a scene with a mesh, cut into convex pieces, over the ground. */
export async function importFile(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, importOptions, ['file'])
  const path = given.positionals[0]!
  const stem = basename(path).replace(/\.[^.]*$/, '')
  const named = given.text('output')
  const output = named ?? `${path.replace(/\.[^.]*$/, '')}.cairn.json`
  const mesh = isMesh(path, given)
  if (named === undefined && existsSync(output)) throw usage(`"${output}" already exists.`, 'another path, or this one, with -o')
  if (!mesh) return importSceneFile(path, output, given)
  const scale = given.number('scale', { above: 0 }) ?? 1
  const density = given.number('density', { above: 0 }) ?? 1000
  const bytes = readMeshFile(path)
  const below = filesBelow(dirname(path))
  const beside = await filesNamedBy(path, bytes, file => below(file)?.content ?? null)
  const found = await decomposed(basename(path), { source: { name: basename(path), bytes, beside }, scale, settings: settingsOf(given) })
  const shape = meshShape(found, 'material', scale, given.flag('reference') ? pathFrom(output, path) : undefined)
  const id = `body-${stem.replace(/[^A-Za-z0-9_.-]+/g, '-').slice(0, 100)}`
  const scene = meshScene(stem, id, shape, density, found.method === 'surface')
  if (found.look !== null) scene.bodies!.at(-1)!.visuals = addLook(scene, found.look, freshIds(scene))
  writeWhole(output, writeScene(scene, null))
  if (given.flag('json')) {
    const { method, depth, volume, piecesVolume, reach, holes, notes } = found
    printJson({ status: 'completed', scene: output, pieces: found.pieces.length, method, depth, volume, piecesVolume, reach, holes, notes })
  } else {
    print(output)
  }
  return exitCodes.done
}

/** glTF may be a mesh or a scene: a scene if it contains physics, or if --from says so. */
function isMesh(path: string, given: Arguments): boolean {
  const endings = [...MESH_FILES, ...importFormats.flatMap(format => format.importer.extensions.map(extension => extension.slice(1)))]
  if (!endings.some(ending => path.toLowerCase().endsWith(`.${ending}`))) throw usage(`"${path}" is neither a mesh nor a scene of a known format.`, `a file ending in ${[...new Set(endings)].join(', ')}`)
  if (given.text('from') !== undefined || !isMeshFile(path)) return false
  return recogniseFormat({ name: basename(path), content: readMeshFile(path) }) === null
}

/** The mesh's path relative to the scene. */
function pathFrom(scene: string, mesh: string): string {
  const path = relative(dirname(scene), mesh)
  if (path.startsWith('..')) throw usage('--reference needs the mesh below the folder of the scene.')
  return path.split(sep).join('/')
}
