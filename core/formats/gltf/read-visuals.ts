/** Nodes with visual meshes. */

import { relativeAffine, splitAffine } from '../shared/affine'
import { hexOfLinear } from '../shared/colors'
import type { SceneDraft } from '../shared/draft'
import { scaledMesh } from '../shared/meshes'
import { visualOfMesh } from '../shared/visuals'
import type { Pose } from '../../math/pose'
import type { Visual } from '../../scene'
import type { OpenedGltf } from './container'
import { arrayOf, objectOf, type Gltf } from './json'
import type { Collider } from './physics'
import { partOf, primitivesOf } from './read-meshes'
import { placeOf, type PlacedNode } from './read-nodes'

/** Whether a node shows something other than a collider. Exported scenes mark the visual meshes of colliders. */
export function isVisualOnly({ node }: PlacedNode, collider: Collider | null): boolean {
  return node.mesh !== undefined && collider === null && objectOf(objectOf(node.extras).cairn).shape !== true
}

/** The visuals of a node, in the body's frame: one for each primitive, since each has its own colour. */
export function visualsOfNode(gltf: OpenedGltf, placed: PlacedNode, body: Pose, draft: SceneDraft): Visual[] {
  const { mesh, name } = placed.node
  if (mesh === undefined) return []
  const { pose, scale } = splitAffine(relativeAffine(body, placed.world))
  return primitivesOf(gltf, mesh).flatMap((primitive, k) => {
    const part = partCached(gltf, mesh, k)
    if (part === null) draft.losses.add(placeOf(placed), 'its mesh, whose data were not found', 'nothing')
    if (part === null || part.faces.length === 0) return []
    const factor = gltf.json.materials?.[primitive.material ?? -1]?.pbrMetallicRoughness?.baseColorFactor
    const color = factor === undefined || !factor.every(Number.isFinite) ? null : hexOfLinear(factor)
    const texture = textureOfMaterial(gltf, primitive.material, draft)
    return visualOfMesh(scaledMesh(part, scale), gltf.json.meshes?.[mesh]?.name ?? name, pose, color, draft, texture) ?? []
  })
}

/** Whether a mesh has more than the colour of a shape: colours of vertices, or a texture. */
export function hasLook({ json }: OpenedGltf, mesh: number): boolean {
  return arrayOf(json.meshes?.[mesh]?.primitives).map(objectOf).some(({ attributes, material }) => 'COLOR_0' in objectOf(attributes) || baseTexture(json, material) !== null)
}

/** `baseColorTexture` of a material; null if it has none. */
function baseTexture(json: Gltf, material: unknown): { readonly index: number } | null {
  const { index } = objectOf(objectOf(objectOf(arrayOf(json.materials)[Number(material)]).pbrMetallicRoughness).baseColorTexture)
  return typeof index === 'number' ? { index } : null
}

function textureOfMaterial({ json, pictures }: OpenedGltf, material: number | undefined, draft: SceneDraft): string | null {
  const texture = baseTexture(json, material)
  if (texture === null) return null
  const where = `materials[${material}]`
  const source = Number(objectOf(arrayOf(json.textures)[texture.index]).source)
  const image = objectOf(arrayOf(json.images)[source])
  const uri = typeof image.uri === 'string' && !image.uri.startsWith('data:') ? image.uri : image.name
  const name = typeof uri === 'string' ? uri : ''
  const bytes = pictures(source)
  return bytes === null ? draft.lostTexture(where, name, 'which was not found') : draft.texture(where, name, bytes)
}

type Part = ReturnType<typeof partOf>
const parts = new WeakMap<OpenedGltf, Map<string, Part>>()

/** Cached: several nodes may show the same mesh. */
function partCached(gltf: OpenedGltf, mesh: number, k: number): Part {
  const known = parts.get(gltf) ?? new Map<string, Part>()
  parts.set(gltf, known)
  const key = `${mesh} ${k}`
  let part = known.get(key)
  if (part === undefined) {
    part = partOf(gltf, mesh, k)
    known.set(key, part)
  }
  return part
}
