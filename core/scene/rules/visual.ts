import type { Path } from '../path'
import type { MeshAsset, Visual } from '../types'
import { requireReference, type RuleContext } from './context'
import { checkFaces } from './shape'

export function checkVisual(context: RuleContext, visual: Visual, path: Path, owner: string): void {
  if (visual.type === 'mesh') requireReference(context, 'meshes', visual.mesh, [...path, 'mesh'], owner)
}

export function checkMeshAsset(context: RuleContext, { id, vertices, faces }: MeshAsset, path: Path): void {
  checkFaces(context, faces, vertices.length, [...path, 'faces'], id)
}
