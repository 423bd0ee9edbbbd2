import { dirname } from 'node:path'
import { withPieces } from '../../core/formats/mesh/shape'
import { ownScene, parseDocument, prefabLibrary, writeScene, type ShapeOf } from '../../core/scene'
import { readMeshBeside } from '../engine/decompositions'
import { readSceneText, writeWhole } from '../engine/files'
import { prefabsIn } from '../engine/prefabs'
import { Arguments } from './arguments'
import { decomposed, decompositionOptions, settingsOf } from './decomposition'
import { exitCodes, print, printJson, Refusal } from './output'

export const decomposeOptions = {
  output: { type: 'string', short: 'o' }, all: { type: 'boolean' }, ...decompositionOptions, json: { type: 'boolean' },
} as const

/** `cairn decompose <scene> [-o scene]`: finds the convex pieces of its meshes and stores them in the scene. */
export async function decomposeScene(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, decomposeOptions, ['scene'])
  const path = given.positionals[0]!
  const settings = settingsOf(given)
  const text = readSceneText(path)
  const parsed = parseDocument(text, prefabLibrary(prefabsIn(dirname(path))))
  if (!parsed.ok) throw new Refusal(parsed.problems)
  const scene = ownScene(parsed.scene) // meshes of prefabs are in the prefabs' files
  const report: object[] = []
  const meshes = (scene.bodies ?? []).flatMap(body => body.shapes ?? []).filter(shape => shape.type === 'mesh').length
  const bodies = []
  for (const body of scene.bodies ?? []) {
    const shapes = []
    for (const [index, shape] of (body.shapes ?? []).entries()) {
      if (shape.type !== 'mesh' || (shape.pieces !== undefined && !given.flag('all'))) {
        shapes.push(shape)
        continue
      }
      const where = `bodies.${body.id}.shapes[${index}]`
      const found = await decomposed(where, { source: sourceOf(shape, path), scale: shape.scale ?? 1, settings })
      shapes.push(withPieces(shape, found))
      const { method, depth, volume, piecesVolume, reach, holes, notes } = found
      report.push({ path: where, pieces: found.pieces.length, method, depth, volume, piecesVolume, reach, holes, notes })
    }
    bodies.push(shapes.every((shape, index) => shape === body.shapes![index]) ? body : { ...body, shapes })
  }
  const output = given.text('output') ?? path
  writeWhole(output, writeScene({ ...scene, bodies }, { text, scene }))
  if (given.flag('json')) printJson({ status: 'completed', scene: output, meshes: report })
  else print(report.length > 0 ? output : `${output}: ${meshes === 0 ? 'there is no mesh' : 'every mesh has its pieces already (--all finds them again)'}`)
  return exitCodes.done
}

function sourceOf(shape: ShapeOf<'mesh'>, scene: string) {
  return shape.file === undefined ? { vertices: shape.vertices!, faces: shape.faces! } : { name: shape.file, bytes: readMeshBeside(scene, shape.file) }
}
