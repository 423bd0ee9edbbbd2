/** Colours, textures and texture coordinates of meshes [UsdPreviewSurface, UsdGeomPrimvar]. */

import { hexOfLinear } from '../shared/colors'
import type { SceneDraft } from '../shared/draft'
import { folderOf, isRemote, relativePath } from '../shared/paths'
import { FormatError } from '../shared/error'
import { NO_LOOK, PartCollector, type SeenMesh } from '../mesh'
import { stringOf, tupleOf, UsdAsset, valueOf, type UsdLayer, type UsdPrim, type UsdValue } from './layer'
import { meshOf } from './read-shapes'
import type { PlacedPrim } from './stage'

/** The base colour of a bound material. */
export interface BoundLook {
  /** Linear red, green and blue, and more; a picture is multiplied with it. Null if there is none. */
  readonly color: readonly number[] | null
  readonly picture: { readonly file: string; readonly place: string; /** Name of the coordinates. */ readonly primvar: string } | null
}

type Prims = ReadonlyMap<string, PlacedPrim>

/** @param material a prim of type Material, or null */
export function boundLook(material: PlacedPrim | null, prims: Prims, draft: SceneDraft): BoundLook {
  const shaders = material?.prim.children ?? []
  for (const shader of shaders) {
    const source = sourceOf(shader, 'inputs:diffuseColor', prims)
    if (source !== null && stringOf(source, 'info:id', '') === 'UsdUVTexture') {
      const file = valueOf(source, 'inputs:file')
      if (file instanceof UsdAsset) return { color: tupleOf(valueOf(source, 'inputs:scale'), 4), picture: { file: file.file, place: source.path, primvar: primvarOf(source, prims, draft) } }
    }
    const color = tupleOf(valueOf(shader, 'inputs:diffuseColor'), 3)
    if (color !== null) return { color, picture: null }
  }
  return { color: null, picture: null }
}

/** The prim that supplies an input; null if the input is not connected. */
function sourceOf(prim: UsdPrim, input: string, prims: Prims): UsdPrim | null {
  const target = prim.relationships.get(input)?.[0]
  return target === undefined ? null : prims.get(target.slice(0, target.lastIndexOf('.') > target.lastIndexOf('/') ? target.lastIndexOf('.') : undefined))?.prim ?? null
}

/** Name of the coordinates of a picture's shader. */
function primvarOf(texture: UsdPrim, prims: Prims, draft: SceneDraft): string {
  let at = sourceOf(texture, 'inputs:st', prims)
  if (at !== null && stringOf(at, 'info:id', '') === 'UsdTransform2d') {
    draft.losses.add(at.path, 'a transform of texture coordinates', 'the coordinates without it')
    at = sourceOf(at, 'inputs:in', prims)
  }
  return at === null ? 'st' : stringOf(at, 'inputs:varname', 'st')
}

/** A mesh with the colours of its vertices, and coordinates of this name if there are any; null if its faces are invalid. */
export function seenMeshOf(prim: UsdPrim, primvar: string | null): SeenMesh | null {
  const mesh = meshOf(prim)
  if (mesh === null) return null
  const counts = listOf(valueOf(prim, 'faceVertexCounts')) as readonly number[]
  const turned = stringOf(prim, 'orientation', 'rightHanded') === 'leftHanded'
  const corners = counts.reduce((sum, count) => sum + count, 0)
  const sizes = { vertices: mesh.vertices.length, corners, faces: counts.length }
  const color = primvarAt(prim, 'displayColor', 3, sizes)
  const uv = primvar === null ? null : primvarAt(prim, primvar, 2, sizes)
  if (color === null && uv === null) return mesh
  const parts = new PartCollector()
  const part = parts.part('', NO_LOOK)
  let next = 0
  let kept = 0
  for (const [f, count] of counts.entries()) {
    if (count >= 3) {
      const face = mesh.faces[kept++]!
      part.faces.push(face.map((v, k) => {
        const corner = next + (turned ? count - 1 - k : k)
        const [c, t] = [color?.(v, corner, f) ?? null, uv?.(v, corner, f) ?? null]
        const hex = c === null ? null : hexOfLinear(c)
        return part.corner(`${v} ${hex} ${t?.join(' ')}`, mesh.vertices[v]!, t === null ? null : [t[0]!, t[1]!], hex)
      }))
    }
    next += count
  }
  return parts.list()[0]?.mesh ?? mesh
}

/** Whether a mesh has different colours, by vertex, corner or face. */
export function hasColors(prim: UsdPrim): boolean {
  return listOf(valueOf(prim, 'primvars:displayColor')).length > 1
}

/** A primvar by vertex, corner and face; null if it is constant or absent. The number of its values tells which of them it belongs to. */
function primvarAt(
  prim: UsdPrim, name: string, width: number, sizes: { readonly vertices: number; readonly corners: number; readonly faces: number },
): ((vertex: number, corner: number, face: number) => readonly number[]) | null {
  const values = listOf(valueOf(prim, `primvars:${name}`)).map(value => tupleOf(value, width))
  const indices = listOf(valueOf(prim, `primvars:${name}:indices`)) as readonly number[]
  const count = indices.length > 0 ? indices.length : values.length
  const at = (k: number): readonly number[] | null => values[indices.length > 0 ? indices[k]! : k] ?? null
  if (count <= 1 || !Array.from({ length: count }, (_, k) => at(k)).every(value => value?.every(Number.isFinite) === true)) return null
  if (count === sizes.vertices) return vertex => at(vertex)!
  if (count === sizes.corners) return (_, corner) => at(corner)!
  return count === sizes.faces ? (_, _corner, face) => at(face)! : null
}

function listOf(value: UsdValue | undefined): readonly UsdValue[] {
  return Array.isArray(value) ? value as readonly UsdValue[] : []
}

/** A layer of another folder, with the pictures of its shaders relative to the main file. */
export function withPicturesFrom(layer: UsdLayer, path: string): UsdLayer {
  const folder = folderOf(path)
  if (folder === '') return layer
  const moved = (prim: UsdPrim): UsdPrim => {
    const children = prim.children.map(moved)
    const file = prim.type === 'Shader' ? valueOf(prim, 'inputs:file') : undefined
    const same = children.every((child, k) => child === prim.children[k])
    if (!(file instanceof UsdAsset) || isRemote(file.file)) return same ? prim : { ...prim, children }
    const attribute = { ...prim.attributes.get('inputs:file')!, value: new UsdAsset(inFolder(file.file, folder), file.prim), type: 'asset', samples: [] }
    return { ...prim, children, attributes: new Map([...prim.attributes, ['inputs:file', attribute]]) }
  }
  return { ...layer, prims: layer.prims.map(moved) }
}

/** The path from the main file; itself if it is not below the main file, which is refused where it is read. */
function inFolder(file: string, folder: string): string {
  try {
    return relativePath(file, folder)
  } catch (error) {
    if (error instanceof FormatError) return file
    throw error
  }
}
