/** Surfaces of deformables with the colours of their materials, as the viewport draws them. */

import { DeformableSurface } from '../../../core/analysis/deformable-surface'
import { resolveDeformable, type Scene } from '../../../core/scene'
import { parseColor } from '../color'

export class DeformableMesh extends DeformableSurface {
  readonly tints: Float32Array

  constructor({ deformables = [], materials = [] }: Scene) {
    super(deformables.map(resolveDeformable))
    const colors = deformables.map(({ material }) => parseColor(materials.find(({ id }) => id === material)?.color ?? '#8899aa'))
    this.tints = Float32Array.from([...this.owner].flatMap(owner => [...colors[owner]!]))
  }
}
