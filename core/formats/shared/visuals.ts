/** What bodies look like: shapes of the scene as visuals, and visuals as the shapes that look the same, so that what writes the one writes the other. */

import type { Mesh } from '../../geometry/mesh'
import { composePoses, type Pose } from '../../math/pose'
import { resolveShape, type MeshAsset, type ResolvedScene, type ResolvedShape, type ResolvedVisual, type Shape, type Visual } from '../../scene'
import type { SceneDraft } from './draft'
import { surfaceOf } from './surface'

/** A visual of a surface in a file; null where the scene has no room for it. @param name of the surface in the file */
export function visualOfMesh(mesh: Mesh, name: string | undefined, { position, orientation }: Pose, color: string | null, draft: SceneDraft): Visual | null {
  const id = draft.mesh(mesh, name)
  return id === null ? null : { type: 'mesh', mesh: id, position, orientation, ...(color === null ? {} : { color }) }
}

/** What a shape looks like; null for a half-space, which has no bounds. */
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

/** A visual of a part, in the frame that the part has this pose in. */
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

/** The shape that looks like a visual. It is of no material, and a mesh among these may enclose nothing. */
export function shapeOfVisual(visual: ResolvedVisual, meshes: ReadonlyMap<string, MeshAsset>): ResolvedShape {
  const { color: _, ...shape } = visual
  if (shape.type !== 'mesh') return { ...shape, material: '' }
  const { vertices, faces } = meshes.get(shape.mesh)!
  return { type: 'mesh', vertices, faces, scale: 1, material: '', position: shape.position, orientation: shape.orientation }
}
