/** Adds a fixed body with the terrain of a file of heights, its middle at the given place. */

import { FormatError } from '../../core/formats/shared/error'
import { readTerrain, requireSmall } from '../../core/formats/terrain'
import { freshId } from '../../core/scene'
import type { Vec3 } from '../../core/math/vector'
import { formatNumber } from '../fields/format'
import { useDocument } from './document'
import { materialForNewShape } from './editing'
import { useSelection } from './selection'
import { useShell } from './shell'

export async function terrainFromFile(file: File, place: Vec3): Promise<void> {
  const document = useDocument()
  const shell = useShell()
  try {
    requireSmall(file.name, file.size)
    const { solid, columns, rows, usedColumns, usedRows, size } = readTerrain(file.name, new Uint8Array(await file.arrayBuffer()))
    const stem = file.name.replace(/\.[^.]*$/, '')
    const id = freshId(document.scene, stem.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^-+/, '') || 'terrain')
    const done = document.edit(`import ${file.name}`, draft => {
      const material = materialForNewShape(draft)
      draft.bodies ??= []
      draft.bodies.push({ id, name: stem, type: 'fixed', position: [place[0], place[1], place[2]], shapes: [{ type: 'mesh', ...solid, material }] })
    })
    if (!done) return
    useSelection().select([id])
    const thinned = usedColumns === columns && usedRows === rows ? '' : `, of which ${usedColumns} × ${usedRows} are used, interpolated`
    shell.confirm(`${file.name}: ${columns} × ${rows} heights${thinned}, ${size.map(side => formatNumber(side, 3)).join(' × ')} m; the scale of its shape changes that`)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    shell.notify(`${error.path}: ${error.message}${error.allowed === undefined ? '' : ` Allowed: ${error.allowed}.`}`, { kind: 'error' })
  }
}
