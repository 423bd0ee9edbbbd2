/**
 * Height maps as solids [SDFormat: geometry/heightmap]. The brightest pixel has the height of `size`, black is at 0, the picture's first row is at the
 * greatest y [gz-common: ImageHeightmap]. Gazebo's terrain is a surface; the solid reaches below its lowest point by a share of its extent.
 */

import { FormatError } from '../shared/error'
import { heightSolid, MOST_HEIGHTS, thinned, type HeightField, type HeightSolid } from '../shared/height-field'
import type { MeshFiles } from '../shared/meshes'
import { folderOf } from '../shared/paths'
import { greyPng } from '../shared/png'
import { placeOfNode, type XmlNode } from '../shared/read-xml'
import { at, numberOf, textOf, vectorOf } from './values'

/** Depth of the solid below the terrain's lowest point, × the larger horizontal extent. */
const DEPTH = 0.1

/** Null, with a loss, if its picture cannot be used. The origin is that of the height map, without its `pos`. */
export function heightMap(
  kind: XmlNode, files: MeshFiles, missing: (name: string) => void, lose: (message: string, instead: string) => void,
): HeightSolid | null {
  const uri = textOf(at(kind, 'uri'), '')
  const found = files.bytes(uri, folderOf(kind.file))
  if (found.kind === 'missing') missing(found.path)
  if (found.kind !== 'bytes') {
    lose(`the height map "${uri.slice(0, 200)}" ${found.kind === 'missing' ? 'was not found' : `cannot be used: ${found.kind === 'refused' ? found.reason : ''}`}`, 'nothing')
    return null
  }
  const [width, depth, height] = vectorOf(at(kind, 'size'), [1, 1, 1])
  if (!(width > 0 && depth > 0 && height > 0)) {
    lose(`a heightmap of size ${width}, ${depth}, ${height}`, 'nothing')
    return null
  }
  try {
    const { columns, rows, values } = greyPng(found.data, placeOfNode(kind))
    if (columns < 2 || rows < 2) throw new FormatError('InvalidValue', placeOfNode(kind), `The picture has ${columns} × ${rows} pixels`)
    const most = values.reduce((brightest, value) => Math.max(brightest, value), 0)
    const heights = values.map((_, k) => values[(rows - 1 - Math.floor(k / columns)) * columns + k % columns]! * (most > 0 ? height / most : 0))
    const base = DEPTH * Math.max(width, depth)
    const field: HeightField = { columns, rows, heights, half: [width / 2, depth / 2], base }
    const fewer = thinned(field)
    if (fewer) lose(`${columns} × ${rows} heights, of which at most ${MOST_HEIGHTS} are used`, `${fewer.field.columns} × ${fewer.field.rows} heights, interpolated`)
    if (numberOf(at(kind, 'sampling'), 1) > 1) lose('heights interpolated between those of the picture', 'those of the picture, with flat triangles between them')
    lose('a terrain without thickness', `a solid that reaches ${base.toPrecision(3)} m below its lowest point`)
    return heightSolid(fewer?.field ?? field)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    lose(`the height map "${uri.slice(0, 200)}" cannot be used: ${error.message.replace(/\.$/, '')}`, 'nothing')
    return null
  }
}
