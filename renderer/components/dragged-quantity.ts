/** Quantities dragged from an inspector onto a plot. */

import type { SeriesRequest } from '../../main/protocol/runs'

export const QUANTITY = 'application/x-cairn-quantity'

export const holdsQuantity = (event: DragEvent): boolean => event.dataTransfer?.types.includes(QUANTITY) === true

/** The dropped quantities; empty if something else was dropped. */
export function droppedQuantities(event: DragEvent): readonly SeriesRequest[] {
  const text = event.dataTransfer?.getData(QUANTITY)
  return text ? JSON.parse(text) as SeriesRequest[] : []
}
