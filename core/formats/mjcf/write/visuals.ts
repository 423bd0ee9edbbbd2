/** Appearance of bodies as visual geoms, in the conventional group and with contacts disabled. */

import type { MeshAsset, ResolvedBody, ResolvedVisual } from '../../../scene'
import type { FormatFile, Loss } from '../../format'
import type { SeenMesh } from '../../mesh'
import { srgbOf } from '../../shared/colors'
import { wxyz } from '../../shared/rotations'
import { fans } from '../../shared/surface'
import { endingOf, meanColor, pictureOfVisual, seenSurface, shapeOfVisual, type WrittenPicture } from '../../shared/visuals'
import { element, type XmlElement } from '../../shared/write-xml'
import { geomsOf } from './geoms'

/** MuJoCo shows groups up to this one. */
const SHOWN = 2
/** Group of shapes that are hidden because their body has visuals. */
export const HIDDEN = 3

/** Elements of the visuals of all bodies, each asset once. */
export class VisualGeoms {
  readonly assets: XmlElement[] = []
  readonly files: FormatFile[] = []
  private readonly written = new Set<string>()

  constructor(
    private readonly meshes: ReadonlyMap<string, MeshAsset>, private readonly pictures: ReadonlyMap<string, WrittenPicture>, private readonly folder: string,
    private readonly losses: Loss[],
  ) {}

  of(body: ResolvedBody, index: number): XmlElement[] {
    return (body.visuals ?? []).flatMap((visual, k) => {
      const name = `${body.id}:visual:${k}`
      const where = `bodies[${index}].visuals[${k}]`
      const attributes = { group: SHOWN, contype: 0, conaffinity: 0 }
      const plain = { rgba: [...srgbOf(visual.color), 1], ...attributes }
      if (visual.type !== 'mesh' && visual.type !== 'cone') return geomsOf(shapeOfVisual(visual, this.meshes), name, '', plain).geoms
      const seen = seenSurface(visual, this.meshes)
      const mesh = visual.type === 'mesh' ? visual.mesh : name
      const material = this.material(visual, where)
      this.once(`mesh ${mesh}`, () => meshAsset(mesh, seen))
      if (visual.type === 'cone') this.losses.push({ path: where, message: 'MuJoCo has no cone', instead: 'a mesh that looks like it' })
      if (seen.colors !== undefined) {
        this.losses.push({ path: where, message: 'MuJoCo has no colours of vertices', instead: material === null ? 'their mean' : 'the picture alone' })
      }
      const look = material === null ? { ...plain, rgba: [...srgbOf(meanColor(seen, visual.color)), 1] } : { material, ...attributes }
      return [element('geom', { name, type: 'mesh', mesh, pos: visual.position, quat: wxyz(visual.orientation), ...look })]
    })
  }

  /** Name of the material with the picture of a visual; null if it has none that MuJoCo reads. */
  private material(visual: ResolvedVisual, where: string): string | null {
    const pictured = pictureOfVisual(visual, this.pictures)
    if (pictured === null) return null
    const { id, picture } = pictured
    if (picture.kind !== 'png') {
      this.losses.push({ path: where, message: 'MuJoCo reads no JPEG pictures', instead: 'the colour alone' })
      return null
    }
    const file = `${this.folder}/${id}.${endingOf(picture)}`
    if (!this.written.has(`texture ${id}`)) this.files.push({ name: file, content: picture.data })
    this.once(`texture ${id}`, () => element('texture', { name: id, type: '2d', file }))
    const name = `${id}:${visual.color.slice(1)}`
    this.once(`material ${name}`, () => element('material', { name, texture: id, rgba: [...srgbOf(visual.color), 1] }))
    return name
  }

  private once(key: string, make: () => XmlElement): void {
    if (!this.written.has(key)) this.assets.push(make())
    this.written.add(key)
  }
}

/** Uses the mass of a shell, which any mesh has; MuJoCo rejects solids without volume. The origin of its coordinates is the picture's upper left corner. */
function meshAsset(name: string, { vertices, faces, uv }: SeenMesh): XmlElement {
  const coordinates = uv === undefined ? {} : { texcoord: uv.flatMap(([u, v]) => [u, 1 - v]) }
  return element('mesh', { name, inertia: 'shell', vertex: vertices.flat(), ...coordinates, face: fans(faces).flat() })
}
