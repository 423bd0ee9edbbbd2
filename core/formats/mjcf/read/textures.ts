/** Pictures of materials [MuJoCo XML reference: asset/texture, asset/material]. Textures that MuJoCo makes itself, cubes and skyboxes are losses. */

import type { SceneDraft } from '../../shared/draft'
import type { MeshFiles } from '../../shared/meshes'
import { attributeNumbers, placeOfNode, type XmlNode } from '../../shared/read-xml'
import { textureOf } from '../../shared/visuals'
import type { SeenMesh } from '../../mesh'
import type { Source } from './source'

/** Whether a flat texture of the model is in a file. */
export function hasPictures(source: Source): boolean {
  return [...source.assets.values()].some(node => node.name === 'texture' && isPicture(node))
}

const isPicture = (texture: XmlNode): boolean => texture.attributes.get('file') !== undefined && texture.attributes.get('type') === '2d'

/** The texture of a material, by its attribute or its base colour layer. */
function textureNode(source: Source, material: XmlNode): XmlNode | null {
  const layer = material.children.find(({ name, attributes }) => name === 'layer' && /^rgba?$/.test(attributes.get('role') ?? ''))
  const name = material.attributes.get('texture') ?? layer?.attributes.get('texture')
  return name === undefined ? null : source.asset('texture', name)
}

export class Textures {
  private readonly known = new Map<XmlNode, string | null>()
  private readonly shown = new Set<XmlNode>()

  constructor(private readonly draft: SceneDraft, private readonly files: MeshFiles) {}

  /** The id of the texture of a geom's material, and the surface with its repeats; null if it has none. @param node with its defaults filled in */
  of(source: Source, node: XmlNode, surface: SeenMesh | null): { readonly id: string; readonly surface: SeenMesh } | null {
    const name = node.attributes.get('material')
    const material = name === undefined ? null : source.asset('material', name)
    const texture = material && textureNode(source, material)
    if (material === null || texture === null || surface?.uv === undefined || !isPicture(texture)) return null
    this.shown.add(texture)
    let id = this.known.get(texture)
    if (id === undefined) {
      const file = texture.attributes.get('file')!
      const name = source.flag('strippath', false) ? file.replaceAll('\\', '/').split('/').pop()! : file
      const folder = source.setting('texturedir', source.setting('assetdir', '')).replaceAll('\\', '/').replace(/^\.\/|\/+$/g, '')
      id = textureOf({ file: name }, folder, this.files, this.draft, placeOfNode(texture))
      this.known.set(texture, id)
    }
    if (id === null) return null
    const [across = 1, down = 1] = attributeNumbers(source.complete(material, 'main'), 'texrepeat') ?? []
    if (across === 1 && down === 1) return { id, surface }
    // The repeats are counted from the picture's upper left corner.
    return { id, surface: { ...surface, uv: surface.uv.map(([u, v]): [number, number] => [u * across, 1 - (1 - v) * down]) } }
  }

  /** Reports the textures that no visual shows. */
  tellRest(source: Source): void {
    for (const node of source.assets.values()) {
      const texture = node.name === 'material' ? textureNode(source, node) : null
      if (texture === null || this.shown.has(texture)) continue
      const file = texture.attributes.get('file')
      this.draft.lostTexture(placeOfNode(node), file ?? texture.attributes.get('name') ?? '', !isPicture(texture) ? 'which is no flat picture' : 'on geoms without texture coordinates')
    }
  }
}
