import { elementById } from '../ids'
import type { Path } from '../path'
import { pictureIn, type Picture } from '../picture'
import { limits } from '../schema/scene'
import type { MeshAsset, Texture, Visual } from '../types'
import { requireReference, type RuleContext } from './context'
import { checkFaces } from './shape'

export function checkVisual(context: RuleContext, visual: Visual, path: Path, owner: string): void {
  if (visual.type !== 'mesh') return
  requireReference(context, 'meshes', visual.mesh, [...path, 'mesh'], owner)
  if (visual.texture === undefined) return
  requireReference(context, 'textures', visual.texture, [...path, 'texture'], owner)
  const mesh = elementById(context.scene, 'meshes', visual.mesh)
  if (mesh === null || mesh.uv !== undefined) return
  context.list.report('InvalidValue', [...path, 'texture'], `The mesh "${mesh.id}" has no texture coordinates`, {
    value: visual.texture, allowed: 'a texture on a mesh with "uv"', ids: [owner],
  })
}

export function checkMeshAsset(context: RuleContext, { id, vertices, faces, colors, uv }: MeshAsset, path: Path): void {
  checkFaces(context, faces, vertices.length, [...path, 'faces'], id)
  for (const [key, list] of [['colors', colors], ['uv', uv]] as const) {
    if (list === undefined || list.length === vertices.length) continue
    context.list.report('InvalidValue', [...path, key], `There are ${list.length} of them for ${vertices.length} vertices`, {
      value: list.length, allowed: `${vertices.length}, one for each vertex`, ids: [id],
    })
  }
}

// Elements of a document are never changed in place.
const pictures = new WeakMap<Texture, Picture | null>()

function pictureOfTexture(texture: Texture): Picture | null {
  const known = pictures.get(texture)
  const picture = known === undefined ? pictureIn(texture.picture) : known
  pictures.set(texture, picture)
  return picture
}

export function checkTexture({ list }: RuleContext, texture: Texture, path: Path): void {
  const picture = pictureOfTexture(texture)
  if (picture === null) {
    list.report('InvalidValue', [...path, 'picture'], 'This is no picture', { value: texture.picture.slice(0, 40), allowed: 'a PNG or JPEG file in base64', ids: [texture.id] })
  } else if (Math.max(picture.columns, picture.rows) > limits.textureSide) {
    list.report('TooMany', [...path, 'picture'], `The picture has ${picture.columns} × ${picture.rows} pixels`, {
      value: Math.max(picture.columns, picture.rows), allowed: `at most ${limits.textureSide} along a side`, ids: [texture.id],
    })
  }
}

/** Limits the pixels of all textures together. */
export function checkPixels({ scene, list }: RuleContext): void {
  const pixels = (scene.textures ?? []).reduce((sum, texture) => {
    const picture = pictureOfTexture(texture)
    return sum + (picture === null ? 0 : picture.columns * picture.rows)
  }, 0)
  if (pixels > limits.texturePixels) list.report('TooMany', ['textures'], `The textures have ${pixels} pixels in all`, { value: pixels, allowed: `at most ${limits.texturePixels}` })
}
