/** Materials with pictures, for visuals [UsdPreviewSurface], and meshes with colours of vertices and texture coordinates. */

import type { ResolvedVisual } from '../../scene'
import type { FormatFile } from '../format'
import type { SeenMesh } from '../mesh'
import { linearOf } from '../shared/colors'
import { endingOf, pictureOfVisual, type WrittenPicture } from '../shared/visuals'
import { asset, path, property, tuple, type UsdaPrim, type UsdaProperty } from './usda-write'

export class Looks {
  readonly files: FormatFile[] = []
  private readonly prims: UsdaPrim[] = []
  private readonly known = new Map<string, string>()
  private readonly written = new Set<string>()

  /** @param parent path of the prim that has the scope @param named makes unique names of prims */
  constructor(
    private readonly parent: string, private readonly scope: string, private readonly folder: string,
    private readonly pictures: ReadonlyMap<string, WrittenPicture>,
    private readonly named: (id: string) => string,
  ) {}

  /** Path of the material of a visual with a picture; null if it has none. */
  material(visual: ResolvedVisual): string | null {
    const pictured = pictureOfVisual(visual, this.pictures)
    if (pictured === null) return null
    const key = `${pictured.id} ${visual.color}`
    let at = this.known.get(key)
    if (at === undefined) {
      const name = this.named(pictured.id)
      at = `${this.parent}/${this.scope}/${name}`
      this.prims.push(materialPrim(name, at, this.file(pictured.id, pictured.picture), visual.color))
      this.known.set(key, at)
    }
    return at
  }

  private file(id: string, picture: WrittenPicture): string {
    const name = `${this.folder}/${id}.${endingOf(picture)}`
    if (!this.written.has(id)) this.files.push({ name, content: picture.data })
    this.written.add(id)
    return name
  }

  /** The scope of all materials; none without any. */
  scopes(): UsdaPrim[] {
    return this.prims.length === 0 ? [] : [{ type: 'Scope', name: this.scope, properties: [], children: this.prims }]
  }
}

function materialPrim(name: string, at: string, file: string, color: string): UsdaPrim {
  const shader = (kind: string, id: string, properties: readonly UsdaProperty[]): UsdaPrim =>
    ({ type: 'Shader', name: kind, properties: [property('uniform token info:id', id), ...properties] })
  const declared = (declaration: string): UsdaProperty => ({ declaration, value: undefined })
  return {
    type: 'Material', name, properties: [property('token outputs:surface.connect', path(`${at}/Surface.outputs:surface`))],
    children: [
      shader('Surface', 'UsdPreviewSurface', [
        property('color3f inputs:diffuseColor.connect', path(`${at}/Picture.outputs:rgb`)), property('float inputs:roughness', 0.7), declared('token outputs:surface'),
      ]),
      shader('Picture', 'UsdUVTexture', [
        property('asset inputs:file', asset(`./${file}`)), property('token inputs:sourceColorSpace', 'sRGB'), property('token inputs:wrapS', 'repeat'),
        property('token inputs:wrapT', 'repeat'), property('float4 inputs:scale', tuple(...linearOf(color), 1)),
        property('float2 inputs:st.connect', path(`${at}/Coordinates.outputs:result`)), declared('float3 outputs:rgb'),
      ]),
      shader('Coordinates', 'UsdPrimvarReader_float2', [property('string inputs:varname', 'st'), declared('float2 outputs:result')]),
    ],
  }
}

/** Colours and texture coordinates of a mesh's vertices. @param color of the visual, multiplied with those of the vertices */
export function vertexPrimvars({ colors, uv }: SeenMesh, color: string): UsdaProperty[] {
  const own = linearOf(color)
  const byVertex = 'interpolation = "vertex"'
  return [
    ...colors === undefined ? [] : [{ ...property('color3f[] primvars:displayColor', colors.map(one => tuple(...linearOf(one).map((light, k) => light * own[k]!)))), metadata: byVertex }],
    ...uv === undefined ? [] : [{ ...property('texCoord2f[] primvars:st', uv.map(at => tuple(...at))), metadata: byVertex }],
  ]
}
