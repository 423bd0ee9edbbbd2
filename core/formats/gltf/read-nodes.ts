/** Nodes of the default scene with their transforms, in the scene's axes. */

import { multiply, transpose, type Mat3 } from '../../math/matrix'
import { toMatrix, type Quat } from '../../math/quaternion'
import type { Vec3 } from '../../math/vector'
import { composeAffine, NO_TRANSFORM, splitAffine, type Affine, type Split } from '../shared/affine'
import { FormatError } from '../shared/error'
import { unit } from '../shared/rotations'
import { sizesToZUp, toZUp, turnToZUp } from './axes'
import type { Gltf, GltfNode } from './json'

export interface PlacedNode {
  readonly index: number
  readonly node: GltfNode
  readonly parent: PlacedNode | null
  readonly world: Affine
  readonly split: Split
}

const MAX_NODES = 200_000
const MAX_DEPTH = 256
const TO_Z_UP: Mat3 = [1, 0, 0, 0, 0, -1, 0, 1, 0]

/** Parents come first. @throws FormatError for nodes that contain themselves or have two parents */
export function placeNodes(json: Gltf): PlacedNode[] {
  const nodes = json.nodes ?? []
  if (nodes.length > MAX_NODES) throw new FormatError('TooMany', 'nodes', `The file has ${nodes.length} nodes.`, { allowed: `at most ${MAX_NODES}` })
  const seen = new Set<number>()
  const placed: PlacedNode[] = []
  const add = (index: number, parent: PlacedNode | null, depth: number): void => {
    const node = nodes[index]
    if (node === undefined) throw new FormatError('UnknownReference', 'nodes', `There is no node ${index}.`, { value: index, allowed: `0 to ${nodes.length - 1}` })
    if (seen.has(index)) throw new FormatError('DuplicateName', `nodes[${index}]`, 'The node has two parents, or contains itself.')
    if (depth > MAX_DEPTH) throw new FormatError('TooDeep', `nodes[${index}]`, 'Nodes are nested too deeply.', { allowed: `at most ${MAX_DEPTH} levels` })
    seen.add(index)
    const world = composeAffine(parent?.world ?? NO_TRANSFORM, localTransform(node, index))
    const one: PlacedNode = { index, node, parent, world, split: splitAffine(world) }
    placed.push(one)
    for (const child of node.children ?? []) add(child, one, depth + 1)
  }
  const children = new Set(nodes.flatMap(node => node.children ?? []))
  const roots = json.scenes?.[json.scene ?? 0]?.nodes ?? nodes.map((_, i) => i).filter(i => !children.has(i))
  for (const root of roots) add(root, null, 0)
  return placed
}

function localTransform(node: GltfNode, index: number): Affine {
  const numbers = (value: readonly number[] | undefined, count: number, what: string): readonly number[] | null => {
    if (value === undefined) return null
    if (Array.isArray(value) && value.length === count && value.every(Number.isFinite)) return value
    throw new FormatError('InvalidValue', `nodes[${index}].${what}`, `"${what}" cannot be read.`, { value, allowed: `${count} finite numbers` })
  }
  const matrix = numbers(node.matrix, 16, 'matrix')
  if (matrix !== null) {
    const k = (i: number): number => matrix[i]!
    const m: Mat3 = [k(0), k(4), k(8), k(1), k(5), k(9), k(2), k(6), k(10)]
    return { m: multiply(TO_Z_UP, multiply(m, transpose(TO_Z_UP))), t: toZUp([k(12), k(13), k(14)]) }
  }
  const t = toZUp((numbers(node.translation, 3, 'translation') ?? [0, 0, 0]) as unknown as Vec3)
  const q = unit((numbers(node.rotation, 4, 'rotation') ?? [0, 0, 0, 1]) as unknown as Quat)
  if (q === null) throw new FormatError('InvalidValue', `nodes[${index}].rotation`, 'A quaternion of length 0 is not a rotation.', { value: node.rotation, allowed: 'a unit quaternion' })
  const s = sizesToZUp((numbers(node.scale, 3, 'scale') ?? [1, 1, 1]) as unknown as Vec3)
  const m = toMatrix(turnToZUp(q))
  return { m: [m[0] * s[0], m[1] * s[1], m[2] * s[2], m[3] * s[0], m[4] * s[1], m[5] * s[2], m[6] * s[0], m[7] * s[1], m[8] * s[2]], t }
}

/** Name of a node in losses. */
export function placeOf({ index, node }: Pick<PlacedNode, 'index' | 'node'>): string {
  return `nodes[${index}]${node.name === undefined ? '' : ` "${node.name}"`}`
}
