/** Recorded data of one deformable in a frame, and its supports. */

import type { ResolvedDeformable } from '../scene'
import type { DeformableFrame, TrajectoryHeader } from '../trajectory/frame'

/** Where the columns of one deformable begin in those of all, and how long they are. */
export interface DeformablePlace {
  readonly index: number
  readonly particle: number
  readonly particles: number
  readonly element: number
  readonly elements: number
  readonly hold: number
  readonly holds: number
}

export interface DeformableState {
  /** J */
  readonly kinetic: number
  readonly stretching: number
  readonly bending: number
  /** Of the element with the largest size of it, with its sign; null where nothing has a strain. */
  readonly worstStrain: number | null
  /** Mean of the sizes of strain over elements, each counted once. */
  readonly meanStrain: number | null
  /** N, largest in size, with its sign; null where nothing has a tension. */
  readonly largestTension: number | null
  /** N, 3 a hold, in the order of `holdsOf`. */
  readonly reactions: Float64Array
}

type Counts = Pick<TrajectoryHeader, 'deformableIds' | 'deformableParticles' | 'deformableElements' | 'deformableHeld'>

export function deformablePlaces({ deformableIds, deformableParticles, deformableElements, deformableHeld }: Counts): DeformablePlace[] {
  let [particle, element, hold] = [0, 0, 0]
  return deformableIds.map((_, index) => {
    const [particles, elements, holds] = [deformableParticles[index]!, deformableElements[index]!, deformableHeld[index]!]
    const place = { index, particle, particles, element, elements, hold, holds }
    particle += particles
    element += elements
    hold += holds
    return place
  })
}

export function deformableState({ energy, strain, tension, reaction }: DeformableFrame, place: DeformablePlace): DeformableState {
  const [from, to] = [place.element, place.element + place.elements]
  const { largest: worstStrain, mean: meanStrain } = extremes(strain, from, to)
  return {
    kinetic: energy[3 * place.index]!, stretching: energy[3 * place.index + 1]!, bending: energy[3 * place.index + 2]!,
    worstStrain, meanStrain, largestTension: extremes(tension, from, to).largest,
    reactions: reaction.slice(3 * place.hold, 3 * (place.hold + place.holds)),
  }
}

/** The number of the largest size, and the mean of sizes; NaN does not count. */
function extremes(values: Float64Array, from: number, to: number): { largest: number | null; mean: number | null } {
  let [count, sum] = [0, 0]
  let largest: number | null = null
  for (let i = from; i < to; i++) {
    const value = values[i]!
    if (Number.isNaN(value)) continue
    count++
    sum += Math.abs(value)
    if (largest === null || Math.abs(value) > Math.abs(largest)) largest = value
  }
  return { largest, mean: count === 0 ? null : sum / count }
}

/** Supports of a deformable: `vertices` held by a body or the world (null), or sewn together. */
export interface Hold {
  readonly kind: 'pin' | 'root' | 'attachment' | 'seam'
  readonly vertices: readonly number[]
  readonly body: string | null
}

/** In the order in which reactions are recorded: pins, the first two vertices of each strand of hair, attachments, seams. */
export function holdsOf(deformable: ResolvedDeformable): Hold[] {
  let first = 0
  const roots = deformable.type !== 'hair' ? [] : deformable.strands.flatMap(({ body, points }): Hold[] => {
    const root = first
    first += points.length
    return [root, root + 1].map(vertex => ({ kind: 'root', vertices: [vertex], body }))
  })
  return [
    ...deformable.pins.map((vertex): Hold => ({ kind: 'pin', vertices: [vertex], body: null })),
    ...roots,
    ...deformable.attachments.map(({ vertex, triangle, body }): Hold => ({
      kind: 'attachment', body, vertices: vertex === undefined ? deformable.type === 'cloth' ? deformable.triangles[triangle!]! : [] : [vertex],
    })),
    ...deformable.type === 'cloth' ? deformable.seams.map((seam): Hold => ({ kind: 'seam', vertices: seam, body: null })) : [],
  ]
}
