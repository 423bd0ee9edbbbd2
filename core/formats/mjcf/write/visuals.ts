/** Appearance of bodies as visual geoms, in the conventional group and with contacts disabled. */

import type { Mesh } from '../../../geometry/mesh'
import type { MeshAsset, ResolvedBody } from '../../../scene'
import { srgbOf } from '../../shared/colors'
import { wxyz } from '../../shared/rotations'
import { fans, surfaceOf } from '../../shared/surface'
import { shapeOfVisual } from '../../shared/visuals'
import { element, type XmlElement } from '../../shared/write-xml'
import { geomsOf, type Geoms } from './geoms'

/** MuJoCo shows groups up to this one. */
const SHOWN = 2
/** Group of shapes that are hidden because their body has visuals. */
export const HIDDEN = 3

/** @param written ids of the meshes already among the assets; updated */
export function visualGeoms(body: ResolvedBody, index: number, meshes: ReadonlyMap<string, MeshAsset>, written: Set<string>): Geoms {
  const assets: XmlElement[] = []
  const losses: Geoms['losses'][number][] = []
  const geoms = (body.visuals ?? []).flatMap((visual, k) => {
    const name = `${body.id}:visual:${k}`
    const attributes = { rgba: [...srgbOf(visual.color), 1], group: SHOWN, contype: 0, conaffinity: 0 }
    if (visual.type !== 'mesh' && visual.type !== 'cone') return geomsOf(shapeOfVisual(visual, meshes), name, '', attributes).geoms
    const mesh = visual.type === 'mesh' ? visual.mesh : name
    if (!written.has(mesh)) assets.push(meshAsset(mesh, surfaceOf(shapeOfVisual(visual, meshes), 0)))
    written.add(mesh)
    if (visual.type === 'cone') losses.push({ path: `bodies[${index}].visuals[${k}]`, message: 'MuJoCo has no cone', instead: 'a mesh that looks like it' })
    return [element('geom', { name, type: 'mesh', mesh, pos: visual.position, quat: wxyz(visual.orientation), ...attributes })]
  })
  return { geoms, assets, losses }
}

/** Uses the mass of a shell, which any mesh has; MuJoCo rejects solids without volume. */
function meshAsset(name: string, { vertices, faces }: Mesh): XmlElement {
  return element('mesh', { name, inertia: 'shell', vertex: vertices.flat(), face: fans(faces).flat() })
}
