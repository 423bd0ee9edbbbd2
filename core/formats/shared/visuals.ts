/** Appearance of bodies: conversions between shapes and visuals, so that one writer handles both. */

import { composePoses, type Pose } from '../../math/pose'
import { fromBase64 } from '../../math/base64'
import type { Vec3 } from '../../math/vector'
import { pictureOf, resolveShape, type MeshAsset, type ResolvedScene, type ResolvedShape, type ResolvedVisual, type Shape, type Texture, type Visual } from '../../scene'
import { isPlain, type PictureSource, type SeenMesh } from '../mesh'
import { hexOfSrgb, srgbOf } from './colors'
import type { SceneDraft } from './draft'
import { scaledMesh, type FoundMesh, type MeshFiles } from './meshes'
import { folderOf } from './paths'
import { surfaceOf } from './surface'

const WHITE = '#ffffff'

/**
 * A visual of a surface in a file; null if the scene's limit on visual surfaces is reached.
 * @param name of the surface in the file
 * @param texture id of a texture; ignored if the surface has no coordinates
 */
export function visualOfMesh(
  mesh: SeenMesh, name: string | undefined, { position, orientation }: Pose, color: string | null, draft: SceneDraft, texture: string | null = null,
): Visual | null {
  const { uv, ...plain } = mesh
  const pictured = texture !== null && uv !== undefined
  const id = draft.mesh(pictured || uv === undefined ? mesh : plain, name)
  // The colour is multiplied with the others, which therefore need white.
  const own = color ?? (pictured || mesh.colors !== undefined ? WHITE : null)
  return id === null ? null : { type: 'mesh', mesh: id, position, orientation, ...own === null ? {} : { color: own }, ...pictured ? { texture } : {} }
}

/** The appearance that a visual states itself, instead of that in its mesh file. */
export interface OwnLook {
  readonly color: string | null
  /** Id of a texture. */
  readonly texture: string | null
}

/** Visuals of a mesh file: one for each of its looks, or one with the visual's own. @param where the visual in the file */
export async function visualsOfFile(
  found: Extract<FoundMesh, { kind: 'mesh' }>, scale: Vec3, name: string, pose: Pose, own: OwnLook, draft: SceneDraft, files: MeshFiles, where: string,
): Promise<Visual[]> {
  const whole = () => visualOfMesh(scaledMesh(found.mesh, scale), name, pose, own.color, draft) ?? []
  if (own.color !== null && own.texture === null) return [whole()].flat()
  const parts = await found.parts()
  if (parts === null) {
    draft.losses.add(where, `the colours and textures in "${found.path.slice(0, 200)}", which cannot be read`, 'one colour for the whole mesh')
    return [whole()].flat()
  }
  if (own.texture !== null && parts.every(({ mesh }) => mesh.uv === undefined)) draft.losses.add(where, 'a texture on a mesh without texture coordinates', 'the colour alone')
  if (own.texture === null ? parts.every(isPlain) : parts.every(({ mesh }) => mesh.uv === undefined && mesh.colors === undefined)) return [whole()].flat()
  return parts.flatMap(part => {
    const texture = own.texture ?? (part.texture === null ? null : textureOf(part.texture, folderOf(found.path), files, draft, where))
    return visualOfMesh(scaledMesh(part.mesh, scale), name, pose, own.color ?? (own.texture === null ? part.color : null), draft, texture) ?? []
  })
}

/** The id of a picture's texture; null, with a loss, if it cannot be used. @param folder of the referencing file */
export function textureOf(source: PictureSource, folder: string, files: MeshFiles, draft: SceneDraft, where: string): string | null {
  if ('bytes' in source) return draft.texture(where, source.name, source.bytes)
  const found = files.bytes(source.file, folder)
  if (found.kind === 'bytes') return draft.texture(where, source.file, found.data)
  if (found.kind === 'refused') return draft.lostTexture(where, source.file, `which cannot be used: ${found.reason}`)
  draft.missing(found.path)
  return draft.lostTexture(where, source.file, 'which was not found')
}

