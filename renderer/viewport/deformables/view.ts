/** Deformables of the displayed scene: highlights, colours with their scale, and picking. */

import type { Scene as BabylonScene } from '@babylonjs/core/scene'
import type { Vec3 } from '../../../core/math/vector'
import { HIGHLIGHT } from '../bodies'
import { rayThrough, type Projection } from '../camera/projection'
import { roundDown125 } from '../glyphs/arrow-scale'
import type { Lights } from '../layers/shadows'
import type { SharedUniforms } from '../layers/uniforms'
import type { PosedScene } from '../posed-scene'
import type { ColourScale } from '../shown-scale'
import type { ViewportTheme } from '../theme'
import type { ViewState } from '../view-state'
import { formatNumber } from '../../fields/format'
import { paintedFactors } from '../../modelling/vertices-edit'
import { factorsOnMesh, largestOf, valuesOnMesh, type RecordedDeformables } from './colours'
import type { Scene } from '../../../core/scene'
import { DeformableLayer } from './layer'
import type { DeformableMesh } from './mesh'
import { deformableUnder, type DeformableHit } from './pick'

const SCALES = { strain: { label: 'Strain', unit: '', signed: true }, bending: { label: 'Bending moment', unit: 'N m', signed: false } } as const

const FACTORS = { stretch: 'Factor of stretch', shear: 'Factor of shear', bend: 'Factor of bending' } as const

export class DeformableView {
  private readonly layer: DeformableLayer
  private recorded: RecordedDeformables | null = null
  /** Largest values among the displayed frames of this run. They only grow, so that colours keep their meaning during playback. */
  private largest = { strain: 0, bending: 0 }
  scale: ColourScale | null = null

  constructor(scene: BabylonScene, uniforms: SharedUniforms, lights: Lights) {
    this.layer = new DeformableLayer(scene, uniforms, lights)
  }

  setTheme(theme: ViewportTheme): void {
    this.layer.setTheme(theme)
  }

  setStale(stale: boolean): void {
    this.layer.setStale(stale)
  }

  /** Sets the deformables of the displayed frame; null for the document's own state. */
  setRecorded(recorded: RecordedDeformables | null): void {
    if (recorded?.header !== this.recorded?.header) this.largest = { strain: 0, bending: 0 }
    this.recorded = recorded
  }

  compile(posed: PosedScene, state: ViewState, origin: Vec3): void {
    const ids = posed.scene.deformables?.map(({ id }) => id) ?? []
    this.layer.set(posed.scene, posed.particles, deformable => stateOf(ids[deformable]!, state), origin)
    this.paint(posed, state)
  }

  private paint({ scene }: PosedScene, { deformableColouring: by, painted }: ViewState): void {
    const { mesh } = this.layer
    this.scale = null
    if (mesh !== null && painted !== null) return this.paintFactors(mesh, scene, painted)
    if (mesh === null || by === 'material' || this.recorded === null || this.recorded.frame.position.length !== mesh.initial.length) return this.layer.paint(null, 0)
    const values = valuesOnMesh(mesh, scene, by, this.recorded)
    this.largest[by] = Math.max(this.largest[by], largestOf(values))
    const full = this.largest[by] > 0 ? roundUp125(this.largest[by]) : 0
    this.layer.paint(values, full)
    this.scale = { ...SCALES[by], full }
  }

  private paintFactors(mesh: DeformableMesh, scene: Scene, { id, what }: NonNullable<ViewState['painted']>): void {
    const deformables = scene.deformables ?? []
    const index = deformables.findIndex(one => one.id === id)
    const factors = index < 0 ? null : paintedFactors(deformables[index]!, what)
    if (factors === null) return this.layer.paint(null, 0)
    const most = factors.reduce((top, factor) => factor > 0 ? Math.max(top, factor, 1 / factor) : top, 2)
    const full = roundUp125(most)
    this.layer.paint(factorsOnMesh(mesh, index, factors), Math.log2(full))
    const lowest = factors.includes(0) ? `0; ${formatNumber(1 / full, 2)}` : formatNumber(1 / full, 2)
    this.scale = { label: FACTORS[what], unit: '', signed: true, full, figures: [lowest, '1', formatNumber(full, 2)] }
  }

  /** The deformable under a pixel; hidden and locked ones are ignored. */
  under(posed: PosedScene, state: ViewState, view: Projection, x: number, y: number): DeformableHit & { readonly id: string } | null {
    const { mesh } = this.layer
    const { deformables } = posed.scene
    if (mesh === null || deformables === undefined) return null
    const wanted = (deformable: number): boolean => {
      const id = deformables[deformable]?.id
      return id !== undefined && !state.hidden.has(id) && !state.locked.has(id)
    }
    const hit = deformableUnder(mesh, posed.particlePlaces, view, rayThrough(view, x, y), [x, y], wanted)
    return hit && { ...hit, id: deformables[hit.deformable]!.id }
  }
}

/** Highlight of a deformable; −1 if hidden. */
function stateOf(id: string, { hidden, selected, hovered, painted }: ViewState): number {
  // An outline would cover the painted colours of thin strands.
  return hidden.has(id) ? -1 : painted?.id === id ? HIGHLIGHT.none : selected.has(id) ? HIGHLIGHT.selected : hovered === id ? HIGHLIGHT.hovered : HIGHLIGHT.none
}

/** The smallest 1, 2 or 5 times a power of ten that is not below `value`. */
function roundUp125(value: number): number {
  const down = roundDown125(value)
  return [1, 2, 2.5, 5, 10].map(factor => down * factor).find(up => up >= value * (1 - 1e-12) && roundDown125(up * (1 + 1e-9)) >= up * (1 - 1e-9))!
}
