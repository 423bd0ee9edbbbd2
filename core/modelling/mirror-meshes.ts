/** Mirrors meshes that are only displayed. */

import { freshIds, type MeshAsset, type Scene } from '../scene'
import type { MirrorImage } from './mirror-image'

/** By the id of each mesh of these bodies: its image, under the same id if no other body uses the mesh, otherwise under a new one. */
export function mirroredMeshes(scene: Scene, among: ReadonlySet<string>, { polar }: MirrorImage): ReadonlyMap<string, MeshAsset> {
  const { meshes = [], bodies = [] } = scene
  const shownBy = (theirs: boolean) => new Set(bodies.filter(({ id }) => among.has(id) === theirs)
    .flatMap(({ visuals = [] }) => visuals.flatMap(visual => visual.type === 'mesh' ? visual.mesh : [])))
  const [shown, elsewhere] = [shownBy(true), shownBy(false)]
  const makeId = freshIds(scene)
  return new Map(meshes.filter(({ id }) => shown.has(id)).map(mesh => [mesh.id, {
    ...mesh, id: elsewhere.has(mesh.id) ? makeId(`${mesh.id}-mirrored`) : mesh.id,
    vertices: mesh.vertices.map(polar), faces: mesh.faces.map(face => [...face].reverse()),
  }]))
}
