/** Nodes with visual meshes. */

import { relativeAffine, splitAffine } from '../shared/affine'
import { hexOfLinear } from '../shared/colors'
import type { SceneDraft } from '../shared/draft'
import { scaledMesh } from '../shared/meshes'
import { visualOfMesh } from '../shared/visuals'
import type { Pose } from '../../math/pose'
import type { Visual } from '../../scene'
import type { OpenedGltf } from './container'
import { arrayOf, objectOf } from './json'
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
    return visualOfMesh(scaledMesh(part, scale), gltf.json.meshes?.[mesh]?.name ?? name, pose, color, draft) ?? []
  })
}

/** Reports textures, each once. */
export function reportTextures({ json }: OpenedGltf, draft: SceneDraft): void {
  const [textures, images] = [arrayOf(objectOf(json).textures), arrayOf(objectOf(json).images)]
  for (const [i, material] of arrayOf(json.materials).map(objectOf).entries()) {
    const { index } = objectOf(objectOf(material.pbrMetallicRoughness).baseColorTexture)
    if (typeof index !== 'number') continue
    const image = objectOf(images[Number(objectOf(textures[index]).source)])
    const uri = typeof image.uri === 'string' && !image.uri.startsWith('data:') ? image.uri : image.name
    draft.texture(`materials[${i}]`, typeof uri === 'string' ? uri : '')
  }
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
