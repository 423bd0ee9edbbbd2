/** Aligns and distributes the selected bodies by their bounding boxes: displacement of each along one axis, m. */

import type { Box } from './extents'

export type Edge = 'low' | 'middle' | 'high'

const placeOf = ({ low, high }: Box, axis: number, edge: Edge) => edge === 'low' ? low[axis]! : edge === 'high' ? high[axis]! : (low[axis]! + high[axis]!) / 2

/** Aligned to the last one, which stays. */
export function alignShifts(boxes: readonly Box[], axis: number, edge: Edge): number[] {
  const goal = placeOf(boxes.at(-1)!, axis, edge)
  return boxes.map(box => goal - placeOf(box, axis, edge))
}

/** Equal gaps between neighbours; the first and the last along the axis stay exactly. */
export function distributeShifts(boxes: readonly Box[], axis: number): number[] {
  const order = boxes.map((_, i) => i).sort((a, b) => placeOf(boxes[a]!, axis, 'middle') - placeOf(boxes[b]!, axis, 'middle'))
  const size = (i: number) => boxes[i]!.high[axis]! - boxes[i]!.low[axis]!
  const [first, last] = [order[0]!, order.at(-1)!]
  const room = boxes[last]!.high[axis]! - boxes[first]!.low[axis]! - order.reduce((sum, i) => sum + size(i), 0)
  const gap = room / (order.length - 1)
  const shifts = boxes.map(() => 0)
  let at = boxes[first]!.low[axis]!
  for (const i of order) {
    if (i !== first && i !== last) shifts[i] = at - boxes[i]!.low[axis]!
    at += size(i) + gap
  }
  return shifts
}
