/** Nodes with meshes that are only seen. */

import { relativeAffine, splitAffine } from '../shared/affine'
import { hexOfLinear } from '../shared/colors'
import type { SceneDraft } from '../shared/draft'
import { scaledMesh } from '../shared/meshes'
import { visualOfMesh } from '../shared/visuals'
import type { Pose } from '../../math/pose'
import type { Visual } from '../../scene'
import type { OpenedGltf } from './container'
import { objectOf } from './json'
import type { Collider } from './physics'
import { partOf, primitivesOf } from './read-meshes'
import { placeOf, type PlacedNode } from './read-nodes'

/** Whether a node shows something that no collider has: an exported scene marks what it shows of colliders. */
export function isOnlySeen({ node }: PlacedNode, collider: Collider | null): boolean {
  return node.mesh !== undefined && collider === null && objectOf(objectOf(node.extras).cairn).shape !== true
}

/** What a node shows, in the body's frame: one visual a primitive, since each has its own colour. */
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

type Part = ReturnType<typeof partOf>
const parts = new WeakMap<OpenedGltf, Map<string, Part>>()

/** Read once, however many nodes show it. */
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
