/** Appearance of bodies: conversions between shapes and visuals, so that one writer handles both. */

import type { Mesh } from '../../geometry/mesh'
import { composePoses, type Pose } from '../../math/pose'
import { resolveShape, type MeshAsset, type ResolvedScene, type ResolvedShape, type ResolvedVisual, type Shape, type Visual } from '../../scene'
import type { SceneDraft } from './draft'
import { surfaceOf } from './surface'

/** A visual of a surface in a file; null if the scene's limit on visual surfaces is reached. @param name of the surface in the file */
export function visualOfMesh(mesh: Mesh, name: string | undefined, { position, orientation }: Pose, color: string | null, draft: SceneDraft): Visual | null {
  const id = draft.mesh(mesh, name)
  return id === null ? null : { type: 'mesh', mesh: id, position, orientation, ...(color === null ? {} : { color }) }
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
