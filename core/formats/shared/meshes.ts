/** Meshes referenced by a file: located, scaled and mirrored, as shapes of a body. */

import { convexHull } from '../../geometry/hull'
import { triangleMesh, turnedMesh, enclosedMass, type Mesh } from '../../geometry/mesh'
import { ShapeError, type MassProperties } from '../../geometry/shape'
import type { Vec3 } from '../../math/vector'
import type { FormatFile, Resolve } from '../format'
import { isMeshFile, MeshError, readMesh, readParts, type MeshPart, type SeenMesh } from '../mesh'
import { folderOf, isRemote, relativePath } from './paths'
import { FormatError } from './error'
import { distinct, spansVolume } from './points'

export type FoundMesh =
  /** `parts` reads the file's parts by their appearance; null if it cannot be read. */
  | { readonly kind: 'mesh'; readonly mesh: Mesh; readonly path: string; readonly parts: () => Promise<readonly MeshPart[] | null> }
  /** The file was referenced but does not exist. */
  | { readonly kind: 'missing'; readonly path: string }
  /** The file cannot be used, or may not be fetched; the reason has no full stop at the end. */
  | { readonly kind: 'refused'; readonly reason: string }

export type FoundBytes = { readonly kind: 'bytes'; readonly data: Uint8Array; readonly path: string } | Exclude<FoundMesh, { kind: 'mesh' }>

/** Reads each file once. */
export class MeshFiles {
  private readonly read = new Map<string, FoundMesh>()

  /** @param missing receives the paths of material libraries that do not exist */
  constructor(private readonly resolve: Resolve, private readonly missing?: (path: string) => void) {}

  /** @param folder of the referencing file, relative to the main file */
  async find(uri: string, folder = ''): Promise<FoundMesh> {
    const key = `${folder}\n${uri}`
    let found = this.read.get(key)
    if (found === undefined) {
      found = await this.load(uri, folder)
      this.read.set(key, found)
    }
    return found
  }

  /** The content of another file, such as a picture. */
  bytes(uri: string, folder = ''): FoundBytes {
    if (isRemote(uri)) return { kind: 'refused', reason: 'it is a network address; files are not downloaded' }
    try {
      const path = relativePath(uri, folder)
      const file = this.resolve(path)
      if (file === null) return { kind: 'missing', path }
      return typeof file.content === 'string' ? { kind: 'refused', reason: 'it is text' } : { kind: 'bytes', data: file.content, path }
    } catch (error) {
      if (error instanceof FormatError) return { kind: 'refused', reason: error.message.replace(/\.$/, '') }
      throw error
    }
  }

  private async parts(path: string, content: Uint8Array | string): Promise<readonly MeshPart[] | null> {
    try {
      return await readParts(path, content, file => {
        const found = this.content(file, folderOf(path))
        if (found?.file === null) this.missing?.(found.path)
        return found?.file?.content ?? null
      })
    } catch (error) {
      if (error instanceof MeshError) return null
      throw error
    }
  }

  /** A file beside another one; null if it may not be read. */
  private content(uri: string, folder: string): { readonly path: string; readonly file: FormatFile | null } | null {
    if (isRemote(uri)) return null
    try {
      const path = relativePath(uri, folder)
      return { path, file: this.resolve(path) }
    } catch (error) {
      if (error instanceof FormatError) return null
      throw error
    }
  }

  private async load(uri: string, folder: string): Promise<FoundMesh> {
    if (isRemote(uri)) return { kind: 'refused', reason: 'it is a network address; files are not downloaded' }
    try {
      const path = relativePath(uri, folder)
      const file = this.resolve(path)
      if (file === null) return { kind: 'missing', path }
      if (!isMeshFile(path)) return { kind: 'refused', reason: 'files of this kind cannot be read' }
      let parts: Promise<readonly MeshPart[] | null> | null = null
      return { kind: 'mesh', mesh: await readMesh(path, file.content, true), path, parts: () => parts ??= this.parts(path, file.content) }
    } catch (error) {
      if (error instanceof MeshError || error instanceof FormatError) return { kind: 'refused', reason: error.message.replace(/\.$/, '') }
      throw error
    }
  }
}

const scaledMeshes = new WeakMap<Mesh, Map<string, SeenMesh>>()

/** Scaled along its axes; a mirroring scale inverts the faces. Cached by mesh and scale. */
export function scaledMesh(mesh: SeenMesh, scale: Vec3): SeenMesh {
  const [x, y, z] = scale
  if (x === 1 && y === 1 && z === 1) return mesh
  const known = scaledMeshes.get(mesh) ?? new Map<string, SeenMesh>()
  const key = scale.join(' ')
  let made = known.get(key)
  if (made === undefined) {
    made = { ...mesh, vertices: mesh.vertices.map((p): Vec3 => [p[0] * x, p[1] * y, p[2] * z]) }
    if (x * y * z < 0) made = { ...made, ...turnedMesh(made) }
    known.set(key, made)
    scaledMeshes.set(mesh, known)
  }
  return made
}

/** Base name of a mesh file: `leg` for `package://robot/meshes/leg.stl`. */
export function stemOf(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
}

/** Number of points up to which interior points are cheaper than computing the hull. */
const FEW = 64

/** Points with the same convex hull as the mesh: its hull's vertices if there are many; null if the hull has no volume. */
export function hullPoints(mesh: Mesh): Vec3[] | null {
  if (mesh.vertices.length <= FEW) {
    const points = distinct(mesh.vertices)
    if (spansVolume(points)) return points
  }
  try {
    return [...convexHull('convexHull', [...mesh.vertices]).vertices]
  } catch (error) {
    if (error instanceof ShapeError) return null
    throw error
  }
}

/** Mass properties of the enclosed volume at 1 kg/m³, for either orientation of faces; null if the surface is not closed. */
export function meshProperties(mesh: Mesh): MassProperties | null {
  try {
    const triangles = triangleMesh(mesh)
    try {
      return enclosedMass(triangles)
    } catch (error) {
      if (!(error instanceof ShapeError) || error.fault !== 'inwardFaces') throw error
      return enclosedMass(turnedMesh(triangles))
    }
  } catch (error) {
    if (error instanceof ShapeError) return null
    throw error
  }
}
