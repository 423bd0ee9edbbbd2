/** The appearance of a mesh file, as visuals of a body: one for each part with a look of its own, with the surfaces and textures that they refer to. */

import { turnedMesh } from '../../geometry/mesh'
import { IDENTITY_POSE } from '../../math/pose'
import type { MeshAsset, Scene, Texture, Visual } from '../../scene'
import { isPlain, MeshError, readParts, type PictureSource } from '../mesh'
import { SceneDraft } from './draft'
import { MeshFiles, scaledMesh, stemOf } from './meshes'
import { textureOf, visualOfMesh } from './visuals'

export interface NamedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Visuals of a body, and what they refer to. */
export interface MeshLook {
  readonly visuals: readonly Visual[]
  readonly meshes: readonly MeshAsset[]
  readonly textures: readonly Texture[]
}

export interface MeshFile extends NamedFile {
  /** Files that it may name: material libraries and pictures. */
  readonly beside: readonly NamedFile[]
}

/**
 * Null if the file has no colours and no textures.
 * @param scale m per unit of the file @param turned whether its faces point inwards @param notes receives what is lost, for users
 */
export async function lookOf({ name, bytes, beside }: MeshFile, scale: number, turned: boolean, notes: string[]): Promise<MeshLook | null> {
  const missing = new Set<string>()
  const find = (file: string) => {
    const found = beside.find(one => one.name === file) ?? beside.find(one => lastPart(one.name) === lastPart(file))
    if (!found) missing.add(lastPart(file))
    return found?.bytes ?? null
  }
  const parts = await readParts(name, bytes, find).catch((error: unknown) => {
    if (!(error instanceof MeshError)) throw error
    notes.push(`Its colours and textures cannot be read (${error.message}).`)
    return []
  })
  const draft = new SceneDraft()
  const files = new MeshFiles(file => {
    const content = find(file)
    return content === null ? null : { name: file, content }
  })
  const visuals = parts.every(isPlain) ? [] : parts.flatMap(part => {
    const mesh = scaledMesh(turned ? { ...part.mesh, ...turnedMesh(part.mesh) } : part.mesh, [scale, scale, scale])
    const texture = part.texture === null ? null : textureOf(part.texture, '', files, draft, name)
    return visualOfMesh(mesh, stemOf(name), IDENTITY_POSE, part.color, draft, texture) ?? []
  })
  for (const file of missing) notes.push(`${file}, with colours or textures, is missing: choose or drop it together with the mesh.`)
  const { scene: { meshes = [], textures = [] }, losses } = draft.finish(undefined, [0, 0, 0])
  for (const { message, instead } of losses) if (!message.endsWith('which was not found')) notes.push(`Not kept: ${message}; instead: ${instead}.`)
  return visuals.length === 0 ? null : { visuals, meshes, textures }
}

/** The files that a mesh file names and that exist. @param read their content; null if there is none */
export async function filesNamedBy(name: string, bytes: Uint8Array, read: (file: string) => Uint8Array | null): Promise<NamedFile[]> {
  const found: NamedFile[] = []
  const take = (file: string) => {
    const content = read(file)
    if (content !== null) found.push({ name: file, bytes: content })
    return content
  }
  const named = (texture: PictureSource | null) => texture !== null && 'file' in texture ? [texture.file] : []
  try {
    const parts = await readParts(name, bytes, take)
    for (const file of new Set(parts.flatMap(({ texture }) => named(texture)))) take(file)
  } catch (error) {
    if (!(error instanceof MeshError)) throw error
  }
  return found
}

/**
 * Adds surfaces and textures under new ids; an equal picture is stored once.
 * @param fresh gives unused ids @returns the visuals with these ids
 */
export function addLook(draft: Scene, { visuals, meshes, textures }: MeshLook, fresh: (wanted: string) => string): Visual[] {
  const surfaces = new Map<string, string>()
  const pictures = new Map<string, string>()
  for (const mesh of meshes) {
    const id = fresh(mesh.id)
    surfaces.set(mesh.id, id)
    ;(draft.meshes ??= []).push({ ...mesh, id })
  }
  for (const texture of textures) {
    const known = draft.textures?.find(({ picture }) => picture === texture.picture)?.id
    const id = known ?? fresh(texture.id)
    pictures.set(texture.id, id)
    if (known === undefined) (draft.textures ??= []).push({ ...texture, id })
  }
  return visuals.map(visual => visual.type !== 'mesh' ? visual : {
    ...visual, mesh: surfaces.get(visual.mesh)!, ...visual.texture === undefined ? {} : { texture: pictures.get(visual.texture)! },
  })
}

const lastPart = (name: string): string => name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
