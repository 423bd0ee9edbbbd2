/** The convex pieces that are coloured by their distance beyond their mesh, and the scale of these colours. */

import { deviationScale } from '../modelling/deviation'
import { useMeshes } from '../state/meshes'
import { useView } from '../state/view'
import { AS_THEY_LOOK, type ColouredPieces } from './body-plan'
import type { ColourScale } from './shown-scale'
import type { PosedScene } from './posed-scene'

export function colouredPieces(): readonly ColouredPieces[] {
  return useView().pieceColours === 'distance' ? useMeshes().coloured : AS_THEY_LOOK.coloured
}

/** One scale for all of them; null if none is drawn. */
export function shownDeviation(posed: PosedScene | null): ColourScale | null {
  const { coloured, farthest } = useMeshes()
  const meshes = new Set(coloured.map(({ mesh }) => mesh))
  return meshes.size > 0 && posed?.plan.shapes.some(shapes => shapes.some(({ mesh }) => meshes.has(mesh))) ? deviationScale(farthest) : null
}