/** The visual of a shape; null for a half-space, which is unbounded. */
export function visualOfShape(shape: Shape, color: string | null, draft: SceneDraft): Visual | null {
  switch (shape.type) {
    case 'box':
    case 'sphere':
    case 'ellipsoid':
    case 'capsule':
    case 'cylinder':
    case 'cone': {
      const { material: _, ...sized } = shape
      return { ...sized, ...(color === null ? {} : { color }) }
    }
    case 'halfSpace':
      return null
    default:
      return visualOfMesh(surfaceOf(resolveShape(shape), 0), undefined, placeOf(shape), color, draft)
  }
}

/** Shapes in the colours of their materials. */
export function visualsOfShapes(shapes: readonly Shape[], draft: SceneDraft): Visual[] {
  return shapes.flatMap(shape => visualOfShape(shape, draft.colorOf(shape.material), draft) ?? [])
}

/** Transforms a visual by the pose of its part. */
export function movedVisual(pose: Pose, visual: Visual): Visual {
  return { ...visual, ...composePoses(pose, placeOf(visual)) }
}

function placeOf({ position = [0, 0, 0], orientation = [0, 0, 0, 1] }: Partial<Pose>): Pose {
  return { position, orientation }
}

/** Meshes of a scene by their ids. */
export function meshesOf(scene: ResolvedScene): ReadonlyMap<string, MeshAsset> {
  return new Map(scene.meshes.map(mesh => [mesh.id, mesh]))
}

/** The shape with the appearance of a visual. It has no material, and an open mesh is allowed. */
export function shapeOfVisual(visual: ResolvedVisual, meshes: ReadonlyMap<string, MeshAsset>): ResolvedShape {
  const { color: _, ...shape } = visual
  if (shape.type !== 'mesh') return { ...shape, material: '' }
  const { vertices, faces } = meshes.get(shape.mesh)!
  return { type: 'mesh', vertices, faces, scale: 1, material: '', position: shape.position, orientation: shape.orientation }
}

/** The surface of a visual with the colours and coordinates of its vertices. */
export function seenSurface(visual: ResolvedVisual, meshes: ReadonlyMap<string, MeshAsset>): SeenMesh {
  return visual.type === 'mesh' ? meshes.get(visual.mesh)! : surfaceOf(shapeOfVisual(visual, meshes), 0)
}

/** A texture's file. */
export interface WrittenPicture {
  readonly kind: 'png' | 'jpeg'
  readonly data: Uint8Array
}

/** Pictures of a scene's textures by their ids. */
export function picturesOf(scene: ResolvedScene): ReadonlyMap<string, WrittenPicture> {
  return new Map((scene.textures ?? []).map(({ id, picture }: Texture) => {
    const data = fromBase64(picture)!
    return [id, { kind: pictureOf(data)!.kind, data }]
  }))
}

/** The picture of a visual; null if it has none. */
export function pictureOfVisual(
  visual: ResolvedVisual, pictures: ReadonlyMap<string, WrittenPicture>,
): { readonly id: string; readonly picture: WrittenPicture } | null {
  const id = visual.type === 'mesh' ? visual.texture : undefined
  return id === undefined ? null : { id, picture: pictures.get(id)! }
}

export const endingOf = ({ kind }: WrittenPicture): string => kind === 'png' ? 'png' : 'jpg'

/** The mean of the vertices' colours, multiplied with the visual's: for formats without colours of vertices. */
export function meanColor({ colors }: SeenMesh, color: string): string {
  if (colors === undefined) return color
  const own = srgbOf(color)
  const sum = [0, 0, 0]
  for (const one of colors) srgbOf(one).forEach((light, k) => { sum[k]! += light })
  return hexOfSrgb(own.map((light, k) => light * sum[k]! / colors.length))
}
