/** Files of visual meshes: OBJ with its material library and picture, each written once. */

import type { MeshAsset, ResolvedVisual } from '../../scene'
import type { FormatFile } from '../format'
import type { SeenMesh } from '../mesh'
import { hexOfSrgb, srgbOf } from './colors'
import { writeMtl, writeObj } from './hull-points'
import { endingOf, pictureOfVisual, seenSurface, type WrittenPicture } from './visuals'

export interface VisualFile {
  /** Name of the OBJ file, and of its picture, relative to the folder. */
  readonly mesh: string
  readonly picture: string | null
  /** Whether the vertices have colours, which include that of the visual. */
  readonly colored: boolean
}

export class VisualFiles {
  private readonly written = new Map<string, FormatFile>()

  /** @param folder relative to the main file; '' for its own */
  constructor(
    readonly meshes: ReadonlyMap<string, MeshAsset>, private readonly pictures: ReadonlyMap<string, WrittenPicture>, private readonly folder: string,
  ) {}

  get files(): readonly FormatFile[] {
    return [...this.written.values()]
  }

  /** @param stem name of the file of a visual that is not a mesh */
  add(visual: ResolvedVisual, stem: string): VisualFile {
    const pictured = pictureOfVisual(visual, this.pictures)
    const surface = seenSurface(visual, this.meshes)
    const colored = surface.colors !== undefined
    const base = visual.type === 'mesh' ? visual.mesh : stem
    const name = `${base}${pictured === null ? '' : `-${pictured.id}`}${colored && visual.color !== '#ffffff' ? `-${visual.color.slice(1)}` : ''}`
    const picture = pictured && `${pictured.id}.${endingOf(pictured.picture)}`
    if (pictured !== null) {
      this.write(picture!, () => pictured.picture.data)
      this.write(`${name}.mtl`, () => writeMtl(pictured.id, visual.color, picture))
    }
    this.write(`${name}.obj`, () => writeObj(colored ? multiplied(surface, visual.color) : surface, pictured === null ? null : { file: `${name}.mtl`, material: pictured.id }))
    return { mesh: `${name}.obj`, picture, colored }
  }

  private write(file: string, content: () => FormatFile['content']): void {
    const name = this.folder === '' ? file : `${this.folder}/${file}`
    if (!this.written.has(name)) this.written.set(name, { name, content: content() })
  }
}

function multiplied(mesh: SeenMesh, color: string): SeenMesh {
  const own = srgbOf(color)
  return color === '#ffffff' ? mesh : { ...mesh, colors: mesh.colors!.map(one => hexOfSrgb(srgbOf(one).map((light, k) => light * own[k]!))) }
}
